/**
 * A payment provider in memory: it has its own books, forgets to answer as the seed says, and lets
 * buyers pay what is not what they were asked for.
 */
import type {
  Lookup,
  Paid,
  Provider,
  ProviderId,
  Reversal,
  ReversalKind,
  ReversalLookup,
  ReversalNotice,
} from '../../plugins/topup/providers/contract.ts'
import type { Random } from './random.ts'

interface Booked {
  amountMinor: bigint
  paid: Paid
  /** Paid in full, in the right currency and mode, by a charge of its own. */
  isRight: boolean
  reversedMinor: bigint
}
export interface BookedReversal {
  kind: ReversalKind
  id: string
  reference: string
  amountMinor: bigint
  state: Reversal['state']
  /** The dispute that a refund settles. */
  disputeId?: string
}

export class VirtualProvider implements Provider {
  readonly id: ProviderId
  readonly configured: boolean
  /** Probability that it cannot be asked. */
  wrong = 0
  readonly #seeds: { fails(): Random; does(): Random }
  readonly #books = new Map<string, Booked>()
  readonly #reversals: BookedReversal[] = []
  #serial = 0

  constructor(id: ProviderId, seeds: { fails(): Random; does(): Random }, configured = true) {
    this.id = id
    this.#seeds = seeds
    this.configured = configured
  }

  async initialize({ reference, amountMinor, currency }: Parameters<Provider['initialize']>[0]) {
    const chargeId = `charge-${++this.#serial}`
    const paid: Paid = { reference, currency, amountMinor, chargeId, status: 'unpaid', mode: 'test' } // prettier-ignore
    this.#books.set(reference, { amountMinor, paid, isRight: false, reversedMinor: 0n })
    if (this.#isAway()) return { ok: false as const, message: 'its answer is lost' }
    return { ok: true as const, authorizationUrl: `https://pay.example/${reference}` }
  }

  /** Somebody pays at this checkout, mostly what was asked. */
  pay(reference: string): void {
    const booked = this.#books.get(reference)!
    booked.paid.status = 'paid'
    const how = this.#seeds.does().of(['right', 'right', 'right', 'right', 'less', 'naira', 'live'])
    booked.isRight = how === 'right'
    if (how === 'less') booked.paid.amountMinor -= 1n
    if (how === 'naira') booked.paid.currency = 'NGN'
    if (how === 'live') booked.paid.mode = 'live'
  }

  isPaidRight(reference: string): boolean {
    return this.#books.get(reference)?.isRight ?? false
  }

  /** A refund or dispute of at most half of what is left; null where nothing was paid. */
  reverse(reference: string): BookedReversal | null {
    const booked = this.#books.get(reference)!
    if (booked.paid.status !== 'paid') return null
    const amountMinor = (booked.amountMinor - booked.reversedMinor) / 2n
    if (amountMinor === 0n) return null
    booked.reversedMinor += amountMinor
    const kind = this.#seeds.does().of(['refund', 'dispute'] as const)
    const id = `${kind}-${++this.#serial}`
    const reversal: BookedReversal = { kind, id, reference, amountMinor, state: 'pending' }
    this.#reversals.push(reversal)
    return reversal
  }

  /**
   * The money is gone, or the merchant keeps it, by now or after all: that is final. Of a dispute the
   * merchant may accept a part.
   */
  decide(reversal: BookedReversal): void {
    if (reversal.state === 'kept') return
    const isPart = reversal.kind === 'dispute' && reversal.amountMinor > 1n
    if (reversal.state === 'gone' && isPart && this.#seeds.does().chance(0.5)) {
      reversal.amountMinor /= 2n
      return
    }
    reversal.state = reversal.state === 'gone' ? 'kept' : this.#seeds.does().of(['gone', 'kept'])
  }

  noticeOf({ kind, id, reference }: BookedReversal): ReversalNotice {
    return { kind, id, reference, chargeId: this.#books.get(reference)!.paid.chargeId }
  }

  async lookUp(reference: string): Promise<Lookup> {
    if (this.#isAway()) return { ok: false, reason: 'unreachable', message: 'away' }
    const booked = this.#books.get(reference)
    if (!booked) return { ok: false, reason: 'unknown', message: 'no such checkout' }
    return { ok: true, paid: { ...booked.paid } }
  }

  async lookUpReversals({ kind, id }: ReversalNotice): Promise<ReversalLookup> {
    if (this.#isAway()) return { ok: false, message: 'away' }
    const found = this.#reversals.filter((one) => one.kind === kind && one.id === id)
    const reversals = found.map(({ state, amountMinor, disputeId = null }) => {
      return { kind, id: id!, currency: 'USD', amountMinor, state, disputeId, mode: 'test' as const } // prettier-ignore
    })
    return { ok: true, reversals }
  }

  /** Callbacks of histories are calls, so nothing is signed or read. */
  isSigned(): boolean {
    return false
  }
  read(): { kind: 'unreadable' } {
    return { kind: 'unreadable' }
  }

  #isAway(): boolean {
    return this.#seeds.fails().chance(this.wrong)
  }
}
