/** tempo/charge: unmodified clients of mppx against the real gateway, on anvil as Tempo. */
import { text } from 'node:stream/consumers'
import { Receipt } from 'mppx'
import { getAddress } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { challengesOf, credentialOf, partsOf, type Sent } from '../support/mpp.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { lifetimes } from '../support/lifetimes.ts'
import {
  PATH_USD,
  startTempo,
  tempoCredential,
  tempoFetch,
  TEMPO_CHAIN_ID,
  type TempoChain,
} from '../support/tempo.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'
import { withoutChain } from '../support/x402/chain.ts'
import { comeBack, killAmid, post } from '../support/x402/gateways.ts'

const without = withoutChain('MPP on Tempo')
const ECHO = '/v1/quick/echo'
const PRICE = 10_000n
/** Instances of one database share it. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
const SLOW = '/v1/quick/slow'
const PRODUCT = `product_id: quick
base_path: /v1/quick
limits: { timeout: 10s }
upstream: { url: '\${PRODUCT_UPSTREAM_URL}', allow_private: true, timeout: 10s }
skills:
  - { id: quick.echo, route: POST /echo, price: { credits: 1 } }
  - { id: quick.item, route: 'GET /items/{id}', price: { credits: 2 } }
  - { id: quick.slow, route: POST /slow, price: { credits: 1 }, limits: { timeout: 16s } }
`

/** A payment of x402 that can be read, for an offer that nobody made. */
function paymentByX402(): string {
  const [asset, payTo] = [getAddress(PATH_USD), getAddress(`0x${'11'.repeat(20)}`)]
  const accepted = { scheme: 'exact', network: 'eip155:8453', amount: '1', asset, payTo }
  const authorization = {
    from: payTo,
    to: payTo,
    value: '1',
    validAfter: '0',
    validBefore: '9999999999',
    nonce: `0x${'11'.repeat(32)}`,
  }
  const payload = { signature: `0x${'11'.repeat(65)}`, authorization }
  const payment = { x402Version: 2, accepted, payload }
  return Buffer.from(JSON.stringify(payment)).toString('base64')
}

