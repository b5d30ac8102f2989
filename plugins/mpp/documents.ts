/** The names and texts by which documents of the gateway show the MPP rail. */
import type { Rail, RailDocuments } from '#kernel'
import type { ChargeMethod } from './charge/method.ts'
import {
  ACCEPT_PAYMENT,
  META_CREDENTIAL,
  META_PAYMENT_REQUIRED,
  PAYMENT_AUTHORIZATION,
} from './wire/names.ts'

/** How documents show it; `paymentOffers` are of the network that is sold on. */
export const documentsOf = (methods: readonly ChargeMethod[]): RailDocuments => ({
  summary: 'MPP (USDC, the Payment scheme)',
  guidance: 'on 402 pay a challenge of `WWW-Authenticate: Payment` and retry with Authorization',
  howToPay:
    'MPP (no account): the 402 answer carries `WWW-Authenticate: Payment` with a challenge, new for every answer and good for this route alone. Send the same request again with `Authorization: Payment` and the credential. The client mppx does this by itself; its `evm.charge` needs `currencies`, for example `assets.base.USDC`.',
  securitySchemes: {
    mpp: {
      type: 'http',
      scheme: 'payment',
      description: 'A credential of the Machine Payments Protocol',
    },
  },
  offerProperties: {
    type: { type: 'string', description: 'Problem type of the Payment scheme (RFC 9457)' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    challengeId: { type: 'string' },
  },
  protocol: { mpp: {} },
  mcpCapabilities: {
    experimental: {
      payment: {
        methods: Object.fromEntries(
          methods.map(({ method, intent }) => [method, { intents: [intent] }]),
        ),
      },
    },
  },
  mcpInstructions: `pay with MPP: an unpaid call has challenges in _meta["${META_PAYMENT_REQUIRED}"]; pay one and call again with _meta["${META_CREDENTIAL}"]`,
})

/** How the rail is called and shown. */
export const mppShown = {
  title: 'MPP',
  requestHeaders: [
    { name: 'Authorization', description: 'With the scheme Payment: an MPP credential' },
    { name: PAYMENT_AUTHORIZATION, description: 'The same, beside an API key in Authorization' },
    {
      name: ACCEPT_PAYMENT,
      description: 'Payment methods that the client takes, such as evm/charge',
    },
  ],
  answerHeaders: [
    {
      name: 'WWW-Authenticate',
      description: 'An MPP challenge for each method that is sold',
      isOffer: true,
    },
    { name: 'Payment-Receipt', description: 'MPP receipt, base64url JSON' },
  ],
} satisfies Partial<Rail>
