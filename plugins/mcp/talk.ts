/**
 * What is said to a client between its request and the result: progress, log messages and, in the
 * old era, questions. The first word turns the answer into an SSE stream; without one it is JSON.
 */
import type { Json } from './protocol.ts'
import type { Questions } from './questions.ts'

/** Messages that may wait for a client; beyond them progress is dropped. */
export const MAX_WAITING = 1000

/** Takes a message for the client; one that `mayBeLost` is dropped while too many wait. */
export type Write = (message: string, mayBeLost: boolean) => void

export class Talk {
  readonly #questions: Questions
  readonly #waiting: { message: string; mayBeLost: boolean }[] = []
  #write: Write | null = null
  #begin!: () => void
  /** Resolves with the first word. */
  readonly began: Promise<void>

  constructor(questions: Questions) {
    this.#questions = questions
    this.began = new Promise((resolve) => (this.#begin = resolve))
  }

  notify(method: string, params: Json): void {
    this.#say({ jsonrpc: '2.0', method, params })
  }

  /** A later step says more than one that was lost. */
  progress(params: Json): void {
    this.#say({ jsonrpc: '2.0', method: 'notifications/progress', params }, true)
  }

  /** The client's answer to a request of ours. Rejects when it refuses, goes away or takes too long. */
  ask(method: string, params: Json, signal: AbortSignal): Promise<unknown> {
    const { id, answer } = this.#questions.open(signal)
    this.#say({ jsonrpc: '2.0', id, method, params })
    return answer
  }

  /** Everything said so far and from now on goes to `write`. */
  connect(write: Write): void {
    this.#write = write
    for (const { message, mayBeLost } of this.#waiting.splice(0)) write(message, mayBeLost)
  }

  #say(body: object, mayBeLost = false): void {
    const message = JSON.stringify(body)
    if (this.#write) this.#write(message, mayBeLost)
    else if (!mayBeLost || this.#waiting.length < MAX_WAITING)
      this.#waiting.push({ message, mayBeLost })
    this.#begin()
  }
}
