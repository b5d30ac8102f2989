/** What the rail asks of its node: nothing for garbage, and at boot whether the settings are right. */
import { encodeAbiParameters, keccak256, numberToHex, toHex, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { serializeErc6492Signature } from 'viem/utils'
import { beforeAll, describe, expect, it } from 'vitest'
import contracts from '../../../../plugins/x402/sandbox/contracts.json' with { type: 'json' }
import { GAS_WALLET } from '../../../../plugins/x402/sandbox/wallets.ts'
import { settlementAddress } from '../../../../plugins/x402/chain/chain-check.ts'
import { resolveAsset } from '../../../../plugins/x402/terms/asset.ts'
import type { X402Rail } from '../../../../plugins/x402/rail.ts'
import { buyerOn, contractWallet, rpc } from '../../../support/x402/chain.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { paidBy, requirementsIn, signPayment } from '../../../support/x402/payments.ts'
import {
  authorized,
  railCall,
  startRail,
  workQuote as quote,
  type RailOptions,
} from '../../../support/x402/rail.ts'

const ground = x402Ground()
const { received } = ground
let node: CountingNode
let rail: X402Rail

interface CountingNode {
  url: string
  /** Methods asked so far. */
  asked: string[]
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
  ground.closing(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}`, asked }
}

beforeAll(async () => {
  node = countingNode(ground.chain.rpcUrl)
  rail = await startRail(ground, { rpcUrl: node.url })
})

const callOf = () => railCall(quote)
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
  /** Takes every signature. */
  const TAKES = '0x631626ba7e60e01b60005260206000f3'

  it('pays by the signature that its wallet accepts', async () => {
    const wallet = await contractWallet(ground.chain)
    await ground.chain.fund(wallet.address, 1_000_000n)
    const payment = await signPayment(wallet, requirements())
    const authorization = await authorized(rail, callOf(), payment)
    expect((await rail.capture(authorization, 10_000n, null)).outcome).toBe('captured')
    expect(await ground.chain.balanceOf(wallet.address)).toBe(990_000n)
  })

  it('pays also where its client wraps the signature in how the wallet is deployed (ERC-6492)', async () => {
    const wallet = await contractWallet(ground.chain)
    await ground.chain.fund(wallet.address, 1_000_000n)
    const payment = await signPayment(wallet, requirements())
    const { signature } = payment.payload
    const wrap = { address: wallet.address, data: '0x1234', signature } as const
    payment.payload.signature = serializeErc6492Signature(wrap)
    const authorization = await authorized(rail, callOf(), payment)
    expect((await rail.capture(authorization, 10_000n, null)).outcome).toBe('captured')
    expect(await ground.chain.balanceOf(wallet.address)).toBe(990_000n)
  })

  it('pays by 65 bytes of a form of its own', async () => {
    const { address } = privateKeyToAccount(generatePrivateKey())
    await rpc(ground.chain, 'anvil_setCode', [address, TAKES])
    await ground.chain.fund(address, 1_000_000n)
    const payment = await signPayment({ ...ground.buyer, address }, requirements())
    // As Safe marks what its owner signed by eth_sign.
    payment.payload.signature = `${payment.payload.signature.slice(0, -2)}1f` as Hex
    const authorization = await authorized(rail, callOf(), payment)
    expect((await rail.capture(authorization, 10_000n, null)).outcome).toBe('captured')
    expect(await ground.chain.balanceOf(address)).toBe(990_000n)
  })

  it('is refused when the wallet does not', async () => {
    const stranger = privateKeyToAccount(generatePrivateKey())
    const { address } = await contractWallet(ground.chain)
    await ground.chain.fund(address, 1_000_000n)
    const payment = await signPayment({ ...stranger, address }, requirements())
    expect(await rail.authorize(callOf(), paidBy(payment))).toMatchObject({
      outcome: 'refused',
      failure: { details: { field: 'payload.signature' } },
    })
  })
})

describe('a payer with a key and code (EIP-7702)', () => {
  /** Takes every signature, after some ten million gas. */
  const BURNS = '0x62061a805b600190038060045750631626ba7e60e01b60005260206000f3'
  const DENIES = '0x60006000f3'
  const withCode = async (code: string) => {
    const account = await buyerOn(ground.chain)
    const set = () => rpc(ground.chain, 'anvil_setCode', [account.address, code])
    return { account, set }
  }

  it.each([
    ['burns the gas', BURNS],
    ['denies what its key has signed', DENIES],
  ])('that %s is refused before any work', async (_, code) => {
    const { account, set } = await withCode(code)
    await set()
    const payment = await signPayment(account, requirements())
    expect(await rail.authorize(callOf(), paidBy(payment))).toMatchObject({
      outcome: 'refused',
      failure: { details: { reason: 'invalid_exact_evm_transaction_simulation_failed' } },
    })
  })

  it('that begins to burn gas after the check costs the gateway none', async () => {
    const { account, set } = await withCode(BURNS)
    const payment = await signPayment(account, requirements())
    const authorization = await authorized(rail, callOf(), payment)
    await set()
    const sentBefore = await sentByOwnAccount()
    expect(await rail.capture(authorization, 10_000n, null)).toMatchObject({
      outcome: 'failed',
      failure: { code: 'PAYMENT_FAILED' },
    })
    expect(await sentByOwnAccount()).toBe(sentBefore)
  })
})

describe('a payer whose code fails in a block alone', () => {
  /** Takes every signature in a trial, where gas has no price, and none in a block. */
  const TELLS_TRIALS = '0x3a15600a5760006000f35b631626ba7e60e01b60005260206000f3'

  it('costs the gateway the gas of one transaction, and is refused before the next work', async () => {
    const account = await buyerOn(ground.chain)
    await rpc(ground.chain, 'anvil_setCode', [account.address, TELLS_TRIALS])
    const sign = () => signPayment(account, requirements())
    const first = await authorized(rail, callOf(), await sign())
    const second = await authorized(rail, callOf(), await sign())
    const sentBefore = await sentByOwnAccount()
    expect(await rail.capture(first, 10_000n, null)).toMatchObject({
      outcome: 'failed',
      failure: { details: { reason: 'invalid_exact_evm_transaction_failed' } },
    })
    expect(await rail.capture(second, 10_000n, null)).toMatchObject({
      outcome: 'failed',
      failure: { details: { reason: 'invalid_exact_evm_transaction_simulation_failed' } },
    })
    expect((await sentByOwnAccount()) - sentBefore).toBe(1)
    expect(await rail.authorize(callOf(), paidBy(await sign()))).toMatchObject({
      outcome: 'refused',
      failure: { details: { reason: 'invalid_exact_evm_transaction_simulation_failed' } },
    })
  })
})

describe('parallel settlements by the own signer', () => {
  it('get consecutive nonces and all arrive', async () => {
    const before = await received()
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const payment = await signPayment(ground.buyer, requirements())
        return rail.capture(await authorized(rail, callOf(), payment), 10_000n, null)
      }),
    )
    expect(outcomes.map((outcome) => outcome.outcome)).toEqual(Array(20).fill('captured'))
    expect((await received()) - before).toBe(200_000n)
  })
})

describe('two instances with the same signer key', () => {
  it('settle side by side, whoever takes the next nonce', async () => {
    const second = await startRail(ground, {
      database: ground.database.open(),
      rpcUrl: node.url,
    })
    const before = await received()
    const sentBefore = await sentByOwnAccount()
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const instance = index % 2 === 0 ? rail : second
        const payment = await signPayment(ground.buyer, requirements())
        return instance.capture(await authorized(instance, callOf(), payment), 10_000n, null)
      }),
    )
    expect(outcomes.map((outcome) => outcome.outcome)).toEqual(Array(20).fill('captured'))
    expect((await received()) - before).toBe(200_000n)
    // No place was used twice, and none in vain.
    expect((await sentByOwnAccount()) - sentBefore).toBe(20)
  })
})

describe('at boot', () => {
  async function reasonOf(options: RailOptions): Promise<string> {
    const made = await startRail(ground, options)
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
    await rpc(ground.chain, 'anvil_setStorageAt', [
      asset,
      slot,
      `0x${toHex('USDC').slice(2).padEnd(62, '0')}08`,
    ])
    expect(await reasonOf({})).toContain('calls itself "USDC"')
    await rpc(ground.chain, 'anvil_setStorageAt', [asset, slot, name])
    await rpc(ground.chain, 'anvil_setCode', [asset, '0x'])
    expect(await reasonOf({})).toContain('no contract')
    await rpc(ground.chain, 'anvil_setCode', [asset, contracts.SandboxToken.runtimeCode])
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
    await ground.chain.fund(owner, 42n)
    const key = keccak256(
      encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 0n]),
    )
    expect(BigInt(await storage('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', key))).toBe(42n)
  })
})

async function sentByOwnAccount(): Promise<number> {
  return Number(await rpc(ground.chain, 'eth_getTransactionCount', [GAS_WALLET.address, 'latest']))
}
async function storage(address: string, slot: Hex): Promise<Hex> {
  return (await rpc(ground.chain, 'eth_getStorageAt', [address, slot, 'latest'])) as Hex
}
