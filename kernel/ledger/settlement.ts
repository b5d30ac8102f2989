/** Settlements of other rails: funds received for a call, which touch no balance. */
import { assert } from '../errors.ts'
import { newId } from '../ids.ts'
import type { SettlementOrder } from './money-orders.ts'
import type { ReferenceRow } from './credit.ts'
import { assertAmount, isIndexable, run, type Runner } from './holds.ts'
import { ENTRY_BY_REFERENCE, SETTLEMENT_ONE } from './sql/money.ts'

/** Records a settlement once per (rail and network, reference). */
export async function settlementOne(
  runner: Runner,
  order: SettlementOrder,
): Promise<{ ledgerId: string; duplicate: boolean }> {
  assertAmount(order.amountAtomic)
  assert(isIndexable(order.reference) && order.reference !== '', 'a settlement needs a reference')
  assert(isIndexable(order.requestId), 'unstorable request id')
  const account = order.network === undefined ? order.rail : `${order.rail}:${order.network}`
  const [made] = await run<{ ledger_id: string }>(runner, SETTLEMENT_ONE, [
    order.keyId,
    order.amountAtomic,
    account,
    order.rail,
    order.requestId,
    order.skillId,
    order.path,
    order.priceVersion,
    order.acquisition,
    order.transaction,
    order.reference,
    order.accountId,
    newId(),
  ])
  if (made) return { ledgerId: made.ledger_id, duplicate: false }
  const [earlier] = await run<ReferenceRow>(runner, ENTRY_BY_REFERENCE, [account, order.reference])
  assert(earlier !== undefined, 'a settlement that was not recorded is there already')
  return { ledgerId: earlier.ledger_id, duplicate: true }
}
