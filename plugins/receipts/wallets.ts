/** Whose wallet an account is, remembered for a while: receipts of wallets name them as payers. */
import { LRUCache } from 'lru-cache'
import type { Accounts } from '#kernel'

const REMEMBERED = 10_000
const TTL_MS = 60_000
/** Namespaces of CAIP-2 in which a subject is a wallet. */
const WALLET = /^(?:eip155|solana):(?:.*:)?([^:]+)$/

/** Finds the address of the wallet that an account belongs to; null: it belongs to none. */
export function walletsOf(
  accounts: Pick<Accounts, 'owners'>,
): (accountId: string) => Promise<string | null> {
  const known = new LRUCache<string, { address: string | null }>({ max: REMEMBERED, ttl: TTL_MS })
  return async (accountId) => {
    const found = known.get(accountId)
    if (found) return found.address
    const owners = await accounts.owners(accountId)
    const addresses = owners.flatMap(({ subject }) => WALLET.exec(subject)?.[1] ?? [])
    const address = addresses[0] ?? null
    known.set(accountId, { address })
    return address
  }
}
