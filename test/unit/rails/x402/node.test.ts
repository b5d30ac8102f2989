/** What the rail asks of its node: nothing for garbage, and at boot whether the settings are right. */
import { encodeAbiParameters, keccak256, numberToHex, padHex, toHex, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RailCall } from '../../../../kernel/rails/contract.ts'
import contracts from '../../../../kernel/rails/x402/chain/contracts.json' with { type: 'json' }
import type { SandboxChain } from '../../../../kernel/rails/x402/chain/sandbox.ts'
import { GAS_WALLET } from '../../../../kernel/rails/x402/chain/wallets.ts'
import { settlementAddress } from '../../../../kernel/rails/x402/boot.ts'
import { resolveAsset } from '../../../../kernel/rails/x402/asset.ts'
import { x402Rail, type X402Rail } from '../../../../kernel/rails/x402/rail.ts'
import { createLedger } from '../../../../kernel/ledger/ledger.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { silentLog } from '../../../support/log.ts'
import {
  paidBy,
  requirementsIn,
  signPayment,
  testChain,
  testRail,
  buyerOn,
  workQuote as quote,
} from '../../../support/x402.ts'

let database: TestDatabase
let chain: SandboxChain
let node: CountingNode
let rail: X402Rail

interface CountingNode {
  url: string
  /** Methods asked so far. */
  asked: string[]
  stop(): Promise<void>
}

/** Passes everything on to the chain and remembers what was asked. */
function countingNode(target: string): CountingNode {
  const asked: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = await request.text()
      const calls = [JSON.parse(body)].flat() as { method: string }[]
      asked.push(...calls.map((call) => call.method))
      return fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    stop: async () => {
      await server.stop(true)
    },
  }
}

beforeAll(async () => {
  database = await testDatabase()
  chain = await testChain()
  node = countingNode(chain.rpcUrl)
  rail = await testRail(
    { database: database.db, ledger: createLedger(database.db), chain },
    { rpcUrl: node.url },
  )
})
afterAll(async () => {
  await rail.stop()
  await node.stop()
  await chain.stop()
  await database.close()
})

const callOf = (): RailCall => ({
  requestId: crypto.randomUUID(),
  quote,
  identity: null,
  fingerprint: 'f',
  acquisition: null,
  deadline: new Date(Date.now() + 5000),
  holdId: Bun.randomUUIDv7(),
})
const requirements = () => requirementsIn(rail.offer(quote)!.challenge)

describe('garbage', () => {
  it('costs no question to the node', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const good = await signPayment(account, requirements())
    const bad: unknown[] = [
      'garbage',
      '',
      {},
      { x402Version: 2 },
      { ...good, payload: {} },
      {
        ...good,
        payload: { ...good.payload, signature: '0x00' },
        accepted: { ...good.accepted, amount: '1' },
      },
      await signPayment(account, requirements(), { authorization: { value: 1n } }),
      await signPayment(account, requirements(), { authorization: { validBefore: 1n } }),
      await signPayment(account, requirements(), { authorization: { to: account.address } }),
      await signPayment(account, requirements(), { accepted: { network: 'eip155:1' } }),
    ]
    const before = node.asked.length
    for (const payment of bad) {
      expect((await rail.authorize(callOf(), paidBy(payment))).outcome).toBe('refused')
    }
    expect(node.asked.slice(before)).toEqual([])
  })

  it('that could be of a contract account costs one question a payer', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const before = node.asked.length
    for (let index = 0; index < 60; index++) {
      const payment = await signPayment(account, requirements(), { domain: { name: 'USDC' } })
      expect((await rail.authorize(callOf(), paidBy(payment))).outcome).toBe('refused')
    }
    const asked = node.asked.slice(before)
    expect(new Set(asked)).toEqual(new Set(['eth_getCode']))
    expect(asked.length).toBe(1)
  })
})

describe('a payer that is a contract (EIP-1271)', () => {
  it('pays by the signature that its wallet accepts', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const wallet = privateKeyToAccount(generatePrivateKey()).address
    await chainRequest('anvil_setCode', [wallet, contracts.SandboxWallet.runtimeCode])
    await chainRequest('anvil_setStorageAt', [
      wallet,
      numberToHex(0, { size: 32 }),
      padHex(owner.address, { size: 32 }),
    ])
    await chain.fund(wallet, 1_000_000n)
    const payment = await signPayment({ ...owner, address: wallet } as typeof owner, requirements())
    const call = callOf()
    const authorized = await rail.authorize(call, paidBy(payment))
    if (authorized.outcome !== 'authorized') throw new Error(JSON.stringify(authorized))
    const captured = await rail.capture(authorized.authorization, 10_000n, null)
    expect(captured.outcome).toBe('captured')
    expect(await chain.balanceOf(wallet)).toBe(990_000n)
  })

  it('is refused when the wallet does not', async () => {
    const stranger = privateKeyToAccount(generatePrivateKey())
    const wallet = privateKeyToAccount(generatePrivateKey()).address
    await chainRequest('anvil_setCode', [wallet, contracts.SandboxWallet.runtimeCode])
    await chain.fund(wallet, 1_000_000n)
    const payment = await signPayment(
      { ...stranger, address: wallet } as typeof stranger,
      requirements(),
    )
    expect(await rail.authorize(callOf(), paidBy(payment))).toMatchObject({
      outcome: 'refused',
      failure: { details: { field: 'payload.signature' } },
    })
  })
})

