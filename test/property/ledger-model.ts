/**
 * An in-memory ledger that predicts every result of the real one, one operation after the other. It
 * keeps no counters: what is spent, free or measured is counted from the holds each time.
 */
import type {
  AuthorizeOrder,
  AuthorizeResult,
  FreeQuota,
  Graduated,
  HoldState,
  RefundResult,
  SpendLimit,
  Spender,
  TransitionResult,
} from '../../kernel/ledger/contract.ts'
import { NO_CAPS, type Caps } from '../support/spenders.ts'

export interface ModelHold {
  order: AuthorizeOrder
  amount: bigint
  state: HoldState
  captured: bigint | null
  units: bigint | null
  /** The month's units before these; null where no tiers priced it. */
  volumeBefore: bigint | null
  freeBucket: string | null
  madeAtMs: number
  claim: string | null
  /** Refunded because its answer was withheld. */
  isUndone: boolean
}
interface ModelAccount {
  available: bigint
  held: bigint
  closed: boolean
  lowMark: bigint | null
  isLow: boolean
  /** Events of a low balance so far. */
  lowEvents: number
}
interface ModelKey {
  accountId: string
  revoked: boolean
  /** By scope; '*' is always there. */
  caps: Map<string, Caps>
}

/** What of a result the model predicts. */
export interface Predicted {
  outcome: string
  repeated?: boolean
  holdId?: string
  state?: HoldState
  amountAtomic?: bigint
  capturedAtomic?: bigint | null
  availableAtomic?: bigint
  limit?: SpendLimit
  capAtomic?: bigint
}

type Result = AuthorizeResult | TransitionResult | RefundResult

