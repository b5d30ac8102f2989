/**
 * The `funds` service: crediting keys for top-ups, granting play money and taking back what was
 * refunded, once per reference.
 */
import type { Funds, OpenHold } from '#kernel'
import {
  type Keys,
  type Ledger,
  type LedgerRows,
  type SqlClient,
  transactionOf,
} from '#kernel/host'

/** The account of play money. */
const SANDBOX_ACCOUNT = 'sandbox'

const OPEN_HOLDS = `
SELECT id, amount AS "amountAtomic" FROM coinop.hold
WHERE account_id = $1::uuid AND state = 'authorized' AND amount > 0`
/** A refunded hold gave all of it back. One that is in the archive by now counts as spent. */
const GIVEN_BACK = `
SELECT id, amount AS "amountAtomic", state = 'authorized' AS "isOpen",
  amount - CASE state WHEN 'captured' THEN captured ELSE 0 END AS "backAtomic"
FROM coinop.hold WHERE id = ANY($1::uuid[])`

/**
 * Test money is what a sandbox gateway takes, and the sandbox account anywhere. It funds test keys
 * only, and no other money funds them.
 */
function isTestMoney(source: string, sandbox: boolean): boolean {
  return sandbox || source === SANDBOX_ACCOUNT
}

export function createFunds(
  ledger: Pick<Ledger, 'credit' | 'take' | 'balance'> & LedgerRows,
  keys: Pick<Keys, 'get'>,
  sandbox: boolean,
  sql: SqlClient,
): Funds {
  return {
    async credit({ isReturn = false, ...order }, tx) {
      const key = await keys.get(order.keyId)
      if (!key) return { ok: false, reason: 'unknown_key' }
      if (isTestMoney(order.source, sandbox) !== (key.mode === 'test')) {
        return { ok: false, reason: 'mode_mismatch' }
      }
      const { accountId } = key
      const kind = isReturn ? ('adjustment' as const) : ('topup' as const)
      const credit = { ...order, accountId, kind }
      const result = await ledger.credit(credit, tx && transactionOf(tx))
      if (result.outcome !== 'credited') return { ok: false, reason: reasonOf(result.outcome) }
      return { ok: true, duplicate: result.duplicate, ledgerId: result.ledgerId }
    },
    async credited(source, references) {
      const rows = await sql<{ reference: string }[]>`
        SELECT reference FROM coinop.entry
        WHERE debit = ${source} AND reference = ANY(${[...references]}::text[])`
      return rows.map(({ reference }) => reference)
    },
    async grant(order) {
      const { amountAtomic, reference, note } = order
      const keyId = 'keyId' in order ? order.keyId : null
      const accountId =
        'keyId' in order ? (await keys.get(order.keyId))?.accountId : order.accountId
      if (accountId === undefined) return { ok: false, reason: 'unknown_key' }
      const result = await ledger.credit({
        accountId,
        ...(keyId !== null && { keyId }),
        amountAtomic,
        reference,
        note,
        source: SANDBOX_ACCOUNT,
        kind: 'grant',
        mode: 'test',
        requestId: reference,
      })
      if (result.outcome !== 'credited') return { ok: false, reason: reasonOf(result.outcome) }
      const { duplicate, ledgerId } = result
      if (duplicate) {
        const rows = await ledger.rows({ requestId: reference, kind: 'grant', limit: 10 })
        const isThis = rows.some(
          (row) =>
            row.accountId === accountId && row.keyId === keyId && row.amountAtomic === amountAtomic,
        )
        if (!isThis) return { ok: false, reason: 'other_grant' }
      }
      const { availableAtomic = 0n, heldAtomic = 0n } = (await ledger.balance(accountId)) ?? {}
      return { ok: true, duplicate, ledgerId, availableAtomic, heldAtomic }
    },
    async take(order, tx) {
      const key = await keys.get(order.keyId)
      if (!key) return { ok: false, reason: 'unknown_key' }
      const { accountId } = key
      const sqlOfTx = transactionOf(tx)
      const result = await ledger.take({ ...order, accountId }, sqlOfTx)
      if (result.outcome !== 'taken') return { ok: false, reason: result.outcome }
      const { takenAtomic, ledgerId } = result
      // The take has locked the account, so no hold of it begins or ends before this transaction does.
      const holds =
        takenAtomic < order.amountAtomic
          ? await sqlOfTx.unsafe<OpenHold[]>(OPEN_HOLDS, [accountId])
          : []
      return { ok: true, takenAtomic, ledgerId, holds }
    },
    async givenBack(holdIds, tx) {
      type Row = OpenHold & { isOpen: boolean; backAtomic: bigint }
      const rows = await transactionOf(tx).unsafe<Row[]>(GIVEN_BACK, [[...holdIds]])
      return {
        open: rows.filter(({ isOpen }) => isOpen),
        ended: rows.filter(({ isOpen }) => !isOpen),
      }
    },
  }
}

/** Sellers of credits treat a key on a closed account as revoked. */
function reasonOf<R extends string>(outcome: R): Exclude<R, 'closed'> | 'revoked' {
  return outcome === 'closed' ? 'revoked' : (outcome as Exclude<R, 'closed'>)
}
