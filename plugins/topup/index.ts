/** Money in: card and mobile providers, and credits bought with one x402 payment. */
import { Type } from 'typebox'
import { definePlugin, type PluginEnv, type Route } from '#kernel'
import { pageHeaders } from '../shared/pages/headers.ts'
import { extensionName } from '../shared/payments/challenge-extensions.ts'
import { TOPUP_DESK } from '../shared/topup/contract.ts'
import { callback, initialize, InitializeInput, type CheckoutDeps } from './checkout.ts'
import { topupDesk } from './desk.ts'
import type { Provider, ProviderId } from './providers/contract.ts'
import { providerA, PROVIDER_A_URL as DEFAULT_PROVIDER_A_URL } from './providers/provider-a.ts'
import { providerB, PROVIDER_B_URL as DEFAULT_PROVIDER_B_URL } from './providers/provider-b.ts'
import { simulatedProvider } from './providers/simulated.ts'
import { flaggedRoute } from './flagged-route.ts'
import { limitedWarnings } from './limited-warnings.ts'
import { ATOMIC_PER_CENT } from './order.ts'
import { purchase, PurchaseOutput, type PurchaseDeps } from './purchase.ts'
import { PurchaseInput } from './purchase-order.ts'
import { rehearse, RehearseInput } from './rehearsal.ts'
import { owedCommand, returnCommand } from './return-commands.ts'
import { returnPage } from './return-page.ts'
import { returnRoutes } from './return-routes.ts'
import { Rounds } from './rounds.ts'
import { sandboxRoutes } from './sandbox-routes.ts'
import { triggerCommand } from './trigger.ts'
import { migrations } from './migrations.ts'
import { TopupStore } from './store.ts'
import {
  MIN_PREPAID_BUNDLE,
  PREPAID_FIAT,
  PROVIDER_A_SECRET_KEY,
  PROVIDER_A_URL,
  PROVIDER_B_SECRET_KEY,
  PROVIDER_B_URL,
  PROVIDER_B_WEBHOOK_HASH,
  VARIABLES,
} from './variables.ts'

const TAG = 'Top-ups'

export default definePlugin({
  id: 'topup',
  version: '1.0.0',
  kernel: '^1.4.0',
  config: Type.Object({}, { additionalProperties: false }),
  variables: VARIABLES,
  reservedPaths: [
    '/v1/webhooks',
    '/v1/credits/topup',
    '/v1/sandbox/fixtures',
    '/v1/sandbox/topup',
    '/v1/sandbox/trigger',
  ],
  commands: [triggerCommand, owedCommand, returnCommand],
  requires: ['accounts', 'alerts', 'funds', 'keys', 'oneOffSales', 'vault'],
  migrations,
  setup(env) {
    const store = new TopupStore(env.db, env.service('alerts'))
    const providers = providersOf(env)
    const shared = {
      lookAtRests: () => rounds.lookAtRests(),
      db: env.db,
      store,
      funds: env.service('funds'),
      keys: env.service('keys'),
      log: env.log,
      sandbox: env.sandbox,
      minimumAtomic: env.variable(MIN_PREPAID_BUNDLE),
    }
    const checkout: CheckoutDeps = {
      ...shared,
      providers,
      publicUrl: env.publicUrl,
      warnOfUnsigned: limitedWarnings(env.log),
      isOpen: env.variable(PREPAID_FIAT),
    }
    // MIN_PREPAID_BUNDLE is about the providers' fees; an x402 purchase may be one cent.
    const sales: PurchaseDeps = {
      ...shared,
      accounts: env.service('accounts'),
      walletsSignIn: () => env.provided(extensionName('sign-in-with-x')) !== null,
      sales: env.service('oneOffSales'),
      vault: env.service('vault'),
      minimumAtomic: ATOMIC_PER_CENT,
      suggestedAtomic: shared.minimumAtomic,
    }
    const rounds: Rounds = new Rounds(checkout, sales, env.log)
    return {
      routes: routesOf(checkout, sales),
      provides: { [TOPUP_DESK]: topupDesk(checkout, sales) },
      async ready() {
        if (checkout.isOpen && !Object.values(providers).some(({ configured }) => configured))
          env.log.warn({}, 'PREPAID_FIAT is on, and no provider has its secrets: nobody can top up')
        rounds.start()
      },
      stop: () => rounds.stop(),
    }
  },
})

