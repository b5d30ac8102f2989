/** The accounts of wallets, and the keys without a secret by which their credits are spent. */
import { LRUCache } from 'lru-cache'
import type { Accounts } from '#kernel'

/** As old as the rows of API keys may be. */
const KEPT_MS = 1000
const MAX_WALLETS = 10_000
const PURPOSE = 'wallet'

export interface Wallet {
  /** Its owner as accounts know it: 'eip155:0x…', 'eip155:<chain>:0x…' of a contract, 'solana:…'. */
  subject: string
  accountId: string
  keyId: string
}

export class Wallets {
  readonly #accounts: Pick<Accounts, 'ofOwner' | 'ownKey'>
  readonly #known = new LRUCache<string, Promise<Wallet | null>>({ max: MAX_WALLETS, ttl: KEPT_MS })

  constructor(accounts: Pick<Accounts, 'ofOwner' | 'ownKey'>) {
    this.#accounts = accounts
  }

  /** The wallet of an owner; null: it never bought credits, or its account is closed. */
  of(subject: string): Promise<Wallet | null> {
    const known = this.#known.get(subject)
    if (known) return known
    const found = this.#find(subject)
    this.#known.set(subject, found)
    // A wallet that buys its first credits has them at once.
    const forget = (): void => void this.#known.delete(subject)
    found.then((wallet) => wallet === null && forget(), forget)
    return found
  }

  async #find(subject: string): Promise<Wallet | null> {
    const owned = await this.#accounts.ofOwner(subject, null)
    if (!owned) return null
    const { accountId } = owned
    const key = await this.#accounts.ownKey(accountId, PURPOSE)
    return key && { subject, accountId, keyId: key.keyId }
  }
}