describe('parallel settlements by the own signer', () => {
  it('get consecutive nonces and all arrive', async () => {
    const buyer = await buyerOn(chain)
    const before = await chain.balanceOf(chain.receivingAddress)
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const authorized = await rail.authorize(
          callOf(),
          paidBy(await signPayment(buyer, requirements())),
        )
        if (authorized.outcome !== 'authorized') throw new Error(JSON.stringify(authorized))
        return rail.capture(authorized.authorization, 10_000n, null)
      }),
    )
    expect(outcomes.map((outcome) => outcome.outcome)).toEqual(Array(20).fill('captured'))
    expect((await chain.balanceOf(chain.receivingAddress)) - before).toBe(200_000n)
  })
})

describe('two instances with the same signer key', () => {
  it('settle side by side, whoever takes the next nonce', async () => {
    const second = await testRail(
      { database: database.open(), ledger: createLedger(database.db), chain },
      { rpcUrl: node.url },
    )
    const buyer = await buyerOn(chain)
    const before = await chain.balanceOf(chain.receivingAddress)
    const sentBefore = await sentByOwnAccount()
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const instance = index % 2 === 0 ? rail : second
        const payment = paidBy(await signPayment(buyer, requirements()))
        const authorized = await instance.authorize(callOf(), payment)
        if (authorized.outcome !== 'authorized') throw new Error(JSON.stringify(authorized))
        return instance.capture(authorized.authorization, 10_000n, null)
      }),
    )
    expect(outcomes.map((outcome) => outcome.outcome)).toEqual(Array(20).fill('captured'))
    expect((await chain.balanceOf(chain.receivingAddress)) - before).toBe(200_000n)
    // No place was used twice, and none in vain.
    expect((await sentByOwnAccount()) - sentBefore).toBe(20)
    await second.stop()
  })
})

describe('at boot', () => {
  const railOf = (options: Partial<Parameters<typeof x402Rail>[0]>) =>
    x402Rail({
      database: database.db,
      ledger: createLedger(database.db),
      log: silentLog,
      network: 'eip155:8453',
      asset: null,
      payTo: chain.receivingAddress,
      facilitators: [],
      rpcUrl: chain.rpcUrl,
      signerKey: chain.signerKey,
      ...options,
    })
  async function reasonOf(options: Partial<Parameters<typeof x402Rail>[0]>): Promise<string> {
    const made = railOf(options)
    await made.start()
    const open = made.available()
    await made.stop()
    return open.ok ? 'open' : open.reason
  }

  it('a right configuration opens the rail', async () => {
    expect(await reasonOf({})).toBe('open')
  })

  it('each setting that is missing or wrong closes it with a reason that names it', async () => {
    expect(await reasonOf({ payTo: null })).toContain('SETTLEMENT_ADDRESS')
    expect(await reasonOf({ signerKey: null })).toContain('X402_SIGNER_KEY')
    expect(await reasonOf({ rpcUrl: null })).toContain('X402_RPC_URL')
    expect(await reasonOf({ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' })).toContain(
      'X402_NETWORK',
    )
    expect(await reasonOf({ network: 'eip155:31337' })).toContain('31337')
    expect(await reasonOf({ network: 'eip155:84532' })).toContain('is chain 8453')
    expect(await reasonOf({ rpcUrl: 'http://127.0.0.1:1' })).toContain('X402_RPC_URL')
    expect(await reasonOf({ asset: '0x000000000000000000000000000000000000dEaD' })).toContain(
      'known',
    )
  })

  it('a token of another domain, or none at all, closes it', async () => {
    const asset = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    const slot = numberToHex(3, { size: 32 })
    const name = await storage(asset, slot)
    await chainRequest('anvil_setStorageAt', [
      asset,
      slot,
      `0x${toHex('USDC').slice(2).padEnd(62, '0')}08`,
    ])
    expect(await reasonOf({})).toContain('calls itself "USDC"')
    await chainRequest('anvil_setStorageAt', [asset, slot, name])
    await chainRequest('anvil_setCode', [asset, '0x'])
    expect(await reasonOf({})).toContain('no contract')
    await chainRequest('anvil_setCode', [asset, contracts.SandboxToken.runtimeCode])
    expect(await reasonOf({})).toBe('open')
  })

  it('a node that is down leaves a remote facilitator in charge', async () => {
    const options = { rpcUrl: 'http://127.0.0.1:1', facilitators: ['http://127.0.0.1:2'] }
    expect(await reasonOf(options)).toBe('open')
  })

  it('the settlement address is checked against its checksum', () => {
    const right = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    expect(settlementAddress(right)).toEqual({ ok: true, address: right })
    expect(settlementAddress(right.toLowerCase())).toEqual({ ok: true, address: right })
    expect(settlementAddress(right.replace('C44', 'c44')).ok).toBe(false)
    expect(settlementAddress(`0x${'0'.repeat(40)}`).ok).toBe(false)
  })

  it('knows the domain of USDC on several networks', () => {
    expect(resolveAsset('eip155:84532', null)).toMatchObject({
      asset: { name: 'USDC', networkV1: 'base-sepolia' },
    })
    expect(resolveAsset('eip155:137', null)).toMatchObject({
      asset: { name: 'USD Coin', networkV1: 'polygon' },
    })
    expect(resolveAsset('eip155:4326', null)).toMatchObject({ ok: false })
  })
})

describe('the sandbox token', () => {
  it('keeps its balances in the first slot', async () => {
    const owner = privateKeyToAccount(generatePrivateKey()).address
    await chain.fund(owner, 42n)
    const key = keccak256(
      encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 0n]),
    )
    expect(BigInt(await storage('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', key))).toBe(42n)
  })
})

async function chainRequest(method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown }
  expect(error).toBeUndefined()
  return result
}
async function sentByOwnAccount(): Promise<number> {
  return Number(await chainRequest('eth_getTransactionCount', [GAS_WALLET.address, 'latest']))
}
async function storage(address: string, slot: Hex): Promise<Hex> {
  return (await chainRequest('eth_getStorageAt', [address, slot, 'latest'])) as Hex
}
