/**
 * Requests that POST /v1/x402/settle has paid for. Callers choose their request ids, and two may choose
 * the same one: a request belongs to the API key that settled it, or to callers without a key. Every
 * unpaid call is looked up here, so the open requests are kept in memory on every instance.
 */
import type { Signals } from '#kernel'
import type { Claims } from './claims.ts'
import type { PrepaidRequest } from './claim.ts'

const TOPIC = 'prepaid'
/** The table is read this often, in case a notification is lost. */
const RELOAD_MS = 5000

export class PrepaidRequests {
  readonly #signals: Signals
  readonly #claims: Claims | null
  /** By the text of the request: when this instance learnt of it, in milliseconds. */
  readonly #open = new Map<string, number>()
  #unlisten: (() => Promise<void>) | null = null
  #timer: ReturnType<typeof setInterval> | null = null

  constructor(signals: Signals, claims: Claims | null) {
    this.#signals = signals
    this.#claims = claims
  }

  has(request: PrepaidRequest): boolean {
    return this.#open.size > 0 && this.#open.has(textOf(request))
  }

  /** From now on such a call is paid for, on every instance. */
  async add(request: PrepaidRequest): Promise<void> {
    const text = textOf(request)
    this.#open.set(text, performance.now())
    await this.#signals.notify(TOPIC, text)
  }

  forget(request: PrepaidRequest): void {
    this.#open.delete(textOf(request))
  }

  async start(): Promise<void> {
    this.#unlisten = await this.#signals.listen(TOPIC, (text) => {
      this.#open.set(text, performance.now())
    })
    await this.#reload()
    this.#timer = setInterval(() => void this.#reload().catch(() => {}), RELOAD_MS)
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    await this.#unlisten?.()
  }

  async #reload(): Promise<void> {
    if (!this.#claims) return
    const askedAt = performance.now()
    const listed = new Set((await this.#claims.openPrepaid()).map(textOf))
    for (const [text, heardAt] of this.#open) {
      // A request that was paid while the table was read is not in that answer yet.
      if (!listed.has(text) && heardAt < askedAt - RELOAD_MS) this.#open.delete(text)
    }
    for (const text of listed) if (!this.#open.has(text)) this.#open.set(text, askedAt)
  }
}

/** No request id and no skill id has a space in it. */
function textOf({ requestId, skillId, keyId }: PrepaidRequest): string {
  return `${requestId} ${skillId} ${keyId ?? ''}`
}
