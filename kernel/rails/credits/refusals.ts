/** What the credits rail answers when it cannot take money. */
import { unauthorized } from '../../auth/unauthorized.ts'
import { assert, fail, type Failure } from '../../errors.ts'
import type { AuthorizeResult, HoldState, SpendLimit } from '../../ledger/contract.ts'
import { ledgerFailure } from '../../work/retry.ts'
import { atomicToCredits } from '../../money.ts'
import { REASONS } from '../../reasons.ts'

/** Whole seconds from `now` to `at`, at least 1. */
export function secondsUntil(at: Date, now: Date): number {
  return Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1000))
}

/** The failure of an authorize that made no hold, and whether to attach the 402 offers. */
export function refusalOf(
  result: Exclude<AuthorizeResult, { outcome: 'authorized' }>,
  priceAtomic: bigint,
  now: Date,
): { failure: Failure; offer: boolean } {
  switch (result.outcome) {
    case 'insufficient':
      return { failure: insufficient(result.availableAtomic, priceAtomic), offer: true }
    case 'over_budget':
      return { failure: overBudget(result, priceAtomic, now), offer: false }
    case 'closed':
      return { failure: unauthorized('The account of this API key is closed'), offer: false }
    case 'revoked':
    case 'unknown_key':
      return { failure: unauthorized('This API key was revoked'), offer: false }
    case 'conflict':
      assert(false, `hold ${result.hold.id} of a new call has ended: ${result.hold.state}`)
  }
}

function insufficient(availableAtomic: bigint, priceAtomic: bigint): Failure {
  const balanceCredits = atomicToCredits(availableAtomic)
  const priceCredits = atomicToCredits(priceAtomic)
  return fail(
    'PAYMENT_REQUIRED',
    `This call costs ${priceCredits} credits and the key has ${balanceCredits}: top up, or pay as the offers say`,
    { details: { balanceCredits, priceCredits }, headers: { 'cache-control': 'no-store' } },
  )
}

const BUDGETS: Readonly<Record<SpendLimit, string>> = {
  key_call: 'The call costs more than this key may spend on one call',
  key_day: 'The daily spend ceiling of this key is reached',
  key_month: 'What this key may spend in a month is reached',
  product_call: 'The call costs more than this key may spend on one call of this product',
  product_day: 'What this key may spend on this product in a day is reached',
  product_month: 'What this key may spend on this product in a month is reached',
}

/**
 * `limit` says which budget. That of a key's day keeps the name and the members that it had before
 * there were others.
 */
function overBudget(
  { limit, capAtomic, spentAtomic, resetsAt }: Extract<AuthorizeResult, { outcome: 'over_budget' }>,
  priceAtomic: bigint,
  now: Date,
): Failure {
  const capCredits = atomicToCredits(capAtomic)
  const spentCredits = atomicToCredits(spentAtomic)
  const leftAtomic = capAtomic > spentAtomic ? capAtomic - spentAtomic : 0n
  return fail('RATE_LIMITED', BUDGETS[limit], {
    retryable: resetsAt !== null,
    details: {
      limit: limit === 'key_day' ? 'daily_spend_ceiling' : limit,
      ...(limit === 'key_day' && { ceilingCredits: capCredits, spentTodayCredits: spentCredits }),
      budget: limit,
      capCredits,
      spentCredits,
      leftCredits: atomicToCredits(leftAtomic),
      priceCredits: atomicToCredits(priceAtomic),
      resetsAt: resetsAt?.toISOString() ?? null,
    },
    ...(resetsAt && { headers: { 'retry-after': String(secondsUntil(resetsAt, now)) } }),
  })
}

/** The failure of a capture whose hold ended before the work did: nothing was charged. */
export function holdEnded(state: HoldState | 'unknown'): Failure {
  return fail('TIMEOUT', 'The hold on the balance ended before the work did; nothing was charged', {
    details: { reason: REASONS.hold_ended, state },
  })
}

/** The failure of a capture that could not be confirmed: the answer is withheld. */
export function captureUnconfirmed(): Failure {
  return ledgerFailure(
    'The charge could not be confirmed, so the answer is withheld and any charge is given back',
  )
}