/** The predicted part of a real result. */
export function observed(result: Result): Predicted {
  const seen: Predicted = { outcome: result.outcome }
  if ('hold' in result) {
    seen.holdId = result.hold.id
    seen.state = result.hold.state
    seen.amountAtomic = result.hold.amountAtomic
    seen.capturedAtomic = result.hold.capturedAtomic
  }
  if ('repeated' in result) seen.repeated = result.repeated
  if ('availableAtomic' in result) seen.availableAtomic = result.availableAtomic
  if ('limit' in result) {
    seen.limit = result.limit
    seen.capAtomic = result.capAtomic
  }
  return seen
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const monthOf = (ms: number): string => dayOf(ms).slice(0, 7)

export class LedgerModel {
  nowMs = 0
  readonly accounts = new Map<string, ModelAccount>()
  readonly keys = new Map<string, ModelKey>()
  readonly holds = new Map<string, ModelHold>()
  /** What each reference moved, of credits and transfers. */
  readonly references = new Map<string, string>()

  clone(): LedgerModel {
    const copy = new LedgerModel()
    copy.nowMs = this.nowMs
    for (const [id, account] of this.accounts) copy.accounts.set(id, { ...account })
    for (const [id, key] of this.keys) copy.keys.set(id, { ...key, caps: new Map(key.caps) })
    for (const [id, hold] of this.holds) copy.holds.set(id, { ...hold })
    for (const [reference, moved] of this.references) copy.references.set(reference, moved)
    return copy
  }

  open(accountId: string, lowMark: bigint | null): void {
    this.accounts.set(accountId, {
      available: 0n,
      held: 0n,
      closed: false,
      lowMark,
      isLow: false,
      lowEvents: 0,
    })
  }

  addKey({ accountId, keyId }: Spender): void {
    this.keys.set(keyId, { accountId, revoked: false, caps: new Map([['*', NO_CAPS]]) })
  }

  credit(accountId: string, amountAtomic: bigint, reference: string): Predicted {
    const account = this.accounts.get(accountId)!
    if (this.references.has(reference)) {
      return { outcome: 'credited', repeated: true, availableAtomic: account.available }
    }
    if (account.closed) return { outcome: 'closed' }
    this.references.set(reference, accountId)
    this.#lift(account, amountAtomic)
    return { outcome: 'credited', repeated: false, availableAtomic: account.available }
  }

  authorize(order: AuthorizeOrder): Predicted {
    const account = this.accounts.get(order.accountId)
    const key = this.keys.get(order.keyId)
    if (!account || key?.accountId !== order.accountId) return { outcome: 'unknown_key' }
    const claim = order.scope === 'request' ? order.requestId : null
    const earlier =
      this.holds.get(order.holdId) ??
      this.#find(
        (hold) => claim !== null && hold.claim === claim && hold.order.keyId === order.keyId,
      )
    if (earlier?.state === 'authorized' && this.#isDue(earlier)) {
      this.#giveBack(earlier, 'expired')
      return this.authorize(order)
    }
    if (earlier) return this.#earlier(order, earlier)
    if (account.closed) return { outcome: 'closed' }
    if (key.revoked) return { outcome: 'revoked' }
    const freeBucket = this.#freePlace(order)
    const amount = freeBucket === null ? order.amountAtomic : 0n
    if (account.available < amount) {
      return { outcome: 'insufficient', availableAtomic: account.available }
    }
    const over = this.#exceeded(order, key, amount)
    if (over) return over
    account.available -= amount
    account.held += amount
    const made: ModelHold = {
      order,
      amount,
      state: 'authorized',
      captured: null,
      units: null,
      volumeBefore: null,
      freeBucket,
      madeAtMs: this.nowMs,
      claim,
      isUndone: false,
    }
    this.holds.set(order.holdId, made)
    return {
      ...this.#shown('authorized', made),
      repeated: false,
      availableAtomic: account.available,
    }
  }

  #exceeded(order: AuthorizeOrder, key: ModelKey, amount: bigint): Predicted | null {
    for (const [scope, subject] of [
      ['*', 'key'],
      [order.productId, 'product'],
    ] as const) {
      const caps = key.caps.get(scope) ?? NO_CAPS
      const spent = this.spent(order.keyId, scope)
      const sums = { call: amount, day: spent.day + amount, month: spent.month + amount }
      for (const period of ['call', 'day', 'month'] as const) {
        const cap = caps[period]
        if (cap === null || sums[period] <= cap) continue
        return { outcome: 'over_budget', limit: `${subject}_${period}`, capAtomic: cap }
      }
    }
    return null
  }

  /** What the key's holds of this UTC day and month take, over all products or of one. */
  spent(keyId: string, scope: string): { day: bigint; month: bigint } {
    const sums = { day: 0n, month: 0n }
    for (const hold of this.holds.values()) {
      if (hold.order.keyId !== keyId) continue
      if (scope !== '*' && hold.order.productId !== scope) continue
      if (hold.isUndone) continue
      const amount = hold.state === 'authorized' ? hold.amount : (hold.captured ?? 0n)
      if (monthOf(hold.madeAtMs) === monthOf(this.nowMs)) sums.month += amount
      if (dayOf(hold.madeAtMs) === dayOf(this.nowMs)) sums.day += amount
    }
    return sums
  }

  /** The bucket of the free place that the order takes, or null. */
  #freePlace({ free, accountId, skillId }: AuthorizeOrder): string | null {
    if (!free) return null
    const bucket = bucketOf(free, this.nowMs)
    const used = this.holdsOf(accountId).filter(
      (hold) =>
        hold.order.skillId === skillId &&
        hold.freeBucket === bucket &&
        hold.state !== 'released' &&
        hold.state !== 'expired' &&
        !hold.isUndone,
    )
    return used.length < free.calls ? bucket : null
  }

  #earlier(order: AuthorizeOrder, hold: ModelHold): Predicted {
    // A free hold does not know what it would have cost.
    const isFree = hold.freeBucket !== null && order.free != null
    const same =
      hold.order.requestId === order.requestId &&
      (isFree || hold.amount === order.amountAtomic) &&
      hold.order.skillId === order.skillId &&
      hold.order.path === order.path
    if (!same || hold.state === 'released' || hold.state === 'expired') {
      return this.#shown('conflict', hold)
    }
    return {
      ...this.#shown('authorized', hold),
      repeated: true,
      availableAtomic: this.#available(hold),
    }
  }

  capture(
    holdId: string,
    spender: Spender,
    measured: { amountAtomic?: bigint; graduated?: Graduated } = {},
  ): Predicted {
    const hold = this.#of(holdId, spender)
    if (!hold) return { outcome: 'not_found' }
    if (hold.state === 'authorized' && this.#isDue(hold)) this.#giveBack(hold, 'expired')
    if (hold.state !== 'authorized') return this.#captureAgain(hold, measured)
    const account = this.accounts.get(spender.accountId)!
    hold.captured = this.#price(hold, measured)
    hold.state = 'captured'
    account.held -= hold.amount
    account.available += hold.amount - hold.captured
    const left = account.available + account.held
    if (account.lowMark !== null && left < account.lowMark && !account.isLow) {
      account.isLow = true
      account.lowEvents += 1
    }
    return this.#done(hold, false)
  }

  #price(
    hold: ModelHold,
    { amountAtomic, graduated }: { amountAtomic?: bigint; graduated?: Graduated },
  ): bigint {
    if (graduated) hold.units = graduated.units
    if (hold.freeBucket !== null) return 0n
    if (!graduated) return amountAtomic ?? hold.amount
    const before = this.volume(hold)
    hold.volumeBefore = before
    const price =
      graduated.baseAtomic +
      cumulated(graduated.tiers, before + graduated.units) -
      cumulated(graduated.tiers, before)
    return price < hold.amount ? price : hold.amount
  }

  #captureAgain(
    hold: ModelHold,
    { amountAtomic, graduated }: { amountAtomic?: bigint; graduated?: Graduated },
  ): Predicted {
    const isSameSum = graduated
      ? hold.volumeBefore !== null && hold.units === graduated.units
      : hold.captured === (amountAtomic ?? hold.amount)
    const same = hold.captured !== null && (hold.freeBucket !== null || isSameSum)
    return same ? this.#done(hold, true) : this.#shown('conflict', hold)
  }

  /** Units captured of the hold's skill in the month of the hold. */
  volume({ order, madeAtMs }: ModelHold): bigint {
    return this.holdsOf(order.accountId)
      .filter(
        (hold) =>
          hold.volumeBefore !== null &&
          hold.order.skillId === order.skillId &&
          monthOf(hold.madeAtMs) === monthOf(madeAtMs),
      )
      .reduce((sum, { units }) => sum + units!, 0n)
  }

  release(holdId: string, spender: Spender): Predicted {
    const hold = this.#of(holdId, spender)
    if (!hold) return { outcome: 'not_found' }
    if (hold.state === 'released') return this.#done(hold, true)
    if (hold.state !== 'authorized') return this.#shown('conflict', hold)
    this.#giveBack(hold, 'released')
    return this.#done(hold, false)
  }

  refund(requestId: string, keyId: string, isUndone: boolean): Predicted {
    const holds = [...this.holds.values()]
      .filter(({ order }) => order.requestId === requestId && order.keyId === keyId)
      .toSorted((a, b) => (a.order.holdId < b.order.holdId ? -1 : 1))
    const charged = holds.filter((hold) => hold.captured !== null)
    const [hold, second] = charged
    if (!hold)
      return holds.length > 0 ? this.#shown('conflict', holds.at(-1)!) : { outcome: 'not_found' }
    if (second) return { outcome: 'ambiguous' }
    if (hold.state === 'refunded') return this.#done(hold, true)
    hold.state = 'refunded'
    hold.isUndone = isUndone
    this.#lift(this.accounts.get(hold.order.accountId)!, hold.captured!)
    return this.#done(hold, false)
  }

  /** Moves money between accounts, once per reference. */
  transfer(fromId: string, toId: string, amountAtomic: bigint, reference: string): Predicted {
    const moved = `${fromId} ${toId} ${amountAtomic}`
    const earlier = this.references.get(reference)
    if (earlier !== undefined) {
      return earlier === moved
        ? { outcome: 'transferred', repeated: true }
        : { outcome: 'other_transfer' }
    }
    const from = this.accounts.get(fromId)!
    const to = this.accounts.get(toId)!
    if (from.closed || to.closed) return { outcome: 'closed' }
    if (from.available < amountAtomic) {
      return { outcome: 'insufficient', availableAtomic: from.available }
    }
    this.references.set(reference, moved)
    from.available -= amountAtomic
    this.#lift(to, amountAtomic)
    return { outcome: 'transferred', repeated: false }
  }

  close(accountId: string): 'closed' {
    this.accounts.get(accountId)!.closed = true
    return 'closed'
  }

  /** Returns how many holds expired. */
  sweep(): number {
    const due = [...this.holds.values()].filter(
      (hold) => hold.state === 'authorized' && this.#isDue(hold),
    )
    for (const hold of due) this.#giveBack(hold, 'expired')
    return due.length
  }

  balance(accountId: string) {
    const { available, held, closed } = this.accounts.get(accountId)!
    return { accountId, availableAtomic: available, heldAtomic: held, isClosed: closed }
  }

  holdsOf(accountId: string): ModelHold[] {
    return [...this.holds.values()].filter(({ order }) => order.accountId === accountId)
  }

  #isDue(hold: ModelHold): boolean {
    return hold.madeAtMs + hold.order.ttlMs <= this.nowMs
  }

  #lift(account: ModelAccount, amountAtomic: bigint): void {
    account.available += amountAtomic
    if (account.lowMark !== null && account.available + account.held >= account.lowMark) {
      account.isLow = false
    }
  }

  #giveBack(hold: ModelHold, state: 'released' | 'expired'): void {
    const account = this.accounts.get(hold.order.accountId)!
    account.held -= hold.amount
    account.available += hold.amount
    hold.state = state
    hold.claim = null
  }

  #find(matches: (hold: ModelHold) => boolean): ModelHold | undefined {
    return [...this.holds.values()].find(matches)
  }
  #of(holdId: string, { keyId, accountId }: Spender): ModelHold | undefined {
    const hold = this.holds.get(holdId)
    return hold?.order.keyId === keyId && hold.order.accountId === accountId ? hold : undefined
  }
  #available(hold: ModelHold): bigint {
    return this.accounts.get(hold.order.accountId)!.available
  }
  #done(hold: ModelHold, repeated: boolean): Predicted {
    return { ...this.#shown('done', hold), repeated, availableAtomic: this.#available(hold) }
  }
  #shown(outcome: string, hold: ModelHold): Predicted {
    return {
      outcome,
      holdId: hold.order.holdId,
      state: hold.state,
      amountAtomic: hold.amount,
      capturedAtomic: hold.captured,
    }
  }
}

/** The UTC day or month whose free places a call at that moment takes. */
const bucketOf = ({ period }: FreeQuota, nowMs: number): string =>
  period === 'day' ? dayOf(nowMs) : monthOf(nowMs)

/** The price of the first `units` of a month. */
export function cumulated(tiers: Graduated['tiers'], units: bigint): bigint {
  let sum = 0n
  let from = 0n
  for (const { upTo, unitAtomic } of tiers) {
    const to = upTo === null || upTo > units ? units : upTo
    if (to > from) sum += (to - from) * unitAtomic
    from = upTo ?? from
  }
  return sum
}
