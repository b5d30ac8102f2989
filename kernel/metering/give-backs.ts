/**
 * Gives back what may have been charged for withheld answers, whatever happens to this process: the
 * order is in the journal before the answer goes out, and the next start over the same folder
 * finishes it. Doing it twice is harmless, because every transition of a hold happens once.
 */
import type { Logger } from '../log/logger.ts'
import type { RailRegistry } from '../rails/registry.ts'
import { repeat, type Background } from '../work/background.ts'
import { within } from '../work/timeout.ts'
import type { GiveBackJournal, GiveBackOrder, KeptOrder } from './give-back-contract.ts'
import type { IdempotencyStore } from './idempotency.ts'

export interface GiveBacksOptions {
  /** Absent: orders last as long as the process. */
  journal?: GiveBackJournal
  rails: Pick<RailRegistry, 'get' | 'giveBack'>
  idempotency: Pick<IdempotencyStore, 'withdraw' | 'free'>
  log: Logger
}

/** True once no charge stands; false when `isWanted`, asked before each try, said no, or in vain. */
type Begin = (isWanted: () => Promise<boolean>) => Promise<boolean>

export interface StartedGiveBack {
  /** It will be done, also if this process dies now. */
  isKept: boolean
  /** Whether no charge stands; never rejects. */
  done: Promise<boolean>
}

/** A caller waits for it with an answer that is late already. */
const KEEP_MS = 2_000
const LEFT_EVERY_MS = 30_000

export class GiveBacks {
  readonly #options: GiveBacksOptions

  constructor(options: GiveBacksOptions) {
    this.#options = options
  }

  /**
   * Begins to carry the order out by `begin`, which goes on by itself as `giveBack` of a failed capture
   * does, and resolves once it is written down as well. It is begun at once, so that a retry that comes
   * meanwhile finds the rail at it and is told to wait.
   */
  async start(order: GiveBackOrder, begin: Begin): Promise<StartedGiveBack> {
    const keeping = this.#keep(order)
    const done = this.#finish(order, keeping, begin).catch((error: unknown) => {
      this.#failed(order, error)
      return false
    })
    return { isKept: (await keeping) !== null, done }
  }

  /** Finishes what processes that died have left, at once and again every half minute. */
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

  async #keep(order: GiveBackOrder): Promise<KeptOrder | null> {
    const { journal, rails, log } = this.#options
    // What its rail cannot finish by the hold's id alone, no other process can.
    if (!journal || !rails.get(order.railId)?.giveBack) return null
    try {
      return await within(journal.keep(order), KEEP_MS, () => {
        throw new Error(`the disk did not answer in ${KEEP_MS} ms`)
      })
    } catch (error) {
      const { requestId, holdId } = order
      const text = 'a charge that is given back could not be written down: it stands if this dies'
      log.error({ err: error, requestId, holdId }, text)
      return null
    }
  }

  async #finishLeft(kept: KeptOrder): Promise<void> {
    const { rails, log } = this.#options
    const { railId, holdId, requestId } = kept.order
    const isGivenBack = await this.#finish(kept.order, kept, async (isWanted) => {
      return (await isWanted()) && (await rails.giveBack(railId, holdId))
    })
    if (isGivenBack) log.info({ requestId, holdId }, 'an earlier process owed a charge: given back')
  }

  /** True once no charge stands. */
  async #finish(
    { holdId, key }: GiveBackOrder,
    keeping: KeptOrder | null | Promise<KeptOrder | null>,
    begin: Begin,
  ): Promise<boolean> {
    const { idempotency } = this.#options
    const claim = key && { ...key, holdId }
    // Once a retry by the key has the answer, the charge stands for that.
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
    this.#options.log.warn({ err: error, requestId, holdId }, 'a charge is not given back yet')
  }
}
