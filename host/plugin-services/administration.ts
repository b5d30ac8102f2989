/** The `administration` service: what the operator's routes and commands do, without HTTP. */
import {
  newId,
  purchaseRefusal,
  stateConflict,
  type Administration,
  type ProductDesk,
} from '#kernel'
import {
  creditsRefusal,
  type AccountDirectory,
  type AccountPages,
  type Authenticator,
  type Keys,
  type Ledger,
  type LedgerRows,
  type SqlClient,
  type TokenService,
} from '#kernel/host'
import { listEvents } from './account-events.ts'

export interface AdministrationDeps {
  sql: SqlClient
  keys: Keys
  accounts: AccountDirectory
  ledger: Ledger & LedgerRows
  tokens: TokenService
  products: ProductDesk
  auth: Pick<Authenticator, 'identityOf'>
  /** The product whose budget a call of the skill counts against. */
  productOf(skillId: string): string
  /** HOLD_TTL */
  holdTtlMs: number
  /** Where a refusal leads people. */
  pages: Pick<AccountPages, 'urls'>
}

export function createAdministration(deps: AdministrationDeps): Administration {
  const { sql, keys, accounts, ledger, tokens } = deps
  return {
    keys,
    accounts,
    ledger,
    tokens,
    products: deps.products,
    events: (page) => listEvents(sql, page),
    async placeHold(order) {
      const productId = deps.productOf(order.skillId)
      const identity = await deps.auth.identityOf(order.keyId, 'key')
      const notAllowed =
        identity && purchaseRefusal(identity, { productId, skillId: order.skillId })
      if (notAllowed) return notAllowed
      const result = await ledger.authorize({
        ...order,
        holdId: newId(),
        productId,
        ttlMs: deps.holdTtlMs,
      })
      if (result.outcome === 'authorized') return { ok: true, hold: result.hold }
      if (result.outcome === 'conflict')
        return stateConflict('This requestId was used with another body', result.hold.state)
      const purchase = { priceAtomic: order.amountAtomic, productId }
      return creditsRefusal(result, purchase, new Date(), deps.pages.urls()).failure
    },
  }
}
