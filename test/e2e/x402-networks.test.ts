/** One gateway, several networks and tokens, and unmodified clients on each of them. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { wrapAxiosWithPayment } from '@x402/axios'
import type { PaymentRequired } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import axios from 'axios'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveAsset } from '../../plugins/x402/terms/asset.ts'
import { TEST_WALLET } from '../../plugins/x402/sandbox/wallets.ts'
import type { GatewayProcess } from '../support/gateway.ts'
import { giveGas, withoutChain } from '../support/x402/chain.ts'
import { startFacilitator } from '../support/x402/facilitator.ts'
import { challengeOf, payOnce, post, until, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { chainWith, lyingNode, tokenOn, type TokenChain } from '../support/x402/networks.ts'
import { encode, signPayment } from '../support/x402/payments.ts'

const ECHO = '/v1/paid/echo'
const PAY_TO = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const POLYGON = 'eip155:137'
const FINE = 'eip155:777018'
const COARSE = 'eip155:777002'
const buyer = privateKeyToAccount(TEST_WALLET.privateKey)

/** A client that pays on one network; `isUnlisted`: in a token that its defaults do not know. */
function clientOn(network: `${string}:${string}`, isUnlisted = false): x402Client {
  const client = new x402Client().register(network, new ExactEvmScheme(buyer))
  return isUnlisted ? client.setSpendControls(false) : client
}

