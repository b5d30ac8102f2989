/**
 * The `funds` service: crediting keys for top-ups, granting play money and taking back what was
 * refunded, once per reference.
 */
import type { Ledger } from '../ledger/contract.ts'
import type { Funds, KeyDirectory } from '../plugins/services.ts'
import { transactionOf } from '../storage/plugin-db.ts'

/** The account of play money. */
const SANDBOX_ACCOUNT = 'sandbox'

/**
 * Test money is what a sandbox gateway takes, and the sandbox account anywhere. It funds test keys
 * only, and no other money funds them.
 */
function isTestMoney(source: string, sandbox: boolean): boolean {
  return sandbox || source === SANDBOX_ACCOUNT
}

export function createFunds(
  ledger: Pick<Ledger, 'credit' | 'take' | 'rows' | 'balance'>,
  keys: Pick<KeyDirectory, 'find'>,
  sandbox: boolean,
): Funds {
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
    async grant(order) {
      const { keyId, amountAtomic, reference } = order
      const result = await ledger.credit({
        ...order,
        source: SANDBOX_ACCOUNT,
        kind: 'grant',
        mode: 'test',
        requestId: reference,
      })
      if (result.outcome !== 'credited') return { ok: false, reason: result.outcome }
      const { duplicate, ledgerId } = result
      if (duplicate) {
        const rows = await ledger.rows({ requestId: reference, kind: 'grant', limit: 10 })
        if (!rows.some((row) => row.keyId === keyId && row.amountAtomic === amountAtomic))
          return { ok: false, reason: 'other_grant' }
      }
      const { availableAtomic = 0n, heldAtomic = 0n } = (await ledger.balance(keyId)) ?? {}
      return { ok: true, duplicate, ledgerId, availableAtomic, heldAtomic }
    },
    async take(order, tx) {
      const result = await ledger.take(order, transactionOf(tx))
      if (result.outcome !== 'taken') return { ok: false, reason: result.outcome }
      return { ok: true, takenAtomic: result.takenAtomic, ledgerId: result.ledgerId }
    },
  }
}
