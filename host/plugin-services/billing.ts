/** The `billing` service: holds for work that runs outside a metered call. */
import {
  newId,
  type Billing,
  type Catalog,
  type CatalogSnapshot,
  type Identity,
  type MountedSkill,
  purchaseRefusal,
} from '#kernel'
import { transactionOf, type Ledger } from '#kernel/host'
import { productOfSkill } from './product-of-skill.ts'

export interface BillingDeps {
  ledger: Ledger
  catalog: Catalog
  /** Null when the key is unknown. */
  accountOf(keyId: string): Promise<string | null>
  /** Null when the key is unknown or revoked. */
  identityOf(keyId: string): Promise<Identity | null>
  onFunded(listener: (keyId: string) => void): () => void
}

export function createBilling(deps: BillingDeps): Billing {
  const { ledger, catalog } = deps
  let index: { of: CatalogSnapshot; bySkill: Map<string, MountedSkill> } | null = null
  const mountedSkill = (skillId: string) => {
    const snapshot = catalog.current()
    if (index?.of !== snapshot)
      index = { of: snapshot, bySkill: new Map(snapshot.skills.map((one) => [one.skill.id, one])) }
    return index.bySkill.get(skillId)
  }
  const price = (skillId: string) => {
    const mounted = mountedSkill(skillId)
    return mounted ? { amountAtomic: mounted.amountAtomic, version: mounted.priceVersion } : null
  }
  return {
    price,
    onFunded: deps.onFunded,
    async covers(keyId, amountAtomic) {
      const accountId = await deps.accountOf(keyId)
      const balance = accountId === null ? null : await ledger.balance(accountId)
      return balance !== null && balance.availableAtomic >= amountAtomic
    },
    async authorize(order) {
      const identity = await deps.identityOf(order.keyId)
      if (identity === null) return { ok: false, reason: 'revoked' }
      const productId = mountedSkill(order.skillId)?.product.id ?? productOfSkill(order.skillId)
      // Product and skill may be allowed again, as a budget may be raised again.
      if (purchaseRefusal(identity, { productId, skillId: order.skillId }))
        return { ok: false, reason: 'ceiling' }
      const result = await ledger.authorize({
        ...order,
        accountId: identity.accountId,
        productId,
        holdId: newId(),
        priceVersion: price(order.skillId)?.version ?? null,
        scope: 'request',
      })
      switch (result.outcome) {
        case 'authorized': {
          const { repeated, hold } = result
          // Made by the key itself under this request id: its holder may end it while the work runs.
          if (repeated && hold.priceVersion === null) return { ok: false, reason: 'conflict' }
          return { ok: true, holdId: hold.id }
        }
        case 'over_budget':
          return { ok: false, reason: 'ceiling' }
        case 'insufficient':
        case 'conflict':
          return { ok: false, reason: result.outcome }
        case 'revoked':
        case 'closed':
        case 'unknown_key':
          return { ok: false, reason: 'revoked' }
      }
    },
    async capture(tx, holdId) {
      const hold = await ledger.hold(holdId)
      if (!hold) return { ok: false, state: 'unknown' }
      const { accountId, keyId } = hold
      const result = await ledger.captureIn(transactionOf(tx), { holdId, accountId, keyId })
      if (result.outcome === 'done') return { ok: true, ledgerId: result.hold.ledgerId }
      return { ok: false, state: result.outcome === 'conflict' ? result.hold.state : 'unknown' }
    },
    async release(holdId) {
      const hold = await ledger.hold(holdId)
      if (hold) await ledger.release({ holdId, accountId: hold.accountId, keyId: hold.keyId })
    },
  }
}