describe.skipIf(withoutChain('x402 on several networks'))('a gateway of four networks', () => {
  const ground = x402Ground()
  const folder = mkdtempSync(join(tmpdir(), 'coinop-networks-'))
  let polygon: TokenChain
  let fine: TokenChain
  let coarse: TokenChain
  let gateway: GatewayProcess
  let gateways: ReturnType<typeof x402Gateways>

  const productsOf = (name: string, networks: string): string => {
    const products = join(folder, name)
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
${networks}`,
    )
    return products
  }

  beforeAll(async () => {
    const resolved = resolveAsset(POLYGON, null)
    if (!resolved.ok) throw new Error(resolved.reason)
    ;[polygon, fine, coarse] = await Promise.all([
      chainWith(resolved.asset),
      chainWith(tokenOn(777018, 18)),
      chainWith(tokenOn(777002, 2)),
    ])
    for (const { chain } of [polygon, fine, coarse]) ground.closing(() => chain.stop())
    // The reference, strict, without a node of our own; and loose, beside one.
    const strict = startFacilitator(polygon.chain, generatePrivateKey(), 137)
    strict.isStrict = true
    const loose = startFacilitator(fine.chain, generatePrivateKey(), 777018)
    for (const facilitator of [strict, loose]) ground.closing(() => facilitator.stop())
    await giveGas(coarse.chain, PAY_TO)
    const products = productsOf(
      'products',
      `    - network: eip155:8453
      pay_to: '${PAY_TO}'
      rpc: \${PRODUCT_BASE_RPC}
      signer: \${PRODUCT_SIGNER}
    - network: ${POLYGON}
      pay_to: '${PAY_TO}'
      facilitators: [{ url: '${strict.url}' }]
    - network: ${FINE}
      asset: '${fine.asset.address}'
      decimals: 18
      name: Dollar 18
      version: '1'
      pay_to: '${PAY_TO}'
      rpc: ${fine.chain.rpcUrl}
      facilitators: [{ url: '${loose.url}', auth: 'Bearer \${PRODUCT_TOKEN}' }]
    - network: ${COARSE}
      asset: '${coarse.asset.address}'
      decimals: 2
      name: Dollar 2
      version: '1'
      pay_to: '${PAY_TO}'
      rpc: ${coarse.chain.rpcUrl}
      signer: \${PRODUCT_SIGNER}
`,
    )
    gateways = x402Gateways(ground, () => ({
      PRODUCT_BASE_RPC: ground.chain.rpcUrl,
      PRODUCT_SIGNER: ground.chain.signerKey,
      PRODUCT_TOKEN: 'a-token-of-the-facilitator',
    }))
    gateway = await gateways.start({ PRODUCTS_DIR: products })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('offers each in units of its token, the first to version 1, below 4 KiB', async () => {
    const unpaid = await gateway.call('POST', ECHO, { body: { message: 'hi' } })
    expect(unpaid.headers.get('payment-required')!.length).toBeLessThan(4096)
    const { accepts } = (await challengeOf(gateway)) as PaymentRequired
    const exact = accepts.filter(({ scheme, extra }) => scheme === 'exact' && extra['name'])
    expect(exact.map(({ network, amount }) => [network, amount])).toEqual([
      ['eip155:8453', '10000'],
      [POLYGON, '10000'],
      [FINE, '10000000000000000'],
      [COARSE, '1'],
    ])
    expect(unpaid.json.accepts).toMatchObject([{ network: 'base', maxAmountRequired: '10000' }])
    const discovery = await gateway.call('GET', '/.well-known/x402')
    const item = discovery.json.items.find((one: any) => one.skill === 'demo.echo')
    expect(item.accepts.map((one: any) => one.network)).toEqual(
      expect.arrayContaining(['eip155:8453', POLYGON, FINE, COARSE]),
    )
  })

  it.each([
    ['eip155:8453', false, 10_000n],
    [POLYGON, false, 10_000n],
    [FINE, true, 10_000_000_000_000_000n],
    [COARSE, true, 1n],
  ] as const)('is paid on %s by @x402/fetch and @x402/axios', async (network, unlisted, units) => {
    const chains = { [POLYGON]: polygon, [FINE]: fine, [COARSE]: coarse }
    const { chain } = network === 'eip155:8453' ? ground : chains[network]
    const before = await chain.balanceOf(PAY_TO)
    const client = clientOn(network, unlisted)
    await chain.fund(buyer.address, units * 1000n)
    const pay = wrapFetchWithPayment(fetch, client)
    const answer = await pay(gateway.url + ECHO, post({ message: network }))
    expect(answer.status, await answer.clone().text()).toBe(200)
    const receipt = decodePaymentResponseHeader(answer.headers.get('payment-response')!)
    expect(receipt).toMatchObject({ success: true, network, amount: units.toString() })
    expect(answer.headers.get('x-charged-credits')).toBe('1')

    const api = wrapAxiosWithPayment(axios.create(), client as never)
    const second = await api.post(gateway.url + ECHO, { message: `${network} again` })
    expect(second.status).toBe(200)
    expect((await chain.balanceOf(PAY_TO)) - before).toBe(units * 2n)
  })

  it('books dollars, with the units of the token beside them', async () => {
    const { sql } = ground.database.db
    const rows = await sql<{ network: string; amount: bigint; units: string }[]>`
      SELECT DISTINCT network, amount, units FROM plugin_x402.x402_claim WHERE state = 'settled'`
    const booked = rows.map(({ network, amount, units }) => [network, BigInt(amount), units])
    expect(booked).toEqual(
      expect.arrayContaining([
        ['eip155:8453', 10_000n, '10000'],
        [FINE, 10_000n, '10000000000000000'],
        [COARSE, 10_000n, '1'],
      ]),
    )
  })

  it('takes a payment for the offer that it names alone', async () => {
    const { accepts } = (await challengeOf(gateway)) as PaymentRequired
    const offer = (network: string) => accepts.find((one) => one.network === network)!
    const mixed: [object, string][] = [
      [{ network: POLYGON }, 'accepted.asset'],
      [{ asset: offer(POLYGON).asset }, 'accepted.asset'],
      [{ payTo: buyer.address }, 'accepted.payTo'],
      [{ amount: '10001' }, 'payload.authorization.value'],
      [{ network: 'eip155:1' }, 'accepted.network'],
      [{ extra: { name: 'Dollar 18', version: '1' } }, 'accepted.extra.name'],
    ]
    for (const [accepted, field] of mixed) {
      const payment = await signPayment(buyer, offer('eip155:8453'), { accepted: { ...accepted } })
      const answer = await payOnce(gateway, encode(payment))
      expect([answer.status, answer.problem.details.field]).toEqual([402, field])
    }
    // Signed for one chain and sent with the offer of another.
    const elsewhere = await signPayment(buyer, offer(POLYGON))
    const sent = { ...elsewhere, accepted: offer('eip155:8453') }
    expect((await payOnce(gateway, encode(sent))).problem.details.field).toBe('payload.signature')
  })

  it('keeps the same nonce on two chains apart', async () => {
    const { accepts } = (await challengeOf(gateway)) as PaymentRequired
    const nonce = `0x${'5a'.repeat(32)}` as const
    for (const network of ['eip155:8453', COARSE]) {
      const offer = accepts.find((one) => one.network === network)!
      const payment = await signPayment(buyer, offer, { authorization: { nonce } })
      const answer = await payOnce(gateway, encode(payment), { body: { message: network } })
      expect([answer.status, answer.json.message]).toEqual([200, network])
    }
  })

  it('tells programs and people what it takes', async () => {
    for (const path of ['/llms.txt', '/']) {
      const { text } = await gateway.call('GET', path)
      expect(text, path).toContain(`USD Coin on base (eip155:8453)`)
      expect(text, path).toContain(`Dollar 18 on ${FINE}`)
    }
  })

  it('names each in /ready and shows no secret', async () => {
    const ready = await gateway.admin('GET', '/ready')
    expect(ready.text).toContain(COARSE)
    const product = await gateway.admin('GET', '/v1/products/x402')
    for (const text of [product.text, ready.text, gateway.output()]) {
      expect(text).not.toContain('a-token-of-the-facilitator')
      expect(text).not.toContain(ground.chain.signerKey)
    }
  })

  it('closes the entry whose node contradicts its settings, and no other', async () => {
    const liar = lyingNode(coarse.chain, 6)
    ground.closing(() => liar.stop())
    const own = (token: TokenChain, rpc: string) => `    - network: ${token.asset.network}
      asset: '${token.asset.address}'
      decimals: ${token.asset.decimals}
      name: ${token.asset.name}
      version: '1'
      pay_to: '${PAY_TO}'
      rpc: ${rpc}
      signer: \${PRODUCT_SIGNER}
`
    const products = productsOf('lied-to', own(coarse, liar.url) + own(fine, fine.chain.rpcUrl))
    const doubting = await gateways.start({ PRODUCTS_DIR: products })
    const { accepts } = (await challengeOf(doubting)) as PaymentRequired
    expect(new Set(accepts.map(({ network }) => network))).toEqual(new Set([FINE]))
    const unpaid = await doubting.call('POST', ECHO, { body: {} })
    expect(unpaid.json.accepts).toBeUndefined()
    await until(async () => {
      const { text } = await doubting.admin('GET', '/ready')
      return text.includes('degraded') && text.includes('has 6 decimals, not 2')
    })
    const pay = wrapFetchWithPayment(fetch, clientOn(FINE, true))
    expect((await pay(doubting.url + ECHO, post({ message: 'hi' }))).status).toBe(200)
  })
})
