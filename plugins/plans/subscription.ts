/**
 * A subscription and its turns. Nothing else decides a state:
 *
 * | state    | when                               | turn    | next     |
 * |----------|------------------------------------|---------|----------|
 * | –        | its first month is paid, or given  | started | active   |
 * | active   | the month ends, and it is paid     | renewed | active   |
 * | active   | the month ends, and it is not paid | unpaid  | past_due |
 * | active   | the month ends, and it was ended   | ended   | ended    |
 * | past_due | it can be paid                     | renewed | active   |
 * | past_due | the days of grace are over         | ended   | ended    |
 */
import type { Plan } from './config.ts'
import { monthOf, monthsAfter } from './periods.ts'

export type SubscriptionState = 'active' | 'past_due' | 'ended'
export type TurnOutcome = 'started' | 'renewed' | 'unpaid' | 'ended'
export type EndReason = 'cancelled' | 'unpaid' | 'plan_gone' | 'account_closed'

export interface Subscription {
  id: string
  accountId: string
  keyId: string
  planId: string
  state: SubscriptionState
  /** A month costs at most this; null: it was given. */
  agreedAtomic: bigint | null
  anchorAt: Date
  month: number
  periodStart: Date
  periodEnd: Date
  lapsingAtomic: bigint
  endsAtPeriodEnd: boolean
  turn: number
  dueAt: Date
  createdAt: Date
  endedAt: Date | null
  endedReason: EndReason | null
}

const DAY_MS = 86_400_000
/** An unpaid renewal is tried so often, and when the account gets credits. */
const RETRY_MS = 3_600_000

/** Why a subscription ends at its turn; null: it goes on if it is paid. */
export function endOf(subscription: Subscription, plan: Plan | null, now: Date): EndReason | null {
  const { endsAtPeriodEnd, state } = subscription
  if (endsAtPeriodEnd) return 'cancelled'
  if (plan === null) return 'plan_gone'
  return state === 'past_due' && now >= graceEnd(subscription, plan) ? 'unpaid' : null
}

/** What a month costs now: never more than was agreed to, and less where the plan became cheaper. */
export function monthPrice(
  { agreedAtomic }: Pick<Subscription, 'agreedAtomic'>,
  plan: Plan,
): bigint {
  if (agreedAtomic === null) return 0n
  const { priceAtomic } = plan
  return priceAtomic !== null && priceAtomic < agreedAtomic ? priceAtomic : agreedAtomic
}

export interface Period {
  anchorAt: Date
  month: number
  periodStart: Date
  periodEnd: Date
}

/** The first month. */
export function firstPeriod(now: Date): Period {
  return { anchorAt: now, month: 0, periodStart: now, periodEnd: monthsAfter(now, 1) }
}

/**
 * The month that a payment at `now` is for. After days without payment it begins with the payment:
 * nobody pays for days without the plan.
 */
export function nextPeriod({ state, anchorAt }: Subscription, now: Date): Period {
  if (state === 'past_due') return firstPeriod(now)
  const month = monthOf(anchorAt, now)
  return {
    anchorAt,
    month,
    periodStart: monthsAfter(anchorAt, month),
    periodEnd: monthsAfter(anchorAt, month + 1),
  }
}

/** Until when an unpaid month is tried; then the plan ends. */
export function graceEnd({ periodEnd }: Subscription, { graceDays }: Plan): Date {
  return new Date(periodEnd.getTime() + graceDays * DAY_MS)
}

/** When an unpaid one is looked at again: in an hour, or when its grace ends if that comes first. */
export function retryAt(subscription: Subscription, plan: Plan, now: Date): Date {
  const graceEndMs = graceEnd(subscription, plan).getTime()
  return new Date(Math.min(now.getTime() + RETRY_MS, Math.max(graceEndMs, now.getTime())))
}
