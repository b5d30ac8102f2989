/** The background side: turns due subscriptions, and finishes purchases whose answer was lost. */
import { repeat, type Background, type Logger, type PluginDb, type OneOffSales } from '#kernel'
import type { Plan } from './config.ts'
import type { Members } from './members.ts'
import { PLAN_SKILL } from '../shared/topup/purchases.ts'
import { fulfil, type PurchaseDeps } from './purchase.ts'
import type { Claimed, PlanStore } from './store.ts'
import { turn, type TurnDeps } from './turns.ts'

const EVERY_MS = 15_000
const BATCH = 50
/** A settled purchase normally begins in its own request. */
const QUIET_MS = 5000

export interface RenewalDeps extends TurnDeps {
  db: PluginDb
  store: PlanStore
  plans: ReadonlyMap<string, Plan>
  members: Members
  purchases: PurchaseDeps & { sales: OneOffSales }
  log: Logger
}

export class Renewals {
  readonly #deps: RenewalDeps
  /** Keys of accounts that got credits since the round before. */
  #funded = new Set<string>()
  #background: Background | null = null

  constructor(deps: RenewalDeps) {
    this.#deps = deps
  }

  start(): void {
    const { log } = this.#deps
    const options = { name: 'plans', everyMs: EVERY_MS, atOnce: true, log }
    this.#background = repeat(options, async (stopping) => {
      await this.#finishPurchases(stopping)
      await this.round(stopping)
    })
  }

  /** Resolves when the round under way has ended. */
  async stop(): Promise<void> {
    await this.#background?.stop()
  }

  /** Looks at once, for one that became due. */
  wake(): void {
    this.#background?.wake()
  }

  /** The account of the key got credits: if a month of it is unpaid, the next round tries it again. */
  funded(keyId: string): void {
    this.#funded.add(keyId)
  }

  /** Turns every subscription that is due now; how many this instance turned. */
  async round(stopping?: AbortSignal): Promise<number> {
    const { store, plans, members } = this.#deps
    let turned = 0
    await this.#retryFunded()
    for (;;) {
      const claimed = await store.claimDue(await store.clock(), [...plans.keys()], BATCH)
      for (const one of claimed) {
        // What is left comes again when its lease has run out.
        if (stopping?.aborted) break
        if (await this.#turn(one)) turned += 1
      }
      if (claimed.length < BATCH || stopping?.aborted) break
    }
    if (turned > 0) await members.changed()
    return turned
  }

  /** One that fails keeps no other from its turn, and comes again when its lease has run out. */
  async #turn(claimed: Claimed): Promise<boolean> {
    const { db, store, plans, log } = this.#deps
    try {
      const now = await store.clock()
      return await db.transaction(async (tx) => {
        const subscription = await store.lockClaimed(tx, claimed)
        if (subscription === null || subscription.state === 'ended') return false
        const plan = plans.get(subscription.planId) ?? null
        await turn(this.#deps, tx, subscription, plan, now)
        return true
      })
    } catch (error) {
      log.error({ err: error, subscription: claimed.id }, 'a plan could not have its turn')
      return false
    }
  }

  async #retryFunded(): Promise<void> {
    const { store, accounts } = this.#deps
    if (this.#funded.size === 0) return
    const keyIds = this.#funded
    this.#funded = new Set()
    const accountIds = new Set<string>()
    // One after the other: an account may have a thousand keys, and calls need the database too.
    for (const keyId of keyIds) {
      const accountId = await accounts.ofKey(keyId)
      if (accountId !== null) accountIds.add(accountId)
    }
    await store.retryUnpaid([...accountIds], await store.clock())
  }

  async #finishPurchases(stopping: AbortSignal): Promise<void> {
    const { store, plans, purchases, log } = this.#deps
    const open = await store.claimOpenPurchases([...plans.keys()], QUIET_MS, BATCH)
    for (const { requestId, amountAtomic } of open) {
      if (stopping.aborted) return
      try {
        const sale = { skillId: PLAN_SKILL, requestId, amountAtomic }
        if (await purchases.sales.wasPaid(sale)) await fulfil(purchases, requestId)
        else await store.forgetUnpaid(requestId)
      } catch (error) {
        log.warn({ err: error, requestId }, 'a bought plan could not be checked')
      }
    }
  }
}
