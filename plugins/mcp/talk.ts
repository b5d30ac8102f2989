/**
 * What is said to a client between its request and the result: progress, log messages and, in the
 * old era, questions. The first word turns the answer into an SSE stream; without one it is JSON.
 */
import type { Json } from './protocol.ts'
import type { Questions } from './questions.ts'

export class Talk {
  readonly #questions: Questions
  readonly #waiting: string[] = []
  #write: ((message: string) => void) | null = null
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

  /** The client's answer to a request of ours. Rejects when it refuses, goes away or takes too long. */
  ask(method: string, params: Json, signal: AbortSignal): Promise<unknown> {
    const { id, answer } = this.#questions.open(signal)
    this.#say({ jsonrpc: '2.0', id, method, params })
    return answer
  }

  /** Everything said so far and from now on goes to `write`. */
  connect(write: (message: string) => void): void {
    this.#write = write
    for (const message of this.#waiting.splice(0)) write(message)
  }

  #say(message: object): void {
    const text = JSON.stringify(message)
    if (this.#write) this.#write(text)
    else this.#waiting.push(text)
    this.#begin()
  }
}
