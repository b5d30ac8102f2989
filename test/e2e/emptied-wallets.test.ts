/** Wallets whose money is gone, or promised several times, when what they paid for is settled. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Credential } from 'mppx'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PLAN_PRODUCT } from '../chaos/faults/customer-plan.ts'
import type { Answer, GatewayProcess } from '../support/gateway.ts'
import { challengesOf, credentialFor } from '../support/mpp.ts'
import { buyerOn, walletOn, withoutChain } from '../support/x402/chain.ts'
import { challengeOf, until, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { encode, offerIn, signPayment, signPermit2 } from '../support/x402/payments.ts'

const without = withoutChain('wallets that are emptied')
const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'coinop-emptied-'))
const STRANGER = '0x00000000000000000000000000000000000000ee'
const SECRET = 'what-was-worked-out'

/** Each call says that it has begun, and ends when it is let go. */
const PLUGIN = `
import { existsSync, writeFileSync } from 'node:fs'
import { definePlugin, defineSkill } from '@coinop/gateway'
import { Type } from 'typebox'
const work = defineSkill({
  id: 'slow.work', tools: [{ name: 'slow.work' }], title: 'Work', description: 'Takes its time.',
  input: Type.Object({ name: Type.String() }, { additionalProperties: false }),
  output: Type.Object({ made: Type.String() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler(_, { name }) {
    writeFileSync(${JSON.stringify(folder)} + '/began-' + name, '')
    while (!existsSync(${JSON.stringify(folder)} + '/go-' + name)) await Bun.sleep(20)
    return { ok: true, output: { made: '${SECRET}' } }
  },
})
export default definePlugin({
  id: 'slow', version: '1.0.0', kernel: '^1.0.0', config: Type.Object({}),
  setup: () => ({ skills: [work] }),
})`
const PRODUCTS = {
  slow: `
product_id: slow
title: Slow
description: Work that takes its time.
base_path: /v1/slow
plugin: slow
metered: true
skills:
  - skill: slow.work
    route: POST /work
    price: { credits: 1 }
`,
  plans: PLAN_PRODUCT,
}
const ROUTE = '/v1/slow/work'

