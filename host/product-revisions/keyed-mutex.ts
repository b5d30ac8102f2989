/** Work in order per name: one change of a product at a time, different products side by side. */
export class KeyedMutex {
  readonly #queues = new Map<string, Promise<void>>()

  /** Runs `work` after everything given before under this name, whatever became of that. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(name)
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#queues.set(name, ended)
    await before
    try {
      return await work()
    } finally {
      if (this.#queues.get(name) === ended) this.#queues.delete(name)
      end()
    }
  }

  /** Resolves when the work given so far has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#queues.values())
  }
}
