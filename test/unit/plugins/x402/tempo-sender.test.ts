import { expect, it } from 'vitest'
import type { SignedTempo } from '../../../../plugins/x402/payment/payload.ts'
import type { TempoChain } from '../../../../plugins/x402/tempo/chain.ts'
import { TempoSender } from '../../../../plugins/x402/tempo/sender.ts'

const NOW_S = 1_700_000_000
const HASH = `0x${'ab'.repeat(32)}` as const
const payment = {
  payload: { signedTransaction: '0x76' },
  hash: HASH,
  validBefore: String(NOW_S + 20),
} as unknown as SignedTempo
/** Of the database; this machine's may be another. */
const clock = { nowMs: () => NOW_S * 1000 }

/** What a settlement comes to whose node refuses the transaction with this text. */
function settledBy(text: string) {
  const chain: Pick<TempoChain, 'check' | 'send' | 'mined'> = {
    check: async () => ({ outcome: 'payable' }),
    send: () => Promise.reject(new Error(text)),
    mined: async () => ({ hasPaid: true, block: 1n }),
  }
  return new TempoSender({ chain: chain as TempoChain, clock, pollMs: 1 }).settle(payment)
}

it.each([
  ['max fee per gas less than block base fee', 'refused'],
  ['intrinsic gas too low', 'refused'],
  ['exceeds block gas limit', 'refused'],
  ['transaction underpriced', 'refused'],
  ['invalid fee token', 'refused'],
  ['valid_before is in the past', 'refused'],
  ['txpool is full', 'unavailable'],
  ['already known', 'settled'],
  ['HTTP request failed.', 'settled'],
])('a node that says "%s": %s', async (text, outcome) => {
  expect(await settledBy(text)).toMatchObject({ outcome })
})
