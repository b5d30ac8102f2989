/**
 * Known answers of every scheme: requests whose signatures were made by somebody else. Where a
 * provider prints none (Stripe, Paystack), the MAC is RFC 4231's or was made with Python's hmac.
 */
import type { SchemeName } from '../../../../../plugins/webinfra/verify/contract.ts'

export interface Vector {
  source: string
  scheme: Exclude<SchemeName, 'none'>
  secret: string
  body: string
  headers: Record<string, string>
  /** The signed header. */
  signed: string
  /** Seconds; absent: the scheme signs no time. */
  timestamp?: number
  header?: string
  algorithm?: 'sha256' | 'sha512'
}

const JEFE = 'what do ya want for nothing?'
const JEFE_SHA256 = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
const JEFE_SHA512 =
  '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737'

export const vectors: readonly Vector[] = [
  {
    source: 'docs.svix.com, verifying webhooks manually',
    scheme: 'standard-webhooks',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    body: '{"test": 2432232314}',
    timestamp: 1614265330,
    signed: 'webhook-signature',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
  },
  {
    source:
      'the same under Svix names, its secret without prefix, after a signature of another key',
    scheme: 'standard-webhooks',
    secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    body: '{"test": 2432232314}',
    timestamp: 1614265330,
    signed: 'svix-signature',
    headers: {
      'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'svix-timestamp': '1614265330',
      'svix-signature':
        'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
  },
  {
    source: 'docs.github.com, validating webhook deliveries',
    scheme: 'github',
    secret: "It's a Secret to Everybody",
    body: 'Hello, World!',
    signed: 'x-hub-signature-256',
    headers: {
      'x-hub-signature-256':
        'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
  },
  {
    source: 'Python hmac over the form of docs.stripe.com/webhooks',
    scheme: 'stripe',
    secret: 'whsec_test_secret',
    body: '{"id":"evt_test","object":"event"}',
    timestamp: 1492774577,
    signed: 'stripe-signature',
    headers: {
      'stripe-signature':
        't=1492774577,v0=6ffbb59b2300aae63f272406069a,v1=691252e266ce41cb94d709c84e9580d4172b117a510bbc81723f657d2cd5d215',
    },
  },
  {
    source: 'docs.slack.dev, verifying requests from Slack',
    scheme: 'slack',
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    timestamp: 1531420618,
    signed: 'x-slack-signature',
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
  },
  {
    source: "SQLPage's vector for Shopify webhooks",
    scheme: 'shopify',
    secret: 'test-webhook-secret',
    body: '{"id":1234567890,"email":"customer@example.com","total_price":"123.45"}',
    signed: 'x-shopify-hmac-sha256',
    headers: { 'x-shopify-hmac-sha256': 'QNyObTlKbMx2qDlPF/ZOZcBqg5OgPg+2oky3zldc0Gw=' },
  },
  {
    source: 'RFC 4231 test case 2 (SHA-512) in the form of paystack.com/docs webhooks',
    scheme: 'paystack',
    secret: 'Jefe',
    body: JEFE,
    signed: 'x-paystack-signature',
    headers: { 'x-paystack-signature': JEFE_SHA512 },
  },
  {
    source: 'RFC 4231 test case 2 (SHA-256), hex',
    scheme: 'hmac',
    secret: 'Jefe',
    body: JEFE,
    header: 'X-Signature',
    signed: 'x-signature',
    headers: { 'x-signature': JEFE_SHA256 },
  },
  {
    source: 'RFC 4231 test case 2 (SHA-256), hex after the algorithm',
    scheme: 'hmac',
    secret: 'Jefe',
    body: JEFE,
    header: 'X-Signature',
    signed: 'x-signature',
    headers: { 'x-signature': `sha256=${JEFE_SHA256}` },
  },
  {
    source: 'RFC 4231 test case 2 (SHA-512), base64',
    scheme: 'hmac',
    secret: 'Jefe',
    body: JEFE,
    algorithm: 'sha512',
    signed: 'x-webhook-signature',
    headers: {
      'x-webhook-signature': Buffer.from(JEFE_SHA512, 'hex').toString('base64'),
    },
  },
  {
    source: 'the secret itself',
    scheme: 'shared-secret',
    secret: 'correct horse battery',
    body: '{}',
    header: 'X-Token',
    signed: 'x-token',
    headers: { 'x-token': 'correct horse battery' },
  },
]