describe.skipIf(without)('a wallet', () => {
  const ground = x402Ground()
  const { start, ownSigner } = x402Gateways(ground, () => ({
    PLUGINS_DIR: join(folder, 'plugins'),
    PRODUCTS_DIR: join(folder, 'products'),
    MPP_METHODS: 'evm/charge',
  }))
  let first: GatewayProcess
  let second: GatewayProcess
  let names = 0

  beforeAll(async () => {
    for (const name of ['plugins', 'products', 'node_modules']) mkdirSync(join(folder, name))
    symlinkSync(join(root, 'node_modules/typebox'), join(folder, 'node_modules/typebox'))
    writeFileSync(join(folder, 'plugins/slow.ts'), PLUGIN)
    for (const [name, text] of Object.entries(PRODUCTS))
      writeFileSync(join(folder, `products/${name}.yaml`), text)
    for (const name of ['mcp', 'mpp', 'topup', 'x402'])
      cpSync(join(root, `products/${name}.yaml`), join(folder, `products/${name}.yaml`))
    first = await start(ownSigner())
    second = await start(ownSigner())
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  type Way = 'exact' | 'permit2' | 'upto' | 'mpp'
  const WAYS: readonly Way[] = ['exact', 'permit2', 'upto', 'mpp']
  interface Order {
    path: string
    body: object
    headers?: Record<string, string>
  }

  /** The x402 payment of this wallet for what the challenge offers in this way. */
  const paymentBy = (
    by: PrivateKeyAccount,
    way: Exclude<Way, 'mpp'>,
    challenge: Parameters<typeof offerIn>[0],
  ) =>
    way === 'exact'
      ? signPayment(by, offerIn(challenge, 'exact'))
      : signPermit2(by, offerIn(challenge, way === 'upto' ? 'upto' : 'exact', 'permit2'))

  /** The header that pays for this order in this way, signed by this wallet. */
  async function headerFor(
    by: PrivateKeyAccount,
    way: Way,
    { path, body, headers: shown = {} }: Order,
  ): Promise<Record<string, string>> {
    if (way === 'mpp') {
      const challenge = challengesOf(await first.call('POST', path, { body }))[0]!
      return { authorization: await credentialFor(by, challenge) }
    }
    const challenge = await challengeOf(first, path, { body, headers: shown })
    return { ...shown, 'payment-signature': encode(await paymentBy(by, way, challenge)) }
  }

  const took: Record<string, (by: PrivateKeyAccount) => Promise<unknown>> = {
    'has no money left': async (by) => {
      const all = await ground.chain.balanceOf(by.address)
      await (await walletOn(ground.chain, by)).transfer(STRANGER, all)
    },
    'allows Permit2 nothing any more': (by) => ground.chain.allowPermit2(by.address, 0n),
  }

  it.each([
    ...WAYS.map((way) => [way, 'has no money left'] as const),
    ['permit2', 'allows Permit2 nothing any more'],
    ['upto', 'allows Permit2 nothing any more'],
  ] as const)(
    'that pays by %s and %s at the end of the work gets nothing of it',
    async (way, how) => {
      const by = await buyerOn(ground.chain, 10_000n)
      const name = `n${++names}`
      const order = { path: ROUTE, body: { name } }
      const headers = await headerFor(by, way, order)
      const call = first.call('POST', ROUTE, { body: order.body, headers })
      await until(() => readdirSync(folder).includes(`began-${name}`))
      await took[how]!(by)
      writeFileSync(join(folder, `go-${name}`), '')
      const answer = await call
      expect([answer.status, answer.text]).toEqual([402, expect.not.stringContaining(SECRET)])
      for (const gateway of [second, first]) {
        const again = await gateway.call('POST', ROUTE, { body: order.body, headers })
        expect(again.status).not.toBe(200)
        expect(again.text).not.toContain(SECRET)
      }
    },
  )

  it('that pays for a tool by x402 or MPP and is emptied meanwhile gets nothing of it', async () => {
    const tool = async (meta: object, name: string): Promise<Answer> =>
      first.call('POST', '/mcp', {
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'slow.work', arguments: { name }, _meta: meta },
        },
        headers: { accept: 'application/json, text/event-stream' },
      })
    for (const way of WAYS) {
      const by = await buyerOn(ground.chain, 10_000n)
      const name = `n${++names}`
      const { result } = (await tool({}, name)).json
      let meta: object
      if (way === 'mpp') {
        const [challenge] = result._meta['org.paymentauth/payment-required'].challenges
        const credential = Credential.deserialize(await credentialFor(by, challenge))
        meta = { 'org.paymentauth/credential': credential }
      } else {
        meta = { 'x402/payment': await paymentBy(by, way, result.structuredContent) }
      }
      const call = tool(meta, name)
      await until(() => readdirSync(folder).includes(`began-${name}`))
      await took['has no money left']!(by)
      writeFileSync(join(folder, `go-${name}`), '')
      const answers = [await call, await tool(meta, name)]
      for (const { text } of answers) {
        expect(text, way).toContain('"isError":true')
        expect(text, way).not.toContain(SECRET)
      }
    }
  })

  it.each(['exact', 'permit2', 'mpp'] as const)(
    'with money for one gets one of twelve at once by %s, on two instances',
    async (way) => {
      const by = await buyerOn(ground.chain, 500_000n)
      const keys = await Promise.all(Array.from({ length: 12 }, () => first.key(0)))
      const orders = keys.map(({ id, key }, i): Order =>
        // Plans are not sold by MPP.
        i % 2 === 0 || way === 'mpp'
          ? { path: '/v1/credits/topup/x402', body: { amountUsd: 0.5, apiKeyId: id } }
          : {
              path: '/v1/plans/x402',
              body: { plan: 'starter', apiKeyId: id },
              headers: { 'x-api-key': key },
            },
      )
      const headers: Record<string, string>[] = []
      for (const order of orders) headers.push(await headerFor(by, way, order))
      const before = await ground.received()
      const answers = await Promise.all(
        orders.map(({ path, body }, i) =>
          (i % 4 < 2 ? first : second).call('POST', path, { body, headers: headers[i]! }),
        ),
      )
      const statuses = answers.map(({ status }) => status)
      expect(
        statuses.filter((status) => status === 200),
        statuses.join(),
      ).toHaveLength(1)
      // Whoever was told to come back does, at the other gateway.
      for (const [i, { path, body }] of orders.entries())
        await (i % 4 < 2 ? second : first).call('POST', path, { body, headers: headers[i]! })
      expect((await ground.received()) - before).toBe(500_000n)
      const balances = await Promise.all(
        keys.map(
          async ({ id }) => (await first.admin('GET', `/v1/keys/${id}`)).json.balance.credits,
        ),
      )
      expect(balances.filter((credits) => credits > 0)).toHaveLength(1)
    },
  )
})
