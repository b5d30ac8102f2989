/** Money that enters an account or is taken back: top-ups, grants, adjustments and refunds. */
import { assert } from '../errors.ts'
import { isUuid, newId } from '../ids.ts'
import type { CreditOrder, CreditResult, TakeOrder, TakeResult } from './money-orders.ts'
import { assertAmount, isIndexable, isStorable, run, type Runner } from './holds.ts'
import { CREDIT_ONE, ENTRY_BY_REFERENCE, TAKE_ONE } from './sql/money.ts'

interface CreditRow {
  mode: 'live' | 'test'
  revoked: boolean
  closed: boolean
  available: bigint
  ledger_id: string | null
  available_after: bigint | null
}
export interface ReferenceRow {
  ledger_id: string
  account_id: string
  amount: bigint
  balance: bigint | null
}
type TakeRow = { ledger_id: string | null; taken: bigint | null }

/** Refunds reach revoked keys and closed accounts too; new money does not. */
const REACHES_REVOKED: ReadonlySet<CreditOrder['kind']> = new Set(['refund', 'adjustment'])

/** Credits an account once per (source, reference); a repeat is `duplicate` and moves nothing. */
export async function creditOne(runner: Runner, order: CreditOrder): Promise<CreditResult> {
  const { accountId, kind, amountAtomic, source, reference, requestId = null, note = null } = order
  const { mode = null, keyId = null } = order
  assertAmount(amountAtomic)
  assert(isIndexable(source) && source !== '', 'a credit needs a source account')
  assert(isIndexable(reference) && reference !== '', 'a credit needs a reference')
  assert(isIndexable(requestId ?? '') && isStorable(note ?? ''), 'unstorable text')
  assert(!isOwn(order), 'a source is a system account that money comes from')
  if (!isUuid(accountId) || !isIndexable(keyId ?? '')) return { outcome: 'unknown_key' }
  const posting = [accountId, kind, amountAtomic, source, reference, requestId, note]
  const parameters = [...posting, REACHES_REVOKED.has(kind), mode, keyId, newId()]
  const [row] = await run<CreditRow>(runner, CREDIT_ONE, parameters)
  if (row === undefined) return { outcome: 'unknown_key' }
  if (row.ledger_id !== null && row.available_after !== null) {
    return credited(row.ledger_id, row.available_after, false)
  }
  const [earlier] = await run<ReferenceRow>(runner, ENTRY_BY_REFERENCE, [source, reference])
  if (earlier !== undefined) {
    // The balance of `row` is of before the credit that the statement waited for.
    const isSame = earlier.account_id === accountId.toLowerCase()
    return credited(earlier.ledger_id, (isSame ? earlier.balance : null) ?? row.available, true)
  }
  if (mode !== null && row.mode !== mode) return { outcome: 'mode_mismatch' }
  assert(row.revoked || row.closed, 'a credit that was refused has a reason')
  return { outcome: row.revoked ? 'revoked' : 'closed' }
}

/** Whether no order may name the source: balances, transfers, and revenue except in refunds. */
function isOwn({ source, kind }: CreditOrder): boolean {
  return source === 'revenue' ? kind !== 'refund' : OWN_ACCOUNTS.has(source)
}

function credited(ledgerId: string, availableAtomic: bigint, duplicate: boolean): CreditResult {
  return { outcome: 'credited', ledgerId, availableAtomic, duplicate }
}

/** Takes back at most what is available; a repeat after something was taken changes nothing. */
export async function takeOne(runner: Runner, order: TakeOrder): Promise<TakeResult> {
  const { accountId, keyId = null, amountAtomic, to, reference, note = null } = order
  assertTaken(order)
  if (!isUuid(accountId)) return { outcome: 'unknown_key' }
  const parameters = [accountId, amountAtomic, to, reference, note, newId(), keyId]
  const [row] = await run<TakeRow>(runner, TAKE_ONE, parameters)
  if (row === undefined) return { outcome: 'unknown_key' }
  if (row.ledger_id !== null && row.taken !== null) return taken(row.ledger_id, row.taken)
  const [earlier] = await run<ReferenceRow>(runner, ENTRY_BY_REFERENCE, ['available', reference])
  if (earlier !== undefined) return taken(earlier.ledger_id, earlier.amount)
  return { outcome: 'taken', takenAtomic: 0n, ledgerId: null }
}

/** Throws for an invalid order. */
export function assertTaken(order: Pick<TakeOrder, 'amountAtomic' | 'to' | 'reference' | 'note'>) {
  assertAmount(order.amountAtomic)
  assert(
    isIndexable(order.to) && !OWN_ACCOUNTS.has(order.to) && order.to !== 'revenue',
    'what is taken goes to a system account',
  )
  assert(isIndexable(order.reference) && order.reference !== '', 'what is taken needs a reference')
  assert(isStorable(order.note ?? ''), 'unstorable text')
}

const OWN_ACCOUNTS: ReadonlySet<string> = new Set(['available', 'held', 'transfer', ''])

function taken(ledgerId: string, takenAtomic: bigint): TakeResult {
  return { outcome: 'taken', takenAtomic, ledgerId }
}
