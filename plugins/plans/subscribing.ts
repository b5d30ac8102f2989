/** Beginning and ending plans: for holders of keys, the operator, and pages of the account. */
import { atomicToCredits, fail, notFound, type Failure } from '#kernel'
import type { Plan } from './config.ts'
import type { PurchaseDeps } from './purchase.ts'
import { REASONS } from './reasons.ts'
import type { Renewals } from './renewals.ts'
import type { Subscription } from './subscription.ts'
import { resume, start, startedOf, type Started } from './turns.ts'

export interface SubscribingDeps extends PurchaseDeps {
  renewals: Pick<Renewals, 'wake'>
  /** What `products` of a key names that may buy plans. */
  productId: string
}

export type Subscribed = { ok: true; subscription: Subscription } | Failure

/** Begins a plan for sale with a key that may spend its month of the account's balance. */
export async function subscribe(
  deps: SubscribingDeps,
  planId: string,
  keyId: string,
): Promise<Subscribed> {
  const plan = forSale(deps, planId)
  if ('ok' in plan) return plan
  return (await notAllowed(deps, plan, keyId)) ?? begin(deps, plan, keyId, false)
}

/**
 * Begins a plan for the account of a key; `isGiven`: the operator gives it, no month costs anything. Where
 * the account has it and it was to end with its month, it goes on instead.
 */
export async function begin(
  deps: SubscribingDeps,
  plan: Plan,
  keyId: string,
  isGiven: boolean,
): Promise<Subscribed> {
  const accountId = await deps.accounts.ofKey(keyId)
  if (accountId === null) return notFound('No API key has this id')
  const order = { accountId, keyId, plan, isGiven }
  const now = await deps.store.clock()
  const begun = await startedOf(deps.db.transaction((tx) => start(deps, tx, order, now)))
  const started =
    begun.outcome === 'exists'
      ? await startedOf(deps.db.transaction((tx) => resume(deps, tx, order)))
      : begun
  if (started.outcome !== 'started') return refusal(started, plan)
  await deps.members.changed()
  const { subscription } = started
  deps.log.info({ accountId, plan: plan.id, isGiven, id: subscription.id }, 'a plan has begun')
  return { ok: true, subscription }
}

/**
 * Ends the plan of the key's account. 403 for a key that is not to have to do with plans, 404 where the
 * account has none.
 */
export async function cancelOwn(deps: SubscribingDeps, keyId: string): Promise<Subscribed> {
  const buyer = await deps.db.transaction((tx) => deps.accounts.buyer(keyId, tx))
  if (buyer !== null && !isForPlans(buyer, deps)) {
    return mayNot('This API key may not end plans')
  }
  const own = buyer && (await deps.store.ofAccount(buyer.accountId))
  const cancelled = own && (await cancel(deps, own.id))
  return cancelled ? { ok: true, subscription: cancelled } : notFound('The account has no plan')
}

/** Ends it with its month; one that is past due at once. Null: none that goes on has this id. */
export async function cancel(deps: SubscribingDeps, id: string): Promise<Subscription | null> {
  const cancelled = await deps.store.cancel(id, await deps.store.clock())
  if (cancelled !== null) deps.renewals.wake()
  return cancelled
}

/** The plan with this id, or a Failure 404. */
export function planOf({ plans }: Pick<SubscribingDeps, 'plans'>, id: string): Plan | Failure {
  return plans.get(id) ?? notFound('No plan has this id')
}

/** A plan that has a price; a Failure for one that only the operator gives. */
export function forSale(
  deps: Pick<SubscribingDeps, 'plans'>,
  id: string,
): (Plan & { priceAtomic: bigint }) | Failure {
  const plan = planOf(deps, id)
  if ('ok' in plan) return plan
  const { priceAtomic } = plan
  if (priceAtomic !== null) return { ...plan, priceAtomic }
  return fail('INVALID_INPUT', 'Only the operator gives this plan', {
    status: 403,
    details: { reason: REASONS.plan_not_for_sale },
  })
}

/** Why a plan did not begin, as a Failure. */
export function refusal(started: Exclude<Started, { outcome: 'started' }>, plan: Plan): Failure {
  switch (started.outcome) {
    case 'exists':
      return fail('INVALID_INPUT', 'The account has a plan that has not ended', {
        status: 409,
        details: { reason: REASONS.plan_exists },
      })
    case 'insufficient':
      return fail(
        'PAYMENT_REQUIRED',
        `The balance does not cover the first month of ${plan.title}`,
        {
          status: 402,
          details: {
            reason: REASONS.plan_unpaid,
            priceCredits: atomicToCredits(started.priceAtomic),
          },
        },
      )
    case 'closed':
      return fail('INVALID_INPUT', 'The account is closed', { status: 409 })
  }
}

/** Why the key may not spend a month's price of its account's balance; null: it may. */
async function notAllowed(
  deps: Pick<SubscribingDeps, 'db' | 'accounts' | 'productId'>,
  plan: { priceAtomic: bigint },
  keyId: string,
): Promise<Failure | null> {
  const months = await monthsOf(deps, plan, keyId)
  if ('ok' in months) return months
  if (months.areInBudget) return null
  const { priceAtomic } = plan
  return mayNot('This API key may not spend so much on a plan', {
    priceCredits: atomicToCredits(priceAtomic),
    leftCredits: atomicToCredits(months.leftAtomic!),
  })
}

/** Whether the key's budgets cover a month of the plan; 403 for a key that is not to buy plans. */
export async function monthsOf(
  { db, accounts, productId }: Pick<SubscribingDeps, 'db' | 'accounts' | 'productId'>,
  { priceAtomic }: { priceAtomic: bigint },
  keyId: string,
): Promise<{ areInBudget: boolean; leftAtomic: bigint | null } | Failure> {
  const buyer = await db.transaction((tx) => accounts.buyer(keyId, tx, productId))
  if (buyer !== null && !isForPlans(buyer, { productId })) {
    return mayNot('This API key may not buy plans', { priceCredits: atomicToCredits(priceAtomic) })
  }
  const leftAtomic = buyer?.leftAtomic ?? null
  return { areInBudget: leftAtomic === null || priceAtomic <= leftAtomic, leftAtomic }
}

function mayNot(message: string, details: Record<string, unknown> = {}): Failure {
  return fail('INVALID_INPUT', message, {
    status: 403,
    details: { reason: REASONS.plan_not_allowed, ...details },
  })
}

/** Whether the products that a key is for leave plans in. */
function isForPlans(
  { products }: { products: readonly string[] | null },
  { productId }: Pick<SubscribingDeps, 'productId'>,
): boolean {
  return products?.includes(productId) ?? true
}
