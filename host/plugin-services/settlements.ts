/** The `settlements` service: how a rail writes down that funds arrived, beside a row of its own. */
import { assert, type Settlements } from '#kernel'
import { RAIL_ID, settlementsInsert, transactionOf, type Ledger } from '#kernel/host'

const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/

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
