/** Payment channels (scheme batch-settlement): the unmodified client of @x402/evm on a gateway process. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { PaymentRequired } from '@x402/core/types'
import { BATCH_SETTLEMENT_ADDRESS, ExactEvmScheme, toClientEvmSigner } from '@x402/evm'
import { BatchSettlementEvmScheme, computeChannelId } from '@x402/evm/batch-settlement/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createPublicClient, encodeFunctionData, http, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONTRACT_ABI } from '../../plugins/x402/payment/channel.ts'
import type { GatewayProcess } from '../support/gateway.ts'
import { plantBatchSettlement } from '../support/x402/batch-settlement.ts'
import { CLIENTS } from '../support/mcp-clients.ts'
import { buyerOn, giveGas, rpc, walletOn, withoutChain } from '../support/x402/chain.ts'
import {
  challengeOf,
  comeBack,
  killAmid,
  payOnce,
  post,
  until,
  x402Gateways,
} from '../support/x402/gateways.ts'
import { WITHDRAWING_ABI } from '../support/x402/channel-chain.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { heldNode } from '../support/x402/held-node.ts'
import { decode, encode } from '../support/x402/payments.ts'

const ECHO = '/v1/paid/echo'
const PAY_TO = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const NETWORK = 'eip155:8453'
const HASH = { body: { input: 'hi' } }
const CODE = 'invalid_batch_settlement_evm'

describe.skipIf(withoutChain('x402 payment channels'))('payment channels', () => {
  const ground = x402Ground()
  const folder = mkdtempSync(join(tmpdir(), 'coinop-channels-'))
  let gateway: GatewayProcess
  let gateways: ReturnType<typeof x402Gateways>

  const productsOf = (channels: string): string => {
    const products = mkdtempSync(join(folder, 'products-'))
    cpSync(resolve(import.meta.dirname, '../../products'), products, { recursive: true })
    writeFileSync(
      join(products, 'x402.yaml'),
      `product_id: x402
title: x402
description: Payments in dollar tokens.
base_path: /v1/x402
plugin: x402
metered: false
config:
  networks:
    - network: ${NETWORK}
      pay_to: '${PAY_TO}'
      rpc: \${PRODUCT_BASE_RPC}
      signer: \${PRODUCT_SIGNER}
${channels}`,
    )
    return products
  }
  const start = (channels = '      channels: {}\n', env: Record<string, string> = {}) =>
    gateways.start({ PRODUCTS_DIR: productsOf(channels), ...env })

  const reader = () =>
    createPublicClient({ chain: base, transport: http(ground.chain.rpcUrl), pollingInterval: 20 })
  const onChain = async (id: Hex) => {
    const contract = { address: BATCH_SETTLEMENT_ADDRESS, abi: CONTRACT_ABI } as const
    const args = [id] as const
    const [balance, claimed] = await reader().readContract({
      ...contract,
      functionName: 'channels',
      args,
    })
    return { balance, claimed }
  }
  const stored = async (id: string) => {
    const [row] = await ground.database.db.sql<Record<string, string>[]>`
      SELECT charged::text, total_claimed::text AS claimed FROM plugin_x402.x402_channel WHERE id = ${id}`
    return row
  }

  /** The scheme of @x402/evm as a buyer installs it; `salt` makes another channel of the same buyer. */
  function clientOf(account: PrivateKeyAccount, salt?: Hex) {
    const signer = toClientEvmSigner(account, reader())
    const scheme = new BatchSettlementEvmScheme(signer, salt ? { salt } : {})
    const client = new x402Client().register(NETWORK, scheme)
    return { scheme, client, pay: wrapFetchWithPayment(fetch, client) }
  }
  type Client = ReturnType<typeof clientOf>

  const offerOf = async (at: GatewayProcess = gateway, path = ECHO) => {
    const { accepts } = (await challengeOf(at, path)) as PaymentRequired
    return accepts.find(({ scheme }) => scheme === 'batch-settlement')!
  }
  const idOf = async ({ scheme }: Client, at: GatewayProcess = gateway) =>
    computeChannelId(scheme.buildChannelConfig(await offerOf(at)), NETWORK)
  /** A payment as the client makes it, to be sent by hand. */
  async function made(client: Client, bend: (payload: any, accepted: any) => void = () => {}) {
    const accepted = await offerOf()
    const { payload } = await client.scheme.createPaymentPayload(2, accepted, {} as never)
    const sent = {
      x402Version: 2,
      accepted: structuredClone(accepted),
      payload: structuredClone(payload),
    }
    bend(sent.payload, sent.accepted)
    return encode(sent)
  }
  const receiptOf = (answer: Response): any =>
    decodePaymentResponseHeader(answer.headers.get('payment-response')!)

  beforeAll(async () => {
    await plantBatchSettlement(ground.chain)
    gateways = x402Gateways(ground, () => ({
      PRODUCT_BASE_RPC: ground.chain.rpcUrl,
      PRODUCT_SIGNER: ground.chain.signerKey,
    }))
    gateway = await start()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is offered behind the single payment, below 4 KiB', async () => {
    const unpaid = await gateway.call('POST', ECHO, { body: { message: 'hi' } })
    expect(unpaid.headers.get('payment-required')!.length).toBeLessThan(4096)
    const { accepts } = decode(unpaid.headers.get('payment-required')) as PaymentRequired
    expect(accepts[0]!.scheme).toBe('exact')
    expect(accepts.find(({ scheme }) => scheme === 'batch-settlement')).toMatchObject({
      network: NETWORK,
      amount: '10000',
      payTo: PAY_TO,
      extra: { name: 'USD Coin', version: '2', withdrawDelay: 86_400, minDeposit: '1000000' },
    })
  })

  it('deposits once, buys by vouchers, and is claimed at the stop', async () => {
    const buyer = await buyerOn(ground.chain)
    const client = clientOf(buyer)
    const id = await idOf(client)
    const charged: string[] = []
    for (const message of ['one', 'two', 'three']) {
      const answer = await client.pay(gateway.url + ECHO, post({ message }))
      expect(answer.status, await answer.clone().text()).toBe(200)
      const { transaction, amount, extra } = receiptOf(answer)
      charged.push(extra.channelState.chargedCumulativeAmount)
      expect([transaction !== '', amount]).toEqual(
        message === 'one' ? [true, '1000000'] : [false, ''],
      )
      expect(extra.chargedAmount).toBe('10000')
    }
    expect(charged).toEqual(['10000', '20000', '30000'])
    expect(await onChain(id)).toEqual({ balance: 1_000_000n, claimed: 0n })
    expect(await stored(id)).toEqual({ charged: '30000', claimed: '0' })

    const before = await ground.chain.balanceOf(PAY_TO)
    const second = await start()
    await second.stop()
    expect(await onChain(id)).toEqual({ balance: 1_000_000n, claimed: 30_000n })
    expect((await ground.chain.balanceOf(PAY_TO)) - before).toBeGreaterThanOrEqual(30_000n)
  })

  it('claims by amount in the background', async () => {
    const claiming = await start('      channels: { claim_above_usd: 0.02 }\n')
    const client = clientOf(await buyerOn(ground.chain))
    const id = await idOf(client, claiming)
    for (const message of ['one', 'two']) {
      const answer = await client.pay(claiming.url + ECHO, post({ message }))
      expect(answer.status).toBe(200)
    }
    await until(async () => (await onChain(id)).claimed === 20_000n)
    await until(async () => (await stored(id))?.['claimed'] === '20000')
    // Anybody sees the claim on the chain; it pays for no call of theirs.
    const block = await reader().getBlock({ blockTag: 'latest' })
    await rpc(ground.chain, 'evm_mine')
    for (const paymentSignature of block.transactions) {
      const order = { skill: 'demo.echo', requestId: crypto.randomUUID(), paymentSignature }
      const taken = await claiming.call('POST', '/v1/x402/settle', { body: order })
      expect([taken.status, taken.text]).toEqual([402, expect.stringContaining('plain transfer')])
    }
    await claiming.stop()
  })

  it('gives the kept answer to the same voucher, once charged', async () => {
    const client = clientOf(await buyerOn(ground.chain))
    const voucher = await made(client)
    const [first, again] = [await payOnce(gateway, voucher), await payOnce(gateway, voucher)]
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.text).toBe(first.text)
    expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'))
    expect(await stored(await idOf(client))).toMatchObject({ charged: '10000' })
  })

  it('runs one of eight at once, and each is told the truth', async () => {
    const client = clientOf(await buyerOn(ground.chain))
    const voucher = await made(client)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        payOnce(gateway, voucher, { body: { message: `number ${index}` } }),
      ),
    )
    const good = answers.filter(({ status }) => status === 200)
    expect(good).toHaveLength(1)
    for (const { status, json } of answers.filter((answer) => !good.includes(answer))) {
      expect(status).toBe(402)
      const { reason } = json.problem?.details ?? json.error.details
      expect([`${CODE}_channel_busy`, `${CODE}_cumulative_amount_mismatch`]).toContain(reason)
    }
    expect(await stored(await idOf(client))).toMatchObject({ charged: '10000' })
  })

  it('corrects a client that lost its record, which then pays without help', async () => {
    const buyer = await buyerOn(ground.chain)
    expect((await clientOf(buyer).pay(gateway.url + ECHO, post({ message: 'a' }))).status).toBe(200)
    expect((await clientOf(buyer).pay(gateway.url + ECHO, post({ message: 'b' }))).status).toBe(200)
    expect(await stored(await idOf(clientOf(buyer)))).toMatchObject({ charged: '20000' })
  })

  it('charges nothing for work that fails, and takes the same voucher for the next call', async () => {
    const client = clientOf(await buyerOn(ground.chain))
    const id = await idOf(client)
    expect((await client.pay(gateway.url + ECHO, post({ message: 'a' }))).status).toBe(200)
    const voucher = await made(client)
    const failed = await payOnce(gateway, voucher, { body: { message: 7 } })
    expect(failed.status).toBe(400)
    expect(await stored(id)).toMatchObject({ charged: '10000' })
    expect((await payOnce(gateway, voucher, { body: { message: 'other' } })).status).toBe(200)
    expect(await stored(id)).toMatchObject({ charged: '20000' })
  })

  it('gives back what is left at the wish of the unmodified client', async () => {
    const buyer = await buyerOn(ground.chain)
    const client = clientOf(buyer)
    expect((await client.pay(gateway.url + ECHO, post({ message: 'a' }))).status).toBe(200)
    const id = await idOf(client)
    const url = `${gateway.url}/v1/x402/channels`
    const part = await client.scheme.refund(url, { amount: '400000' })
    expect(part).toMatchObject({ success: true, amount: '400000' })
    const rest = await client.scheme.refund(url)
    expect(rest).toMatchObject({ success: true, amount: '590000' })
    expect(await onChain(id)).toEqual({ balance: 10_000n, claimed: 10_000n })
    expect(await ground.chain.balanceOf(buyer.address)).toBe(10_000_000n - 10_000n)
    await expect(client.scheme.refund(url)).rejects.toThrow(
      /no remaining balance|refund_no_balance/,
    )
    // The channel goes on with a new deposit.
    expect((await client.pay(gateway.url + ECHO, post({ message: 'b' }))).status).toBe(200)
    expect(await stored(id)).toMatchObject({ charged: '20000' })
  })

  it('claims when a payer withdraws, and takes no voucher of that channel any more', async () => {
    const watching = await start()
    const buyer = await buyerOn(ground.chain)
    const client = clientOf(buyer)
    const id = await idOf(client, watching)
    expect((await client.pay(watching.url + ECHO, post({ message: 'a' }))).status).toBe(200)
    await giveGas(ground.chain, buyer.address)
    const config = client.scheme.buildChannelConfig(await offerOf(watching)) as never
    const args = [config, 900_000n] as const
    const abi = WITHDRAWING_ABI
    const data = encodeFunctionData({ abi, functionName: 'initiateWithdraw', args })
    await (await walletOn(ground.chain, buyer)).send({ to: BATCH_SETTLEMENT_ADDRESS, data })
    // The copy grows old, as after a minute.
    await ground.database.db.sql`
      UPDATE plugin_x402.x402_channel SET synced_at = now() - interval '2 minutes' WHERE id = ${id}`
    const answer = await client.pay(watching.url + ECHO, post({ message: 'b' }))
    expect(answer.status).toBe(402)
    expect(await answer.text()).toContain('channel_is_withdrawn')
    await until(async () => (await onChain(id)).claimed === 10_000n)
    await watching.stop()
  })

  it('loses nothing when it is killed between voucher and answer', async () => {
    const doomed = await start()
    const client = clientOf(await buyerOn(ground.chain))
    const id = await idOf(client, doomed)
    expect((await client.pay(doomed.url + ECHO, post({ message: 'a' }))).status).toBe(200)
    const voucher = await made(client)
    const cut = payOnce(doomed, voucher, { body: { message: 'b' } }).catch(() => null)
    await until(async () => {
      const [row] = await ground.database.db.sql`
        SELECT 1 FROM plugin_x402.x402_claim WHERE nonce = ${`channel:${id}:10000`}`
      return row !== undefined
    })
    await doomed.kill()
    await cut
    await ground.expireLeases()
    const next = await start()
    const answer = await payOnce(next, voucher, { body: { message: 'b' } })
    expect(answer.status, answer.text).toBe(200)
    expect(await stored(id)).toMatchObject({ charged: '20000' })
    await next.stop()
    expect(await onChain(id)).toMatchObject({ claimed: 20_000n })
  })

  it('loses nothing when it is killed while a deposit waits for its block', async () => {
    const doomed = await start()
    const client = clientOf(await buyerOn(ground.chain))
    const id = await idOf(client, doomed)
    const voucher = await made(client)
    await rpc(ground.chain, 'evm_setAutomine', [false])
    try {
      await killAmid(doomed, [payOnce(doomed, voucher)], async () => {
        const rows = await ground.database.db.sql`SELECT 1 FROM plugin_x402.x402_outgoing`
        return rows.length > 0
      })
    } finally {
      await rpc(ground.chain, 'evm_setAutomine', [true])
      await rpc(ground.chain, 'evm_mine')
    }
    await ground.expireLeases()
    const next = await start()
    const answer = await comeBack(() => payOnce(next, voucher))
    expect(answer.status, answer.text).toBe(200)
    expect(await stored(id)).toMatchObject({ charged: '10000' })
    expect(await onChain(id)).toMatchObject({ balance: 1_000_000n })
    await next.stop()
    expect(await onChain(id)).toEqual({ balance: 1_000_000n, claimed: 10_000n })
  })

  it('refunds once when it is killed between the reservation of the refund and its sending', async () => {
    const node = heldNode(ground.chain, ground.closing)
    const dying = await start(undefined, { PRODUCT_BASE_RPC: node.url })
    const client = clientOf(await buyerOn(ground.chain))
    const id = await idOf(client)
    expect((await client.pay(gateway.url + ECHO, post({ message: 'one' }))).status).toBe(200)
    const held = node.hold('eth_sendRawTransaction')
    const cut = client.scheme.refund(`${dying.url}/v1/x402/channels`, { amount: '400000' })
    let isReserved = false
    void held.reached.then(() => (isReserved = true))
    await killAmid(dying, [cut], () => isReserved)
    expect(await onChain(id)).toEqual({ balance: 1_000_000n, claimed: 0n })
    await ground.expireLeases()
    const { transaction, amount } = await client.scheme.refund(`${gateway.url}/v1/x402/channels`, {
      amount: '400000',
    })
    expect([amount, transaction !== '']).toEqual(['400000', true])
    held.release()
    expect(await onChain(id)).toEqual({ balance: 600_000n, claimed: 10_000n })
  })

  it('is paid over MCP, and corrects a client that lost its record there too', async () => {
    const buyer = await buyerOn(ground.chain)
    const mcp = await CLIENTS['SDK v2, auto']!.connect(`${gateway.url}/mcp`)
    const forgetful = clientOf(buyer)
    const callBy = async ({ client }: Client, message: string): Promise<any> => {
      const call = (meta?: Record<string, unknown>) =>
        mcp.callTool('demo.hash', { input: message }, meta && { meta })
      let required = (await call()).structuredContent as PaymentRequired
      for (;;) {
        const paymentPayload = await client.createPaymentPayload(required)
        const requirements = paymentPayload.accepted
        const result = await call({ 'x402/payment': paymentPayload })
        const settleResponse = result._meta?.['x402/payment-response']
        if (!result.isError) {
          await client.handlePaymentResponse({ paymentPayload, requirements, settleResponse })
          return result
        }
        required = result.structuredContent as PaymentRequired
        const context = { paymentPayload, requirements, paymentRequired: required }
        const recovered = await client.handlePaymentResponse(context)
        if (!recovered?.recovered) throw new Error(JSON.stringify(result))
      }
    }
    try {
      await mcp.listTools()
      const known = clientOf(buyer)
      const price = Number(
        ((await challengeOf(gateway, '/v1/paid/hash', HASH)) as PaymentRequired).accepts[0]!.amount,
      )
      for (const [client, times] of [
        [known, 1],
        [known, 2],
        [forgetful, 3],
      ] as const) {
        const paid = await callBy(client, `call ${times}`)
        expect(paid.structuredContent.hash).toMatch(/^[0-9a-f]{64}$/)
        const { extra } = paid._meta['x402/payment-response']
        expect(extra.channelState.chargedCumulativeAmount).toBe(String(times * price))
      }
      expect(await stored(await idOf(known))).toMatchObject({ charged: String(3 * price) })
    } finally {
      await mcp.close()
    }
  })

  describe('attacks', () => {
    let client: Client
    beforeAll(async () => {
      client = clientOf(await buyerOn(ground.chain))
      expect((await client.pay(gateway.url + ECHO, post({ message: 'a' }))).status).toBe(200)
    })
    const other = privateKeyToAccount(generatePrivateKey())
    const bends: [string, string, (payload: any, accepted: any) => void][] = [
      ['a raised ceiling', 'voucher_signature', (p) => (p.voucher.maxClaimableAmount = '20001')],
      ['a lowered ceiling', 'voucher_signature', (p) => (p.voucher.maxClaimableAmount = '15000')],
      ['another payee', 'receiver_mismatch', (p) => (p.channelConfig.receiver = other.address)],
      [
        'another authorizer',
        'receiver_authorizer_mismatch',
        (p) => (p.channelConfig.receiverAuthorizer = other.address),
      ],
      ['another token', 'token_mismatch', (p) => (p.channelConfig.token = other.address)],
      ['a short delay', 'withdraw_delay_mismatch', (p) => (p.channelConfig.withdrawDelay = 900)],
      [
        'another salt',
        'channel_id_mismatch',
        (p) => (p.channelConfig.salt = `0x${'07'.repeat(32)}`),
      ],
      ['another id', 'channel_id_mismatch', (p) => (p.voucher.channelId = `0x${'07'.repeat(32)}`)],
      [
        'another signer',
        'channel_id_mismatch',
        (p) => (p.channelConfig.payerAuthorizer = other.address),
      ],
      ['another kind', 'payload_type', (p) => (p.type = 'claim')],
      ['a lower price', 'cumulative_amount_mismatch', (_, a) => (a.amount = '1')],
      ['no price', 'cumulative_amount_mismatch', (_, a) => (a.amount = '-1')],
      ['a refund', 'payload_type', (p) => (p.type = 'refund')],
      ['a deposit without one', '', (p) => (p.type = 'deposit')],
      ['no config', '', (p) => (p.channelConfig = null)],
      [
        'a ceiling beyond uint128',
        '',
        (p) => (p.voucher.maxClaimableAmount = (2n ** 128n).toString()),
      ],
      ['a short signature', '', (p) => (p.voucher.signature = '0x00')],
    ]
    it.each(bends)('refuses %s', async (_, word, bend) => {
      const answer = await payOnce(gateway, await made(client, bend))
      expect(answer.status, answer.text).toBe(402)
      const { reason } = answer.json.problem?.details ?? answer.json.error.details
      expect(reason).toBe(word === '' ? 'invalid_payload' : `${CODE}_${word}`)
      expect(await stored(await idOf(client))).toMatchObject({ charged: '10000' })
    })

    it('refuses a voucher of another chain', async () => {
      const accepted = { ...(await offerOf()), network: 'eip155:1' as const }
      const { payload } = await client.scheme.createPaymentPayload(2, accepted, {} as never)
      const sent = encode({ x402Version: 2, accepted: await offerOf(), payload })
      expect((await payOnce(gateway, sent)).text).toContain(`${CODE}_`)
      expect(await stored(await idOf(client))).toMatchObject({ charged: '10000' })
    })

    it('refuses more than the channel holds, and a channel without a deposit', async () => {
      const poor = clientOf(await buyerOn(ground.chain, 0n))
      const answer = await payOnce(gateway, await made(poor))
      expect(answer.text).toContain(`${CODE}_deposit_simulation_failed`)
      const bare = await payOnce(
        gateway,
        await made(poor, (p) => {
          p.type = 'voucher'
          delete p.deposit
        }),
      )
      expect(bare.text).toContain(`${CODE}_channel_not_found`)
      expect(await stored(await idOf(poor))).toBeUndefined()
    })

    it('refuses a single payment in the clothes of a voucher, and the other way round', async () => {
      const exact = new ExactEvmScheme(await buyerOn(ground.chain))
      const accepted = await offerOf()
      const { payload } = await exact.createPaymentPayload(2, { ...accepted, scheme: 'exact' })
      const wrong = await payOnce(gateway, encode({ x402Version: 2, accepted, payload }))
      expect(wrong.status).toBe(402)
      const voucher = await made(client, (_, a) => (a.scheme = 'exact'))
      expect((await payOnce(gateway, voucher)).status).toBe(402)
    })

    it('knows a payer by the key that signed, not by the name in the channel', async () => {
      const victim = await buyerOn(ground.chain)
      const buyer = await buyerOn(ground.chain)
      const accepted = await offerOf()
      const signer = { ...toClientEvmSigner(buyer, reader()), address: victim.address }
      const scheme = new BatchSettlementEvmScheme(signer, { payerAuthorizer: buyer.address })
      const { payload } = await scheme.createPaymentPayload(2, accepted, {} as never)
      const refused = await payOnce(gateway, encode({ x402Version: 2, accepted, payload }))
      expect(refused.text).toContain(`${CODE}_receive_authorization_signature`)
      delete (payload as any).deposit
      Object.assign(payload, { type: 'voucher' })
      const bare = await payOnce(gateway, encode({ x402Version: 2, accepted, payload }))
      expect(bare.text).toContain(`${CODE}_channel_not_found`)
      const rows = await ground.database.db.sql<{ payer: string }[]>`
        SELECT payer FROM plugin_x402.x402_claim WHERE payer IN
          (${victim.address.toLowerCase()}, ${buyer.address.toLowerCase()})`
      expect(rows.map(({ payer }) => payer)).toEqual([buyer.address.toLowerCase()])
    })
  })

  it('is seen in health, metrics and the list of calls', async () => {
    await until(async () => {
      const { text } = await gateway.call('GET', '/metrics?format=prom')
      return /^gateway_channels_open [1-9]/m.test(text)
    })
    const { text } = await gateway.call('GET', '/metrics?format=prom', {
      headers: { authorization: `Bearer ${gateway.adminToken}` },
    })
    expect(text).toMatch(/^gateway_channels_unclaimed_atomic \d+$/m)
    expect(text).toMatch(/^gateway_channels_lost_atomic 0$/m)
    const ready = await gateway.call('GET', '/ready')
    expect(ready.text).toContain('x402')
    expect(ready.text).not.toContain('channels are for another signer')
  })

  // Instances of one database share their products: this one changes the others too.
  it('is off unless the product file says so', async () => {
    const voucher = await made(clientOf(await buyerOn(ground.chain)))
    const plain = await start('')
    expect(await offerOf(plain)).toBeUndefined()
    expect((await plain.call('GET', '/v1/x402/channels')).status).toBe(404)
    const refused = await payOnce(plain, voucher)
    expect(refused.status).toBe(402)
    expect(refused.text).toContain('unsupported_scheme')
    await plain.stop()
  })
})
