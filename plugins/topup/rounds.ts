/** Finishes in the background what a lost callback or a crash left open. */
import { repeat, type Background, type Logger } from '#kernel'
import { settle } from './crediting.ts'
import type { CheckoutDeps } from './checkout.ts'
import { retryReturn } from './returning.ts'
import { claimOwed, claimRests, isAnyRestWaiting } from './reversals.ts'
import { takeRest } from './taking.ts'
import { CREDITS_SKILL } from '../shared/topup/purchases.ts'
import { fulfil, type PurchaseDeps } from './purchase.ts'

const EVERY_MS = 30_000
/** A checkout is asked about this long after its start or its last check. */
const QUIET_MS = 120_000
/** A settled purchase is normally credited in the same request. */
const PURCHASE_QUIET_MS = 5_000
/** How soon credits on hold are looked at again while a refund or dispute waits for them. */
const REST_EVERY_MS = 1000
const BATCH = 50

export class Rounds {
  readonly #checkout: CheckoutDeps
  readonly #purchase: PurchaseDeps
  readonly #log: Logger
  #background: Background | undefined
  #rests: Background | undefined
  #restsAgain: ReturnType<typeof setTimeout> | undefined

  constructor(checkout: CheckoutDeps, purchase: PurchaseDeps, log: Logger) {
    this.#checkout = checkout
    this.#purchase = purchase
    this.#log = log
  }

  start(): void {
    const options = { everyMs: EVERY_MS, atOnce: true, log: this.#log }
    this.#background = repeat({ ...options, name: 'top-ups' }, async (stopping) => {
      await this.#purchases(stopping)
      await this.#checkouts(stopping)
      await this.#returns(stopping)
    })
    const rests = { ...options, name: 'refunds of credits on hold' }
    this.#rests = repeat(rests, (stopping) => this.#takeRests(stopping))
  }

  /** Resolves when the rounds under way have ended. */
  async stop(): Promise<void> {
    await Promise.all([this.#background?.stop(), this.#rests?.stop()])
    clearTimeout(this.#restsAgain)
  }

  /** Looks at credits on hold now, and each second from then on while a reversal waits for any. */
  lookAtRests(): void {
    this.#rests?.wake()
  }

  async #takeRests(stopping: AbortSignal): Promise<void> {
    clearTimeout(this.#restsAgain)
    const { db } = this.#checkout
    for (const waiting of await claimRests(db, BATCH)) {
      if (stopping.aborted) return
      await this.#each('reversal', waiting.id, () => takeRest(this.#checkout, waiting))
    }
    if (!(await isAnyRestWaiting(db)) || stopping.aborted) return
    this.#restsAgain = setTimeout(() => this.lookAtRests(), REST_EVERY_MS)
    this.#restsAgain.unref()
  }

  async #purchases(stopping: AbortSignal): Promise<void> {
    const { store, sales } = this.#purchase
    await store.purge()
    for (const bought of await store.claimOpenPurchases(PURCHASE_QUIET_MS, BATCH)) {
      const { requestId, amountAtomic } = bought
      if (stopping.aborted) return
      await this.#each('purchase', requestId, async () => {
        if (await sales.wasPaid({ skillId: CREDITS_SKILL, requestId, amountAtomic }))
          await fulfil(this.#purchase, requestId)
        else await store.forgetUnpaid(requestId)
      })
    }
  }

  async #checkouts(stopping: AbortSignal): Promise<void> {
    for (const intent of await this.#checkout.store.claimUnchecked(QUIET_MS, BATCH)) {
      if (stopping.aborted) return
      const provider = this.#checkout.providers[intent.provider]
      if (!provider.configured) continue
      await this.#each('checkout', intent.reference, async () => {
        await settle(this.#checkout, provider, intent.reference, 'asked')
      })
    }
  }

  async #returns(stopping: AbortSignal): Promise<void> {
    for (const owed of await claimOwed(this.#checkout.db, BATCH)) {
      if (stopping.aborted) return
      await this.#each('reversal', owed.id, () => retryReturn(this.#checkout, owed))
    }
  }

  /** One that fails does not keep the others from their money. */
  async #each(what: string, id: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#log.warn({ err: error, [what]: id }, `a ${what} could not be checked`)
    }
  }
}
