/** The `funds` service: crediting keys for top-ups and taking back what was refunded, once per reference. */
import type { Ledger } from '../ledger/contract.ts'
import type { Funds, KeyDirectory } from '../plugins/services.ts'
import { transactionOf } from '../storage/plugin-db.ts'

/**
 * Test money is what a sandbox gateway takes, and the sandbox account anywhere. It funds test keys
 * only, and no other money funds them.
 */
function isTestMoney(source: string, sandbox: boolean): boolean {
  return sandbox || source === 'sandbox'
}

export function createFunds(ledger: Ledger, keys: KeyDirectory, sandbox: boolean): Funds {
  return {
    async credit(order, tx) {
      const key = await keys.find(order.keyId)
      if (!key) return { ok: false, reason: 'unknown_key' }
      if (isTestMoney(order.source, sandbox) !== (key.mode === 'test')) {
        return { ok: false, reason: 'mode_mismatch' }
      }
      const result = await ledger.credit({ ...order, kind: 'topup' }, tx && transactionOf(tx))
      if (result.outcome !== 'credited') return { ok: false, reason: result.outcome }
      return { ok: true, duplicate: result.duplicate, ledgerId: result.ledgerId }
    },
    async take(order, tx) {
      const result = await ledger.take(order, transactionOf(tx))
      if (result.outcome !== 'taken') return { ok: false, reason: result.outcome }
      return { ok: true, takenAtomic: result.takenAtomic, ledgerId: result.ledgerId }
    },
  }
}
