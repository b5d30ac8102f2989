/** Unmodified clients of @x402/svm against the real gateway, on litesvm, with real faults. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import { decodePaymentResponseHeader, wrapFetchWithPayment } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, describe, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { startUpstream } from '../support/upstream.ts'
import { challengeOf, comeBack, killAmid, payOnce, post } from '../support/x402/gateways.ts'
import { asVersion1, decode, encode, signPayment } from '../support/x402/payments.ts'
import { solanaClient } from '../support/x402/solana-client.ts'
import { solanaGround } from '../support/x402/solana.ts'
import { SOLANA, withoutSolana } from '../support/x402/solana-node.ts'
import { solanaKey, USDC_MINT } from '../support/x402/solana-payments.ts'

const without = withoutSolana('Solana: gateways, and clients that pay them')
const ECHO = '/v1/paid/echo'
const PRICE = 10_000n
/** Instances of one database share it. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

describe.skipIf(without)('a gateway that takes USDC on Solana', () => {
  const ground = solanaGround()
  const folders: string[] = []
  const client = () => solanaClient(ground.node, ground.buyer)

  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  /** The shipped products, with these settlers on Solana. */
  function products(settlers: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'coinop-solana-'))
    folders.push(folder)
    cpSync(resolve(import.meta.dirname, '../../products'), folder, { recursive: true })
    writeFileSync(
      join(folder, 'x402.yaml'),
      `product_id: x402
title: x402
description: Payments in USDC on Solana.
base_path: /v1/x402
plugin: x402
metered: false
config:
  networks:
    - network: ${SOLANA}
      asset: ${USDC_MINT}
      decimals: 6
      pay_to: ${ground.payee}
      rpc: ${ground.node.url}
${settlers}`,
    )
    return folder
  }
  const byOwn = () => products('      signer: ${PRODUCT_SOLANA_FEE_PAYER}\n')
  const byFacilitator = ({ url }: { url: string }) =>
    products(`      facilitators: [{ url: '${url}' }]\n`)

  async function start(folder: string, env: Record<string, string> = {}): Promise<GatewayProcess> {
    const gateway = await startGateway({
      DATABASE_URL: ground.database.url,
      SANDBOX: 'true',
      COINOP_MASTER_KEY: MASTER_KEY,
      PRODUCTS_DIR: folder,
      PRODUCT_SOLANA_FEE_PAYER: ground.sponsorSecret,
      ...env,
    })
    ground.closing(async () => void (await gateway.stop()))
    return gateway
  }
  /** A payment for what the route asks, as its header. */
  async function signed(gateway: GatewayProcess, path = ECHO): Promise<string> {
    const required = (await challengeOf(gateway, path)) as PaymentRequired
    return encode(await client().createPaymentPayload(required))
  }

  it('knows no payment of another network, on any route', async () => {
    const gateway = await start(byOwn())
    const required = (await challengeOf(gateway, ECHO)) as PaymentRequired
    const buyer = privateKeyToAccount(generatePrivateKey())
    const offer = { ...required.accepts[0]!, network: 'eip155:8453', asset: buyer.address }
    const payTo = buyer.address
    const extra = { name: 'USD Coin', version: '2' }
    const payment = await signPayment(buyer, { ...offer, payTo, extra } as never)
    for (const sent of [payment, asVersion1(payment)]) {
      const paymentSignature = encode(sent)
      const body = { requestId: crypto.randomUUID(), paymentSignature }
      const told = await gateway.call('POST', '/v1/x402/progress', { body })
      const ahead = await gateway.call('POST', '/v1/x402/settle', {
        body: { ...body, skill: 'demo.echo' },
      })
      const header = 'accepted' in sent ? 'payment-signature' : 'x-payment'
      const call = await gateway.call('POST', ECHO, {
        body: { message: 'hi' },
        headers: { [header]: paymentSignature },
      })
      expect([told.status, ahead.status, call.status]).toEqual([404, 402, 402])
    }
  })

  it.each(['its own sponsor', 'a facilitator'])(
    'is paid by @x402/fetch, settling by %s',
    async (way) => {
      const remote = way === 'a facilitator' ? await ground.facilitator() : null
      const gateway = await start(remote ? byFacilitator(remote) : byOwn())
      const before = ground.node.balanceOf(ground.payee)
      const pay = wrapFetchWithPayment(fetch, client())
      const answer = await pay(`${gateway.url}/v1/paid/hash`, post({ input: 'hello' }))
      expect([answer.status, await answer.json()]).toMatchObject([200, { algorithm: 'sha256' }])
      expect(ground.node.balanceOf(ground.payee) - before).toBe(2n * PRICE)
      const receipt = decodePaymentResponseHeader(answer.headers.get('payment-response')!)
      expect(receipt).toMatchObject({
        success: true,
        network: SOLANA,
        payer: ground.buyer.address,
        amount: '20000',
      })
      expect(ground.node.landed()).toContain(receipt.transaction)
      if (remote) expect(remote).toMatchObject({ verifies: 1, settles: 1 })
      const rows = await gateway.admin(
        'GET',
        `/v1/ledger?requestId=${answer.headers.get('x-request-id')}`,
      )
      expect(rows.json.rows).toMatchObject([
        {
          kind: 'settlement',
          rail: 'x402',
          transaction: receipt.transaction,
          amountUsdcAtomic: 20_000,
        },
      ])
      const ready = await gateway.call('GET', '/ready')
      expect(ready.json.checks.x402.state).toBe('ok')
    },
  )

  it('asks for another memo in each 402, in the header as in the body', async () => {
    const gateway = await start(byOwn())
    const memos = new Set<unknown>()
    for (let index = 0; index < 3; index++) {
      const unpaid = await gateway.call('POST', ECHO, { body: {} })
      const header = Buffer.from(unpaid.headers.get('payment-required')!, 'base64').toString()
      const { accepts } = JSON.parse(header) as PaymentRequired
      const { memo } = accepts[0]!.extra
      expect(unpaid.json.accepts[0].extra.memo).toBe(memo)
      memos.add(memo)
    }
    expect(memos.size).toBe(3)
  })

  it('is paid for a tool over MCP', async () => {
    const gateway = await start(byOwn())
    const called = async (meta: object) =>
      (
        await gateway.call('POST', '/mcp', {
          headers: { accept: 'application/json, text/event-stream' },
          body: {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'demo.echo', arguments: { message: 'hi' }, _meta: meta },
          },
        })
      ).json.result
    const unpaid = (await called({})).structuredContent as PaymentRequired
    const payment = await client().createPaymentPayload(unpaid)
    const before = ground.node.balanceOf(ground.payee)
    const paid = await called({ 'x402/payment': payment })
    expect(paid).toMatchObject({ structuredContent: { message: 'hi' } })
    expect(paid._meta['x402/payment-response']).toMatchObject({ success: true, network: SOLANA })
    expect(ground.node.balanceOf(ground.payee) - before).toBe(PRICE)
  })

  it('takes one payment ×8 over two instances for one answer and one transfer', async () => {
    const folder = byOwn()
    const [first, second] = [await start(folder), await start(folder)]
    const payment = await signed(first)
    const before = ground.node.balanceOf(ground.payee)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        comeBack(() => payOnce(index % 2 === 0 ? first : second, payment)),
      ),
    )
    for (const answer of answers) {
      expect([answer.status, answer.json]).toEqual([200, { message: 'hi' }])
    }
    expect(ground.node.balanceOf(ground.payee) - before).toBe(PRICE)
  })

  it('takes eight purchases at once for eight', async () => {
    const gateway = await start(byOwn())
    const pay = wrapFetchWithPayment(fetch, client())
    const before = ground.node.balanceOf(ground.payee)
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const answer = await pay(gateway.url + ECHO, post({ message: `${index}` }))
        return answer.json()
      }),
    )
    expect(answers).toEqual(Array.from({ length: 8 }, (_, index) => ({ message: `${index}` })))
    expect(ground.node.balanceOf(ground.payee) - before).toBe(8n * PRICE)
  })

  it('refuses what was bent with a 402 that says what is wrong, and moves nothing', async () => {
    const gateway = await start(byOwn())
    const required = (await challengeOf(gateway)) as PaymentRequired
    const [offer] = required.accepts
    const stranger = (await solanaKey('stranger')).address
    const bent = async (change: object): Promise<PaymentPayload> =>
      client().createPaymentPayload({
        ...required,
        accepts: [{ ...offer!, ...change }],
      } as PaymentRequired)
    const good = await bent({})
    const bytes = Buffer.from(String(good.payload['transaction']), 'base64')
    const unsigned = Buffer.from(bytes)
    unsigned.fill(0, 65, 129)
    const withTransaction = (transaction: string) => ({ ...good, payload: { transaction } })
    const before = ground.node.balanceOf(ground.payee)
    const cases: [object, string][] = [
      [await bent({ amount: '1' }), 'payload_amount_mismatch'],
      [await bent({ amount: '20000' }), 'payload_amount_mismatch'],
      [await bent({ payTo: stranger }), 'payload_recipient_mismatch'],
      [
        await bent({ extra: { ...offer!.extra, feePayer: stranger } }),
        'fee_payer_not_managed_by_facilitator',
      ],
      [await bent({ extra: { ...offer!.extra, memo: 'mine' } }), 'payload_memo_mismatch'],
      [{ ...good, accepted: { ...offer, asset: stranger } }, 'payload_mint_mismatch'],
      [{ ...good, accepted: { ...offer, scheme: 'upto' } }, 'unsupported_scheme'],
      [withTransaction(unsigned.toString('base64')), 'payload_signature_invalid'],
      [
        withTransaction(bytes.subarray(0, -1).toString('base64')),
        'payload_transaction_could_not_be_decoded',
      ],
    ]
    for (const [payment, reason] of cases) {
      const answer = await payOnce(gateway, encode(payment))
      expect([answer.status, answer.problem.details.reason]).toEqual([
        402,
        `invalid_exact_svm_${reason}`,
      ])
    }
    for (const payload of [{}, { transaction: 7 }, { transaction: '' }, { transaction: '!' }]) {
      const answer = await payOnce(gateway, encode({ ...good, payload }))
      expect([answer.status, answer.problem.code]).toEqual([402, 'PAYMENT_FAILED'])
    }
    // On another route the same payment is none.
    const elsewhere = await payOnce(gateway, encode(good), {
      path: '/v1/paid/hash',
      body: { input: 'x' },
    })
    expect(elsewhere.status).toBe(402)
    expect(ground.node.balanceOf(ground.payee)).toBe(before)
    expect((await payOnce(gateway, encode(good))).status).toBe(200)
  })

  it('refuses a late blockhash', async () => {
    const gateway = await start(byOwn())
    const payment = await signed(gateway)
    ground.node.pass(200n)
    const answer = await payOnce(gateway, payment)
    expect([answer.status, answer.problem.details.reason]).toEqual([
      402,
      'invalid_exact_svm_blockhash_expired',
    ])
  })

  it('charges nothing for invalid input', async () => {
    const gateway = await start(byOwn())
    const path = '/v1/paid/hash'
    const payment = await signed(gateway, path)
    const before = ground.node.balanceOf(ground.payee)
    expect((await payOnce(gateway, payment, { path, body: { wrong: 1 } })).status).toBe(400)
    expect(ground.node.balanceOf(ground.payee)).toBe(before)
    expect((await payOnce(gateway, payment, { path, body: { input: 'hello' } })).status).toBe(200)
  })

  describe('killed between claim and settlement', () => {
    it.each([
      ['the transaction was never sent on', 'drop', 0n],
      ['the transaction landed unseen', 'hide', PRICE],
    ] as const)('while %s: the next gateway finishes', async (_, fault, moved) => {
      const folder = byOwn()
      const doomed = await start(folder)
      const payment = await signed(doomed)
      const before = ground.node.balanceOf(ground.payee)
      const sentBefore = ground.node.asked.get('sendTransaction') ?? 0
      ground.node.faults.push(...Array.from({ length: 100 }, () => fault))
      await killAmid(
        doomed,
        [payOnce(doomed, payment)],
        () =>
          (ground.node.asked.get('sendTransaction') ?? 0) > sentBefore &&
          ground.node.balanceOf(ground.payee) - before === moved,
      )
      ground.node.faults.length = 0
      ground.node.reveal()
      await ground.expireLeases()
      const next = await start(folder)
      const answer = await comeBack(() => payOnce(next, payment))
      expect([answer.status, answer.json]).toEqual([200, { message: 'hi' }])
      expect(answer.headers.get('idempotency-replayed')).toBe('true')
      expect(ground.node.balanceOf(ground.payee) - before).toBe(PRICE)
    })

    it('after its blockhash is over: nothing was taken, and the buyer is told so', async () => {
      const folder = byOwn()
      const doomed = await start(folder)
      const payment = await signed(doomed)
      const before = ground.node.balanceOf(ground.payee)
      const sentBefore = ground.node.asked.get('sendTransaction') ?? 0
      ground.node.faults.push(...Array.from({ length: 100 }, () => 'drop' as const))
      await killAmid(
        doomed,
        [payOnce(doomed, payment)],
        () => (ground.node.asked.get('sendTransaction') ?? 0) > sentBefore,
      )
      ground.node.pass(200n)
      ground.node.faults.length = 0
      await ground.expireLeases()
      const next = await start(folder)
      const answer = await comeBack(() => payOnce(next, payment))
      expect([answer.status, answer.problem.details.reason]).toEqual([
        402,
        'invalid_exact_svm_blockhash_expired',
      ])
      expect(ground.node.balanceOf(ground.payee)).toBe(before)
    })
  })

  it('charges nothing for work that fails, and the payment stays good', async () => {
    let fails = true
    const upstream = await startUpstream((_, response) => {
      response.writeHead(fails ? 500 : 200, { 'content-type': 'application/json' })
      response.end('{"done":true}')
    })
    ground.closing(() => upstream.close())
    const gateway = await start(byOwn(), { PRODUCT_UPSTREAM_URL: upstream.url })
    const put = await gateway.call('PUT', '/v1/admin/products/work', {
      headers: {
        authorization: `Bearer ${gateway.adminToken}`,
        'content-type': 'application/yaml',
      },
      body: `product_id: work
base_path: /v1/work
upstream: { url: '\${PRODUCT_UPSTREAM_URL}', allow_private: true, timeout: 10s }
skills:
  - { id: work.short, route: POST /short, price: { credits: 1 } }
  - { id: work.long, route: POST /long, price: { credits: 1 }, limits: { timeout: 60s } }
`,
    })
    expect(put.status, put.text).toBeLessThan(300)
    const path = '/v1/work/short'
    const payment = await signed(gateway, path)
    const before = ground.node.balanceOf(ground.payee)
    const failed = await payOnce(gateway, payment, { path })
    expect([failed.status >= 500, failed.headers.get('payment-response')]).toEqual([true, null])
    expect(ground.node.balanceOf(ground.payee)).toBe(before)
    fails = false
    const done = await payOnce(gateway, payment, { path })
    expect([done.status, done.json]).toEqual([200, { done: true }])
    expect(ground.node.balanceOf(ground.payee) - before).toBe(PRICE)
    // What takes longer than a blockhash lives is not sold for it.
    const long = await gateway.call('POST', '/v1/work/long', { body: {} })
    expect([long.status, long.headers.get('payment-required')]).toEqual([402, null])
  })

  it('beside an EVM network is what a Solana client picks', async () => {
    const folder = products('      signer: ${PRODUCT_SOLANA_FEE_PAYER}\n')
    const file = join(folder, 'x402.yaml')
    const evm = `  networks:
    - network: eip155:8453
      pay_to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
      facilitators: [{ url: 'http://127.0.0.1:1' }]
`
    writeFileSync(file, readFileSync(file, 'utf8').replace('  networks:\n', evm))
    const gateway = await start(folder)
    const unpaid = await gateway.call('POST', ECHO, { body: {} })
    const header = unpaid.headers.get('payment-required')!
    const { accepts } = decode<PaymentRequired>(header)
    expect(accepts.map(({ network }) => network)).toEqual(['eip155:8453', SOLANA])
    expect(unpaid.json.accepts).toMatchObject([{ network: 'base' }])
    expect(header.length).toBeLessThan(4096)
    const before = ground.node.balanceOf(ground.payee)
    const pay = wrapFetchWithPayment(fetch, client())
    const answer = await pay(gateway.url + ECHO, post({ message: 'hi' }))
    expect(answer.status).toBe(200)
    expect(ground.node.balanceOf(ground.payee) - before).toBe(PRICE)
    ground.node.down.add('simulateTransaction')
    const payment = await signed(gateway)
    expect((await payOnce(gateway, payment)).status).toBe(503)
    ground.node.down.clear()
    expect((await comeBack(() => payOnce(gateway, payment))).status).toBe(200)
  })
})
