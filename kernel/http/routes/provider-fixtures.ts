/**
 * Example callbacks of the two payment providers, as their documentation shows them, signed with
 * example secrets: never with the operator's, which would let anyone post a genuine-looking one.
 */
import { createHmac } from 'node:crypto'

export interface ProviderFixture {
  provider: 'provider_a' | 'provider_b'
  event: 'charge.success' | 'charge.completed'
  method: 'POST'
  path: string
  headers: Record<string, string>
  body: unknown
  /** The exact bytes that are signed. */
  rawBody: string
  signature: { header: string; scheme: string; variable: string; exampleSecret: string }
}

const SECRET_A = 'example-secret-key-of-provider-a'
const SECRET_B = 'example-webhook-hash-of-provider-b'
const REFERENCE_A = 'topup_0192f0c1a2b37c4d8e5f60718293a4b5'
const REFERENCE_B = 'topup_0192f0c1a2b37c4d8e5f60718293a4b6'

const CHARGE_SUCCESS = {
  event: 'charge.success',
  data: {
    id: 4099260516,
    domain: 'test',
    status: 'success',
    reference: REFERENCE_A,
    amount: 500,
    message: null,
    gateway_response: 'Successful',
    paid_at: '2026-11-21T10:15:42.000Z',
    created_at: '2026-11-21T10:15:04.000Z',
    channel: 'card',
    currency: 'USD',
    ip_address: '192.0.2.10',
    metadata: { reference: REFERENCE_A },
    fees: 20,
    authorization: {
      authorization_code: 'AUTH_example',
      bin: '408408',
      last4: '4081',
      exp_month: '12',
      exp_year: '2030',
      channel: 'card',
      card_type: 'visa',
      bank: 'TEST BANK',
      country_code: 'NG',
      brand: 'visa',
      reusable: true,
    },
    customer: { id: 181873746, email: 'buyer@example.com', customer_code: 'CUS_example' },
    requested_amount: 500,
  },
}

const CHARGE_COMPLETED_V3 = {
  event: 'charge.completed',
  data: {
    id: 285959875,
    tx_ref: REFERENCE_B,
    flw_ref: 'PROVIDER-B/EXAMPLE/285959875',
    amount: 5,
    currency: 'USD',
    charged_amount: 5,
    app_fee: 0.2,
    merchant_fee: 0,
    processor_response: 'Approved by Financial Institution',
    auth_model: 'PIN',
    ip: '192.0.2.10',
    narration: 'Prepaid credits',
    status: 'successful',
    payment_type: 'card',
    created_at: '2026-11-21T10:15:04.000Z',
    customer: { id: 215604089, name: 'Example Buyer', email: 'buyer@example.com' },
  },
}

const CHARGE_COMPLETED_V4 = {
  id: 'wbk_example0001',
  timestamp: 1_795_256_142_000,
  type: 'charge.completed',
  data: {
    id: 'chg_example0001',
    amount: 5,
    currency: 'USD',
    reference: REFERENCE_B,
    status: 'succeeded',
    payment_method: { type: 'card' },
    customer: { id: 'cus_example0001', email: 'buyer@example.com' },
    created_datetime: '2026-11-21T10:15:04.000Z',
  },
}

/** charge.success of provider A, and charge.completed of provider B in its two forms. */
export function providerFixtures(): ProviderFixture[] {
  const rawA = JSON.stringify(CHARGE_SUCCESS)
  const rawB3 = JSON.stringify(CHARGE_COMPLETED_V3)
  const rawB4 = JSON.stringify(CHARGE_COMPLETED_V4)
  return [
    {
      provider: 'provider_a',
      event: 'charge.success',
      ...post('/v1/webhooks/provider_a', rawA, {
        'x-paystack-signature': createHmac('sha512', SECRET_A).update(rawA).digest('hex'),
      }),
      body: CHARGE_SUCCESS,
      signature: {
        header: 'x-paystack-signature',
        scheme: 'HMAC-SHA512 of the raw body, in hex',
        variable: 'PROVIDER_A_SECRET_KEY',
        exampleSecret: SECRET_A,
      },
    },
    {
      provider: 'provider_b',
      event: 'charge.completed',
      ...post('/v1/webhooks/provider_b', rawB3, { 'verif-hash': SECRET_B }),
      body: CHARGE_COMPLETED_V3,
      signature: {
        header: 'verif-hash',
        scheme: 'the secret itself',
        variable: 'PROVIDER_B_WEBHOOK_HASH',
        exampleSecret: SECRET_B,
      },
    },
    {
      provider: 'provider_b',
      event: 'charge.completed',
      ...post('/v1/webhooks/provider_b', rawB4, {
        'flutterwave-signature': createHmac('sha256', SECRET_B).update(rawB4).digest('base64'),
      }),
      body: CHARGE_COMPLETED_V4,
      signature: {
        header: 'flutterwave-signature',
        scheme: 'HMAC-SHA256 of the raw body, in base64',
        variable: 'PROVIDER_B_WEBHOOK_HASH',
        exampleSecret: SECRET_B,
      },
    },
  ]
}

function post(path: string, rawBody: string, signed: Record<string, string>) {
  const headers = { 'content-type': 'application/json', ...signed }
  return { method: 'POST' as const, path, headers, rawBody }
}
