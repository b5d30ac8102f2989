/** Plans and subscriptions as JSON. */
import { Type } from 'typebox'
import { atomicToCredits, atomicToUsd, nullable } from '#kernel'
import type { PlanFacts, SubscriptionFacts } from '../shared/plans/contract.ts'
import type { Plan } from './config.ts'
import type { Subscription } from './subscription.ts'
import type { Turn } from './store.ts'

const Free = Type.Object({ skill: Type.String(), calls: Type.Integer(), period: Type.String() })
const Own = Type.Object({
  skill: Type.String(),
  credits: nullable('number'),
  per: Type.Record(Type.String(), Type.Number()),
  max: nullable('number'),
})
/** JSON Schema of a plan, for OpenAPI. */
export const PlanView = Type.Object({
  plan: Type.String(),
  title: Type.String(),
  description: Type.String(),
  credits: nullable('number', { description: 'A month costs; null: only the operator gives it' }),
  usd: nullable('number'),
  usdcAtomic: nullable('string'),
  monthlyCredits: Type.Number({ description: 'Given to the balance each month' }),
  rollover: Type.Boolean({ description: 'Monthly credits stay when the month ends' }),
  graceDays: Type.Integer(),
  limits: Type.Unsafe({
    anyOf: [Type.Object({ rpm: Type.Integer(), burst: Type.Integer() }), { type: 'null' }],
    description: 'Of each key of the account that has none of its own',
  }),
  free: Type.Array(Free),
  prices: Type.Array(Own, { description: 'Amounts in the place of those of /v1/prices' }),
})
/** JSON Schema of a subscription, for OpenAPI. */
export const SubscriptionView = Type.Object({
  id: Type.String(),
  accountId: Type.String(),
  apiKeyId: Type.String({ description: 'The key that it was bought or given with' }),
  plan: Type.String(),
  state: Type.Enum(['active', 'past_due', 'ended']),
  given: Type.Boolean(),
  monthCredits: Type.Number({ description: 'What a month costs at most' }),
  periodStart: Type.String({ format: 'date-time' }),
  periodEnd: Type.String({ format: 'date-time' }),
  endsAtPeriodEnd: Type.Boolean(),
  createdAt: Type.String({ format: 'date-time' }),
  endedAt: nullable('string'),
  endedReason: nullable('string'),
})

const creditsOrNull = (amountAtomic: bigint | null): number | null =>
  amountAtomic === null ? null : atomicToCredits(amountAtomic)

export function planView(plan: Plan): PlanFacts {
  const { priceAtomic } = plan
  return {
    plan: plan.id,
    title: plan.title,
    description: plan.description,
    credits: creditsOrNull(priceAtomic),
    usd: priceAtomic === null ? null : atomicToUsd(priceAtomic),
    usdcAtomic: priceAtomic?.toString() ?? null,
    monthlyCredits: atomicToCredits(plan.monthlyAtomic),
    rollover: plan.rollsOver,
    graceDays: plan.graceDays,
    limits: plan.limits,
    free: [...plan.free].map(([skill, { calls, period }]) => ({ skill, calls, period })),
    prices: [...plan.prices].map(([skill, own]) => ({
      skill,
      credits: creditsOrNull(own.baseAtomic),
      per: Object.fromEntries(
        [...own.unitAtomic].map(([unit, one]) => [unit, atomicToCredits(one)]),
      ),
      max: creditsOrNull(own.maxAtomic),
    })),
  }
}

export function subscriptionView(subscription: Subscription): SubscriptionFacts {
  const { agreedAtomic, endedAt } = subscription
  return {
    id: subscription.id,
    accountId: subscription.accountId,
    apiKeyId: subscription.keyId,
    plan: subscription.planId,
    state: subscription.state,
    given: agreedAtomic === null,
    monthCredits: atomicToCredits(agreedAtomic ?? 0n),
    periodStart: subscription.periodStart.toISOString(),
    periodEnd: subscription.periodEnd.toISOString(),
    endsAtPeriodEnd: subscription.endsAtPeriodEnd,
    createdAt: subscription.createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    endedReason: subscription.endedReason,
  }
}

export function turnView(turn: Turn): object {
  return {
    number: turn.number,
    at: turn.at.toISOString(),
    outcome: turn.outcome,
    chargedCredits: atomicToCredits(turn.chargedAtomic),
    grantedCredits: atomicToCredits(turn.grantedAtomic),
    lapsedCredits: atomicToCredits(turn.lapsedAtomic),
  }
}
