/**
 * Example callbacks of the two payment providers, as their documentation shows them, signed with
 * example secrets: never with the operator's, which would let anyone post a genuine-looking one.
 */
import { createHmac } from 'node:crypto'

export interface ProviderFixture {
  provider: 'provider_a' | 'provider_b'
  event: string
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

const REFUND_PROCESSED = {
  event: 'refund.processed',
  data: {
    status: 'processed',
    transaction_reference: REFERENCE_A,
    refund_reference: null,
    amount: 500,
    currency: 'USD',
    customer: { email: 'buyer@example.com' },
    domain: 'test',
  },
}

const DISPUTE_CREATE = {
  event: 'charge.dispute.create',
  data: {
    id: 358950,
    refund_amount: 500,
    currency: 'USD',
    status: 'awaiting-merchant-feedback',
    resolution: null,
    domain: 'test',
    category: 'chargeback',
    transaction: { id: 4099260516, reference: REFERENCE_A, amount: 500, currency: 'USD' },
    transaction_reference: null,
    due_at: '2026-11-25T18:00:00.000Z',
  },
}

const REFUND_COMPLETED = {
  id: 'wbk_example0002',
  timestamp: 1_795_256_142_000,
  type: 'refund.completed',
  data: {
    id: 75923,
    tx_id: 285959875,
    tx_ref: REFERENCE_B,
    amount_refunded: 5,
    currency: 'USD',
    status: 'completed',
  },
}

const CHARGEBACK_CREATED = {
  id: 'wbk_example0003',
  timestamp: 1_795_256_142_000,
  type: 'chargeback.created',
  data: {
    id: 1234,
    transaction_id: 285959875,
    tx_ref: REFERENCE_B,
    amount: 5,
    currency: 'USD',
    status: 'initiated',
    stage: 'new',
  },
}

/** Payments, refunds and disputes of provider A, and of provider B in its two forms of signature. */
export function providerFixtures(): ProviderFixture[] {
  return [
    fixtureA(CHARGE_SUCCESS),
    fixtureB(CHARGE_COMPLETED_V3, 'charge.completed', 'verif-hash'),
    fixtureB(CHARGE_COMPLETED_V4, 'charge.completed', 'flutterwave-signature'),
    fixtureA(REFUND_PROCESSED),
    fixtureA(DISPUTE_CREATE),
    fixtureB(REFUND_COMPLETED, 'refund.completed', 'flutterwave-signature'),
    fixtureB(CHARGEBACK_CREATED, 'chargeback.created', 'flutterwave-signature'),
  ]
}

function fixtureA(body: { event: string }): ProviderFixture {
  const rawBody = JSON.stringify(body)
  return {
    provider: 'provider_a',
    event: body.event,
    ...post('/v1/webhooks/provider_a', rawBody, {
      'x-paystack-signature': createHmac('sha512', SECRET_A).update(rawBody).digest('hex'),
    }),
    body,
    signature: {
      header: 'x-paystack-signature',
      scheme: 'HMAC-SHA512 of the raw body, in hex',
      variable: 'PROVIDER_A_SECRET_KEY',
      exampleSecret: SECRET_A,
    },
  }
}

function fixtureB(
  body: object,
  event: string,
  header: 'verif-hash' | 'flutterwave-signature',
): ProviderFixture {
  const rawBody = JSON.stringify(body)
  const isMac = header === 'flutterwave-signature'
  const value = isMac ? createHmac('sha256', SECRET_B).update(rawBody).digest('base64') : SECRET_B
  return {
    provider: 'provider_b',
    event,
    ...post('/v1/webhooks/provider_b', rawBody, { [header]: value }),
    body,
    signature: {
      header,
      scheme: isMac ? 'HMAC-SHA256 of the raw body, in base64' : 'the secret itself',
      variable: 'PROVIDER_B_WEBHOOK_HASH',
      exampleSecret: SECRET_B,
    },
  }
}

function post(path: string, rawBody: string, signed: Record<string, string>) {
  const headers = { 'content-type': 'application/json', ...signed }
  return { method: 'POST' as const, path, headers, rawBody }
}
