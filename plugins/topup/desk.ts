/** Buying credits for an account, for the pages of its owner: what other plugins get as 'topup-desk'. */
import type { RouteRequest } from '#kernel'
import type { CheckoutProvider, TopupDesk } from '../shared/topup/contract.ts'
import { startCheckout, type CheckoutDeps } from './checkout.ts'
import { purchase, PURCHASE_PATH, type PurchaseDeps } from './purchase.ts'
import { readOrder } from './purchase-order.ts'

const BEGUN_MAX = 20
const PROVIDERS: readonly CheckoutProvider[] = ['provider_a', 'provider_b']

/** The rules are those of the routes: the same order, the same tables, the same rounds. */
export function topupDesk(checkout: CheckoutDeps, sales: PurchaseDeps): TopupDesk {
  return {
    checkouts: () => ({
      providers: checkout.isOpen ? PROVIDERS.filter((id) => checkout.providers[id].configured) : [],
      minimumUsd: Number(checkout.minimumAtomic) / 1_000_000,
    }),
    async begin({ keyId, amountUsd, provider, email, callbackUrl }) {
      const started = await startCheckout(checkout, {
        apiKeyId: keyId,
        amountUsd,
        provider,
        callbackUrl,
        ...(email !== null && { email }),
      })
      if (!started.ok) return started
      const { reference, authorizationUrl } = started.checkout
      return { ok: true, reference, authorizationUrl }
    },
    cancel: (keyId, reference) => checkout.store.cancel(keyId, reference),
    begun: (keyId) => checkout.store.begun(keyId, BEGUN_MAX),
    async offer({ accountId, amountUsd, requestId, signal }) {
      const body = { accountId, amountUsd }
      const order = await readOrder(sales, body)
      if (!order.ok) return order
      const unpaid = await purchase(
        sales,
        unpaidRequest(checkout.publicUrl, body, requestId, signal),
      )
      return unpaid instanceof Response ? { ok: true, unpaid, path: PURCHASE_PATH, body } : unpaid
    },
  }
}

/** The request that a buyer without a payment would send. */
function unpaidRequest(
  publicUrl: string,
  body: object,
  requestId: string,
  signal: AbortSignal,
): RouteRequest {
  const text = JSON.stringify(body)
  const request = new Request(publicUrl + PURCHASE_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
    signal,
  })
  return {
    request,
    params: {},
    query: new URLSearchParams(),
    requestId,
    clientAddress: 'this gateway',
    signal,
    bytes: async () => new TextEncoder().encode(text),
    json: async () => ({ ok: true, value: body }),
  }
}
