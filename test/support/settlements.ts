/** Records a settlement as a rail does, for tests without one. */
import { createSettlements } from '../../host/plugin-services/settlements.ts'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import type { Settlement } from '../../kernel/plugins/money-services.ts'
import type { Database } from '../../kernel/storage/contract.ts'
import { pluginDb } from '../../kernel/storage/plugin-db.ts'

export function recordSettlement(
  db: Database,
  { rail, accountId, ...settlement }: Settlement & { rail: string; accountId: string | null },
): Promise<{ ledgerId: string; duplicate: boolean }> {
  const settlements = createSettlements(createLedger(db), async () => accountId)
  return pluginDb(db, 'test').transaction((tx) => settlements.record(rail, settlement, tx))
}
