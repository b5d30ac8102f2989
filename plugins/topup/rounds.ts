/** Finishes in the background what a lost callback or a crash left open. */
import type { Logger } from '#kernel'
import { settle } from './crediting.ts'
import type { CheckoutDeps } from './checkout.ts'
import { fulfil, PURCHASE_SKILL, type PurchaseDeps } from './purchase.ts'

const EVERY_MS = 30_000
/** A checkout is asked about this long after its start or its last check. */
const QUIET_MS = 120_000
/** A settled purchase is normally credited in the same request. */
const PURCHASE_QUIET_MS = 5_000
const BATCH = 50

export class Rounds {
  readonly #checkout: CheckoutDeps
  readonly #purchase: PurchaseDeps
  readonly #log: Logger
  #timer: Timer | undefined
  #running: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(checkout: CheckoutDeps, purchase: PurchaseDeps, log: Logger) {
    this.#checkout = checkout
    this.#purchase = purchase
    this.#log = log
  }

  start(): void {
    this.#running = this.#round()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #round(): Promise<void> {
    try {
      await this.#purchases()
      await this.#checkouts()
    } catch (error) {
      this.#log.warn({ err: error }, 'a round of the top-ups failed')
    }
    if (this.#stopped) return
    this.#timer = setTimeout(
      () => {
        this.#running = this.#round()
      },
      EVERY_MS * (0.8 + Math.random() * 0.4),
    )
    this.#timer.unref()
  }

  async #purchases(): Promise<void> {
    const { store, till } = this.#purchase
    await store.purge()
    for (const bought of await store.claimOpenPurchases(PURCHASE_QUIET_MS, BATCH)) {
      const { requestId, amountAtomic } = bought
      await this.#each('purchase', requestId, async () => {
        if (await till.wasPaid({ skillId: PURCHASE_SKILL, requestId, amountAtomic }))
          await fulfil(this.#purchase, requestId)
      })
    }
  }

  async #checkouts(): Promise<void> {
    for (const intent of await this.#checkout.store.claimUnchecked(QUIET_MS, BATCH)) {
      const provider = this.#checkout.providers[intent.provider]
      if (!provider.configured) continue
      await this.#each('checkout', intent.reference, async () => {
        await settle(this.#checkout, provider, intent.reference, 'asked')
      })
    }
  }

  /** One that fails does not keep the others from their money. */
  async #each(what: string, id: string, work: () => Promise<void>): Promise<void> {
    if (this.#stopped) return
    try {
      await work()
    } catch (error) {
      this.#log.warn({ err: error, [what]: id }, `a ${what} could not be checked`)
    }
  }
}
