/** Unmodified x402 clients that pay by Permit2, exact and upto, against the real gateway and chain. */
import { ExactEvmScheme } from '@x402/evm'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { anvilBinary } from '../../kernel/rails/x402/chain/anvil.ts'
import type { SandboxChain } from '../../kernel/rails/x402/chain/sandbox.ts'
import { TEST_WALLET } from '../../kernel/rails/x402/chain/wallets.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { skipPart } from '../support/skips.ts'
import {
  buyerOn,
  decode,
  encode,
  offerIn,
  signPermit2,
  startFacilitator,
  testChain,
  type Fault,
} from '../support/x402.ts'

const anvil = anvilBinary()
const without = !anvil.ok && skipPart('x402 by Permit2 on a local chain', anvil.reason)
/** Instances of one database share it. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
const root = resolve(import.meta.dirname, '../..')
const opened: (() => Promise<unknown>)[] = []
let folder: string

/** 100 atomic a word, at most a credit; a text with `fail` in it fails. */
const PLUGIN = `
import { definePlugin, defineSkill, fail } from 'coinop'
import { Type } from 'typebox'
const count = defineSkill({
  id: 'paid.words',
  tools: [],
  title: 'Count words',
  description: 'How many words a text has, for so much a word.',
  input: Type.Object({ text: Type.String() }, { additionalProperties: false }),
  output: Type.Object({ words: Type.Integer() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler(_, { text }) {
    if (text.includes('fail')) return fail('PROCESSING_FAILURE', 'This text cannot be counted')
    const words = text.split(' ').length
    return { ok: true, output: { words }, bill: { amountAtomic: BigInt(words * 100) } }
  },
})
export default definePlugin({
  id: 'paid', version: '1.0.0', kernel: '^1.0.0', config: Type.Object({}),
  setup: () => ({ skills: [count] }),
})`
const PRODUCT = `
product_id: paid
title: Words
description: Words by the piece.
base_path: /v1/words
plugin: paid
metered: true
skills:
  - skill: paid.words
    route: POST /count
    price: { credits: 1 }
`

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'coinop-permit2-'))
  mkdirSync(join(folder, 'plugins'))
  mkdirSync(join(folder, 'products'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/coinop'))
  symlinkSync(join(root, 'node_modules/typebox'), join(folder, 'node_modules/typebox'))
  writeFileSync(join(folder, 'plugins/paid.ts'), PLUGIN)
  writeFileSync(join(folder, 'products/paid.yaml'), PRODUCT)
})
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const places = () => ({
  PLUGINS_DIR: join(folder, 'plugins'),
  PRODUCTS_DIR: join(folder, 'products'),
})
const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

type Way = 'permit2' | 'upto'
/** The client of @x402/fetch that pays in this way, and the payments it sent. */
function payingFetch(account: PrivateKeyAccount, way: Way) {
  const client =
    way === 'upto'
      ? new x402Client().register('eip155:8453', new UptoEvmScheme(account))
      : new x402Client((_, accepts) =>
          accepts.find(({ extra }) => extra['assetTransferMethod'] === 'permit2')!,
        ).register('eip155:8453', new ExactEvmScheme(account))
  const sent: string[] = []
  const noting = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    const payment = request.headers.get('payment-signature')
    if (payment !== null) sent.push(payment)
    return fetch(request)
  }
  return { pay: wrapFetchWithPayment(noting as typeof fetch, client), sent }
}

const receiptOf = (answer: Response) =>
  decodePaymentResponseHeader(answer.headers.get('payment-response')!)

