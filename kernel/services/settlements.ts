/** The `settlements` service: how a rail writes down that funds arrived, beside a row of its own. */
import { assert } from '../errors.ts'
import type { Ledger } from '../ledger/contract.ts'
import { settlementsInsert } from '../ledger/statements.ts'
import type { Settlements } from '../plugins/services.ts'
import { RAIL_ID } from '../rails/registry.ts'
import { transactionOf } from '../storage/plugin-db.ts'

const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/

export function createSettlements(
  ledger: Pick<Ledger, 'recordSettlement' | 'isRefunded'>,
): Settlements {
  return {
    record: (railId, settlement, tx) =>
      ledger.recordSettlement({ ...settlement, rail: checked(railId) }, transactionOf(tx)),
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
