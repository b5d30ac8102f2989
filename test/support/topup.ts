/**
 * The payment providers as their documentation says: checkouts, verification, signed callbacks; with
 * the charges a buyer or a cheat makes, and outages on demand.
 */
import { createHmac } from 'node:crypto'
import type { Answer, GatewayProcess } from './gateway.ts'

/** A charge in the provider's books; amounts in cents. */
export interface Charge {
  id: number
  reference: string
  amountMinor: number
  currency: string
  status: 'success' | 'abandoned' | 'failed'
  domain: 'live' | 'test'
  metadata: Record<string, unknown>
}

export interface TestProvider {
  id: 'provider_a' | 'provider_b'
  /** What the gateway is configured with. */
  env: Record<string, string>
  charges: Map<string, Charge>
  /** Answers of the verify route instead of the true one, one each. */
  outages: (number | 'html')[]
  initializes: number
  verifies: number
  /** Marks the charge as paid, or as `bend` says, and returns it. */
  pay(reference: string, bend?: Partial<Charge>): Charge
  /** The event of a charge as the provider sends it, signed over its bytes. */
  event(charge: Charge, options?: EventOptions): SignedEvent
  stop(): Promise<void>
}
export interface EventOptions {
  name?: string
  /** Provider B: 'v3' sends the static `verif-hash`, 'v4' signs the bytes. */
  version?: 'v3' | 'v4'
}
export interface SignedEvent {
  body: string
  headers: Record<string, string>
}

const CHECKOUT = 'https://checkout.example.test/'
let lastId = 4_000_000_000

export function startProviderA(): TestProvider {
  const secret = 'sk_test_of_provider_a'
  const books = new Books('provider_a')
  const server = serve(books, secret, async (request, { pathname }) => {
    if (pathname === '/transaction/initialize' && request.method === 'POST') {
      const order = (await request.json()) as Record<string, unknown>
      const reference = String(order['reference'])
      books.open(reference, Number(order['amount']), String(order['currency']))
      return Response.json({
        status: true,
        message: 'Authorization URL created',
        data: { authorization_url: CHECKOUT + reference, access_code: 'x', reference },
      })
    }
    const asked = /^\/transaction\/verify\/(.+)$/.exec(pathname)?.[1]
    if (asked === undefined) return new Response('no such route', { status: 404 })
    return books.verify(decodeURIComponent(asked), {
      unknown: { status: false, message: 'Transaction reference not found.' },
      known: (charge) => ({
        status: true,
        message: 'Verification successful',
        data: dataA(charge),
      }),
    })
  })
  return provider(books, server, {
    env: { PROVIDER_A_SECRET_KEY: secret, PROVIDER_A_URL: `http://127.0.0.1:${server.port}` },
    event(charge, { name = 'charge.success' } = {}) {
      const body = JSON.stringify({ event: name, data: dataA(charge) })
      const mac = createHmac('sha512', secret).update(body).digest('hex')
      return { body, headers: { 'x-paystack-signature': mac } }
    },
  })
}

export function startProviderB(): TestProvider {
  const secret = 'FLWSECK_TEST-of-provider-b'
  const hash = 'the-webhook-hash-of-provider-b'
  const books = new Books('provider_b')
  const server = serve(books, secret, async (request, { pathname, searchParams }) => {
    if (pathname === '/v3/payments' && request.method === 'POST') {
      const order = (await request.json()) as Record<string, unknown>
      const reference = String(order['tx_ref'])
      books.open(reference, Math.round(Number(order['amount']) * 100), String(order['currency']))
      return Response.json({
        status: 'success',
        message: 'Hosted Link',
        data: { link: CHECKOUT + reference },
      })
    }
    if (pathname !== '/v3/transactions/verify_by_reference')
      return new Response('no such route', { status: 404 })
    return books.verify(searchParams.get('tx_ref') ?? '', {
      unknown: { status: 'error', message: 'No transaction was found for this id', data: null },
      known: (charge) => ({ status: 'success', message: 'Fetched', data: dataB(charge) }),
    })
  })
  return provider(books, server, {
    env: {
      PROVIDER_B_SECRET_KEY: secret,
      PROVIDER_B_WEBHOOK_HASH: hash,
      PROVIDER_B_URL: `http://127.0.0.1:${server.port}/`,
    },
    event(charge, { name = 'charge.completed', version = 'v4' } = {}): SignedEvent {
      if (version === 'v3') {
        const body = JSON.stringify({ event: name, data: dataB(charge) })
        return { body, headers: { 'verif-hash': hash } }
      }
      const body = JSON.stringify({
        id: 'wbk_1',
        timestamp: Date.now(),
        type: name,
        data: {
          id: `chg_${charge.id}`,
          amount: charge.amountMinor / 100,
          currency: charge.currency,
          reference: charge.reference,
          status: 'succeeded',
          meta: charge.metadata,
        },
      })
      const mac = createHmac('sha256', hash).update(body).digest('base64')
      return { body, headers: { 'flutterwave-signature': mac } }
    },
  })
}