describe.skipIf(without)('a gateway that sells by tempo/charge', () => {
  const closing = lifetimes()
  let database: TestDatabase
  let chain: TempoChain
  let upstream: TestUpstream
  let gateway: GatewayProcess
  let works = 0

  beforeAll(async () => {
    database = await testDatabase()
    closing(() => database.close())
    chain = await startTempo()
    closing(() => chain.stop())
    upstream = await startUpstream(async (incoming, response) => {
      works++
      response.writeHead(200, { 'content-type': 'application/json' })
      const sent = await text(incoming)
      response.end(sent === '' ? JSON.stringify({ url: incoming.url }) : sent)
    })
    closing(() => upstream.close())
    gateway = await start()
    const put = await gateway.call('PUT', '/v1/admin/products/quick', {
      headers: {
        authorization: `Bearer ${gateway.adminToken}`,
        'content-type': 'application/yaml',
      },
      body: PRODUCT,
    })
    expect(put.status, put.text).toBeLessThan(300)
  })

  async function start(env: Record<string, string> = {}): Promise<GatewayProcess> {
    const started = await startGateway({
      DATABASE_URL: database.url,
      SANDBOX: 'true',
      COINOP_MASTER_KEY: MASTER_KEY,
      MPP_METHODS: 'evm/charge,tempo/charge',
      TEMPO_RPC_URL: chain.url,
      TEMPO_CHAIN_ID: String(TEMPO_CHAIN_ID),
      TEMPO_RECIPIENT: chain.payTo,
      PRODUCT_UPSTREAM_URL: upstream.url,
      ...env,
    })
    closing(async () => void (await started.stop()))
    return started
  }
  const expireLeases = () => database.db.sql`
    UPDATE plugin_x402.x402_claim SET lease_until = now() - interval '1 second'
    WHERE state IN ('claimed', 'settling')`
  const challengeAt = async (path = ECHO, at = gateway, body: unknown = {}) => {
    const unpaid = await at.call('POST', path, { body })
    return challengesOf(unpaid).find(({ method }) => method === 'tempo')!
  }
  const pay = (authorization: string, body: unknown = {}, at = gateway, path = ECHO) =>
    at.call('POST', path, { body, headers: { authorization } })
  const signed = async (at = gateway, path = ECHO, body: unknown = {}) =>
    tempoCredential(chain, await chain.payer(), await challengeAt(path, at, body))

  it.each([
    ['POST', ECHO, { message: 'hi' }, PRICE],
    ['GET', '/v1/quick/items/7?color=red', undefined, 2n * PRICE],
  ])('%s %s is paid by the fetch of mppx', async (method, path, body, price) => {
    const before = await chain.received()
    const payer = await chain.payer()
    const sent: Sent[] = []
    const init = body === undefined ? {} : post(body)
    const paying = tempoFetch(chain, payer, sent)
    const answer = await paying(gateway.url + path, { ...init, method })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/\S/)])
    expect(sent.map(({ status }) => status)).toEqual([402, 200])
    expect((await chain.received()) - before).toBe(price)
    const receipt = Receipt.fromResponse(answer)
    const { challenge } = partsOf(sent[1]!.headers.get('authorization')!)
    expect(receipt).toMatchObject({
      method: 'tempo',
      status: 'success',
      challengeId: challenge['id'],
      chainId: TEMPO_CHAIN_ID,
    })
    expect(await chain.rpc('eth_getTransactionReceipt', [receipt.reference])).toMatchObject({
      status: '0x1',
      from: payer.address.toLowerCase(),
    })
    const id = answer.headers.get('x-request-id')
    const { rows } = (await gateway.admin('GET', `/v1/ledger?requestId=${id}`)).json
    expect(rows).toMatchObject([
      { kind: 'settlement', transaction: receipt.reference, amountUsdcAtomic: Number(price) },
    ])
  })

  it('is offered beside evm/charge, for pull alone, in no dialect of x402', async () => {
    const unpaid = await gateway.call('POST', ECHO, { body: {} })
    const [evm, tempo, ...others] = challengesOf(unpaid)
    expect([evm!.method, others]).toEqual(['evm', []])
    expect(tempo).toMatchObject({
      method: 'tempo',
      intent: 'charge',
      request: {
        amount: PRICE.toString(),
        currency: getAddress(PATH_USD),
        recipient: chain.payTo,
        methodDetails: { chainId: TEMPO_CHAIN_ID, supportedModes: ['pull'] },
      },
    })
    expect(JSON.stringify(unpaid.json.accepts)).not.toContain(String(TEMPO_CHAIN_ID))
    const ready = await gateway.admin('GET', '/ready')
    expect(ready.json.checks.mpp).toMatchObject({ state: 'ok' })
  })

  it('is sold with the variables of Tempo alone, and x402 is not missed', async () => {
    const alone = await start({ SANDBOX_CHAIN: 'false', MPP_METHODS: 'tempo/charge' })
    const ready = await alone.admin('GET', '/ready')
    expect(ready.json).toMatchObject({
      status: 'ready',
      checks: {
        mpp: { state: 'ok' },
        x402: { state: 'ok', detail: expect.stringMatching(/^not configured: SETTLEMENT_ADDRESS/) },
      },
    })
    const unpaid = await alone.call('POST', ECHO, { body: {} })
    expect(challengesOf(unpaid).map(({ method }) => method)).toEqual(['tempo'])
    expect(unpaid.headers.get('payment-required')).toBeNull()
    const before = await chain.received()
    const paid = await pay(await signed(alone), { n: 'alone' }, alone)
    expect([paid.status, paid.json]).toEqual([200, { n: 'alone' }])
    expect((await chain.received()) - before).toBe(PRICE)
    const byX402 = await alone.call('POST', ECHO, {
      body: {},
      headers: { 'payment-signature': paymentByX402() },
    })
    expect([byX402.status, byX402.json.error.details]).toEqual([
      503,
      expect.objectContaining({ reason: 'settlement_unavailable' }),
    ])
  })

  it('is sold while the settings of x402 make no rail, which is down', async () => {
    const alone = await start({ X402_RPC_URL: chain.url })
    const { checks } = (await alone.admin('GET', '/ready')).json
    expect([checks.mpp.state, checks.x402.state, checks.x402.detail]).toEqual([
      // evm/charge has no network.
      'degraded',
      'down',
      'SETTLEMENT_ADDRESS is not set',
    ])
    const unpaid = await alone.call('POST', ECHO, { body: {} })
    expect(challengesOf(unpaid).map(({ method }) => method)).toEqual(['tempo'])
  })

  it('is closed while its node does not answer, and says so', async () => {
    const alone = await start({
      SANDBOX_CHAIN: 'false',
      MPP_METHODS: 'evm/charge,tempo/charge',
      TEMPO_RPC_URL: 'http://127.0.0.1:9',
    })
    const { status, checks } = (await alone.admin('GET', '/ready')).json
    expect([status, checks.mpp.state, checks.x402.state]).toEqual(['degraded', 'degraded', 'ok'])
    const [evm, tempo] = checks.mpp.detail.split('; ')
    expect(evm).toBe('evm/charge: no network for it is configured')
    expect(tempo).toMatch(/^tempo\/charge: .*TEMPO_RPC_URL/)
    const unpaid = await alone.call('POST', ECHO, { body: {} })
    expect(unpaid.headers.get('www-authenticate') ?? '').not.toContain('Payment')
  })

  it('one credential eight times at once on two instances buys once', async () => {
    const other = await start()
    const before = await chain.received()
    const sends = chain.sent()
    const authorization = await signed()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        comeBack(() => pay(authorization, { n: 'once' }, n % 2 === 0 ? gateway : other)),
      ),
    )
    for (const answer of answers) expect([answer.status, answer.json]).toEqual([200, { n: 'once' }])
    const references = answers.map(({ headers }) =>
      Receipt.deserialize(headers.get('payment-receipt')!),
    )
    expect(new Set(references.map(({ reference }) => reference)).size).toBe(1)
    expect([(await chain.received()) - before, chain.sent() - sends]).toEqual([PRICE, 1])
    const replay = await pay(authorization, { n: 'another' })
    expect([replay.status, replay.json.type]).toEqual([
      402,
      expect.stringMatching(/invalid-challenge$/),
    ])
  })

  it.each(['hold', 'lose'] as const)(
    'killed when its node does "%s" with the transaction: the next gateway settles it, once',
    async (fault) => {
      const doomed = await start()
      const before = await chain.received()
      const sends = chain.sent()
      const authorization = await signed(doomed)
      chain.faults.push(fault)
      const cut = [pay(authorization, { n: 1 }, doomed)]
      await killAmid(doomed, cut, () => chain.sent() > sends)
      await expireLeases()
      const answer = await comeBack(() => pay(authorization, { n: 1 }))
      expect([answer.status, answer.json]).toEqual([200, { n: 1 }])
      expect(answer.headers.get('payment-receipt')).not.toBeNull()
      expect((await chain.received()) - before).toBe(PRICE)
    },
  )

  it('a lost answer of the node never makes mppx pay twice', async () => {
    const before = await chain.received()
    const sent: Sent[] = []
    chain.faults.push('lose')
    const paying = tempoFetch(chain, await chain.payer(), sent)
    const answer = await paying(gateway.url + ECHO, post({ n: 2 }))
    const credentials = sent.flatMap(({ headers }) => headers.get('authorization') ?? [])
    expect([credentials.length, [200, 503].includes(answer.status)]).toEqual([1, true])
    const end = await comeBack(() => pay(credentials[0]!, { n: 2 }))
    expect([end.status, end.json]).toEqual([200, { n: 2 }])
    expect((await chain.received()) - before).toBe(PRICE)
  })

  it('a transaction that the node refuses moves nothing, and its work is not given', async () => {
    const before = await chain.received()
    chain.faults.push('refuse')
    const answer = await pay(await signed(), { secret: 'work' })
    expect([answer.status, answer.json.type]).toEqual([
      402,
      expect.stringMatching(/verification-failed$/),
    ])
    expect(answer.text).not.toContain('secret')
    expect(answer.headers.get('payment-receipt')).toBeNull()
    expect(await chain.received()).toBe(before)
  })

  it('is not offered where the work may take longer than its transactions live', async () => {
    const unpaid = await gateway.call('POST', SLOW, { body: {} })
    expect(challengesOf(unpaid).map(({ method }) => method)).toEqual(['evm'])
  })

  it('an account without the money is refused before any work', async () => {
    const before = { works, sends: chain.sent() }
    const account = await chain.payer(20_000n)
    const challenge = await challengeAt()
    const [first, second] = [
      await tempoCredential(chain, account, challenge),
      await tempoCredential(chain, account, await challengeAt()),
    ]
    // Fee and price take nearly all of it, and the second transaction finds too little.
    expect((await pay(first)).status).toBe(200)
    const answer = await pay(second)
    expect([answer.status, answer.json.type]).toEqual([
      402,
      expect.stringMatching(/payment-insufficient$/),
    ])
    expect([works, chain.sent()]).toEqual([before.works + 1, before.sends + 1])
  })

  describe('refuses, without work', () => {
    type Parts = ReturnType<typeof partsOf>
    const other = `0x${'12'.repeat(20)}`
    /** The transaction with one text of it in place of another, signature and all else as it was. */
    const bent =
      (from: (parts: Parts) => string, to: (parts: Parts) => string) => (parts: Parts) => {
        const { signature } = parts.payload
        const text = from(parts)
        expect(signature).toContain(text)
        parts.payload['signature'] = signature.replace(text, to(parts))
      }
    const payeeText = () => chain.payTo.slice(2).toLowerCase()
    it.each<[string, (parts: Parts) => void, string]>([
      ['another payee', bent(payeeText, () => other.slice(2)), 'tempo_recipient_mismatch'],
      [
        'another amount',
        bent(
          () => '2710',
          () => '270f',
        ),
        'authorization_mismatch',
      ],
      [
        'another token',
        bent(
          () => PATH_USD.slice(2),
          () => other.slice(2),
        ),
        'tempo_token_mismatch',
      ],
      [
        'another call',
        bent(
          () => '95777d59',
          () => '95777d58',
        ),
        'malformed_credential',
      ],
      [
        'a push',
        (parts) => (parts.payload = { type: 'hash', hash: `0x${'11'.repeat(32)}` }),
        'malformed_credential',
      ],
      [
        'the source of somebody else',
        (parts) => (parts.source = `did:pkh:eip155:${TEMPO_CHAIN_ID}:${other}`),
        'tempo_signature',
      ],
      [
        'the source of another chain',
        (parts) => (parts.source = parts.source!.replace(String(TEMPO_CHAIN_ID), '4217')),
        'authorization_mismatch',
      ],
      [
        'a transaction of another type',
        (parts) => (parts.payload['signature'] = `0x02${parts.payload['signature'].slice(4)}`),
        'malformed_credential',
      ],
      ['junk after it', (parts) => (parts.payload['signature'] += '00'), 'malformed_credential'],
    ])('%s', async (_, change, reason) => {
      const before = { works, sends: chain.sent() }
      const parts = partsOf(await signed())
      change(parts)
      const answer = await pay(credentialOf(parts))
      expect([answer.status, answer.json.problem?.details?.reason ?? answer.text]).toEqual([
        402,
        reason,
      ])
      expect([works, chain.sent()]).toEqual([before.works, before.sends])
    })

    it('the transaction of another challenge, and that of another route', async () => {
      const before = { works, sends: chain.sent() }
      const [one, two] = [partsOf(await signed()), partsOf(await signed())]
      const swapped = await pay(credentialOf({ ...one, payload: two.payload, source: two.source }))
      expect(swapped.json.problem.details).toMatchObject({ field: 'payload.memo' })
      const elsewhere = await pay(credentialOf(one), {}, gateway, SLOW)
      expect([elsewhere.status, elsewhere.json.type]).toEqual([
        402,
        expect.stringMatching(/invalid-challenge$/),
      ])
      expect([works, chain.sent()]).toEqual([before.works, before.sends])
    })
  })
})
