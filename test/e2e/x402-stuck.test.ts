/** A gateway killed while its own settlements wait for a block that their fees do not buy. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, http } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { anvilBinary } from '../../kernel/rails/x402/chain/anvil.ts'
import type { SandboxChain } from '../../kernel/rails/x402/chain/sandbox.ts'
import { GAS_WALLET } from '../../kernel/rails/x402/chain/wallets.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { skipPart } from '../support/skips.ts'
import { buyerOn, decode, encode, requirementsIn, signPayment, testChain } from '../support/x402.ts'

const anvil = anvilBinary()
const without = !anvil.ok && skipPart('stuck x402 settlements on a local chain', anvil.reason)
const PAYERS = 3

describe.skipIf(without)('killed with own transactions that no block takes', () => {
  let chain: SandboxChain
  let database: TestDatabase
  let buyer: PrivateKeyAccount
  const opened: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    chain = await testChain()
    database = await testDatabase()
    buyer = await buyerOn(chain)
  })
  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close()
  })
  afterAll(async () => {
    await chain.stop()
    await database.close()
  })

  async function rpc<T>(method: string, params: unknown[] = []): Promise<T> {
    const client = createPublicClient({ transport: http(chain.rpcUrl) })
    return client.request({ method: method as never, params: params as never }) as Promise<T>
  }
  async function gatewayOf(): Promise<GatewayProcess> {
    const dataDir = mkdtempSync(join(tmpdir(), 'coinop-stuck-'))
    const env = {
      DATABASE_URL: database.url,
      SANDBOX: 'true',
      COINOP_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      SETTLEMENT_ADDRESS: chain.receivingAddress,
      X402_RPC_URL: chain.rpcUrl,
      X402_SIGNER_KEY: chain.signerKey,
    }
    const gateway = await startGateway(env, { dataDir })
    opened.push(async () => {
      await gateway.stop()
      rmSync(dataDir, { recursive: true, force: true })
    })
    return gateway
  }
  async function signed(gateway: GatewayProcess): Promise<string> {
    const unpaid = await gateway.call('POST', '/v1/paid/echo', { body: {} })
    const challenge = decode(unpaid.headers.get('payment-required'))
    return encode(await signPayment(buyer, requirementsIn(challenge)))
  }
  const call = (gateway: GatewayProcess, payment: string) =>
    gateway.call('POST', '/v1/paid/echo', {
      body: { message: 'hi' },
      headers: { 'payment-signature': payment },
    })
  async function waiting(): Promise<{ nonce: number; maxFeePerGas: bigint }[]> {
    type Pool = Record<string, Record<string, { nonce: string; maxFeePerGas: string }>>
    const { pending } = await rpc<{ pending: Pool }>('txpool_content')
    const own = Object.entries(pending).find(
      ([from]) => from.toLowerCase() === GAS_WALLET.address.toLowerCase(),
    )
    return Object.values(own?.[1] ?? {})
      .map(({ nonce, maxFeePerGas }) => ({
        nonce: Number(nonce),
        maxFeePerGas: BigInt(maxFeePerGas),
      }))
      .toSorted((a, b) => a.nonce - b.nonce)
  }
  const mined = async () =>
    Number(await rpc('eth_getTransactionCount', [GAS_WALLET.address, 'latest']))

  it('the next start raises them in their own places, and every caller gets its answer', async () => {
    const doomed = await gatewayOf()
    const before = { received: await chain.balanceOf(chain.receivingAddress), mined: await mined() }
    const payments = await Promise.all(Array.from({ length: PAYERS }, () => signed(doomed)))
    await rpc('evm_setAutomine', [false])
    const cut = payments.map((payment) => call(doomed, payment).catch(() => null))
    const first = await vi.waitFor(
      async () => {
        const all = await waiting()
        expect(all).toHaveLength(PAYERS)
        return all
      },
      { timeout: 10_000, interval: 10 },
    )
    await doomed.kill()
    await Promise.all(cut)
    // The dead gateway's leases run for some seconds more; this test does not wait for them.
    await database.db.sql`UPDATE coinop.x402_claim SET lease_until = now() WHERE state = 'settling'`
    const next = await gatewayOf()
    await vi.waitFor(
      async () => {
        const now = await waiting()
        expect(now.map(({ nonce }) => nonce)).toEqual(first.map(({ nonce }) => nonce))
        const least = (first[0]!.maxFeePerGas * 110n) / 100n
        expect(now[0]!.maxFeePerGas).toBeGreaterThanOrEqual(least)
      },
      { timeout: 20_000, interval: 20 },
    )
    for (const payment of payments) {
      const answer = await vi.waitFor(
        async () => {
          await rpc('evm_mine')
          const again = await call(next, payment)
          expect([200, 409, 503]).toContain(again.status)
          expect(again.status).toBe(200)
          return again
        },
        { timeout: 30_000, interval: 50 },
      )
      expect(answer.headers.get('idempotency-replayed')).toBe('true')
      expect(answer.json).toEqual({ message: 'hi' })
    }
    const paid = (await chain.balanceOf(chain.receivingAddress)) - before.received
    expect(paid).toBe(BigInt(PAYERS) * 10_000n)
    expect((await mined()) - before.mined).toBe(PAYERS)
  }, 90_000)
})
