/** Closes opened parts in reverse order; a part that fails does not keep the others open. */
import type { Logger } from '../log/logger.ts'

export class Closers {
  readonly #log: Logger
  readonly #stack: { name: string; close(): Promise<unknown> }[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  /** Registers how to close `opened` and returns it. */
  add<T>(name: string, opened: T, close: (opened: T) => Promise<unknown>): T {
    this.#stack.push({ name, close: () => close(opened) })
    return opened
  }

  async closeAll(): Promise<void> {
    for (let next = this.#stack.pop(); next; next = this.#stack.pop()) {
      try {
        await next.close()
      } catch (error) {
        this.#log.error({ err: error, part: next.name }, 'did not close cleanly')
      }
    }
  }
}
