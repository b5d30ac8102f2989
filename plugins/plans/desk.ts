/** What other plugins ask about plans. */
import type { PlansDesk } from '../shared/plans/contract.ts'
import { cancel, subscribe, type SubscribingDeps } from './subscribing.ts'
import { planView, subscriptionView } from './views.ts'

export function plansDesk(deps: SubscribingDeps): PlansDesk {
  const { plans, store } = deps
  return {
    plans: () => [...plans.values()].map(planView),
    async of(accountId) {
      const own = await store.ofAccount(accountId)
      return own && subscriptionView(own)
    },
    async begin({ planId, keyId }) {
      const begun = await subscribe(deps, planId, keyId)
      return begun.ok ? { ok: true, subscription: subscriptionView(begun.subscription) } : begun
    },
    async end(accountId) {
      const own = await store.ofAccount(accountId)
      const ended = own && (await cancel(deps, own.id))
      return ended && subscriptionView(ended)
    },
  }
}
