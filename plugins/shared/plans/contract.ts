/** What the product of plans provides to other plugins: its plans, and the one of an account. */
import type { Failure } from '#kernel'

/** The name under which it is provided. */
export const PLANS_DESK = 'plans-desk'

/** A plan as GET /v1/plans shows it. Amounts are credits. */
export interface PlanFacts {
  plan: string
  title: string
  description: string
  /** What a month costs; null: only the operator gives it. */
  credits: number | null
  usd: number | null
  usdcAtomic: string | null
  monthlyCredits: number
  rollover: boolean
  graceDays: number
  limits: { rpm: number; burst: number } | null
  free: { skill: string; calls: number; period: string }[]
  prices: {
    skill: string
    credits: number | null
    per: Record<string, number>
    max: number | null
  }[]
}

/** The plan of an account as GET /v1/plans/subscription shows it. Times are ISO 8601. */
export interface SubscriptionFacts {
  id: string
  accountId: string
  apiKeyId: string
  plan: string
  state: 'active' | 'past_due' | 'ended'
  given: boolean
  /** What a month costs at most. */
  monthCredits: number
  periodStart: string
  periodEnd: string
  endsAtPeriodEnd: boolean
  createdAt: string
  endedAt: string | null
  endedReason: string | null
}

export interface PlansDesk {
  plans(): PlanFacts[]
  /** The plan of the account that has not ended. */
  of(accountId: string): Promise<SubscriptionFacts | null>
  /** Begins a plan with this key of the account; its first month is taken from the balance. */
  begin(order: {
    planId: string
    keyId: string
  }): Promise<{ ok: true; subscription: SubscriptionFacts } | Failure>
  /** Ends the account's plan with its month. Null: it has none. */
  end(accountId: string): Promise<SubscriptionFacts | null>
}
