/**
 * The `administration` service: keys, accounts, holds and ledger rows of everybody. A plugin with
 * it has all rights of the operator over money; the service itself checks no credential.
 */
import type { AccountDirectory, Keys } from '../auth/account-management.ts'
import type { Failure } from '../errors.ts'
import type { Hold, Ledger, LedgerRows } from '../ledger/contract.ts'
import type { CreditOrder, CreditResult } from '../ledger/money-orders.ts'
import type { AccountEventRow, EventPage } from '../ledger/events.ts'
import type { ProductDesk } from './product-desk.ts'

/** The part that shell commands can use too, while no gateway runs. */
export interface Books {
  readonly keys: Pick<
    Keys,
    'create' | 'createOn' | 'get' | 'accountOf' | 'list' | 'patch' | 'revoke' | 'rotate'
  >
  readonly accounts: Pick<AccountDirectory, 'create' | 'get' | 'list' | 'patch' | 'close'>
  readonly ledger: LedgerDesk
}

export interface Administration extends Books {
  readonly products: ProductDesk
  /** JWTs that are accepted in place of a key. */
  readonly tokens: {
    readonly lifetimeS: number
    issue(keyId: string): Promise<{ token: string; expiresAt: Date }>
    /** The document of /.well-known/jwks.json (RFC 7517). */
    jwks(): object
  }
  /**
   * Holds credits for a call that is made elsewhere; repeating the request id and order returns the
   * same hold. It fails like a call that the key cannot pay.
   */
  placeHold(order: {
    keyId: string
    accountId: string
    requestId: string
    skillId: string
    path: string
    amountAtomic: bigint
    /** 'service': a first-party service places it, and no one else may end it. */
    scope: 'request' | 'service'
  }): Promise<{ ok: true; hold: Hold } | Failure>
  /** Events of accounts and of the gateway itself, newest first. */
  events(
    page: EventPage,
  ): Promise<{ events: readonly AccountEventRow[]; nextCursor: string | null }>
}

export interface LedgerDesk
  extends
    Pick<Ledger, 'capture' | 'release' | 'refund' | 'transfer' | 'balance' | 'spend' | 'hold'>,
    LedgerRows {
  /** Credits an account once per (source, reference), over all accounts. */
  credit(order: CreditOrder): Promise<CreditResult>
}
