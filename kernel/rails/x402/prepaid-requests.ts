/**
 * Request ids that POST /v1/x402/settle has paid for. Whether a call presents a credential is
 * asked for every unpaid call, so the open ones are kept in memory and other instances are told.
 */
import type { Database } from '../../storage/contract.ts'
import type { Claims } from './claims.ts'

const CHANNEL = 'coinop_x402_prepaid'
/** A lost notification is made good by reading the table this often. */
const RELOAD_MS = 5000

export class PrepaidRequests {
  readonly #database: Pick<Database, 'listen' | 'notify'>
  readonly #claims: Claims | null
  /** Request id → when it was heard of, in milliseconds. */
  readonly #open = new Map<string, number>()
  #unlisten: (() => Promise<void>) | null = null
  #timer: ReturnType<typeof setInterval> | null = null

  constructor(database: Pick<Database, 'listen' | 'notify'>, claims: Claims | null) {
    this.#database = database
    this.#claims = claims
  }

  has(requestId: string): boolean {
    return this.#open.has(requestId)
  }

  /** From now on a call with this request id is paid for, on every instance. */
  async add(requestId: string): Promise<void> {
    this.#open.set(requestId, Date.now())
    await this.#database.notify(CHANNEL, requestId)
  }

  forget(requestId: string): void {
    this.#open.delete(requestId)
  }

  async start(): Promise<void> {
    this.#unlisten = await this.#database.listen(CHANNEL, (requestId) => {
      this.#open.set(requestId, Date.now())
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
    const askedAt = Date.now()
    const listed = new Set(await this.#claims.openPrepaid())
    for (const [requestId, heardAt] of this.#open) {
      // One that was paid while the table was read is not in that answer yet.
      if (!listed.has(requestId) && heardAt < askedAt - RELOAD_MS) this.#open.delete(requestId)
    }
    for (const requestId of listed) if (!this.has(requestId)) this.#open.set(requestId, askedAt)
  }
}