describe.skipIf(without)('a sandbox started with nothing', () => {
  it('is paid by its test wallet through Permit2 and up to a ceiling', async () => {
    const gateway = await startGateway(places())
    opened.push(() => gateway.stop())
    const wallet = privateKeyToAccount(TEST_WALLET.privateKey)
    for (const [way, amount] of [
      ['permit2', '10000'],
      ['upto', '300'],
    ] as const) {
      const { pay } = payingFetch(wallet, way)
      const answer = await pay(`${gateway.url}/v1/words/count`, post({ text: 'one two three' }))
      expect([way, answer.status, await answer.json()]).toEqual([way, 200, { words: 3 }])
      expect(receiptOf(answer)).toMatchObject({ success: true, amount })
    }
  })

  it('on a network whose token has no EIP-3009 is paid by a client with default settings', async () => {
    const gateway = await startGateway({ ...places(), X402_NETWORK: 'eip155:38833' })
    opened.push(() => gateway.stop())
    const wallet = privateKeyToAccount(TEST_WALLET.privateKey)
    const client = new x402Client().register('eip155:38833', new ExactEvmScheme(wallet))
    const pay = wrapFetchWithPayment(fetch, client)
    const answer = await pay(`${gateway.url}/v1/words/count`, post({ text: 'one' }))
    expect(answer.status).toBe(200)
    expect(receiptOf(answer)).toMatchObject({ success: true, network: 'eip155:38833' })
  })
})

