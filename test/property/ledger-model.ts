/** An in-memory ledger that predicts every result of the real one, one operation after the other. */
import type {
  AuthorizeOrder,
  AuthorizeResult,
  HoldState,
  RefundResult,
  TransitionResult,
} from '../../kernel/ledger/contract.ts'

export interface ModelHold {
  order: AuthorizeOrder
  state: HoldState
  captured: bigint | null
  /** Past its time. */
  due: boolean
  /** Model day on which it counts against the ceiling. */
  day: number
  claim: string | null
}
interface ModelAccount {
  available: bigint
  held: bigint
  ceiling: bigint | null
  spentDay: number
  spent: bigint
  revoked: boolean
}

/** What of a result the model predicts. */
export interface Predicted {
  outcome: string
  repeated?: boolean
  holdId?: string
  state?: HoldState
  capturedAtomic?: bigint | null
  availableAtomic?: bigint
}

/** The predicted part of a real result. */
export function observed(result: AuthorizeResult | TransitionResult | RefundResult): Predicted {
  const seen: Predicted = { outcome: result.outcome }
  if ('hold' in result) {
    seen.holdId = result.hold.id
    seen.state = result.hold.state
    seen.capturedAtomic = result.hold.capturedAtomic
  }
  if ('repeated' in result) seen.repeated = result.repeated
  if ('availableAtomic' in result) seen.availableAtomic = result.availableAtomic
  return seen
}

export class LedgerModel {
  readonly accounts = new Map<string, ModelAccount>()
  readonly holds = new Map<string, ModelHold>()
  readonly references = new Set<string>()
  day = 0

  clone(): LedgerModel {
    const copy = new LedgerModel()
    for (const [id, account] of this.accounts) copy.accounts.set(id, { ...account })
    for (const [id, hold] of this.holds) copy.holds.set(id, { ...hold })
    for (const reference of this.references) copy.references.add(reference)
    copy.day = this.day
    return copy
  }

  open(keyId: string, ceiling: bigint | null): void {
    this.accounts.set(keyId, {
      available: 0n,
      held: 0n,
      ceiling,
      spentDay: 0,
      spent: 0n,
      revoked: false,
    })
  }

  credit(keyId: string, amountAtomic: bigint, reference: string): Predicted {
    const account = this.accounts.get(keyId)!
    if (this.references.has(reference)) {
      return { outcome: 'credited', repeated: true, availableAtomic: account.available }
    }
    if (account.revoked) return { outcome: 'revoked' }
    this.references.add(reference)
    account.available += amountAtomic
    return { outcome: 'credited', repeated: false, availableAtomic: account.available }
  }

