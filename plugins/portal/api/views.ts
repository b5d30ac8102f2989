/** Keys, calls and ledger rows as the pages show them. Amounts are credits. */
import { atomicToCredits, type AccountKey, type LedgerRowJson, type StatementCall } from '#kernel'
import { keyTermsToJson } from '../../shared/documents/key-terms.ts'
import type { Receipt } from '../page/wire.ts'

const credits = (atomic: bigint | null): number | null =>
  atomic === null ? null : atomicToCredits(atomic)

/** What keys and grants have in common. */
export function spendView(key: AccountKey) {
  const { limits } = key
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    day: credits(limits.dayAtomic),
    month: credits(limits.monthAtomic),
    call: credits(limits.callAtomic),
    products: key.products,
    spentToday: atomicToCredits(key.spentTodayAtomic),
    spentMonth: atomicToCredits(key.spentMonthAtomic),
    createdAt: key.createdAt,
    lastUsedAt: key.lastUsedAt,
    revokedAt: key.revokedAt,
    ...keyTermsToJson(key),
  }
}

export function keyView(key: AccountKey) {
  return { ...spendView(key), start: key.prefix, madeBy: key.madeBy }
}

export function callView(call: StatementCall) {
  const { id, at, keyId, skillId, path, requestId, outcome, rail, transaction } = call
  return {
    id,
    at,
    keyId,
    skill: skillId,
    path,
    requestId,
    outcome,
    rail,
    transaction,
    amount: atomicToCredits(call.amountAtomic),
    charged: credits(call.chargedAtomic),
  }
}

/** A row of the ledger as the account's owner sees it. */
export function purchaseView(accountId: string, row: LedgerRowJson): Receipt {
  const isIn = row.credit === `${accountId}:available`
  const source = isIn ? row.debit : row.credit
  return {
    id: row.id,
    at: row.at,
    kind: row.kind,
    source,
    credits: isIn ? row.amountCredits : -row.amountCredits,
    note: row.note,
    transaction: row.transaction,
  }
}

/** Whether a grant is an app's: the gateway's own for an account (wallet calls) have no budget. */
export function isApp({ kind, limits }: AccountKey): boolean {
  return kind === 'grant' && (limits.dayAtomic !== null || limits.monthAtomic !== null)
}
