/** Purses of unmodified clients on other networks: @x402/svm on Solana, mppx on Tempo. */
import type { PaymentRequired } from '@x402/core/types'
import { newId } from '../../../kernel/ids.ts'
import { challengesOf } from '../../support/mpp.ts'
import { tempoCredential, type TempoChain } from '../../support/tempo.ts'
import { decode, encode } from '../../support/x402/payments.ts'
import { solanaClient } from '../../support/x402/solana-client.ts'
import type { SolanaNode } from '../../support/x402/solana-node.ts'
import { solanaKey } from '../../support/x402/solana-payments.ts'
import type { Purses } from './purse.ts'

const FUNDED_ATOMIC = 1_000_000_000n

export async function solanaPurses(
  node: SolanaNode,
  payee: string,
  count: number,
): Promise<Purses> {
  const keys = await Promise.all(Array.from({ length: count }, (_, i) => solanaKey(`payer ${i}`)))
  for (const { address } of keys) node.fund(address, FUNDED_ATOMIC)
  return {
    purses: keys.map((key) => async ({ headers }) => {
      const required = decode<PaymentRequired>(headers.get('payment-required'))
      const payment = await solanaClient(node, key).createPaymentPayload(required)
      return {
        name: newId(),
        claim: null,
        atomic: BigInt(payment.accepted.amount),
        headers: { 'payment-signature': encode(payment) },
        isMoved: null,
      }
    }),
    received: async () => node.balanceOf(payee),
  }
}

/** Each payment is another account's, because the node mines one expiring transaction of each. */
export function tempoPurses(chain: TempoChain, count: number): Purses {
  return {
    purses: Array.from({ length: count }, () => async (unpaid) => {
      const challenge = challengesOf(unpaid).find(({ method }) => method === 'tempo')
      if (!challenge) throw new Error('nothing is offered on Tempo')
      return {
        name: newId(),
        claim: null,
        atomic: BigInt(challenge.request['amount'] as string),
        headers: { authorization: await tempoCredential(chain, await chain.payer(), challenge) },
        isMoved: null,
      }
    }),
    received: () => chain.received(),
  }
}
