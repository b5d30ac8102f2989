/** The shared rail suite over credits, x402 and a third party's rail, and that one's coming and going. */
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { Credential as MppCredential } from 'mppx'
import { renameSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import type { GatewayProcess } from '../support/gateway.ts'
import { credentialAt, credentialFor } from '../support/mpp.ts'
import { railSuite, type Credential, type RailFixture } from '../support/rail-suite.ts'
import { railWorld, type RailWorld } from '../support/rail-world.ts'
import { buyerOn, withoutChain } from '../support/x402/chain.ts'
import { comeBack, post, until, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { requirementsIn, signPayment } from '../support/x402/payments.ts'

const PRODUCTS = ['products/mcp.yaml', 'products/console.yaml']
const EXPIRE_CLAIMS = `
  UPDATE plugin_x402.x402_claim SET lease_until = now() - interval '1 second'
  WHERE lease_until > now()`
const VOUCHER_SECRET = 'of the tests, with more than 32 characters'

const keyed = async (gateway: GatewayProcess): Promise<Credential> => {
  const { key } = await gateway.key(100)
  return { headers: { 'x-api-key': key, 'idempotency-key': crypto.randomUUID() } }
}
const credits: RailFixture = {
  rail: 'credits',
  requestHeaders: ['x-api-key'],
  offerHeaders: [],
  receiptHeaders: ['x-balance-credits'],
  offerMember: 'prepaid',
  mcpOfferMember: 'prepaid',
  securityScheme: 'apiKey',
  llms: 'X-Api-Key',
  credential: keyed,
  credentialOfAnother: keyed,
  mcpCredential: keyed,
  reusedStatus: 409,
  owesStreams: false,
  expire: [
    `UPDATE coinop.hold SET expires_at = now() - interval '1 second' WHERE state = 'authorized'`,
    `UPDATE coinop.idempotency SET deadline = now() - interval '1 second' WHERE NOT settled`,
  ],
}

async function voucherOf(gateway: GatewayProcess, amountCredits = 2): Promise<string> {
  const issued = await gateway.admin('POST', '/v1/admin/vouchers', { amountCredits })
  expect(issued.status, issued.text).toBe(200)
  return issued.json.voucher
}
const vouched = async (gateway: GatewayProcess): Promise<Credential> => ({
  headers: { 'voucher-authorization': await voucherOf(gateway) },
})
const vouchers: RailFixture = {
  rail: 'vouchers',
  requestHeaders: ['voucher-authorization'],
  offerHeaders: ['voucher-required'],
  receiptHeaders: ['voucher-receipt'],
  offerMember: 'voucher',
  mcpOfferMember: 'voucher',
  mcpReceiptKey: 'vouchers/receipt',
  securityScheme: 'voucher',
  llms: 'Voucher-Authorization',
  credential: vouched,
  credentialOfAnother: vouched,
  mcpCredential: async (gateway) => ({
    headers: {},
    meta: { 'vouchers/voucher': await voucherOf(gateway) },
  }),
  reusedStatus: 402,
  owesStreams: true,
  expire: [
    `UPDATE plugin_vouchers.claim SET lease_until = now() - interval '1 second'
     WHERE state IN ('claimed', 'streaming')`,
  ],
}

describe('rails without a chain', () => {
  let database: TestDatabase
  let world: RailWorld
  beforeAll(async () => {
    database = await testDatabase()
    world = await railWorld({
      sql: database.db.sql,
      databaseUrl: database.url,
      env: { SANDBOX_CHAIN: 'false', VOUCHER_SECRET },
      plugins: { vouchers: resolve(import.meta.dirname, '../sample-rail') },
      products: [...PRODUCTS, 'test/sample-rail/vouchers.yaml'],
    })
  })
  afterAll(async () => {
    await world?.close()
    await database?.close()
  })
  railSuite('credits', () => world, credits)
  railSuite('a third party: vouchers', () => world, vouchers)

  describe('the fresh part of its offer', () => {
    const mcp = async () => {
      const { json } = await world.gateway.call('POST', '/mcp', {
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'work.run', arguments: { text: 'x' } },
        },
        headers: { accept: 'application/json, text/event-stream' },
      })
      return json.result
    }

    it('names the request as its caller addressed it, whatever Host says', async () => {
      const { headers } = await world.gateway.call('POST', '/v1/work/run?a=%22b%22&c', {
        body: { text: 'x' },
        headers: { host: 'elsewhere.example', 'x-forwarded-host': 'elsewhere.example' },
      })
      expect(headers.get('www-authenticate')).toBe('Voucher for="POST /v1/work/run?a=%22b%22&c"')
      expect(headers.get('cache-control')).toBe('no-store')
    })

    it('stands in the _meta of an unpaid tool result', async () => {
      const { isError, _meta, structuredContent } = await mcp()
      expect(isError).toBe(true)
      expect(_meta['vouchers/place']).toBe('mcp://tool/work.run')
      expect(_meta['vouchers/offer']).toEqual(structuredContent)
    })

    it('comes with the refusal of a voucher as well', async () => {
      const refused = await world.gateway.call('POST', '/v1/work/run', {
        body: { text: 'x' },
        headers: { 'voucher-authorization': 'junk' },
      })
      expect(refused.status).toBe(402)
      expect(refused.headers.get('www-authenticate')).toBe('Voucher for="POST /v1/work/run"')
      expect(refused.headers.get('cache-control')).toBe('no-store')
    })

    it('is all there for HEAD, which pays for nothing', async () => {
      const voucher = await voucherOf(world.gateway)
      const { key } = await world.gateway.key(100)
      const headers = { 'voucher-authorization': voucher, 'x-api-key': key }
      const probe = await world.gateway.call('HEAD', '/v1/far/page?q=1', { headers })
      expect([probe.status, probe.text]).toEqual([402, ''])
      // What pays is a GET.
      expect(probe.headers.get('www-authenticate')).toBe('Voucher for="GET /v1/far/page?q=1"')
      const paid = await world.gateway.call('GET', '/v1/far/page?q=1', { headers })
      expect([paid.status, paid.headers.get('x-payment-rail')]).toEqual([200, 'vouchers'])
      expect(paid.headers.get('cache-control')).toMatch(/^private\b/)
    })
  })

  it('a scheme of Authorization that is no key is not judged as one', async () => {
    const run = (path: string, headers: Record<string, string>) =>
      world.gateway.call('POST', path, { body: { text: 'schemes' }, headers })
    const unpaid = await run('/v1/work/run', { authorization: 'Payment eyJhIjoxfQ' })
    expect(unpaid.status, unpaid.text).toBe(402)
    const { key } = await world.gateway.key(100)
    const keyed = { 'x-api-key': key, authorization: 'Payment eyJhIjoxfQ' }
    expect((await run('/v1/work/run', keyed)).status).toBe(200)
    expect((await run('/v1/far/get', { ...keyed, 'payment-authorization': 'x' })).status).toBe(200)
    const sent = Object.keys(world.upstream.requests.at(-1)!.headers)
    expect(sent).not.toContain('authorization')
    expect(sent).not.toContain('payment-authorization')
  })

  describe('vouchers.yaml', () => {
    const file = (): string => join(world.productsDir, 'vouchers.yaml')
    const away = (): string => join(world.productsDir, '../vouchers.yaml')
    const textOf = async (path: string): Promise<string> =>
      (await world.gateway.call('GET', path)).text
    const documents = (): Promise<string[]> =>
      Promise.all(['/openapi.json', '/llms.txt', '/v1/prices'].map(textOf))
    const isOffered = async (): Promise<boolean> => {
      const unpaid = await world.gateway.call('POST', '/v1/work/run', { body: { text: 'x' } })
      return unpaid.json.voucher !== undefined
    }

    it('may go and come back: what was paid is neither run nor charged again', async () => {
      const { key } = await world.gateway.key(100)
      const call = (voucher: string, text: string) => () =>
        world.gateway.call('POST', '/v1/work/run', {
          body: { text },
          headers: {
            'x-api-key': key,
            'idempotency-key': text,
            'voucher-authorization': voucher,
          },
        })
      const before = await documents()
      const finished = call(await voucherOf(world.gateway), 'finished-before')
      const running = call(await voucherOf(world.gateway), 'under-way')
      const first = await finished()
      expect(first.headers.get('x-payment-rail')).toBe('vouchers')
      const letGo = world.hold()
      const underWay = running()
      await until(() => world.runs('under-way') === 1)

      renameSync(file(), away())
      await until(async () => !(await isOffered()))
      for (const text of await documents()) expect(/.{40}voucher.{0,40}/i.exec(text)).toBeNull()
      // The key would pay now; the rail that knows how the first call ended is away.
      const meanwhile = await running()
      expect([meanwhile.status, meanwhile.problem.retryable]).toEqual([409, true])
      expect((await finished()).json).toEqual(first.json)

      letGo()
      const answer = await underWay
      expect(answer.status, answer.text).toBe(200)
      expect((await running()).json).toEqual(answer.json)
      renameSync(away(), file())
      await until(isOffered)
      expect(await documents()).toEqual(before)
      expect((await running()).json).toEqual(answer.json)
      expect((await finished()).json).toEqual(first.json)
      expect([world.runs('under-way'), world.runs('finished-before')]).toEqual([1, 1])
      const balance = await world.gateway.call('GET', '/v1/credits/balance', {
        headers: { 'x-api-key': key },
      })
      expect(balance.json.credits).toBe(100)
    })

    it('away over a crash leaves its call open, and back the call is paid once', async () => {
      const { key } = await world.gateway.key(100)
      const voucher = await voucherOf(world.gateway)
      const call = () =>
        world.gateway.call('POST', '/v1/work/run', {
          body: { text: 'crashed' },
          headers: {
            'x-api-key': key,
            'idempotency-key': 'crashed',
            'voucher-authorization': voucher,
          },
        })
      const letGo = world.hold()
      const cut = call().catch(() => null)
      await until(() => world.runs('crashed') === 1)
      renameSync(file(), away())
      await world.killAndRestart()
      letGo()
      await cut
      for (const statement of [...vouchers.expire, ...credits.expire]) {
        await world.sql.unsafe(statement)
      }
      const meanwhile = await call()
      expect([meanwhile.status, meanwhile.problem.retryable], meanwhile.text).toEqual([409, true])
      renameSync(away(), file())
      await until(isOffered)
      const paid = await comeBack(call)
      expect([paid.status, paid.headers.get('x-payment-rail')]).toEqual([200, 'vouchers'])
      expect(world.runs('crashed')).toBe(2)
    })
  })
})

