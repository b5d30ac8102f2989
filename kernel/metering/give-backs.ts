/**
 * Gives back charges of withheld answers, also across a crash of this process: the order is in the
 * journal before the answer goes out, and the next start over the same folder carries it out. Doing
 * so twice is harmless, because every transition of a hold happens once.
 */
import type { Logger } from '../log/logger.ts'
import { Seldom } from '../log/seldom.ts'
import type { RailRegistry } from '../rails/registry.ts'
import { repeat, type Background } from '../work/background.ts'
import { within } from '../work/timeout.ts'
import type { Progress } from './call-outcome.ts'
import type { GiveBackJournal, GiveBackOrder, KeptOrder } from './give-back-contract.ts'
import type { IdempotencyStore } from './idempotency.ts'
import type { Held } from './plan.ts'

export interface GiveBackOrdersOptions {
  /** Absent: orders are lost when the process ends. */
  journal?: GiveBackJournal
  rails: Pick<RailRegistry, 'get' | 'giveBack'>
  idempotency: Pick<IdempotencyStore, 'withdraw' | 'free'>
  log: Logger
}

/** True once the charge is undone; false if it gave up, or `isWanted` said no before a try. */
type Begin = (isWanted: () => Promise<boolean>) => Promise<boolean>

export interface StartedGiveBack {
  /** The order is in the journal: it is carried out even if this process dies now. */
  isKept: boolean
  /** Whether the charge was undone; never rejects. */
  done: Promise<boolean>
}

/** How long the journal may take: a caller is waiting for an answer that is already late. */
const KEEP_MS = 2_000
const LEFT_EVERY_MS = 30_000
const FAILURES_LOG_MS = 600_000

export class GiveBackOrders {
  readonly #options: GiveBackOrdersOptions
  readonly #failures = new Seldom(FAILURES_LOG_MS)

  constructor(options: GiveBackOrdersOptions) {
    this.#options = options
  }

  /**
   * Starts `begin`, which continues in the background as `giveBack` of a failed capture does, and
   * resolves once the order is journalled as well. `begin` starts first, so that the rail already
   * reports the hold as open to a retry, which is then told to wait.
   */
  async start(order: GiveBackOrder, begin: Begin): Promise<StartedGiveBack> {
    // One that is written too late for the answer is forgotten in the end all the same.
    const keeping = this.#keep(order)
    const done = this.#finish(order, keeping, begin).catch((error: unknown) => {
      const { requestId, holdId } = order
      this.#options.log.error({ err: error, requestId, holdId }, 'a charge was not given back')
      return false
    })
    const late = () => this.#notKept(order, new Error(`no answer of the disk in ${KEEP_MS} ms`))
    return { isKept: (await within(keeping, KEEP_MS, late)) !== null, done }
  }

  /** Gives back the charge of a stream that broke off; a retry with the same key runs again. */
  async undoBroken(progress: Progress, plan: Held): Promise<void> {
    const { rail, authorization } = plan
    const { log } = this.#options
    const facts = { requestId: progress.call.requestId, rail: rail.id }
    if (!rail.undo) return log.error(facts, 'a paid stream broke off and its payment stands')
    // Streams are not kept, so no retry can have received the answer.
    const { done } = await this.start(orderOf(progress, plan), async () => {
      await rail.undo!(authorization, 'the answer broke off')
      return true
    })
    if (await done) log.warn(facts, 'a paid stream broke off; its charge is made good')
  }

  /** Carries out the orders that dead processes left, at once and again every half minute. */
  follow(): Background {
    const { log } = this.#options
    const task = { name: 'charges to be given back', everyMs: LEFT_EVERY_MS, atOnce: true, log }
    return repeat(task, async (stopping) => {
      for (const kept of (await this.#options.journal?.left()) ?? []) {
        if (stopping.aborted) return
        await this.#finishLeft(kept).catch((error: unknown) => this.#failed(kept.order, error))
      }
    })
  }

  /** Null once it failed, and where another process, which knows only the hold's id, could do nothing. */
  async #keep(order: GiveBackOrder): Promise<KeptOrder | null> {
    const { journal, rails } = this.#options
    if (!journal || !rails.get(order.railId)?.giveBack) return null
    return journal.keep(order).catch((error: unknown) => this.#notKept(order, error))
  }

  #notKept({ requestId, holdId }: GiveBackOrder, error: unknown): null {
    const text = 'a charge that is given back could not be written down: it stands if this dies'
    this.#options.log.error({ err: error, requestId, holdId }, text)
    return null
  }

  async #finishLeft(kept: KeptOrder): Promise<void> {
    const { rails, log } = this.#options
    const { railId, holdId, requestId } = kept.order
    const isGivenBack = await this.#finish(kept.order, kept, async (isWanted) => {
      return (await isWanted()) && (await rails.giveBack(railId, holdId))
    })
    if (isGivenBack) log.info({ requestId, holdId }, 'an earlier process owed a charge: given back')
  }

  /** True once the charge is undone. */
  async #finish(
    { holdId, key }: GiveBackOrder,
    keeping: KeptOrder | null | Promise<KeptOrder | null>,
    begin: Begin,
  ): Promise<boolean> {
    const { idempotency } = this.#options
    const claim = key && { ...key, holdId }
    // Once a retry by the key has received the answer, the charge is due.
    let isPaidFor = false
    const isGivenBack = await begin(async () => {
      isPaidFor = claim !== null && !(await idempotency.withdraw(claim))
      return !isPaidFor
    })
    if (isGivenBack && claim) await idempotency.free(claim)
    const kept = await keeping
    if (isGivenBack || isPaidFor) await kept?.forget()
    return isGivenBack
  }

  #failed({ requestId, holdId }: GiveBackOrder, error: unknown): void {
    const tries = this.#failures.note()
    const facts = { err: error, requestId, holdId, tries }
    if (tries !== null) this.#options.log.warn(facts, 'a charge is not given back yet')
  }
}

/** The order to give back the charge of a call's hold. */
export function orderOf(
  { call: { requestId } }: Progress,
  { rail, holdId, claim }: Held,
): GiveBackOrder {
  const key = claim && { scope: claim.scope, key: claim.key }
  return { railId: rail.id, holdId, requestId, key }
}
