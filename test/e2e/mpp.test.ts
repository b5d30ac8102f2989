/** Unmodified clients of mppx against the real gateway, on a real local chain, with real faults. */
import { Receipt } from 'mppx'
import { describe, expect, it, beforeAll } from 'vitest'
import type { GatewayProcess } from '../support/gateway.ts'
import {
  asX402,
  challengesOf,
  credentialAt,
  credentialFor,
  credentialOf,
  mppFetch,
  partsOf,
  type Sent,
} from '../support/mpp.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'
import { buyerOn, withoutChain } from '../support/x402/chain.ts'
import { comeBack, killAmid, post, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { decode, requirementsIn } from '../support/x402/payments.ts'

const without = withoutChain('MPP on a local chain')
const ECHO = '/v1/paid/echo'
const PRODUCT = `product_id: feed
base_path: /v1/feed
upstream:
  url: \${PRODUCT_UPSTREAM_URL}
  allow_private: true
  timeout: 30s
skills:
  - { id: feed.item, route: 'GET /items/{id}', price: { credits: 1 } }
  - { id: feed.events, route: GET /events, price: { credits: 1 } }
  - { id: feed.post, route: POST /post, price: { credits: 1 } }
  - { id: feed.broken, route: POST /broken, price: { credits: 1 } }
`

describe.skipIf(without)('a gateway that sells by MPP', () => {
  const ground = x402Ground({ buyerAtomic: 100_000_000n })
  const { received, facilitator } = ground
  const { start, ownSigner, settlingBy } = x402Gateways(ground, () => ({
    MPP_METHODS: 'evm/charge',
    PRODUCT_UPSTREAM_URL: upstream.url,
  }))
  let upstream: TestUpstream
  let gateway: GatewayProcess
  let runs = 0
  /** Headers that the upstream saw last. */
  let seenUpstream: Record<string, unknown> = {}

  beforeAll(async () => {
    upstream = await startUpstream((incoming, response) => {
      runs++
      seenUpstream = incoming.headers
      if (incoming.url === '/broken') {
        response.writeHead(500)
        return response.end('{}')
      }
      if (incoming.url === '/events') {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        return response.end('data: one\n\ndata: last\n\n')
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ url: incoming.url }))
    })
    ground.closing(() => upstream.close())
    gateway = await start(ownSigner())
    await addProduct(gateway)
  })

  const addProduct = async (to: GatewayProcess) => {
    const authorization = `Bearer ${to.adminToken}`
    const headers = { authorization, 'content-type': 'application/yaml' }
    const put = await to.call('PUT', '/v1/admin/products/feed', { headers, body: PRODUCT })
    if (put.status >= 300) throw new Error(put.text)
  }
  const payment = (path = ECHO, ask: { method?: string; body?: unknown } = {}, at = gateway) =>
    credentialAt(at, ground.buyer, path, ask)
  const pay = (authorization: string, path = ECHO, body: unknown = {}, at = gateway) =>
    at.call('POST', path, { body, headers: { authorization } })

  it.each([
    ['POST', ECHO, { message: 'hi' }, 10_000n],
    ['POST', '/v1/paid/hash', { input: 'hello' }, 20_000n],
    ['GET', '/v1/paid/health', undefined, 10_000n],
    ['GET', '/v1/feed/items/7?color=red%20ish&x=1', undefined, 10_000n],
    ['POST', '/v1/feed/post', { any: ['thing'] }, 10_000n],
    ['GET', '/v1/feed/events', undefined, 10_000n],
  ])('%s %s is paid by the fetch of mppx', async (method, path, body, price) => {
    const before = await received()
    const sent: Sent[] = []
    const init = body === undefined ? {} : post(body)
    const answer = await mppFetch(ground.buyer, sent)(gateway.url + path, { ...init, method })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/\S/)])
    expect(sent.map(({ status }) => status)).toEqual([402, 200])
    expect(sent[0]!.answer.get('cache-control')).toContain('no-store')
    expect(sent[0]!.answer.get('content-type')).toContain('application/problem+json')
    expect((await received()) - before).toBe(price)
    const { challenge } = partsOf(sent[1]!.headers.get('authorization')!)
    const receipt = Receipt.fromResponse(answer)
    expect(receipt).toMatchObject({
      method: 'evm',
      status: 'success',
      reference: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      challengeId: challenge['id'],
      chainId: 8453,
    })
    expect(answer.headers.get('x-payment-rail')).toBe('mpp')
    expect(answer.headers.get('cache-control')).toContain('private')
    expect(answer.headers.get('payment-response')).toBeNull()
    const id = answer.headers.get('x-request-id')
    const { rows } = (await gateway.admin('GET', `/v1/ledger?requestId=${id}`)).json
    expect(rows).toMatchObject([
      { kind: 'settlement', transaction: receipt.reference, amountUsdcAtomic: Number(price) },
    ])
  })

  it('shows one body with the members of both dialects, and new challenges each time', async () => {
    const [plain, asked] = await Promise.all([
      gateway.call('POST', ECHO, { body: {} }),
      gateway.call('POST', ECHO, { body: {}, headers: { 'accept-payment': 'evm/charge' } }),
    ])
    expect(plain.headers.get('content-type')).toContain('application/json')
    expect(asked.headers.get('content-type')).toContain('application/problem+json')
    const ids = [plain, asked].map((unpaid) => challengesOf(unpaid)[0]!.id)
    expect(new Set(ids).size).toBe(2)
    expect(plain.json).toMatchObject({
      x402Version: 1,
      error: expect.any(String),
      accepts: [{ scheme: 'exact' }],
      type: 'https://paymentauth.org/problems/payment-required',
      title: 'Payment Required',
      status: 402,
      detail: expect.any(String),
      challengeId: ids[0],
    })
    const header = plain.headers.get('www-authenticate')!
    expect(header.length).toBeLessThan(1000)
    const asksFor = challengesOf(plain)[0]!.request
    expect(asksFor).toMatchObject({
      amount: '10000',
      recipient: ground.chain.receivingAddress,
      methodDetails: { chainId: 8453, credentialTypes: ['authorization'], decimals: 6 },
    })
  })

  it('names the other header to who has a key in Authorization, and takes it there', async () => {
    const { key } = await gateway.key(0)
    const headers = { authorization: `Bearer ${key}` }
    const unpaid = await gateway.call('POST', ECHO, { body: {}, headers })
    const [challenge] = challengesOf(unpaid)
    expect(challenge).toMatchObject({ header: 'Payment-Authorization' })
    const credential = await credentialFor(ground.buyer, challenge!)
    const both = { ...headers, 'payment-authorization': credential }
    const paid = await gateway.call('POST', ECHO, { body: {}, headers: both })
    expect([paid.status, paid.headers.get('x-payment-rail')]).toEqual([200, 'mpp'])
    const twice = { authorization: credential, 'payment-authorization': credential }
    const refused = await gateway.call('POST', ECHO, { body: {}, headers: twice })
    expect([refused.status, refused.json.error.details]).toMatchObject([
      400,
      { reason: 'several_credentials' },
    ])
  })

  it('a HEAD shows the price of the GET, and never pays', async () => {
    const before = await received()
    const path = '/v1/feed/items/7'
    const probe = await fetch(gateway.url + path, { method: 'HEAD' })
    const [challenge] = challengesOf(probe)
    const authorization = await credentialFor(ground.buyer, challenge!)
    const again = await fetch(gateway.url + path, { method: 'HEAD', headers: { authorization } })
    expect(again.status).toBe(402)
    expect(await received()).toBe(before)
    const paid = await gateway.call('GET', path, { headers: { authorization } })
    expect([paid.status, (await received()) - before]).toEqual([200, 10_000n])
  })

  it('three purchases of one wallet at once all go through', async () => {
    const before = await received()
    const buy = mppFetch(ground.buyer)
    const answers = await Promise.all(
      [1, 2, 3].map((n) => buy(`${gateway.url}/v1/paid/echo`, post({ n }))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await received()) - before).toBe(30_000n)
  })

  it('stands under its own rail in the lists of the operator, and under no other', async () => {
    const headers = { authorization: await payment(), 'x-request-id': crypto.randomUUID() }
    const paid = await gateway.call('POST', ECHO, { body: {}, headers })
    expect(paid.status, paid.text).toBe(200)
    const listed = async (query: string) =>
      (await gateway.admin('GET', `/v1/admin/calls?${query}`)).json.calls
    const own = `requestId=${headers['x-request-id']}`
    const [call] = await listed(own)
    expect(call).toMatchObject({ rail: 'mpp', outcome: 'charged' })
    const rows = [`${own}&rail=mpp`, `${own}&rail=x402`, 'rail=mpp&limit=1', 'rail=x402'].map(
      listed,
    )
    const [ofMpp, ofX402, newest, others] = await Promise.all(rows)
    expect([ofMpp, ofX402, newest]).toEqual([[call], [], [call]])
    expect(others.filter((one: { rail: string }) => one.rail !== 'x402')).toEqual([])
    const one = await gateway.admin('GET', `/v1/admin/calls/${call.id}`)
    expect([one.json.rail, one.json.entries.length]).toEqual(['mpp', 1])
  })

  it('the same credential again gets the kept answer and its receipt, other input does not', async () => {
    const before = await received()
    const authorization = await payment()
    const first = await pay(authorization, ECHO, { n: 1 })
    const again = await pay(authorization, ECHO, { n: 1 })
    expect([first.status, again.status, again.json]).toEqual([200, 200, { n: 1 }])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('payment-receipt')).toBe(first.headers.get('payment-receipt'))
    const other = await pay(authorization, ECHO, { n: 2 })
    expect([other.status, other.json.type]).toEqual([
      402,
      'https://paymentauth.org/problems/invalid-challenge',
    ])
    expect(challengesOf(other)[0]!.id).not.toBe(partsOf(authorization).challenge['id'])
    expect((await received()) - before).toBe(10_000n)
  })

  it('sells credits for the amount that its buyer named, and no larger one', async () => {
    const path = '/v1/credits/topup/x402'
    const before = await received()
    const small = await payment(path, { body: { amountUsd: 5 } })
    const more = await pay(small, path, { amountUsd: 50 })
    expect([more.status, await received()]).toEqual([402, before])
    const bought = await mppFetch(ground.buyer)(gateway.url + path, post({ amountUsd: 5 }))
    expect([bought.status, await bought.json()]).toMatchObject([200, { credits: 500 }])
    expect(Receipt.fromResponse(bought).status).toBe('success')
    expect((await received()) - before).toBe(5_000_000n)
  })

  it('killed at work: the next gateway takes the same credential, charged once', async () => {
    const remote = facilitator(['settle_then_hang'])
    const doomed = await start(settlingBy(remote))
    const before = await received()
    const authorization = await payment(ECHO, {}, doomed)
    const cut = [pay(authorization, ECHO, { n: 1 }, doomed)]
    await killAmid(doomed, cut, async () => (await received()) !== before)
    await ground.expireLeases()
    const answer = await comeBack(() => pay(authorization, ECHO, { n: 1 }))
    expect([answer.status, answer.json]).toEqual([200, { n: 1 }])
    expect(answer.headers.get('payment-receipt')).not.toBeNull()
    expect((await received()) - before).toBe(10_000n)
  })

  it('failed work is not charged and has no receipt, and the credential is free again', async () => {
    const before = await received()
    const sent: Sent[] = []
    const answer = await mppFetch(ground.buyer, sent)(`${gateway.url}/v1/feed/broken`, post({}))
    expect(answer.status).toBe(503)
    expect(answer.headers.get('payment-receipt')).toBeNull()
    expect(sent.map(({ status }) => status)).toEqual([402, 503])
    expect(await received()).toBe(before)
  })

  it('shows neither credential nor receipt to an upstream or in the log', async () => {
    const sent: Sent[] = []
    const answer = await mppFetch(ground.buyer, sent)(`${gateway.url}/v1/feed/items/8`)
    expect(answer.status).toBe(200)
    const credential = sent[1]!.headers.get('authorization')!.split(' ')[1]!
    const receipt = answer.headers.get('payment-receipt')!
    const names = Object.keys(seenUpstream)
    for (const name of ['authorization', 'payment-authorization', 'accept-payment'])
      expect(names).not.toContain(name)
    for (const secret of [credential, receipt]) {
      expect(JSON.stringify(seenUpstream)).not.toContain(secret)
      expect(gateway.output()).not.toContain(secret)
    }
  })

  it('one signature in both dialects, eight times at once on two instances, buys once', async () => {
    const other = await start(ownSigner())
    const before = await received()
    const unpaid = await gateway.call('POST', ECHO, { body: {} })
    const authorization = await credentialFor(ground.buyer, challengesOf(unpaid)[0]!)
    const accepted = requirementsIn(decode(unpaid.headers.get('payment-required')))
    const signature = asX402(authorization, accepted)
    const body = { message: 'once' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const at = n % 4 < 2 ? gateway : other
        const headers: Record<string, string> =
          n % 2 === 0 ? { authorization } : { 'payment-signature': signature }
        return comeBack(() => at.call('POST', ECHO, { body, headers }))
      }),
    )
    for (const answer of answers) expect([answer.status, answer.json]).toEqual([200, body])
    const replayed = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')
    expect(replayed.length).toBe(7)
    const receipts = answers.flatMap(({ headers }) => headers.get('payment-receipt') ?? [])
    const transactions = receipts.map((text) => Receipt.deserialize(text).reference)
    expect([receipts.length, new Set(transactions).size]).toEqual([4, 1])
    expect((await received()) - before).toBe(10_000n)
  })

  it('a facilitator that hangs, fails or loses what it did never makes mppx pay twice', async () => {
    // At once, each with a buyer of its own: most of it is waiting for a facilitator that hangs.
    const faults = ['settle_then_hang', 'hang', 'settle_then_500', 'lose'] as const
    const spent = async (fault: (typeof faults)[number]): Promise<bigint> => {
      const slow = await start(settlingBy(facilitator([fault])))
      const buyer = await buyerOn(ground.chain, 100_000n)
      const sent: Sent[] = []
      const answer = await mppFetch(buyer, sent)(`${slow.url}${ECHO}`, post({ n: fault }))
      const credentials = sent.flatMap(({ headers }) => headers.get('authorization') ?? [])
      expect(credentials.length, fault).toBe(1)
      expect([200, 503], fault).toContain(answer.status)
      if (answer.status === 503) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
      const end = await comeBack(() => pay(credentials[0]!, ECHO, { n: fault }, slow))
      expect([end.status, end.json]).toEqual([200, { n: fault }])
      return 100_000n - (await ground.chain.balanceOf(buyer.address))
    }
    expect(await Promise.all(faults.map(spent))).toEqual(faults.map(() => 10_000n))
  })

  describe('refuses', () => {
    const changed = (credential: string, change: (parts: ReturnType<typeof partsOf>) => void) => {
      const parts = partsOf(credential)
      change(parts)
      return credentialOf(parts)
    }
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const cheap = { amount: '1', currency: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }
    const TYPES = 'https://paymentauth.org/problems/'
    const bends: [string, string, (credential: string) => string][] = [
      [
        'another id',
        'invalid-challenge',
        (c) => changed(c, (p) => (p.challenge['id'] = 'A'.repeat(43))),
      ],
      [
        'another realm',
        'invalid-challenge',
        (c) => changed(c, (p) => (p.challenge['realm'] = 'evil.example')),
      ],
      [
        'another method',
        'invalid-challenge',
        (c) => changed(c, (p) => (p.challenge['method'] = 'tempo')),
      ],
      [
        'another price',
        'invalid-challenge',
        (c) => changed(c, (p) => (p.challenge['request'] = encoded(cheap))),
      ],
      [
        'a later end',
        'invalid-challenge',
        (c) => changed(c, (p) => (p.challenge['expires'] = '2099-01-01T00:00:00.000Z')),
      ],
      ['no end', 'invalid-challenge', (c) => changed(c, (p) => delete p.challenge['expires'])],
      [
        'another route inside',
        'invalid-challenge',
        (c) =>
          changed(c, (p) => (p.challenge['opaque'] = encoded({ n: 'x', r: 'POST /v1/paid/hash' }))),
      ],
      ['no opaque', 'invalid-challenge', (c) => changed(c, (p) => delete p.challenge['opaque'])],
      [
        'a digest',
        'invalid-challenge',
        (c) => changed(c, (p) => (p.challenge['digest'] = `sha-256=${'A'.repeat(43)}=`)),
      ],
      [
        'another payee',
        'verification-failed',
        (c) => changed(c, (p) => (p.payload['to'] = ground.buyer.address)),
      ],
      [
        'another value',
        'verification-failed',
        (c) => changed(c, (p) => (p.payload['value'] = '1')),
      ],
      [
        'another nonce',
        'verification-failed',
        (c) => changed(c, (p) => (p.payload['nonce'] = `0x${'11'.repeat(32)}`)),
      ],
      [
        'another payer',
        'verification-failed',
        (c) =>
          changed(c, (p) => {
            p.payload['from'] = ground.chain.receivingAddress
            delete p.source
          }),
      ],
      [
        'another source',
        'verification-failed',
        (c) => changed(c, (p) => (p.source = `did:pkh:eip155:1:${ground.buyer.address}`)),
      ],
      [
        'another signature',
        'verification-failed',
        (c) => changed(c, (p) => (p.payload['signature'] = `0x${'11'.repeat(65)}`)),
      ],
      [
        'a window not signed',
        'verification-failed',
        (c) => changed(c, (p) => (p.payload['validBefore'] = '99999999999')),
      ],
      [
        'a window that is over',
        'payment-expired',
        (c) => changed(c, (p) => (p.payload['validBefore'] = '1')),
      ],
      [
        'another type',
        'malformed-credential',
        (c) => changed(c, (p) => (p.payload['type'] = 'hash')),
      ],
      ['padding', 'malformed-credential', (c) => `${c}=`],
      ['no JSON', 'malformed-credential', () => 'Payment e30x'],
      ['nothing', 'malformed-credential', () => 'Payment'],
    ]
    it.each(bends)('%s as %s', async (_name, type, bend) => {
      const [before, ran] = [await received(), runs]
      const answer = await pay(bend(await payment()))
      expect([answer.status, answer.json.type]).toEqual([402, TYPES + type])
      expect(answer.headers.get('content-type')).toContain('application/problem+json')
      expect(answer.headers.get('payment-receipt')).toBeNull()
      expect(challengesOf(answer).length).toBe(1)
      expect([await received(), runs]).toEqual([before, ran])
    })

    it('a credential at another place, of the same price', async () => {
      const before = await received()
      const get = await payment('/v1/feed/items/7?a=1', { method: 'GET' })
      const headers = { authorization: get }
      const places = [
        '/v1/feed/items/8?a=1',
        '/v1/feed/items/7',
        '/v1/feed/items/7?a=2',
        '/v1/paid/health',
      ]
      for (const path of places) {
        const answer = await gateway.call('GET', path, { headers })
        expect([path, answer.status, answer.json.type]).toEqual([
          path,
          402,
          `${TYPES}invalid-challenge`,
        ])
      }
      expect((await pay(get, '/v1/feed/post')).status).toBe(402)
      expect((await pay(get)).status).toBe(402)
      expect(await received()).toBe(before)
      const own = await gateway.call('GET', '/v1/feed/items/7?a=1', { headers })
      expect([own.status, (await received()) - before]).toEqual([200, 10_000n])
    })

    it('a payer without money, without work', async () => {
      const { privateKeyToAccount, generatePrivateKey } = await import('viem/accounts')
      const poor = privateKeyToAccount(generatePrivateKey())
      const ran = runs
      const path = '/v1/feed/post'
      const answer = await pay(await credentialAt(gateway, poor, path), path)
      expect([answer.status, answer.json.type]).toEqual([402, `${TYPES}payment-insufficient`])
      expect(runs).toBe(ran)
    })
  })

  it('a new secret first takes the challenges of the one before; without it none', async () => {
    const [old, fresh] = [
      'an old secret of thirty-two letters',
      'a new secret of thirty-two letters',
    ]
    const first = await start({ ...ownSigner(), MPP_SECRET_KEY: old, MPP_REALM: 'pay.example' })
    const rotated = await start({
      ...ownSigner(),
      MPP_SECRET_KEY: `${fresh},${old}`,
      MPP_REALM: 'pay.example',
    })
    const challenged = challengesOf(await first.call('POST', ECHO, { body: {} }))[0]!
    expect(challenged.realm).toBe('pay.example')
    const authorization = await credentialFor(ground.buyer, challenged)
    expect((await pay(authorization, ECHO, {}, gateway)).status).toBe(402)
    expect((await pay(authorization, ECHO, {}, rotated)).status).toBe(200)
    // Whose payment was claimed already is told what came of it, and never to pay again.
    const without = await start({ ...ownSigner(), MPP_SECRET_KEY: fresh, MPP_REALM: 'pay.example' })
    const replayed = await pay(authorization, ECHO, {}, without)
    expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    const elsewhere = await pay(authorization, ECHO, { other: 1 }, without)
    expect([elsewhere.status, elsewhere.json.type]).toEqual([
      402,
      expect.stringMatching(/invalid-challenge$/),
    ])
    const early = challengesOf(await first.call('POST', ECHO, { body: {} }))[0]!
    expect((await pay(await credentialFor(ground.buyer, early), ECHO, {}, without)).status).toBe(
      402,
    )
    const newer = await payment(ECHO, {}, rotated)
    expect((await pay(newer, ECHO, {}, first)).status).toBe(402)
    for (const one of [first, rotated])
      for (const secret of [old, fresh]) expect(one.output()).not.toContain(secret)
  })
})
