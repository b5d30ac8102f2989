/**
 * Whether a payer has the money for all calls under way. A stream whose units are known at its end goes
 * out before it is paid, so that several of them must not count on one balance.
 */
import type { Entry } from '../entries/contract.ts'
import { wordsOf } from '../payment/payload.ts'
import { messageOf } from '../chain/node-errors.ts'
import type { CheckOutcome } from '../settle/contract.ts'
import type { SettleOrder } from '../claims/claim.ts'
import type { Claims } from '../claims/claims.ts'

/**
 * Whether the payer can pay a claim, which was just made, beside their other calls; it is released where
 * they cannot. 'payable' also where no node tells the balance.
 */
export async function covered(
  claims: Pick<Claims, 'openUnits' | 'releaseUncovered'>,
  entry: Pick<Entry, 'balanceOf' | 'secure'>,
  order: SettleOrder,
): Promise<CheckOutcome> {
  if (entry.secure) return entry.secure(order.payment)
  // Of two calls at once the later one sees the other: each writes its claim before it looks.
  if (!entry.balanceOf || (await claims.openUnits(order)) === 0n) return { outcome: 'payable' }
  let balance
  try {
    balance = await entry.balanceOf(order.payer)
  } catch (error) {
    return { outcome: 'unavailable', detail: messageOf(error) }
  }
  const { reason } = wordsOf(order.payment).balance
  if (balance === null || !(await claims.releaseUncovered(order, balance, reason))) {
    return { outcome: 'payable' }
  }
  const detail = `the payer has ${balance} atomic units, which other calls under way may take`
  return { outcome: 'refused', reason, detail }
}