/** A sandbox without a provider's secrets rehearses with a simulated one; a live gateway closes it. */
function providersOf(env: PluginEnv): Record<ProviderId, Provider> {
  const a = providerA({
    secret: env.variable(PROVIDER_A_SECRET_KEY) ?? undefined,
    url: env.variable(PROVIDER_A_URL) ?? DEFAULT_PROVIDER_A_URL,
    fetch: env.fetch,
  })
  const b = providerB({
    secret: env.variable(PROVIDER_B_SECRET_KEY) ?? undefined,
    webhookHash: env.variable(PROVIDER_B_WEBHOOK_HASH) ?? undefined,
    url: env.variable(PROVIDER_B_URL) ?? DEFAULT_PROVIDER_B_URL,
    fetch: env.fetch,
  })
  const rehearsed = (provider: Provider): Provider =>
    provider.configured || !env.sandbox ? provider : simulatedProvider(provider.id, env.publicUrl)
  return { provider_a: rehearsed(a), provider_b: rehearsed(b) }
}

function routesOf(checkout: CheckoutDeps, sales: PurchaseDeps): Route[] {
  const callbacks = (['provider_a', 'provider_b'] as const).flatMap((id) =>
    [`/v1/webhooks/${id}`, `/webhooks/${id}`].map((path): Route => ({
      method: 'POST',
      path,
      auth: 'public',
      tag: TAG,
      summary: `Callback of ${id}, signed over its raw bytes`,
      input: Type.Object({}, { additionalProperties: true }),
      statuses: [401, 503],
      rateLimited: true,
      handler: async (request) => {
        const body = await request.bytes()
        if (!(body instanceof Uint8Array)) return body
        return callback(checkout, checkout.providers[id], body, request.request.headers)
      },
    })),
  )
  return [
    {
      method: 'POST',
      path: '/v1/credits/topup/initialize',
      auth: 'admin',
      tag: TAG,
      summary: 'Start a card or mobile top-up',
      description:
        'Answers with the address of the payment page. Credits arrive when the provider has called back, once per purchase.',
      input: InitializeInput,
      statuses: [403, 404, 503],
      handler: (request) => initialize(checkout, request),
    },
    {
      method: 'GET',
      path: '/v1/credits/topup/success',
      auth: 'public',
      tag: TAG,
      summary: 'Return page after payment; credits arrive by the provider’s callback',
      handler: ({ query }) =>
        new Response(returnPage(query, checkout.sandbox), { headers: pageHeaders('text/html') }),
    },
    {
      method: 'POST',
      path: '/v1/credits/topup/x402',
      auth: 'public',
      tag: TAG,
      summary:
        'Buy credits for a key, an account or the wallet that pays, or a new key with credits, with one x402 payment',
      rail: 'x402',
      sellsCredits: {
        name: 'topupX402',
        howToBuy:
          'With a wallet only: `POST /v1/credits/topup/x402 {"amountUsd": 1}` and an `Idempotency-Key` of 16 characters or more sells a key with credits for one x402 payment; keep both, the key is shown again only under the same Idempotency-Key. With `"wallet": true` the credits belong to the wallet that pays, which spends them by signing in (`extensions["sign-in-with-x"]` of a 402) and needs no key.',
      },
      input: PurchaseInput,
      output: PurchaseOutput,
      statuses: [402, 404, 409, 429, 503],
      handler: (request) => purchase(sales, request),
    },
    flaggedRoute(checkout.store, TAG),
    ...returnRoutes(checkout),
    ...sandboxRoutes(checkout),
    {
      method: 'POST',
      path: '/v1/sandbox/trigger',
      auth: 'admin',
      tag: 'Sandbox',
      summary:
        'Rehearse a provider callback: starts and pays a simulated top-up, delivers its signed event',
      input: RehearseInput,
      statuses: [403, 404, 409],
      handler: (request) => rehearse(checkout, request),
    },
    ...callbacks,
  ]
}
