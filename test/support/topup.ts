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

/** A refund or dispute in the provider's books; amounts in cents. */
export interface TestReversal {
  id: number
  kind: 'refund' | 'dispute'
  charge: Charge
  amountMinor: number
  status: string
  /** How a dispute ended, provider A. */
  resolution?: string
  /** The dispute that a refund settles, provider A. */
  dispute?: number
}

export interface TestProvider {
  id: 'provider_a' | 'provider_b'
  /** What the gateway is configured with. */
  readonly env: Record<string, string>
  /** Replaces its secrets at once, as at its dashboard; `env` has the new ones. */
  rotate(): void
  charges: Map<string, Charge>
  /** Answers of the verify route instead of the true one, one each. */
  outages: (number | 'html')[]
  initializes: number
  verifies: number
  /** Marks the charge as paid, or as `bend` says, and returns it. */
  pay(reference: string, bend?: Partial<Charge>): Charge
  /** The event of a charge as the provider sends it, signed over its bytes. */
  event(charge: Charge, options?: EventOptions): SignedEvent
  reversals: Map<number, TestReversal>
  /** Enters a refund or dispute in its books; `open` and done as it is by default. */
  reverse(reference: string, kind: TestReversal['kind'], bend?: Partial<TestReversal>): TestReversal
  /** The callback about one, whatever the books say. */
  reversalEvent(reversal: TestReversal, options?: EventOptions): SignedEvent
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

export const CHECKOUT = 'https://checkout.example.test/'
let lastId = 4_000_000_000

export function startProviderA(): TestProvider {
  let secret = 'sk_test_of_provider_a'
  const books = new Books('provider_a')
  const server = serve(
    () => secret,
    async (request, { pathname }) => {
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
      if (pathname === '/refund') {
        const of = Number(new URL(request.url).searchParams.get('transaction'))
        return books.tell(
          [...books.reversals.values()].filter(
            (one) => one.kind === 'refund' && one.charge.id === of,
          ),
          refundA,
        )
      }
      const disputed = /^\/dispute\/(\d+)$/.exec(pathname)?.[1]
      if (disputed !== undefined) return books.tellOne(Number(disputed), disputeA)
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
    },
  )
  return provider(books, server, {
    env: () => ({
      PROVIDER_A_SECRET_KEY: secret,
      PROVIDER_A_URL: `http://127.0.0.1:${server.port}`,
    }),
    rotate: () => {
      secret += '_again'
    },
    event(charge, { name = 'charge.success' } = {}) {
      const body = JSON.stringify({ event: name, data: dataA(charge) })
      const mac = createHmac('sha512', secret).update(body).digest('hex')
      return { body, headers: { 'x-paystack-signature': mac } }
    },
    reversalEvent(reversal, { name } = {}) {
      const isRefund = reversal.kind === 'refund'
      const { id: _, ...refund } = refundA(reversal)
      const body = JSON.stringify({
        event: name ?? (isRefund ? 'refund.processed' : 'charge.dispute.create'),
        // A refund's event has no id of its own.
        data: isRefund
          ? { ...refund, transaction: undefined, transaction_reference: reversal.charge.reference }
          : disputeA(reversal),
      })
      const mac = createHmac('sha512', secret).update(body).digest('hex')
      return { body, headers: { 'x-paystack-signature': mac } }
    },
  })
}

export function startProviderB(): TestProvider {
  let secret = 'FLWSECK_TEST-of-provider-b'
  let hash = 'the-webhook-hash-of-provider-b'
  const books = new Books('provider_b')
  const server = serve(
    () => secret,
    async (request, { pathname, searchParams }) => {
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
      const refunded = /^\/v3\/refunds\/(\d+)$/.exec(pathname)?.[1]
      if (refunded !== undefined) return books.tellOne(Number(refunded), refundB)
      if (pathname === '/v3/chargebacks') {
        const id = Number(searchParams.get('id'))
        return books.tell(
          [...books.reversals.values()].filter((one) => one.kind === 'dispute' && one.id === id),
          chargebackB,
        )
      }
      const verified = /^\/v3\/transactions\/(\d+)\/verify$/.exec(pathname)?.[1]
      if (verified === undefined && pathname !== '/v3/transactions/verify_by_reference')
        return new Response('no such route', { status: 404 })
      const asked = verified === undefined ? searchParams.get('tx_ref') : books.paidBy(verified)
      return books.verify(asked ?? '', {
        unknown: { status: 'error', message: 'No transaction was found for this id', data: null },
        known: (charge) => ({ status: 'success', message: 'Fetched', data: dataB(charge) }),
      })
    },
  )
  return provider(books, server, {
    env: () => ({
      PROVIDER_B_SECRET_KEY: secret,
      PROVIDER_B_WEBHOOK_HASH: hash,
      PROVIDER_B_URL: `http://127.0.0.1:${server.port}/`,
    }),
    rotate: () => {
      secret += '-again'
      hash += '-again'
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
    reversalEvent(reversal, { name, version = 'v4' } = {}): SignedEvent {
      const isRefund = reversal.kind === 'refund'
      const type = name ?? (isRefund ? 'refund.completed' : 'chargeback.created')
      const data = isRefund ? refundB(reversal) : chargebackB(reversal)
      if (version === 'v3')
        return { body: JSON.stringify({ event: type, data }), headers: { 'verif-hash': hash } }
      const body = JSON.stringify({ id: 'wbk_1', timestamp: Date.now(), type, data })
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
  readonly reversals = new Map<number, TestReversal>()
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

  /** The reference of a charge that was paid. */
  paidBy(id: string): string | undefined {
    const all = [...this.charges.values()]
    return all.find((one) => String(one.id) === id && one.status === 'success')?.reference
  }

  /** The rows as the provider tells them, or the outage that comes first. */
  tell(rows: readonly TestReversal[], form: (reversal: TestReversal) => object): Response {
    return this.#outage() ?? Response.json({ status: true, data: rows.map(form) })
  }

  tellOne(id: number, form: (reversal: TestReversal) => object): Response {
    const found = this.reversals.get(id)
    return (
      this.#outage() ??
      (found
        ? Response.json({ status: true, data: form(found) })
        : Response.json({ status: false, message: 'not found' }, { status: 404 }))
    )
  }

  #outage(): Response | null {
    const outage = this.outages.shift()
    if (outage === undefined) return null
    if (outage === 'html') return new Response('<html>Bad gateway</html>')
    return Response.json({ status: false, message: 'no' }, { status: outage })
  }

  verify(
    reference: string,
    forms: { unknown: object; known: (charge: Charge) => object },
  ): Response {
    this.verifies++
    const outage = this.#outage()
    if (outage) return outage
    const charge = this.charges.get(reference)
    return charge
      ? Response.json(forms.known(charge))
      : Response.json(forms.unknown, { status: 400 })
  }
}

function serve(secret: () => string, route: (request: Request, url: URL) => Promise<Response>) {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      if (request.headers.get('authorization') !== `Bearer ${secret()}`)
        return Response.json({ status: false, message: 'Invalid key' }, { status: 401 })
      return route(request, new URL(request.url))
    },
  })
}

function provider(
  books: Books,
  server: { stop(now?: boolean): Promise<void> },
  own: Pick<TestProvider, 'rotate' | 'event' | 'reversalEvent'> & { env(): TestProvider['env'] },
): TestProvider {
  return {
    ...own,
    get env() {
      return own.env()
    },
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
    reversals: books.reversals,
    reverse(reference, kind, bend = {}) {
      const charge = books.charges.get(reference)
      if (!charge) throw new Error(`${reference} was not started`)
      const done = { provider_a: 'processed', provider_b: 'completed' }[books.id]
      const reversal: TestReversal = {
        id: ++lastId,
        kind,
        charge,
        amountMinor: charge.amountMinor,
        status: kind === 'refund' ? done : 'awaiting-merchant-feedback',
        ...bend,
      }
      books.reversals.set(reversal.id, reversal)
      return reversal
    },
    stop: () => server.stop(true),
  }
}

function refundA({ id, charge, amountMinor, status, dispute }: TestReversal) {
  return {
    id,
    transaction: charge.id,
    dispute: dispute ?? null,
    amount: amountMinor,
    currency: charge.currency,
    status,
    domain: charge.domain,
  }
}

function disputeA({ id, charge, amountMinor, status, resolution }: TestReversal) {
  return {
    id,
    refund_amount: amountMinor,
    currency: charge.currency,
    status,
    resolution: resolution ?? null,
    domain: charge.domain,
    transaction: dataA(charge),
    transaction_reference: null,
    category: 'chargeback',
  }
}

function refundB({ id, charge, amountMinor, status }: TestReversal) {
  return {
    id,
    tx_id: charge.id,
    flw_ref: `FLW-${charge.id}`,
    amount_refunded: amountMinor / 100,
    status,
  }
}

function chargebackB({ id, charge, amountMinor, status }: TestReversal) {
  return {
    id,
    transaction_id: charge.id,
    tx_ref: charge.reference,
    flw_ref: `FLW-${charge.id}`,
    amount: amountMinor / 100,
    currency: charge.currency,
    status,
    stage: 'new',
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
