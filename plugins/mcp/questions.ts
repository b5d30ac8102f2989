/**
 * Requests of ours that wait for a posted response (revisions with a handshake). Their ids cannot be
 * guessed, so only the client that was asked can answer. They live in this process: an answer that
 * a load balancer takes to another instance is lost, and the call ends uncharged.
 */
import { isObject } from './protocol.ts'

/** How long a user may think. */
const ANSWER_MS = 5 * 60_000
const MAX_OPEN = 10_000

interface Waiting {
  resolve(result: unknown): void
  reject(reason: Error): void
}

export class Questions {
  readonly #open = new Map<string, Waiting>()

  /** A new question and its answer; ends with `signal` at the latest. */
  open(signal: AbortSignal): { id: string; answer: Promise<unknown> } {
    const id = crypto.randomUUID()
    const limits = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)])
    const answer = new Promise<unknown>((resolve, reject) => {
      if (this.#open.size >= MAX_OPEN) throw new Error('too many questions are open')
      const giveUp = () => reject(new Error('no answer came in time'))
      // The client may have left before it was asked: no event says so again.
      if (limits.aborted) return giveUp()
      this.#open.set(id, { resolve, reject })
      limits.addEventListener('abort', giveUp, { once: true })
    }).finally(() => this.#open.delete(id))
    return { id, answer }
  }

  /** Hands a posted response to whoever waits for it; anything else is dropped. */
  settle(response: Readonly<Record<string, unknown>>): void {
    const waiting = typeof response['id'] === 'string' ? this.#open.get(response['id']) : undefined
    if (!waiting) return
    const { error } = response
    if (isObject(error))
      waiting.reject(new Error(`the client refused: ${String(error['message'])}`))
    else waiting.resolve(response['result'])
  }
}