describe.skipIf(withoutChain('the rail suite over x402'))('a rail with a chain', () => {
  const ground = x402Ground()
  const gateways = x402Gateways(ground)
  let world: RailWorld
  beforeAll(async () => {
    world = await railWorld({
      sql: ground.database.db.sql,
      databaseUrl: ground.database.url,
      env: {
        SETTLEMENT_ADDRESS: ground.chain.receivingAddress,
        MPP_METHODS: 'evm/charge',
        ...gateways.ownSigner(),
      },
      products: [...PRODUCTS, 'products/x402.yaml', 'products/mpp.yaml'],
    })
    ground.closing(() => world.close())
  })
  railSuite('mpp', () => world, {
    rail: 'mpp',
    booksBy: 'x402',
    requestHeaders: ['payment-authorization', 'accept-payment'],
    offerHeaders: ['www-authenticate'],
    receiptHeaders: ['payment-receipt'],
    offerMember: 'challengeId',
    mcpOfferMember: 'accepts',
    mcpReceiptKey: 'org.paymentauth/receipt',
    securityScheme: 'mpp',
    llms: 'WWW-Authenticate: Payment',
    credential: async (gateway, path, body) => ({
      headers: { authorization: await credentialAt(gateway, ground.buyer, path, { body }) },
    }),
    credentialOfAnother: async (gateway, path, body) => {
      const another = await buyerOn(ground.chain)
      return { headers: { authorization: await credentialAt(gateway, another, path, { body }) } }
    },
    mcpCredential: async (_gateway, unpaid) => {
      const [challenge] = unpaid._meta['org.paymentauth/payment-required'].challenges
      const credential = MppCredential.deserialize(await credentialFor(ground.buyer, challenge))
      return { headers: {}, meta: { 'org.paymentauth/credential': credential } }
    },
    reusedStatus: 402,
    owesStreams: true,
    expire: [EXPIRE_CLAIMS],
  })
  railSuite('x402', () => world, {
    rail: 'x402',
    requestHeaders: ['payment-signature', 'x-payment'],
    offerHeaders: ['payment-required'],
    receiptHeaders: ['payment-response'],
    offerMember: 'accepts',
    mcpOfferMember: 'accepts',
    mcpReceiptKey: 'x402/payment-response',
    securityScheme: 'x402',
    llms: 'PAYMENT-SIGNATURE',
    credential: (gateway, path, body) => signedByClient(ground.buyer, gateway.url + path, body),
    credentialOfAnother: async (gateway, path, body) =>
      signedByClient(await buyerOn(ground.chain), gateway.url + path, body),
    mcpCredential: async (_gateway, unpaid) => ({
      headers: {},
      meta: {
        'x402/payment': await signPayment(ground.buyer, requirementsIn(unpaid.structuredContent)),
      },
    }),
    reusedStatus: 402,
    owesStreams: true,
    expire: [EXPIRE_CLAIMS],
  })
})

/** The header that an unmodified @x402/fetch would pay this call by; it is not sent. */
async function signedByClient(
  account: PrivateKeyAccount,
  url: string,
  body: object,
): Promise<Credential> {
  let payment: string | null = null
  const withheld = async (...request: Parameters<typeof fetch>): Promise<Response> => {
    const asked = new Request(...request)
    payment = asked.headers.get('payment-signature')
    return payment === null ? fetch(asked) : Response.json({})
  }
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account))
  await wrapFetchWithPayment(withheld as typeof fetch, client)(url, post(body))
  if (payment === null) throw new Error('the client paid nothing')
  return { headers: { 'payment-signature': payment } }
}
