/** The `accounts` service: balances that a plugin charges and fills by itself, such as for plans. */
import { firstIdAt } from '../ids.ts'
import type { Keys } from '../auth/keys.ts'
import type { Ledger } from '../ledger/contract.ts'
import type { Accounts } from '../plugins/services.ts'
import { transactionOf } from '../storage/plugin-db.ts'

export function createAccounts(
  ledger: Pick<Ledger, 'charge' | 'credit' | 'take'>,
  keys: Pick<Keys, 'accountOf'>,
): Accounts {
  return {
    ofKey: (keyId) => keys.accountOf(keyId),
    async standing(accountId, since, pluginTx) {
      const tx = transactionOf(pluginTx)
      const [account] = await tx<{ available: bigint; held: bigint }[]>`
        SELECT available, held FROM coinop.account WHERE id = ${accountId}::uuid FOR UPDATE`
      if (!account) return null
      // A statement of its own: it sees what was captured until the lock was had.
      const [spent] = await tx<{ atomic: bigint }[]>`
        SELECT COALESCE(sum(CASE e.kind WHEN 'capture' THEN e.amount ELSE -e.amount END), 0)::bigint
          AS atomic
        FROM coinop.api_key k
        JOIN coinop.entry e ON e.key_id = k.id AND e.id >= ${firstIdAt(since)}::uuid
        WHERE k.account_id = ${accountId}::uuid AND e.account_id = ${accountId}::uuid
          AND e.kind IN ('capture', 'refund')`
      return {
        availableAtomic: account.available,
        heldAtomic: account.held,
        spentAtomic: spent!.atomic > 0n ? spent!.atomic : 0n,
      }
    },
    async charge(order, tx) {
      const result = await ledger.charge(order, transactionOf(tx))
      if (result.outcome !== 'charged') return { ok: false, reason: result.outcome }
      return { ok: true, duplicate: result.duplicate, ledgerId: result.ledgerId }
    },
    async credit(order, tx) {
      const result = await ledger.credit({ ...order, kind: 'topup' }, transactionOf(tx))
      if (result.outcome === 'credited') {
        return { ok: true, duplicate: result.duplicate, ledgerId: result.ledgerId }
      }
      return { ok: false, reason: result.outcome === 'closed' ? 'closed' : 'unknown_account' }
    },
    async take(order, tx) {
      const result = await ledger.take(order, transactionOf(tx))
      if (result.outcome !== 'taken') return { ok: false, reason: 'unknown_account' }
      return { ok: true, takenAtomic: result.takenAtomic, ledgerId: result.ledgerId }
    },
  }
}
