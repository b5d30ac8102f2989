/** One who buys credits, and what the ledger must have of the account by the steps that are done. */
import type { TestProvider } from '../../support/topup.ts'
import { entryLine } from './account-entries.ts'
import { PLAN_CREDITS } from './customer-plan.ts'

/** Everything that a report counts. */
export type Deed =
  | 'checkouts credited'
  | 'checkouts without callback'
  | 'plans begun'
  | 'months renewed'
  | 'months unpaid'
  | 'plans ended'
  | 'holds captured'
  | 'charges refunded'
  | 'checkouts refunded by the provider'
  | 'refunds that failed'
  | 'disputes'
  | 'disputes won'
  | 'disputes settled by a refund'

export interface Checkout {
  keyId: string
  key: string
  provider: TestProvider
  reference: string
}

/** A month that runs, by its number from 1. */
export interface Month {
  number: number
  /** Credits of calls in it, without those refunded. */
  spent: number
  isCancelled: boolean
}

export class Customer {
  readonly checkout: Checkout
  /** What the balance must be. */
  credits = 0
  /** Every entry that must have moved credits for good, as `entriesOf` shows them. */
  readonly entries: string[] = []
  /** Entries of which the ledger must have all or none. */
  undecided: readonly string[] = []
  readonly deeds: Deed[] = []
  /** The month of the plan that runs; null: there is none. */
  month: Month | null = null
  /** Whether a hold may still be open that was not captured. */
  mayHold = false

  /** Whose checkout of so many credits was paid. */
  constructor(checkout: Checkout, credits: number) {
    this.checkout = checkout
    this.#moved('checkouts credited', `topup: topup:${checkout.provider.id} to available`, credits)
  }

  planBegun(): void {
    this.deeds.push('plans begun')
    this.#monthPaid(1)
  }

  captured(credits: number): void {
    this.#moved('holds captured', 'capture: held to revenue', -credits)
    if (this.month) this.month.spent += credits
  }

  refunded(credits: number): void {
    this.#moved('charges refunded', 'refund: revenue to available', credits)
    if (this.month) this.month.spent -= credits
  }

  /** Of so much that the provider took, the balance gives what it has; returns that. */
  takenBack(deed: Deed, credits: number): number {
    const taken = Math.min(credits, this.credits)
    this.#moved(deed, this.#takingBack, -taken)
    return taken
  }

  givenBack(deed: Deed, taken: number): void {
    this.#moved(deed, this.#givingBack, taken)
  }

  /** The provider changed its mind while it was asked: what was taken was given back, or neither. */
  perhapsTakenAndGivenBack(credits: number): void {
    const taken = Math.min(credits, this.credits)
    const lines = [entryLine(this.#takingBack, taken), entryLine(this.#givingBack, taken)]
    this.undecided = lines.filter((line) => line !== null)
  }

  /** The month that runs is over: what was not used of it lapses, and the next is paid or not. */
  monthEnded(): void {
    const { number, spent, isCancelled } = this.month!
    const left = Math.min(Math.max(PLAN_CREDITS.monthly - spent, 0), this.credits)
    this.#moved(null, 'adjustment: available to plan:starter', -left)
    const isPaid = !isCancelled && this.credits >= PLAN_CREDITS.price
    this.deeds.push(isCancelled ? 'plans ended' : isPaid ? 'months renewed' : 'months unpaid')
    if (isPaid) this.#monthPaid(number + 1)
    else this.month = null
  }

  #monthPaid(number: number): void {
    this.#moved(null, 'adjustment: available to plan:starter', -PLAN_CREDITS.price)
    this.#moved(null, 'topup: plan:starter to available', PLAN_CREDITS.monthly)
    this.month = { number, spent: 0, isCancelled: false }
  }

  #moved(deed: Deed | null, what: string, credits: number): void {
    if (deed !== null) this.deeds.push(deed)
    this.credits += credits
    const line = entryLine(what, Math.abs(credits))
    if (line !== null) this.entries.push(line)
  }

  get #takingBack(): string {
    return `adjustment: available to topup:${this.checkout.provider.id}`
  }

  get #givingBack(): string {
    return `adjustment: topup:${this.checkout.provider.id} to available`
  }
}
