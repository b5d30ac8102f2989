/** Errors that nobody catches: what one library or plugin forgot must not end the work of every caller. */

type Tell = (error: unknown, what: string) => void

let tell: Tell | null = null

/** From now on they are told by `by`, in place of who told them before, and end nothing. */
export function outliveStrayErrors(by: Tell): void {
  const isFirst = tell === null
  tell = by
  if (!isFirst) return
  process.on('unhandledRejection', (reason) =>
    tell?.(reason, 'a promise was rejected that nobody waits for'),
  )
  process.on('uncaughtException', (error) =>
    tell?.(error, 'an error was thrown where nobody could catch it'),
  )
}
