/** Purses of unmodified clients on other networks: @x402/svm on Solana, mppx on Tempo. */
import { createHash } from 'node:crypto'
import type { PaymentRequired } from '@x402/core/types'
import { erc20Abi, isAddressEqual, keccak256, parseEventLogs, type Hex } from 'viem'
import { TEMPO_NONCE } from '../../../plugins/x402/payment/nonces.ts'
import { challengesOf, partsOf } from '../../support/mpp.ts'
import { PATH_USD, tempoCredential, type TempoChain } from '../../support/tempo.ts'
import { decode, encode } from '../../support/x402/payments.ts'
import { solanaClient } from '../../support/x402/solana-client.ts'
import type { SolanaNode } from '../../support/x402/solana-node.ts'
import { solanaKey } from '../../support/x402/solana-payments.ts'
import type { Purses } from './purse.ts'

const FUNDED_ATOMIC = 1_000_000_000n
const SIGNATURE_BYTES = 64

export async function solanaPurses(
  node: SolanaNode,
  payee: string,
  count: number,
): Promise<Purses> {
  const keys = await Promise.all(Array.from({ length: count }, (_, i) => solanaKey(`payer ${i}`)))
  for (const { address } of keys) node.fund(address, FUNDED_ATOMIC)
  const landed = landedOn(node)
  return {
    purses: keys.map((key) => async ({ headers }) => {
      const required = decode<PaymentRequired>(headers.get('payment-required'))
      const payment = await solanaClient(node, key).createPaymentPayload(required)
      const name = messageHashOf((payment.payload as { transaction: string }).transaction)
      return {
        name,
        claim: name,
        atomic: BigInt(payment.accepted.amount),
        headers: { 'payment-signature': encode(payment) },
        isMoved: async () => landed(name) !== null,
        transaction: async () => landed(name),
      }
    }),
    received: async () => node.balanceOf(payee),
  }
}

/** The signature of what landed with this message: the gateway's, which its payer does not know before. */
function landedOn(node: SolanaNode): (messageHash: string) => string | null {
  const signatures = new Map<string, string>()
  const seen = new Set<string>()
  return (messageHash) => {
    for (const [signature, wire] of node.wires()) {
      if (seen.has(signature)) continue
      seen.add(signature)
      signatures.set(messageHashOf(wire), signature)
    }
    return signatures.get(messageHash) ?? null
  }
}

/** SHA-256 of what is signed of a transaction, whoever has signed by now. */
function messageHashOf(wire: string): string {
  const bytes = Buffer.from(wire, 'base64')
  // A number below 128 is one byte, and there are two signatures.
  const message = bytes.subarray(1 + bytes[0]! * SIGNATURE_BYTES)
  return createHash('sha256').update(message).digest('hex')
}

/** Each payment is another account's, because the node mines one expiring transaction of each. */
export function tempoPurses(chain: TempoChain, count: number): Purses {
  return {
    purses: Array.from({ length: count }, () => async (unpaid) => {
      const challenge = challengesOf(unpaid).find(({ method }) => method === 'tempo')
      if (!challenge) throw new Error('nothing is offered on Tempo')
      const atomic = BigInt(challenge.request['amount'] as string)
      const authorization = await tempoCredential(chain, await chain.payer(), challenge)
      // Its payer pays the fee, so nobody signs it after that.
      const hash = keccak256(partsOf(authorization).payload['signature'] as Hex)
      const transaction = async () => ((await hasPaid(chain, hash, atomic)) ? hash : null)
      return {
        name: hash,
        claim: `${TEMPO_NONCE}${keccak256(Buffer.from(challenge.id))}`,
        atomic,
        headers: { authorization },
        isMoved: async () => (await transaction()) !== null,
        transaction,
      }
    }),
    received: () => chain.received(),
  }
}

/** Whether the transaction is mined and moved the amount to the gateway, once. */
async function hasPaid(chain: TempoChain, hash: Hex, atomic: bigint): Promise<boolean> {
  const receipt = await chain.client.getTransactionReceipt({ hash }).catch((error: Error) => {
    if (error.name === 'TransactionReceiptNotFoundError') return null
    throw error
  })
  if (receipt?.status !== 'success') return false
  const ours = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs }).filter(
    ({ address, args }) =>
      isAddressEqual(address, PATH_USD) && isAddressEqual(args.to, chain.payTo),
  )
  return ours.length === 1 && ours[0]!.args.value === atomic
}