/** Delivers an event to a gateway's webhook, or to its legacy alias. */
export function deliver(
  gateway: GatewayProcess,
  id: TestProvider['id'],
  event: SignedEvent,
  prefix = '/v1',
): Promise<Answer> {
  return gateway.call('POST', `${prefix}/webhooks/${id}`, event)
}

class Books {
  readonly id: TestProvider['id']
  readonly charges = new Map<string, Charge>()
  readonly outages: TestProvider['outages'] = []
  initializes = 0
  verifies = 0

  constructor(id: TestProvider['id']) {
    this.id = id
  }

  open(reference: string, amountMinor: number, currency: string): void {
    this.initializes++
    this.charges.set(reference, {
      id: ++lastId,
      reference,
      amountMinor,
      currency,
      status: 'abandoned',
      domain: 'test',
      metadata: {},
    })
  }

  verify(
    reference: string,
    forms: { unknown: object; known: (charge: Charge) => object },
  ): Response {
    this.verifies++
    const outage = this.outages.shift()
    if (outage === 'html') return new Response('<html>Bad gateway</html>')
    if (outage !== undefined)
      return Response.json({ status: false, message: 'no' }, { status: outage })
    const charge = this.charges.get(reference)
    return charge
      ? Response.json(forms.known(charge))
      : Response.json(forms.unknown, { status: 400 })
  }
}

function serve(
  books: Books,
  secret: string,
  route: (request: Request, url: URL) => Promise<Response>,
) {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      if (request.headers.get('authorization') !== `Bearer ${secret}`)
        return Response.json({ status: false, message: 'Invalid key' }, { status: 401 })
      return route(request, new URL(request.url))
    },
  })
}

function provider(
  books: Books,
  server: { stop(now?: boolean): Promise<void> },
  own: Pick<TestProvider, 'env' | 'event'>,
): TestProvider {
  return {
    ...own,
    id: books.id,
    charges: books.charges,
    outages: books.outages,
    get initializes() {
      return books.initializes
    },
    get verifies() {
      return books.verifies
    },
    pay(reference, bend = {}) {
      const charge = books.charges.get(reference)
      if (!charge) throw new Error(`${reference} was not started`)
      Object.assign(charge, { status: 'success', ...bend })
      return charge
    },
    stop: () => server.stop(true),
  }
}

function dataA(charge: Charge) {
  return {
    id: charge.id,
    domain: charge.domain,
    status: charge.status,
    reference: charge.reference,
    amount: charge.amountMinor,
    requested_amount: charge.amountMinor,
    fees: 150,
    currency: charge.currency,
    metadata: charge.metadata,
    customer: { email: 'buyer@example.com' },
  }
}

function dataB(charge: Charge) {
  return {
    id: charge.id,
    tx_ref: charge.reference,
    flw_ref: `FLW-${charge.id}`,
    amount: charge.amountMinor / 100,
    charged_amount: charge.amountMinor / 100,
    app_fee: 1.4,
    currency: charge.currency,
    status: charge.status === 'success' ? 'successful' : 'pending',
    meta: charge.metadata,
    customer: { email: 'buyer@example.com' },
  }
}
