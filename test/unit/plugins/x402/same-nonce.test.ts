/** One nonce of Permit2 for two tokens of a chain. */
import { describe, expect, it } from 'vitest'
import type { Claim } from '../../../../plugins/x402/claims/claim.ts'
import { nonceProblem } from '../../../../plugins/x402/calls/claim-orders.ts'
import { claimNonceOf } from '../../../../plugins/x402/payment/nonces.ts'

const token = (network: string, asset: string) => ({ token: { network, asset } })
const NONCE = `0x${'07'.repeat(32)}` as const
const order = {
  network: 'eip155:1',
  asset: 'A',
  payer: '0xp',
  nonce: claimNonceOf('permit2', NONCE),
}

/** What is said of a claim for token A where one for token B of this network is known. */
function problemBeside(state: Claim['state'], network = 'eip155:1', nonce = order.nonce) {
  const known = { ...order, asset: 'B', network, state, id: 'other' } as never as Claim
  const core = {
    entries: [token('eip155:1', 'A'), token(network, 'B')],
    claims: {
      byPayment: async (key: typeof order) =>
        key.asset === 'B' && key.network === network && key.nonce === nonce ? known : null,
      isOver: async ({ state: now }: Claim) => now === 'released' || now === 'failed',
    },
  }
  return nonceProblem(core as never, { ...order, nonce } as never)
}

describe('a nonce of Permit2 that is claimed for another token', () => {
  it('buys nothing more once it is settling or settled', async () => {
    for (const state of ['settling', 'settled'] as const) {
      const failure = await problemBeside(state)
      expect(failure).toMatchObject({
        code: 'PAYMENT_FAILED',
        details: { field: expect.stringContaining('permit2') },
      })
    }
  })

  it('has to wait while the other is at work, and is free when that came to nothing', async () => {
    expect(await problemBeside('working')).toMatchObject({ status: 409, retryable: true })
    expect(await problemBeside('released')).toBeNull()
    expect(await problemBeside('failed')).toBeNull()
  })

  it('is another on another chain, and EIP-3009 counts for each token apart', async () => {
    expect(await problemBeside('settled', 'eip155:2')).toBeNull()
    expect(await problemBeside('settled', 'eip155:1', NONCE)).toBeNull()
  })
})
