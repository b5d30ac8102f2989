/** The `settlements` service: how a rail writes down that funds arrived, beside a row of its own. */
import { assert, type Settlements } from '#kernel'
import { NEW_ID, NO_ACCOUNT, RAIL_ID, transactionOf, type Ledger } from '#kernel/host'

const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/

/**
 * Inserts a settlement for each row of the WITH item `source`, whose columns are network,
 * reference, key_id, amount, request_id, skill_id, path, price_version, acquisition and
 * transaction.
 */
const settlementsInsert = (rail: string, source: string): string => `
  INSERT INTO coinop.entry (id, at, kind, account_id, key_id, amount, debit, credit, rail, request_id,
    skill_id, path, price_version, acquisition, transaction, reference)
  SELECT ${NEW_ID}, now(), 'settlement',
    COALESCE((SELECT k.account_id FROM coinop.api_key k WHERE k.id = ${source}.key_id), '${NO_ACCOUNT}'), key_id,
    amount, '${rail}:' || network, 'settlement', '${rail}', request_id, skill_id, path, price_version,
    acquisition, transaction, reference
  FROM ${source}
  ON CONFLICT DO NOTHING
  RETURNING id::text AS ledger_id, substr(debit, ${rail.length + 2}) AS network, reference`

export function createSettlements(
  ledger: Pick<Ledger, 'recordSettlement' | 'isRefunded'>,
  accountOf: (keyId: string) => Promise<string | null>,
): Settlements {
  return {
    async record(railId, settlement, tx) {
      const { keyId } = settlement
      const accountId = keyId === null ? null : await accountOf(keyId)
      const order = { ...settlement, accountId, rail: checked(railId) }
      return ledger.recordSettlement(order, transactionOf(tx))
    },
    recording(railId, source) {
      assert(IDENTIFIER.test(source), `a plain SQL identifier, got ${source}`)
      return settlementsInsert(checked(railId), source)
    },
    isRefunded: (ledgerId) => ledger.isRefunded(ledgerId),
  }
}

function checked(railId: string): string {
  assert(RAIL_ID.test(railId), `a rail id, got ${railId}`)
  return railId
}
