/** The `settlements` service: how a rail writes down that funds arrived, beside a row of its own. */
import { assert, MAX_AMOUNT_ATOMIC, newId, type Settlements } from '#kernel'
import { isIndexable, NEW_ID, NO_ACCOUNT, RAIL_ID, transactionOf, type Ledger } from '#kernel/host'

const COLUMNS = `id, at, kind, account_id, key_id, amount, debit, credit, rail, request_id, skill_id,
    path, price_version, acquisition, transaction, reference`

const SETTLEMENT_ONE = `
  INSERT INTO coinop.entry (${COLUMNS})
  VALUES ($1::uuid, now(), 'settlement', COALESCE($2::uuid, '${NO_ACCOUNT}'), $3::text, $4::bigint, $5::text,
    'settlement', $6::text, $7::text, $8::text, $9::text, $10::integer, $11::text, $12::text, $13::text)
  ON CONFLICT DO NOTHING
  RETURNING id AS "ledgerId"`
const SETTLED_BEFORE = `
  SELECT id AS "ledgerId" FROM coinop.entry WHERE debit = $1::text AND reference = $2::text`

const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/

/**
 * Inserts a settlement for each row of the WITH item `source`, whose columns are network,
 * reference, key_id, amount, request_id, skill_id, path, price_version, acquisition and
 * transaction.
 */
const settlementsInsert = (rail: string, source: string): string => `
  INSERT INTO coinop.entry (${COLUMNS})
  SELECT ${NEW_ID}, now(), 'settlement',
    COALESCE((SELECT k.account_id FROM coinop.api_key k WHERE k.id = ${source}.key_id), '${NO_ACCOUNT}'), key_id,
    amount, '${rail}:' || network, 'settlement', '${rail}', request_id, skill_id, path, price_version,
    acquisition, transaction, reference
  FROM ${source}
  ON CONFLICT DO NOTHING
  RETURNING id::text AS ledger_id, substr(debit, ${rail.length + 2}) AS network, reference`

export function createSettlements(
  ledger: Pick<Ledger, 'isRefunded'>,
  accountOf: (keyId: string) => Promise<string | null>,
): Settlements {
  return {
    async record(railId, settlement, pluginTx) {
      const { keyId, amountAtomic, requestId, reference, network } = settlement
      assert(amountAtomic > 0n && amountAtomic <= MAX_AMOUNT_ATOMIC, 'an amount that can be moved')
      assert(isIndexable(reference) && reference !== '', 'a settlement needs a reference')
      assert(isIndexable(requestId), 'unstorable request id')
      const rail = checked(railId)
      const debit = `${rail}:${network}`
      const accountId = keyId === null ? null : await accountOf(keyId)
      const { skillId, path, priceVersion, acquisition, transaction } = settlement
      const posting = [newId(), accountId, keyId, amountAtomic, debit, rail, requestId, skillId]
      const rest = [path, priceVersion, acquisition, transaction, reference]
      const tx = transactionOf(pluginTx)
      const run = (text: string, parameters: readonly unknown[]) =>
        tx.unsafe<{ ledgerId: string }[]>(text, parameters as never, { prepare: true })
      const [made] = await run(SETTLEMENT_ONE, [...posting, ...rest])
      if (made) return { ledgerId: made.ledgerId, duplicate: false }
      const [earlier] = await run(SETTLED_BEFORE, [debit, reference])
      assert(earlier !== undefined, 'a settlement that was not recorded is there already')
      return { ledgerId: earlier.ledgerId, duplicate: true }
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
