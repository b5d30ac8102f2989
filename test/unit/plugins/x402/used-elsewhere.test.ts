/**
 * A payment that has paid already, at a gateway of another database or here before a restore, and a
 * facilitator that verifies it all the same, because its /verify looks at no nonce.
 */
import { describe, expect, it } from 'vitest'
import type { SignedPayment } from '../../../../plugins/x402/payment/payload.ts'
import type { CheckOptions, ChainView, Settler } from '../../../../plugins/x402/settle/contract.ts'
import { Settlers } from '../../../../plugins/x402/settle/settlers.ts'
import { silentLog } from '../../../support/log.ts'

const USED = 'invalid_exact_evm_nonce_already_used'
const transaction = `0x${'ab'.repeat(32)}`

function paymentOf(nonce: string): SignedPayment {
  const authorization = { from: `0x${'11'.repeat(20)}`, nonce }
  return {
    requirements: { network: 'eip155:8453', amount: '10000' },
    payload: { signature: '0x00', authorization },
  } as never
}

const nonceOf = ({ payload }: SignedPayment): string =>
  (payload as { authorization: { nonce: string } }).authorization.nonce

/** One settler, and a chain on which it settles whatever it is given. */
function settlersOf({ isRemote }: { isRemote: boolean }) {
  const used = new Set<string>()
  const asked = { node: 0, facilitator: 0 }
  const settler: Settler = {
    name: 'the settler',
    isRemote,
    takes: () => true,
    hasVerified: () => isRemote,
    async settle(payment) {
      used.add(nonceOf(payment))
      return { outcome: 'settled', transaction }
    },
    async check() {
      asked.facilitator += 1
      return { outcome: 'payable' }
    },
  }
  const chain: ChainView = {
    fact: async (payment) =>
      used.has(nonceOf(payment))
        ? { fact: 'paid', transaction }
        : { fact: 'unused', expired: false },
    async check(payment) {
      asked.node += 1
      return used.has(nonceOf(payment))
        ? { outcome: 'refused', reason: USED }
        : { outcome: 'payable' }
    },
    confirms: async (_, payment) => used.has(nonceOf(payment)),
    hasFailed: async () => false,
  }
  const settlers = new Settlers({ settlers: [settler], chain, log: silentLog })
  const buy = async (nonce: string, options?: CheckOptions) => {
    const payment = paymentOf(nonce)
    const checked = await settlers.check(payment, options)
    return checked.outcome === 'payable' ? settlers.settle(payment, false) : checked
  }
  return { used, asked, buy }
}

describe('a payer who has just paid', () => {
  it('buys nothing with what has paid elsewhere, whatever a facilitator verifies', async () => {
    const { used, asked, buy } = settlersOf({ isRemote: true })
    expect(await buy('0x01')).toMatchObject({ outcome: 'settled' })
    used.add('0x02')
    expect(await buy('0x02')).toEqual({ outcome: 'refused', reason: USED })
    expect(asked).toEqual({ node: 2, facilitator: 2 })
  })

  it('costs no question where the own key settles, unless the answer goes out first', async () => {
    const { asked, buy } = settlersOf({ isRemote: false })
    for (const nonce of ['0x01', '0x02']) expect((await buy(nonce)).outcome).toBe('settled')
    expect(asked).toEqual({ node: 1, facilitator: 0 })
    await buy('0x03', { isPaidAtEnd: true })
    expect(asked).toEqual({ node: 2, facilitator: 0 })
  })
})
