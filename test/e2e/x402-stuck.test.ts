/** A gateway killed while its own settlements wait for a block that their fees do not buy. */
import { describe, expect, it, vi } from 'vitest'
import { GAS_WALLET } from '../../plugins/x402/sandbox/wallets.ts'
import { rpc, withoutChain } from '../support/x402/chain.ts'
import { killAmid, payOnce, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { PATIENT } from '../support/patience.ts'

const without = withoutChain('stuck x402 settlements on a local chain')

const PAYERS = 3

describe.skipIf(without)('killed with own transactions that no block takes', () => {
  const ground = x402Ground()
  const { received, expireLeases } = ground
  const { start, ownSigner, signed } = x402Gateways(ground)
  const node = <T>(method: string, params: unknown[] = []) => rpc<T>(ground.chain, method, params)

  async function waiting(): Promise<{ nonce: number; maxFeePerGas: bigint }[]> {
    type Pool = Record<string, Record<string, { nonce: string; maxFeePerGas: string }>>
    const { pending } = await node<{ pending: Pool }>('txpool_content')
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
    Number(await node('eth_getTransactionCount', [GAS_WALLET.address, 'latest']))

  it('the next start raises them in their own places, and every caller gets its answer', async () => {
    const doomed = await start(ownSigner())
    const before = { received: await received(), mined: await mined() }
    const payments = await Promise.all(Array.from({ length: PAYERS }, () => signed(doomed)))
    await node('evm_setAutomine', [false])
    const cut = payments.map((payment) => payOnce(doomed, payment))
    let first: Awaited<ReturnType<typeof waiting>> = []
    await killAmid(doomed, cut, async () => (first = await waiting()).length === PAYERS)
    await expireLeases()
    const next = await start(ownSigner())
    await vi.waitFor(
      async () => {
        const now = await waiting()
        expect(now.map(({ nonce }) => nonce)).toEqual(first.map(({ nonce }) => nonce))
        const least = (first[0]!.maxFeePerGas * 110n) / 100n
        expect(now[0]!.maxFeePerGas).toBeGreaterThanOrEqual(least)
      },
      { ...PATIENT, interval: 20 },
    )
    for (const payment of payments) {
      const answer = await vi.waitFor(
        async () => {
          await node('evm_mine')
          const again = await payOnce(next, payment)
          expect([200, 409, 503]).toContain(again.status)
          expect(again.status).toBe(200)
          return again
        },
        { ...PATIENT, interval: 50 },
      )
      expect(answer.headers.get('idempotency-replayed')).toBe('true')
      expect(answer.json).toEqual({ message: 'hi' })
    }
    const paid = (await received()) - before.received
    expect(paid).toBe(BigInt(PAYERS) * 10_000n)
    expect((await mined()) - before.mined).toBe(PAYERS)
  })
})
