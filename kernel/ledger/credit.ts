/** Money that enters or is taken back: top-ups, grants and adjustments of a key, and settlements of other rails beside it. */
import { assert } from '../errors.ts'
import type {
  CreditOrder,
  CreditResult,
  SettlementOrder,
  TakeOrder,
  TakeResult,
} from './contract.ts'
import { assertAmount, isIndexable, isStorable, run, type Runner } from './holds.ts'
import { CREDIT_ONE, ENTRY_BY_REFERENCE, SETTLEMENT_ONE, TAKE_ONE } from './statements.ts'

interface CreditRow {
  mode: 'live' | 'test'
  revoked: boolean
  available: bigint
  ledger_id: bigint | null
  available_after: bigint | null
}
interface ReferenceRow {
  ledger_id: bigint
  key_id: string | null
  amount: bigint
}

/** Money that goes back to a caller reaches a revoked key too; new money does not. */
const REACHES_REVOKED: ReadonlySet<CreditOrder['kind']> = new Set(['refund', 'adjustment'])

/** Credits a key once per (source, reference); a repeat is `duplicate` and moves nothing. */
export async function creditOne(runner: Runner, order: CreditOrder): Promise<CreditResult> {
  assertAmount(order.amountAtomic)
  assert(isIndexable(order.source) && order.source !== '', 'a credit needs a source account')
  assert(isIndexable(order.reference) && order.reference !== '', 'a credit needs a reference')
  assert(isIndexable(order.requestId ?? '') && isStorable(order.note ?? ''), 'unstorable text')
  assert(!isOwn(order), 'a source is a system account that money comes from')
  const [row] = await run<CreditRow>(runner, CREDIT_ONE, [
    order.keyId,
    order.kind,
    order.amountAtomic,
    order.source,
    order.reference,
    order.requestId ?? null,
    order.note ?? null,
    REACHES_REVOKED.has(order.kind),
    order.mode ?? null,
  ])
  if (row === undefined) return { outcome: 'unknown_key' }
  if (row.ledger_id !== null && row.available_after !== null) {
    return credited(row.ledger_id, row.available_after, false)
  }
  const [earlier] = await run<ReferenceRow>(runner, ENTRY_BY_REFERENCE, [
    order.source,
    order.reference,
  ])
  if (earlier !== undefined) return credited(earlier.ledger_id, row.available, true)
  if (order.mode !== undefined && row.mode !== order.mode) return { outcome: 'mode_mismatch' }
  assert(row.revoked, 'a credit that was refused has a reason')
  return { outcome: 'revoked' }
}

/** An account of keys, or the revenue of captures, which only a refund gives back. */
function isOwn({ source, kind }: CreditOrder): boolean {
  return source === 'available' || source === 'held' || (source === 'revenue' && kind !== 'refund')
}

function credited(ledgerId: bigint, availableAtomic: bigint, duplicate: boolean): CreditResult {
  return { outcome: 'credited', ledgerId: String(ledgerId), availableAtomic, duplicate }
}

/** Takes back at most what is available; a repeat of one that took something changes nothing. */
export async function takeOne(runner: Runner, order: TakeOrder): Promise<TakeResult> {
  assertAmount(order.amountAtomic)
  const { keyId, amountAtomic, to, reference, note = null } = order
  assert(isIndexable(to) && !OWN_ACCOUNTS.has(to), 'what is taken goes to a system account')
  assert(isIndexable(reference) && reference !== '', 'what is taken needs a reference')
  assert(isStorable(note ?? ''), 'unstorable text')
  const [row] = await run<{ ledger_id: bigint | null; taken: bigint | null }>(runner, TAKE_ONE, [
    keyId,
    amountAtomic,
    to,
    reference,
    note,
  ])
  if (row === undefined) return { outcome: 'unknown_key' }
  if (row.ledger_id !== null && row.taken !== null) return taken(row.ledger_id, row.taken)
  const [earlier] = await run<ReferenceRow>(runner, ENTRY_BY_REFERENCE, ['available', reference])
  if (earlier !== undefined) return taken(earlier.ledger_id, earlier.amount)
  return { outcome: 'taken', takenAtomic: 0n, ledgerId: null }
}

const OWN_ACCOUNTS: ReadonlySet<string> = new Set(['available', 'held', 'revenue', ''])

function taken(ledgerId: bigint, takenAtomic: bigint): TakeResult {
  return { outcome: 'taken', takenAtomic, ledgerId: String(ledgerId) }
}

/** Records a settlement once per (rail and network, reference). */
export async function settlementOne(
  runner: Runner,
  order: SettlementOrder,
): Promise<{ ledgerId: string; duplicate: boolean }> {
  assertAmount(order.amountAtomic)
  assert(isIndexable(order.reference) && order.reference !== '', 'a settlement needs a reference')
  assert(isIndexable(order.requestId), 'unstorable request id')
  const account = order.network === undefined ? order.rail : `${order.rail}:${order.network}`
  const [made] = await run<{ ledger_id: bigint }>(runner, SETTLEMENT_ONE, [
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
  ])
  if (made) return { ledgerId: String(made.ledger_id), duplicate: false }
  const [earlier] = await run<ReferenceRow>(runner, ENTRY_BY_REFERENCE, [account, order.reference])
  assert(earlier !== undefined, 'a settlement that was not recorded is there already')
  return { ledgerId: String(earlier.ledger_id), duplicate: true }
}
