/** Unmodified x402 clients that pay by Permit2, exact and upto, against the real gateway and chain. */
import { ExactEvmScheme } from '@x402/evm'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { TEST_WALLET } from '../../plugins/x402/sandbox/wallets.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { PATIENT } from '../support/patience.ts'
import { withoutChain } from '../support/x402/chain.ts'
import {
  challengeOf,
  comeBack,
  killAmid,
  payingFetch,
  payOnce,
  post,
  x402Gateways,
} from '../support/x402/gateways.ts'
import type { Fault } from '../support/x402/facilitator.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { decode, encode, offerIn, signPermit2 } from '../support/x402/payments.ts'

const without = withoutChain('x402 by Permit2 on a local chain')
const root = resolve(import.meta.dirname, '../..')
const ROUTE = '/v1/words/count'
let folder: string

/** 100 atomic a word, at most a credit; a text with `fail` in it fails. */
const PLUGIN = `
import { definePlugin, defineSkill, fail } from '@coinop/gateway'
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
  symlinkSync(join(root, 'node_modules/typebox'), join(folder, 'node_modules/typebox'))
  writeFileSync(join(folder, 'plugins/paid.ts'), PLUGIN)
  writeFileSync(join(folder, 'products/paid.yaml'), PRODUCT)
  copyFileSync(join(root, 'products/x402.yaml'), join(folder, 'products/x402.yaml'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const places = () => ({
  PLUGINS_DIR: join(folder, 'plugins'),
  PRODUCTS_DIR: join(folder, 'products'),
})

type Way = 'permit2' | 'upto'
/** The client of @x402/fetch that pays in this way, and the payments it sent. */
function payingBy(way: Way, account: PrivateKeyAccount) {
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
    onTestFinished(async () => void (await gateway.stop()))
    const wallet = privateKeyToAccount(TEST_WALLET.privateKey)
    for (const [way, amount] of [
      ['permit2', '10000'],
      ['upto', '300'],
    ] as const) {
      const { pay } = payingBy(way, wallet)
      const answer = await pay(gateway.url + ROUTE, post({ text: 'one two three' }))
      expect([way, answer.status, await answer.json()]).toEqual([way, 200, { words: 3 }])
      expect(receiptOf(answer)).toMatchObject({ success: true, amount })
    }
  })

  it('on a network whose token has no EIP-3009 is paid by a client with default settings', async () => {
    const gateway = await startGateway({ ...places(), X402_NETWORK: 'eip155:38833' })
    onTestFinished(async () => void (await gateway.stop()))
    const wallet = privateKeyToAccount(TEST_WALLET.privateKey)
    const pay = payingFetch(wallet, 'eip155:38833')
    const answer = await pay(gateway.url + ROUTE, post({ text: 'one' }))
    expect(answer.status).toBe(200)
    expect(receiptOf(answer)).toMatchObject({ success: true, network: 'eip155:38833' })
  })
})

describe.skipIf(without)('a gateway on a chain that outlives it', () => {
  const ground = x402Ground({ buyerAtomic: 100_000_000n })
  const { received, expireLeases } = ground
  const facilitator = (faults: Fault[] = []) => ground.facilitator(faults, { listsUpto: true })
  const { start, ownSigner, settlingBy } = x402Gateways(ground, places)
  const count = (gateway: GatewayProcess, payment: string, text: string) =>
    payOnce(gateway, payment, { path: ROUTE, body: { text } })
  /** What is asked of those who pay in this way; a slow facilitator is offered once it has answered. */
  const offerOf = (gateway: GatewayProcess, way: Way) =>
    vi.waitFor(async () => {
      const scheme = way === 'upto' ? 'upto' : 'exact'
      return offerIn(await challengeOf(gateway, ROUTE), scheme, 'permit2')
    }, PATIENT)
  async function signed(gateway: GatewayProcess, way: Way): Promise<string> {
    return encode(await signPermit2(ground.buyer, await offerOf(gateway, way)))
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
      const gateway = await start(remote ? { X402_FACILITATOR_URL: remote.url } : ownSigner())
      await offerOf(gateway, way)
      const before = await received()
      const { pay, sent } = payingBy(way, ground.buyer)
      const answer = await pay(gateway.url + ROUTE, post({ text: 'two words' }))
      expect([answer.status, await answer.json()]).toEqual([200, { words: 2 }])
      expect(answer.headers.get('x-charged-credits')).toBe(String(Number(amount) / 10_000))
      const { transaction, amount: taken } = receiptOf(answer)
      expect(taken).toBe(String(amount))
      const again = await count(gateway, sent[0]!, 'two words')
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
    const first = await start(ownSigner())
    const second = await start(ownSigner())
    for (const way of ['permit2', 'upto'] as const) {
      const before = await received()
      const failing = await signed(first, way)
      expect((await count(first, failing, 'fail')).status).toBe(503)
      const bent = decode<{ payload: { permit2Authorization: { nonce: string } } }>(failing)
      bent.payload.permit2Authorization.nonce = '7'
      const refused = await count(second, encode(bent), 'one')
      expect([refused.status, refused.problem.details.field]).toEqual([402, 'payload.signature'])
      expect(await received()).toBe(before)

      const payment = await signed(first, way)
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => count(i % 2 === 0 ? first : second, payment, 'one')),
      )
      for (const { status } of answers) expect([200, 409, 503]).toContain(status)
      expect((await comeBack(() => count(second, payment, 'one'))).json).toEqual({ words: 1 })
      const elsewhere = await count(second, payment, 'something else')
      expect([elsewhere.status, elsewhere.problem.details.reason]).toEqual([
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
      const env = settlingBy(remote)
      const doomed = await start(env)
      const before = await received()
      const payment = await signed(doomed, way)
      const moved = fault === 'hang' ? 0n : amount
      await killAmid(
        doomed,
        [count(doomed, payment, 'one two three')],
        async () => remote.settles > 0 && (await received()) - before === moved,
      )
      await expireLeases()
      const next = await start(env)
      const answer = await comeBack(() => count(next, payment, 'one two three'))
      expect([answer.status, answer.json]).toEqual([200, { words: 3 }])
      expect(answer.headers.get('idempotency-replayed')).toBe('true')
      expect(decode(answer.headers.get('payment-response'))).toMatchObject({
        amount: String(amount),
      })
      expect((await received()) - before).toBe(amount)
    },
  )
})
