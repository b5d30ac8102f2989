/** Refusals of purchases beyond a key's budgets, or of products that it may not use. */
import type { Identity } from '../../auth/contract.ts'
import { fail, type Failure } from '../../errors.ts'
import type { AuthorizeResult } from '../../ledger/contract.ts'
import { atomicToCredits, leftOf } from '../../money.ts'
import { REASONS } from '../../reasons.ts'
import type { AccountPageUrls } from './account-pages.ts'

type OverBudget = Extract<AuthorizeResult, { outcome: 'over_budget' }>

/** The purchase that a key attempted. */
export interface Purchase {
  /** The amount that would have been held. */
  priceAtomic: bigint
  /** The call may cost less. */
  isCeiling?: boolean
  productId: string
}

/** Phrases that follow 'this key may spend 5 credits'. */
const CALLED: Readonly<Record<OverBudget['limit'], string>> = {
  key_call: 'on one call',
  key_day: 'a day',
  key_month: 'a month',
  product_call: 'on one call of this product',
  product_day: 'a day on this product',
  product_month: 'a month on this product',
}

/** Values of `details.limit`; `details.budget.limit` distinguishes the limits of a product. */
const LIMIT_NAMES: Readonly<Record<OverBudget['limit'], string>> = {
  key_call: 'budget_call',
  key_day: 'budget_day',
  key_month: 'budget_month',
  product_call: 'budget_product',
  product_day: 'budget_product',
  product_month: 'budget_product',
}

/** 429 that names the exceeded budget, what is left of it and when it resets. */
export function overBudget(
  { limit, capAtomic, spentAtomic, resetsAt }: OverBudget,
  { priceAtomic, productId }: Purchase,
  now: Date,
  pages: AccountPageUrls | null = null,
): Failure {
  const priceCredits = atomicToCredits(priceAtomic)
  const capCredits = atomicToCredits(capAtomic)
  const spentCredits = atomicToCredits(spentAtomic)
  const leftCredits = atomicToCredits(leftOf(capAtomic, spentAtomic))
  // A price above the whole cap will not fit on any later day or month either.
  const fitsLater = resetsAt !== null && priceAtomic <= capAtomic
  const product = limit.startsWith('product_') ? productId : null
  const left = fitsLater ? `, with ${leftCredits} left until ${resetsAt.toISOString()}` : ''
  return fail(
    'RATE_LIMITED',
    `This call costs ${priceCredits} credits, and this key may spend ${capCredits} ${CALLED[limit]}${left}${pages ? `; its owner can change that at ${pages.budgets}` : ''}`,
    {
      retryable: fitsLater,
      details: {
        reason: fitsLater ? REASONS.over_budget : REASONS.over_call_budget,
        limit: LIMIT_NAMES[limit],
        ...(product !== null && { product }),
        leftCredits,
        ...(resetsAt && { resetsAt: resetsAt.toISOString() }),
        ...(limit === 'key_day' && { ceilingCredits: capCredits, spentTodayCredits: spentCredits }),
        priceCredits,
        ...(pages && { accountUrl: pages.budgets }),
        budget: {
          limit,
          product,
          capCredits,
          spentCredits,
          leftCredits,
          endsAt: resetsAt && resetsAt.toISOString(),
        },
      },
      ...(fitsLater && { headers: { 'retry-after': String(secondsUntil(resetsAt, now)) } }),
    },
  )
}

/** Whole seconds from `now` to `then`, at least 1. */
export function secondsUntil(then: Date, now: Date): number {
  return Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000))
}

/** 403 if the key may buy none of these skills of the product; null if it may. */
export function productRefusal(
  { products, skills }: Pick<Identity, 'products' | 'skills'>,
  { productId: product, skillIds }: { productId: string; skillIds: readonly string[] },
): Failure | null {
  const isListed = products?.includes(product) ?? true
  if (isListed && (skills?.some((id) => skillIds.includes(id)) ?? true)) return null
  const listed = isListed ? { skills } : { products }
  return fail('INVALID_INPUT', `This API key may not buy from the product ${product}`, {
    status: 403,
    details: { reason: REASONS.product_not_allowed, product, ...listed },
  })
}

/** 403 if the key may not buy this skill of the product; null if it may. */
export function purchaseRefusal(
  identity: Pick<Identity, 'products' | 'skills'>,
  { productId, skillId }: { productId: string; skillId: string },
): Failure | null {
  if (identity.skills?.includes(skillId) ?? true)
    return productRefusal(identity, { productId, skillIds: [skillId] })
  return fail('INVALID_INPUT', `This API key may not buy the skill ${skillId}`, {
    status: 403,
    details: { reason: REASONS.skill_not_allowed, skill: skillId, skills: identity.skills },
  })
}

/** 403 of a key whose account was closed. */
export function accountClosed(): Failure {
  return fail('INVALID_INPUT', 'The account of this API key is closed', {
    status: 403,
    details: { reason: REASONS.account_closed },
  })
}
