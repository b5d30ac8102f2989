/** The account row of a key, opened and changed inside the transaction of whoever owns the key. */
import type { Accounts } from './contract.ts'
import { run } from './holds.ts'
import { ACCOUNT_CEILING, ACCOUNT_OPEN, ACCOUNT_REVOKE } from './statements.ts'

export const accounts: Accounts = {
  async open(tx, account) {
    await run(tx, ACCOUNT_OPEN, [account.keyId, account.mode, account.ceilingAtomic])
  },
  async setCeiling(tx, keyId, ceilingAtomic) {
    await run(tx, ACCOUNT_CEILING, [keyId, ceilingAtomic])
  },
  async revoke(tx, keyId, at) {
    await run(tx, ACCOUNT_REVOKE, [keyId, at])
  },
}
