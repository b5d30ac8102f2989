/** A database that cannot be opened: told to the operator, never to a caller. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  /** What the operator can do about it. */
  readonly fix: string

  constructor(message: string, fix: string, options?: ErrorOptions) {
    super(message, options)
    this.fix = fix
  }
}
