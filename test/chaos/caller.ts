/**
 * Callers of one gateway's ledger: they buy at random, send things twice, capture in full, in part
 * and by tiers, release, refund, abandon. Whatever they are told is noted before anything else.
 */
import { GatewayError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Hold, Ledger, Spender, TransitionResult } from '../../kernel/ledger/contract.ts'
import { callOf } from '../support/spenders.ts'
import { seeded, type Random } from '../support/docintel-fixtures/random.ts'
import { SKILLS, type Plan, type Skill } from './plan.ts'

/** One answer of the ledger about one hold. */
export interface Ack {
  holdId: string
  fact: 'authorized' | 'refused' | 'captured' | 'released' | 'refunded'
  /** What was held or captured. */
  amountAtomic: string
  repeated: boolean
}

const DAY_MS = 86_400_000
const LARGEST_ATOMIC = 60
/** Requests that callers of a key share. */
const REQUESTS = 300

export interface CallerOptions {
  ledger: Ledger
  plan: Omit<Plan, 'url' | 'ackFile'>
  note(ack: Ack): void
  stopping: AbortSignal
  /** Calls of each caller; default: until it is stopped. */
  calls?: number
}

/** Resolves when every caller has stopped. */
export async function runCallers(options: CallerOptions): Promise<void> {
  const { plan } = options
  await Promise.all(
    Array.from({ length: plan.callers }, (_, i) =>
      callAgainAndAgain(options, seeded(plan.seed * 1009 + i)),
    ),
  )
}

async function callAgainAndAgain(options: CallerOptions, random: Random): Promise<void> {
  const { stopping, calls = Infinity } = options
  for (let call = 0; call < calls && !stopping.aborted; call++)
    await new Call(options, random).run()
}

/** Ends the tries for an answer when the series is over. */
class Stopped extends Error {}

class Call {
  readonly #options: CallerOptions
  readonly #random: Random
  readonly #skill: Skill
  readonly #spender: Spender

  constructor(options: CallerOptions, random: Random) {
    this.#options = options
    this.#random = random
    this.#skill = random.pick(SKILLS)
    const { accountId, keyIds, victimIds } = options.plan
    const isVictim = victimIds.length > 0 && random.chance(0.05)
    this.#spender = { accountId, keyId: random.pick(isVictim ? victimIds : keyIds) }
  }

  async run(): Promise<void> {
    try {
      const holds = await this.#authorize()
      await Promise.all(holds.map((hold) => this.#end(hold)))
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
    }
  }

  /** The answer to a write that may be sent again until it is known. */
  async #answer<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (!(error instanceof GatewayError) || error.failure.status !== 503) throw error
        if (this.#options.stopping.aborted) throw new Stopped()
        await Bun.sleep(20)
      }
    }
  }

  async #authorize(): Promise<Hold[]> {
    const random = this.#random
    const isShared = random.chance(0.2)
    const request = random.int(0, REQUESTS)
    const amount = isShared ? 1 + (request % LARGEST_ATOMIC) : random.int(1, LARGEST_ATOMIC)
    const order = callOf(this.#spender, BigInt(amount), {
      ...(isShared && {
        scope: 'request',
        requestId: `${this.#spender.keyId}-${this.#skill.skillId}-${request}`,
      }),
      skillId: this.#skill.skillId,
      productId: this.#skill.productId,
      free: this.#skill.free,
      ttlMs: random.chance(0.06) ? random.int(1, 200) : DAY_MS,
    })
    const sends = random.chance(0.1) ? 2 : 1
    const { ledger } = this.#options
    const results = await Promise.all(
      Array.from({ length: sends }, () => this.#answer(() => ledger.authorize(order))),
    )
    const holds = new Map<string, Hold>()
    for (const result of results) {
      if (result.outcome === 'authorized') {
        const { hold, repeated } = result
        holds.set(hold.id, hold)
        this.#note('authorized', hold, hold.amountAtomic, repeated)
      } else if (sends === 1 && !isShared && result.outcome !== 'conflict') {
        this.#note('refused', { id: order.holdId }, 0n, false)
      }
    }
    return [...holds.values()]
  }

  async #end(hold: Hold): Promise<void> {
    const random = this.#random
    const ways = Array.from({ length: random.chance(0.1) ? 2 : 1 }, () =>
      random.pick(['capture', 'capture', 'capture', 'part', 'part', 'release', 'none'] as const),
    )
    await Promise.all(ways.map((way) => (way === 'none' ? null : this.#endAs(way, hold))))
    if (!random.chance(0.03)) return
    const { ledger } = this.#options
    const { id: holdId, requestId, keyId } = hold
    const result = await this.#answer(() => ledger.refund({ requestId, keyId, holdId }))
    if (result.outcome === 'done') {
      this.#note('refunded', hold, result.hold.capturedAtomic ?? 0n, result.repeated)
    }
  }

  async #endAs(way: 'capture' | 'part' | 'release', hold: Hold): Promise<void> {
    const { ledger } = this.#options
    const target = { holdId: hold.id, accountId: hold.accountId, keyId: hold.keyId }
    if (way === 'release') {
      const released = await this.#answer(() => ledger.release(target))
      if (released.outcome === 'done') this.#note('released', hold, 0n, released.repeated)
      return
    }
    const order = { ...target, ...this.#measured(way, hold) }
    const captured = await this.#answer<TransitionResult>(() => ledger.capture(order))
    if (captured.outcome !== 'done') return
    this.#note('captured', hold, captured.hold.capturedAtomic!, captured.repeated)
  }

  /** What a capture says beside the hold: nothing, a part, or units under a scale of tiers. */
  #measured(way: 'capture' | 'part', hold: Hold) {
    const { tiers } = SKILLS.find(({ skillId }) => skillId === hold.skillId)!
    if (tiers !== null) {
      const units = BigInt(this.#random.int(0, 8))
      return { units, graduated: { units, baseAtomic: 1n, tiers } }
    }
    if (way === 'capture' || hold.amountAtomic === 0n) return {}
    return { amountAtomic: BigInt(this.#random.int(0, Number(hold.amountAtomic))) }
  }

  #note(fact: Ack['fact'], { id }: { id: string }, amountAtomic: bigint, repeated: boolean): void {
    this.#options.note({ holdId: id, fact, amountAtomic: String(amountAtomic), repeated })
  }
}

/** Expires due holds until it is stopped; like a gateway's, it bears every failure of the database. */
export async function sweepUntil(ledger: Ledger, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await ledger.expireDue(100).catch(() => {})
    await Bun.sleep(40)
  }
}

/** A seed that differs for every instance that is ever started in a series. */
export const seedOf = (series: number, instance: number): number => series * 7919 + instance

/** An id for files of one run. */
export const runName = (): string => newId().slice(-12)
