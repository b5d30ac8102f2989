/**
 * Permit2 counts the nonces of a payer for all tokens of a chain, and a claim is of one token: a nonce
 * that is claimed for another token of the chain can settle once only, so that it buys once only.
 */
import type { Failure } from '#kernel'
import { stillInFlight, usedForAnother } from '../payment/problem.ts'
import { PERMIT2_NONCE } from '../payment/payload.ts'
import type { RailParts } from '../rail-parts.ts'
import type { ClaimOrder } from './claim.ts'

/** Why such a claim is given back. */
export const NONCE_TAKEN = 'the nonce is claimed for another token'

/** Why a claim that was just made cannot stay; null when it can. */
export async function nonceProblem(
  { claims, entries }: RailParts,
  { network, asset, payer, nonce }: ClaimOrder,
): Promise<Failure | null> {
  if (!nonce.startsWith(PERMIT2_NONCE)) return null
  for (const { token } of entries) {
    if (token.network !== network || token.asset === asset) continue
    const other = await claims.byPayment({ network, asset: token.asset, payer, nonce })
    if (other && !(await claims.isOver(other))) {
      // Of two calls at once both may see the other: whoever comes back first has it.
      return other.state === 'working' ? stillInFlight() : usedForAnother(other)
    }
  }
  return null
}
