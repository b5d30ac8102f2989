/** Newcomers without gas who pay by Permit2: a facilitator brings their first approval to the chain. */
import { rpc, testChain } from '../../../support/x402/chain.ts'
import { startFacilitator } from '../../../support/x402/facilitator.ts'
import { SPONSORINGS } from '../../../../plugins/x402/payment/sponsoring.ts'
import { gasPurses } from '../gas-purses.ts'
import { payersBy } from '../payers.ts'
import type { LoadUnder } from './load.ts'

const BLOCK_MS = 1000

export const gas: LoadUnder = async ({ seed, size }, under) => {
  const chain = await testChain()
  const facilitator = startFacilitator(chain)
  facilitator.sponsors = SPONSORINGS
  // A network goes on without transactions: only its time tells that a payment is good no more.
  const blocks = setInterval(() => void rpc(chain, 'evm_mine').catch(() => {}), BLOCK_MS)
  try {
    const report = await under({
      env: {
        X402_FACILITATOR_URL: facilitator.url,
        X402_RPC_URL: chain.rpcUrl,
        SETTLEMENT_ADDRESS: chain.receivingAddress,
      },
      others: [payersBy({ ...gasPurses(chain, size.payers), seed, isHurried: size.isHurried })],
    })
    const counts: Record<string, number> = {}
    for (const name of SPONSORINGS) {
      const brought = facilitator.asked.settle.filter(({ paymentPayload }) => {
        const { extensions } = paymentPayload as { extensions?: Record<string, unknown> }
        return extensions?.[name] !== undefined
      }).length
      counts[`settlements with ${name}`] = brought
      if (brought === 0) report.wrong.push(`nobody paid with ${name}`)
    }
    return { ...report, counts: { ...report.counts, ...counts } }
  } finally {
    clearInterval(blocks)
    await facilitator.stop()
    await chain.stop()
  }
}
