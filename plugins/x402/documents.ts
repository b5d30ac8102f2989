/** The names and texts by which documents of the gateway show the x402 rail. */
import { atomicToUsd, type Rail, type RailDocuments } from '#kernel'
import type { Token } from './terms/token.ts'
import { WALLET_SCRIPT } from './browser/wallet-script.ts'

const documents: RailDocuments = {
  summary: 'x402 (USDC)',
  guidance: 'on 402 pay one of `accepts` and retry with PAYMENT-SIGNATURE',
  howToPay:
    'x402 (no account): call the route; the 402 answer carries `PAYMENT-REQUIRED` (x402 version 2). Sign one of its `accepts` and send the same request again with `PAYMENT-SIGNATURE`. An x402 client does this by itself. Where every one of `accepts` has scheme `upto` (the price follows use), the client must know it: register `UptoEvmScheme` of `@x402/evm/upto/client` beside `ExactEvmScheme`.',
  links: [{ title: 'x402 discovery', path: '/.well-known/x402' }],
  securitySchemes: {
    x402: {
      type: 'apiKey',
      in: 'header',
      name: 'PAYMENT-SIGNATURE',
      description: 'An x402 version 2 payment, base64 JSON',
    },
  },
  offerProperties: {
    x402Version: { type: 'integer' },
    accepts: { type: 'array', items: { type: 'object' } },
    x402Note: { type: 'string' },
  },
  browserModule: WALLET_SCRIPT,
  protocol: { x402: {} },
  mcpInstructions:
    'pay with x402: an unpaid call returns a result with isError and an x402 PaymentRequired in structuredContent; sign one of its accepts and call again with _meta["x402/payment"]',
  // x402 v2 PaymentRequired, as far as a client can rely on it: every tool repeats it.
  mcpUnpaid: { required: ['x402Version', 'accepts'] },
  mcpCapabilities: { extensions: { 'org.x402/payment': {} } },
  // These members are what Cloudflare's clients read.
  mcpToolMeta: (amountAtomic) => ({
    'agents-x402/paymentRequired': true,
    'agents-x402/priceUSD': atomicToUsd(amountAtomic),
  }),
}

/** The same where several tokens are taken, with all of them by name. */
export function documentsOf(tokens: readonly Token[]): RailDocuments {
  if (tokens.length < 2) return documents
  const names = tokens.map(({ domain, asset, network, networkV1 }) => {
    const place = networkV1 === network ? network : `${networkV1} (${network})`
    return `${domain?.name ?? asset} on ${place}`
  })
  const summary = 'x402 (dollar tokens)'
  return { ...documents, summary, howToPay: `${documents.howToPay} Taken: ${names.join(', ')}.` }
}

/** How the rail is called and shown, whether it is open or closed. */
export const x402Shown = {
  title: 'x402',
  requestHeaders: [
    { name: 'PAYMENT-SIGNATURE', description: 'x402 version 2 payment, base64 JSON' },
    { name: 'X-PAYMENT', description: 'x402 version 1 payment, base64 JSON' },
  ],
  answerHeaders: [
    {
      name: 'PAYMENT-REQUIRED',
      description: 'x402 version 2 challenge, base64 JSON',
      isOffer: true,
    },
    { name: 'PAYMENT-RESPONSE', description: 'x402 version 2 receipt, base64 JSON' },
    { name: 'X-PAYMENT-RESPONSE', description: 'x402 version 1 receipt, base64 JSON' },
  ],
} satisfies Partial<Rail>