describe.skipIf(without)('a gateway on a chain that outlives it', () => {
  let chain: SandboxChain
  let database: TestDatabase
  let buyer: PrivateKeyAccount

  beforeAll(async () => {
    chain = await testChain()
    database = await testDatabase()
    buyer = await buyerOn(chain, 100_000_000n)
  })
  afterAll(async () => {
    await chain.stop()
    await database.close()
  })

  const received = () => chain.balanceOf(chain.receivingAddress)
  const ownSigner = () => ({ X402_RPC_URL: chain.rpcUrl, X402_SIGNER_KEY: chain.signerKey })
  function facilitator(faults: Fault[] = []) {
    const started = startFacilitator(chain)
    started.listsUpto = true
    started.faults = faults
    opened.push(() => started.stop())
    return started
  }
  async function gatewayWith(env: Record<string, string>): Promise<GatewayProcess> {
    const dataDir = mkdtempSync(join(tmpdir(), 'coinop-permit2-'))
    const gateway = await startGateway(
      {
        ...places(),
        DATABASE_URL: database.url,
        SANDBOX: 'true',
        COINOP_MASTER_KEY: MASTER_KEY,
        SETTLEMENT_ADDRESS: chain.receivingAddress,
        ...env,
      },
      { dataDir },
    )
    opened.push(async () => {
      await gateway.stop()
      rmSync(dataDir, { recursive: true, force: true })
    })
    return gateway
  }
  const call = (gateway: GatewayProcess, payment: string, text: string) =>
    gateway.call('POST', '/v1/words/count', {
      body: { text },
      headers: { 'payment-signature': payment },
    })
  async function signed(gateway: GatewayProcess, way: Way): Promise<string> {
    const unpaid = await gateway.call('POST', '/v1/words/count', { body: {} })
    const challenge = decode(unpaid.headers.get('payment-required'))
    const scheme = way === 'upto' ? 'upto' : 'exact'
    return encode(await signPermit2(buyer, offerIn(challenge, scheme, 'permit2')))
  }
  /** The same payment until it is no longer told to wait; every wait must be retryable and no 402. */
  async function comeBack(gateway: GatewayProcess, payment: string, text: string) {
    for (let attempt = 0; attempt < 300; attempt++) {
      const answer = await call(gateway, payment, text)
      if (answer.json?.error?.retryable !== true) return answer
      expect([409, 503]).toContain(answer.status)
      await Bun.sleep(100)
    }
    throw new Error('the settlement never ended')
  }

  const ways: [Way, 'own signer' | 'remote facilitator', bigint][] = [
    ['permit2', 'own signer', 10_000n],
    ['permit2', 'remote facilitator', 10_000n],
    ['upto', 'own signer', 200n],
    ['upto', 'remote facilitator', 200n],
  ]
  it.each(ways)(
    'is paid by @x402/fetch through %s, settling by its %s: once, what was billed',
    async (way, by, amount) => {
      const remote = by === 'own signer' ? null : facilitator()
      const gateway = await gatewayWith(remote ? { X402_FACILITATOR_URL: remote.url } : ownSigner())
      const before = await received()
      const { pay, sent } = payingFetch(buyer, way)
      const answer = await pay(`${gateway.url}/v1/words/count`, post({ text: 'two words' }))
      expect([answer.status, await answer.json()]).toEqual([200, { words: 2 }])
      expect(answer.headers.get('x-charged-credits')).toBe(String(Number(amount) / 10_000))
      const { transaction, amount: taken } = receiptOf(answer)
      expect(taken).toBe(String(amount))
      const again = await call(gateway, sent[0]!, 'two words')
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
      expect((await received()) - before).toBe(amount)
      if (remote) expect(remote.settles).toBe(1)
      const requestId = answer.headers.get('x-request-id')
      const { json } = await gateway.admin('GET', `/v1/ledger?requestId=${requestId}`)
      expect(json.rows).toMatchObject([
        { kind: 'settlement', rail: 'x402', transaction, amountUsdcAtomic: Number(amount) },
      ])
    },
  )

  it('one payment ×8 over two instances runs once; work that fails and bent payments move nothing', async () => {
    const first = await gatewayWith(ownSigner())
    const second = await gatewayWith(ownSigner())
    for (const way of ['permit2', 'upto'] as const) {
      const before = await received()
      const failing = await signed(first, way)
      expect((await call(first, failing, 'fail')).status).toBe(503)
      const bent = decode<{ payload: { permit2Authorization: { nonce: string } } }>(failing)
      bent.payload.permit2Authorization.nonce = '7'
      const refused = await call(second, encode(bent), 'one')
      expect([refused.status, refused.json.error.details.field]).toEqual([402, 'payload.signature'])
      expect(await received()).toBe(before)

      const payment = await signed(first, way)
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => call(i % 2 === 0 ? first : second, payment, 'one')),
      )
      for (const { status } of answers) expect([200, 409, 503]).toContain(status)
      expect((await comeBack(second, payment, 'one')).json).toEqual({ words: 1 })
      const elsewhere = await call(second, payment, 'something else')
      expect([elsewhere.status, elsewhere.json.error.details.reason]).toEqual([
        402,
        'nonce_already_used',
      ])
      expect((await received()) - before).toBe(way === 'upto' ? 100n : 10_000n)
    }
  })

  it.each([
    ['settle_then_hang', 'upto', 300n],
    ['hang', 'upto', 300n],
    ['settle_then_hang', 'permit2', 10_000n],
  ] as const)(
    'killed with a facilitator that does "%s" (%s): the next gateway finishes, and the caller gets the answer',
    async (fault, way, amount) => {
      const remote = facilitator([fault])
      const env = { X402_FACILITATOR_URL: remote.url, X402_RPC_URL: chain.rpcUrl }
      const doomed = await gatewayWith(env)
      const before = await received()
      const payment = await signed(doomed, way)
      const cut = call(doomed, payment, 'one two three').catch(() => null)
      const moved = fault === 'hang' ? 0n : amount
      for (let attempt = 0; attempt < 200; attempt++) {
        if (remote.settles > 0 && (await received()) - before === moved) break
        await Bun.sleep(25)
      }
      await doomed.kill()
      await cut
      // The dead gateway's lease runs for some seconds more; this test does not wait for it.
      await database.db
        .sql`UPDATE coinop.x402_claim SET lease_until = now() WHERE state = 'settling'`
      const next = await gatewayWith(env)
      const answer = await comeBack(next, payment, 'one two three')
      expect([answer.status, answer.json]).toEqual([200, { words: 3 }])
      expect(answer.headers.get('idempotency-replayed')).toBe('true')
      expect(decode(answer.headers.get('payment-response'))).toMatchObject({
        amount: String(amount),
      })
      expect((await received()) - before).toBe(amount)
    },
  )
})
