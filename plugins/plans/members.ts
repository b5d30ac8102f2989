/**
 * Which account has which plan in force, in memory, because it is asked for each call. Instances tell
 * each other of changes, and look for missed ones.
 */
import {
  repeat,
  type Background,
  type Logger,
  type OwnLimits,
  type PluginTx,
  type PriceRule,
  type Signals,
  type Terms,
} from '#kernel'
import type { Plan } from './config.ts'
import { planPrice } from './plan-price.ts'
import type { PlanStore } from './store.ts'

const TOPIC = 'members'
const REFRESH_MS = 30_000

export class Members implements Terms {
  readonly #store: Pick<PlanStore, 'inForce'>
  readonly #plans: ReadonlyMap<string, Plan>
  readonly #signals: Signals
  readonly #log: Logger
  #byAccount: ReadonlyMap<string, { plan: Plan; isPresent: boolean }> = new Map()
  /** How many loads have begun, and which of them the map is of. */
  #begun = 0
  #shown = 0
  /** By plan and skill: the same object for the same list price, so that quotes are made once. */
  readonly #prices = new Map<string, WeakMap<PriceRule, PriceRule | typeof LIST>>()
  #background: Background | null = null
  #unlisten: (() => Promise<void>) | null = null

  constructor(deps: {
    store: Pick<PlanStore, 'inForce'>
    plans: ReadonlyMap<string, Plan>
    signals: Signals
    log: Logger
  }) {
    this.#store = deps.store
    this.#plans = deps.plans
    this.#signals = deps.signals
    this.#log = deps.log
  }

  /** Follows changes and then loads them: what changes in between is read, and not only heard of. */
  async start(): Promise<void> {
    const options = { name: 'members of plans', everyMs: REFRESH_MS, log: this.#log }
    this.#background = repeat(options, () => this.#load())
    this.#unlisten = await this.#signals.listen(TOPIC, () => this.#background?.wake())
    await this.#load()
  }

  async stop(): Promise<void> {
    await this.#unlisten?.()
    await this.#background?.stop()
  }

  /** Tells every instance of a change in `tx`: with its commit, whatever becomes of this instance then. */
  announce(tx: PluginTx): Promise<void> {
    return this.#signals.notify(TOPIC, '', tx)
  }

  /** Loads them here, so that what follows a change goes by it. */
  changed(): Promise<void> {
    return this.#load()
  }

  /** The plan of an account that is paid now. */
  planOf(accountId: string): Plan | null {
    return this.#byAccount.get(accountId)?.plan ?? null
  }

  /** What the account pays for a call of the skill; null: the list's price. */
  priceOf(accountId: string, skillId: string, list: PriceRule): PriceRule | null {
    const plan = this.planOf(accountId)
    if (plan === null) return null
    const key = `${plan.id} ${skillId}`
    let known = this.#prices.get(key)
    if (known === undefined) this.#prices.set(key, (known = new WeakMap()))
    let price = known.get(list)
    if (price === undefined) known.set(list, (price = planPrice(plan, skillId, list) ?? LIST))
    return price === LIST ? null : price
  }

  /**
   * How often each key of the account may call; null: its plan says nothing. A stranger who pays for a
   * plan must not slow the keys of its account down.
   */
  limitsOf(accountId: string): OwnLimits | null {
    const member = this.#byAccount.get(accountId)
    return member === undefined || member.isPresent ? null : member.plan.limits
  }

  async #load(): Promise<void> {
    const load = (this.#begun += 1)
    const rows = await this.#store.inForce()
    // An older look may answer later: whoever has just paid for a plan would lose its prices again.
    if (load < this.#shown) return
    this.#shown = load
    this.#byAccount = new Map(
      rows.flatMap(({ accountId, planId, isPresent }) => {
        const plan = this.#plans.get(planId)
        return plan === undefined ? [] : [[accountId, { plan, isPresent }] as const]
      }),
    )
  }
}

/** Remembers that a plan leaves a price as it is. */
const LIST = Symbol('list')
