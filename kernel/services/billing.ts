/** The `billing` service: holds for work that runs outside a metered call. */
import type { Ledger } from '../ledger/contract.ts'
import { newId } from '../ids.ts'
import type { Catalog, CatalogSnapshot, MountedSkill } from '../plugins/catalog.ts'
import type { Billing } from '../plugins/services.ts'
import { transactionOf } from '../storage/plugin-db.ts'

export interface BillingDeps {
  ledger: Ledger
  catalog: Catalog
  onFunded(listener: (keyId: string) => void): () => void
}

export function createBilling(deps: BillingDeps): Billing {
  const { ledger, catalog } = deps
  let index: { of: CatalogSnapshot; bySkill: Map<string, MountedSkill> } | null = null
  const price = (skillId: string) => {
    const snapshot = catalog.current()
    if (index?.of !== snapshot)
      index = { of: snapshot, bySkill: new Map(snapshot.skills.map((one) => [one.skill.id, one])) }
    const mounted = index.bySkill.get(skillId)
    return mounted ? { amountAtomic: mounted.amountAtomic, version: mounted.priceVersion } : null
  }
  return {
    price,
    onFunded: deps.onFunded,
    async covers(keyId, amountAtomic) {
      const balance = await ledger.balance(keyId)
      return balance !== null && balance.availableAtomic >= amountAtomic
    },
    async authorize(order) {
      const result = await ledger.authorize({
        ...order,
        holdId: newId(),
        priceVersion: price(order.skillId)?.version ?? null,
        scope: 'request',
      })
      switch (result.outcome) {
        case 'authorized':
          return { ok: true, holdId: result.hold.id }
        case 'insufficient':
        case 'ceiling':
        case 'conflict':
          return { ok: false, reason: result.outcome }
        case 'revoked':
        case 'unknown_key':
          return { ok: false, reason: 'revoked' }
      }
    },
    async capture(tx, holdId) {
      const hold = await ledger.hold(holdId)
      if (!hold) return { ok: false, state: 'unknown' }
      const result = await ledger.captureIn(transactionOf(tx), { holdId, keyId: hold.keyId })
      if (result.outcome === 'done') return { ok: true, ledgerId: result.hold.ledgerId }
      return { ok: false, state: result.outcome === 'conflict' ? result.hold.state : 'unknown' }
    },
    async release(holdId) {
      const hold = await ledger.hold(holdId)
      if (hold) await ledger.release({ holdId, keyId: hold.keyId })
    },
  }
}