  authorize(order: AuthorizeOrder): Predicted {
    const account = this.accounts.get(order.keyId)
    if (!account) return { outcome: 'unknown_key' }
    const claim = order.scope === 'request' ? order.requestId : null
    const earlier =
      this.holds.get(order.holdId) ??
      this.#find(
        (hold) => claim !== null && hold.claim === claim && hold.order.keyId === order.keyId,
      )
    if (earlier?.state === 'authorized' && earlier.due) {
      this.#giveBack(earlier, 'expired')
      return this.authorize(order)
    }
    if (earlier) return this.#earlier(order, earlier)
    if (account.revoked) return { outcome: 'revoked' }
    if (account.available < order.amountAtomic) {
      return { outcome: 'insufficient', availableAtomic: account.available }
    }
    const spent = account.spentDay === this.day ? account.spent : 0n
    if (account.ceiling !== null && spent + order.amountAtomic > account.ceiling) {
      return { outcome: 'over_budget' }
    }
    account.available -= order.amountAtomic
    account.held += order.amountAtomic
    account.spent = spent + order.amountAtomic
    account.spentDay = this.day
    const made: ModelHold = {
      order,
      state: 'authorized',
      captured: null,
      due: false,
      day: this.day,
      claim,
    }
    this.holds.set(order.holdId, made)
    return {
      ...this.#shown('authorized', made),
      repeated: false,
      availableAtomic: account.available,
    }
  }

  #earlier(order: AuthorizeOrder, hold: ModelHold): Predicted {
    const same =
      hold.order.requestId === order.requestId &&
      hold.order.amountAtomic === order.amountAtomic &&
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

  capture(holdId: string, keyId: string, amountAtomic?: bigint): Predicted {
    const hold = this.#of(holdId, keyId)
    if (!hold) return { outcome: 'not_found' }
    if (hold.state === 'authorized' && hold.due) this.#giveBack(hold, 'expired')
    if (hold.state !== 'authorized') {
      const same =
        hold.captured !== null && hold.captured === (amountAtomic ?? hold.order.amountAtomic)
      return same ? this.#done(hold, true) : this.#shown('conflict', hold)
    }
    const account = this.accounts.get(keyId)!
    const taken = amountAtomic ?? hold.order.amountAtomic
    const rest = hold.order.amountAtomic - taken
    account.held -= hold.order.amountAtomic
    account.available += rest
    if (account.spentDay === hold.day) account.spent -= rest
    hold.captured = taken
    hold.state = 'captured'
    return this.#done(hold, false)
  }

  release(holdId: string, keyId: string): Predicted {
    const hold = this.#of(holdId, keyId)
    if (!hold) return { outcome: 'not_found' }
    if (hold.state === 'released') return this.#done(hold, true)
    if (hold.state !== 'authorized') return this.#shown('conflict', hold)
    this.#giveBack(hold, 'released')
    return this.#done(hold, false)
  }

  refund(requestId: string, keyId: string): Predicted {
    const holds = [...this.holds.values()].filter(
      ({ order }) => order.requestId === requestId && order.keyId === keyId,
    )
    const charged = holds.filter((hold) => hold.captured !== null)
    const [hold, second] = charged
    if (!hold)
      return holds.length > 0 ? this.#shown('conflict', holds.at(-1)!) : { outcome: 'not_found' }
    if (second) return { outcome: 'ambiguous' }
    if (hold.state === 'refunded') return this.#done(hold, true)
    hold.state = 'refunded'
    this.accounts.get(keyId)!.available += hold.captured!
    return this.#done(hold, false)
  }

  /** Returns how many holds expired. */
  sweep(): number {
    const due = [...this.holds.values()].filter((hold) => hold.due && hold.state === 'authorized')
    for (const hold of due) this.#giveBack(hold, 'expired')
    return due.length
  }

  /** Every hold of now is past its time, `days` later. */
  passTime(days: number): void {
    this.day += days
    for (const hold of this.holds.values()) hold.due = true
  }

  balance(keyId: string) {
    const account = this.accounts.get(keyId)!
    return {
      keyId,
      availableAtomic: account.available,
      heldAtomic: account.held,
      spentTodayAtomic: account.spentDay === this.day ? account.spent : 0n,
    }
  }

  #giveBack(hold: ModelHold, state: 'released' | 'expired'): void {
    const account = this.accounts.get(hold.order.keyId)!
    account.held -= hold.order.amountAtomic
    account.available += hold.order.amountAtomic
    if (account.spentDay === hold.day) account.spent -= hold.order.amountAtomic
    hold.state = state
    hold.claim = null
  }

  #find(matches: (hold: ModelHold) => boolean): ModelHold | undefined {
    return [...this.holds.values()].find(matches)
  }
  #of(holdId: string, keyId: string): ModelHold | undefined {
    const hold = this.holds.get(holdId)
    return hold?.order.keyId === keyId ? hold : undefined
  }
  #available(hold: ModelHold): bigint {
    return this.accounts.get(hold.order.keyId)!.available
  }
  #done(hold: ModelHold, repeated: boolean): Predicted {
    return { ...this.#shown('done', hold), repeated, availableAtomic: this.#available(hold) }
  }
  #shown(outcome: string, hold: ModelHold): Predicted {
    return {
      outcome,
      holdId: hold.order.holdId,
      state: hold.state,
      capturedAtomic: hold.captured,
    }
  }
}
