/** What the credits rail answers when it cannot take money. */
import { unauthorized } from '../../auth/unauthorized.ts'
import { assert, fail, type Failure } from '../../errors.ts'
import type { AuthorizeResult, HoldState } from '../../ledger/contract.ts'
import { ledgerFailure } from '../../work/retry.ts'
import { atomicToCredits } from '../../money.ts'
import { REASONS } from '../../reasons.ts'
import type { AccountPageUrls } from './account-pages.ts'
import { accountClosed, overBudget, type Purchase } from './budget-refusals.ts'

/** The failure of an `authorize` that made no hold, and whether to attach the 402 offers. */
export function refusalOf(
  result: Exclude<AuthorizeResult, { outcome: 'authorized' }>,
  purchase: Purchase,
  now: Date,
  pages: AccountPageUrls | null = null,
): { failure: Failure; offer: boolean } {
  switch (result.outcome) {
    case 'insufficient':
      return { failure: insufficient(result.availableAtomic, purchase, pages), offer: true }
    case 'over_budget':
      return { failure: overBudget(result, purchase, now, pages), offer: false }
    case 'closed':
      return { failure: accountClosed(), offer: false }
    case 'revoked':
    case 'unknown_key':
      return { failure: unauthorized('This API key was revoked'), offer: false }
    case 'conflict':
      assert(false, `hold ${result.hold.id} of a new call has ended: ${result.hold.state}`)
  }
}

function insufficient(
  availableAtomic: bigint,
  { priceAtomic, isCeiling = false }: Purchase,
  pages: AccountPageUrls | null,
): Failure {
  const balanceCredits = atomicToCredits(availableAtomic)
  const priceCredits = atomicToCredits(priceAtomic)
  const topUp = pages ? `top up at ${pages.buy}` : 'top up'
  return fail(
    'PAYMENT_REQUIRED',
    `This call costs ${isCeiling ? 'up to ' : ''}${priceCredits} credits and the key has ${balanceCredits}: ${topUp}, or pay as the offers say`,
    {
      details: { balanceCredits, priceCredits, ...(pages && { accountUrl: pages.buy }) },
      headers: { 'cache-control': 'no-store' },
    },
  )
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
