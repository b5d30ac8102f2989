/** Closes opened parts in reverse order; a part that fails does not keep the others open. */
import type { Logger } from '../log/logger.ts'

export class Closers {
  readonly #log: Logger
  readonly #stack: { name: string; close(): Promise<void> }[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  /** Registers how to close `opened` and returns it. */
  add<T>(name: string, opened: T, close: (opened: T) => Promise<unknown>): T {
    this.#stack.push({
      name,
      close: async () => {
        await close(opened)
      },
    })
    return opened
  }

  async closeAll(): Promise<void> {
    for (let next = this.#stack.pop(); next; next = this.#stack.pop()) {
      const { name } = next
      await next
        .close()
        .catch((error: unknown) =>
          this.#log.error({ err: error, part: name }, 'did not close cleanly'),
        )
    }
  }
}
