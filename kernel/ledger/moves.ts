/** Money that leaves an account in full or not at all: transfers to another one, and charges. */
import { assert } from '../errors.ts'
import { isUuid, newId } from '../ids.ts'
import type { ChargeOrder, ChargeResult, TransferOrder, TransferResult } from './money-orders.ts'
import { assertTaken, type ReferenceRow } from './credit.ts'
import { assertAmount, isIndexable, isStorable, run, type Runner } from './holds.ts'
import { CHARGE_ONE, ENTRY_BY_REFERENCE, TRANSFER, TRANSFER_BY_REFERENCE } from './sql/money.ts'

interface ChargeRow {
  available: bigint
  closed: boolean
  ledger_id: string | null
  available_after: bigint | null
}

/** Charges an account; a repeat moves nothing and is `duplicate`. */
export async function chargeOne(runner: Runner, order: ChargeOrder): Promise<ChargeResult> {
  const { accountId, amountAtomic, to, note = null } = order
  assertTaken(order)
  if (!isUuid(accountId)) return { outcome: 'unknown_account' }
  // Prefixed, so that references of takes, transfers and charges cannot collide.
  const reference = `charge:${order.reference}`
  assert(isIndexable(reference), 'unstorable reference')
  const parameters = [accountId, amountAtomic, to, reference, note, newId(), null]
  const [row] = await run<ChargeRow>(runner, CHARGE_ONE, parameters)
  if (row === undefined) return { outcome: 'unknown_account' }
  const { ledger_id: ledgerId, available_after: availableAtomic } = row
  if (ledgerId !== null && availableAtomic !== null) {
    return { outcome: 'charged', ledgerId, availableAtomic, duplicate: false }
  }
  const [earlier] = await run<ReferenceRow>(runner, ENTRY_BY_REFERENCE, ['available', reference])
  if (earlier !== undefined) {
    assert(
      earlier.account_id === accountId.toLowerCase() && earlier.amount === amountAtomic,
      'a charge with this reference was another',
    )
    const ledger = { ledgerId: earlier.ledger_id, availableAtomic: row.available }
    return { outcome: 'charged', ...ledger, duplicate: true }
  }
  if (row.closed) return { outcome: 'closed' }
  return { outcome: 'insufficient', availableAtomic: row.available }
}

interface TransferRow {
  id: string
  mode: 'live' | 'test'
  available: bigint
  closed: boolean
  ledger_id: string | null
  available_after: bigint | null
}
interface EarlierTransfer {
  ledger_id: string
  from_id: string
  to_id: string
  amount: bigint
}

/** Moves credits between two accounts; a repeat moves nothing and is `duplicate`. */
export async function transferOne(runner: Runner, order: TransferOrder): Promise<TransferResult> {
  const { amountAtomic, note = null } = order
  const [fromId, toId] = [order.fromAccountId.toLowerCase(), order.toAccountId.toLowerCase()]
  assertAmount(amountAtomic)
  assert(fromId !== toId, 'a transfer is between two accounts')
  const reference = `transfer:${order.reference}`
  assert(isIndexable(reference) && order.reference !== '', 'a transfer needs a reference')
  assert(isStorable(note ?? ''), 'unstorable text')
  for (const accountId of [fromId, toId]) {
    if (!isUuid(accountId)) return { outcome: 'unknown_account', accountId }
  }
  const parameters = [fromId, toId, amountAtomic, reference, note, newId(), newId()]
  const rows = await run<TransferRow>(runner, TRANSFER, parameters)
  const from = rows.find(({ id }) => id === fromId)
  const to = rows.find(({ id }) => id === toId)
  if (!from) return { outcome: 'unknown_account', accountId: fromId }
  if (!to) return { outcome: 'unknown_account', accountId: toId }
  if (from.ledger_id !== null) {
    return transferred(from.ledger_id, false, from.available_after!, to.available_after!)
  }
  const [earlier] = await run<EarlierTransfer>(runner, TRANSFER_BY_REFERENCE, [reference])
  if (earlier !== undefined) {
    const isSame =
      earlier.from_id === fromId && earlier.to_id === toId && earlier.amount === amountAtomic
    if (!isSame) return { outcome: 'other_transfer' }
    return transferred(earlier.ledger_id, true, from.available, to.available)
  }
  if (from.mode !== to.mode) return { outcome: 'mode_mismatch' }
  if (from.closed) return { outcome: 'closed', accountId: fromId }
  if (to.closed) return { outcome: 'closed', accountId: toId }
  return { outcome: 'insufficient', availableAtomic: from.available }
}

function transferred(
  ledgerId: string,
  duplicate: boolean,
  fromAvailableAtomic: bigint,
  toAvailableAtomic: bigint,
): TransferResult {
  return { outcome: 'transferred', ledgerId, duplicate, fromAvailableAtomic, toAvailableAtomic }
}
