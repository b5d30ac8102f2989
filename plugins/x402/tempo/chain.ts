/**
 * What a node of Tempo tells of payments, and how one is sent. A payment is a transaction of its
 * payer: its hash is known from the start, so that whatever became of it can be asked for by it.
 */
import { createPublicClient, http, isHex, type Hex } from 'viem'
import { assert } from '#kernel'
import { readTempoTransfer, type TempoTransfer } from '../../shared/payments/tempo-transaction.ts'
import { fullMessageOf, isRevert, messageOf } from '../chain/node-errors.ts'
import { isTempo, type SignedPayment, type SignedTempo } from '../payment/payload.ts'
import { isSameAddress } from '../payment/wire.ts'
import type { ChainFact, ChainView, CheckOutcome } from '../settle/contract.ts'
import { nodeFetch } from '../settle/endpoint-fetch.ts'
import type { Token } from '../terms/token.ts'

const RPC_TIMEOUT_MS = 10_000
/** A node behind an address of many may show a block, and another that has it not yet its receipts. */
const LAG_S = 5n
/** `TransferWithMemo(address indexed from, address indexed to, uint256 amount, bytes32 indexed memo)`. */
const TRANSFER_WITH_MEMO = '0x57bc7354aa85aed339e000bccffabbc529466af35f0772c8f8ee1145927de7f0'

export type TempoClient = ReturnType<typeof clientOf>

/** A transaction that is in a block. */
export interface Mined {
  hasPaid: boolean
  block: bigint
}

function clientOf(rpcUrl: string, timeoutMs = RPC_TIMEOUT_MS) {
  return createPublicClient({
    transport: http(rpcUrl, {
      batch: { wait: 0 },
      retryCount: 0,
      timeout: timeoutMs,
      fetchFn: nodeFetch,
    }),
    cacheTime: 0,
    // A contract that is asked may name addresses to fetch its answer from (EIP-3668); anybody deploys one.
    ccipRead: false,
  })
}

export class TempoChain implements ChainView {
  readonly client: TempoClient
  readonly #token: Token

  constructor(options: { rpcUrl: string; token: Token; timeoutMs?: number }) {
    this.client = clientOf(options.rpcUrl, options.timeoutMs)
    this.#token = options.token
  }

  /** Whether the transfer would go through now. Never throws. */
  async check(payment: SignedPayment): Promise<CheckOutcome> {
    const { payer, payload } = tempo(payment)
    const { token, data } = transferOf(payload.signedTransaction)
    try {
      await this.client.request({
        method: 'eth_call',
        params: [{ from: payer as Hex, to: token, data }, 'latest'],
      })
      return { outcome: 'payable' }
    } catch (error) {
      if (!isRevert(fullMessageOf(error))) {
        return { outcome: 'unavailable', detail: messageOf(error) }
      }
      return { outcome: 'refused', reason: 'tempo_simulation_failed', detail: messageOf(error) }
    }
  }

  /** Never throws. */
  async fact(payment: SignedPayment): Promise<ChainFact> {
    const { hash, validBefore } = tempo(payment)
    try {
      // First where the chain stands, then what is in it: otherwise it could land between.
      const [chainId, block] = await Promise.all([
        this.client.getChainId(),
        this.client.getBlock({ blockTag: 'latest' }),
      ])
      if (chainId !== this.#token.chainId) {
        return { fact: 'unreachable', detail: `the node is on chain ${chainId}` }
      }
      const mined = await this.mined(hash, tempo(payment))
      if (mined === null) {
        const expired = block.timestamp >= BigInt(validBefore) + LAG_S
        return { fact: 'unused', expired, block: block.number }
      }
      return mined.hasPaid
        ? { fact: 'paid', transaction: hash }
        : { fact: 'void', reason: `the transaction ${hash} failed` }
    } catch (error) {
      return { fact: 'unreachable', detail: messageOf(error) }
    }
  }

  async confirms(transaction: string, payment: SignedPayment): Promise<boolean | null> {
    const signed = tempo(payment)
    if (transaction !== signed.hash) return false
    return (await this.mined(signed.hash, signed))?.hasPaid ?? null
  }

  async hasFailed(transaction: string): Promise<boolean> {
    const receipt = await this.#receipt(transaction as Hex)
    return receipt !== null && receipt.status !== '0x1'
  }

  /** Null while the node knows of no block with it. */
  async mined(hash: Hex, payment: SignedTempo): Promise<Mined | null> {
    const receipt = await this.#receipt(hash)
    if (receipt === null) return null
    const hasPaid = receipt.status === '0x1' && this.#pays(receipt, payment)
    return { hasPaid, block: BigInt(receipt.blockNumber) }
  }

  async send(payment: SignedTempo): Promise<void> {
    const { signedTransaction } = payment.payload
    await this.client.request({ method: 'eth_sendRawTransaction', params: [signedTransaction] })
  }

  /** Whether the transfer of this payment is in the receipt's logs. */
  #pays({ logs }: Receipt, { payer, memo, requirements }: SignedTempo): boolean {
    const { asset, payTo } = this.#token
    const amount = BigInt(requirements.amount)
    return logs.some(
      ({ address, topics, data }) =>
        isSameAddress(address, asset) &&
        topics[0] === TRANSFER_WITH_MEMO &&
        isTopicOf(topics[1], payer) &&
        isTopicOf(topics[2], payTo) &&
        topics[3] === memo &&
        isHex(data) &&
        data.length > 2 &&
        BigInt(data) === amount,
    )
  }

  /** As the node gives it: viem's own form knows no transactions of this type. */
  async #receipt(hash: Hex): Promise<Receipt | null> {
    return this.client.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  }
}

interface Receipt {
  status: string
  blockNumber: Hex
  logs: readonly { address: string; topics: readonly string[]; data: string }[]
}

function isTopicOf(topic: string | undefined, address: string): boolean {
  return topic !== undefined && isSameAddress(`0x${topic.slice(26)}`, address)
}

/** The transfer of a payment that was judged before. */
export function transferOf(transaction: string): TempoTransfer {
  const read = readTempoTransfer(transaction)
  assert(read.ok, 'a payment that was judged')
  return read.transfer
}

export function tempo(payment: SignedPayment): SignedTempo {
  assert(isTempo(payment), 'a payment on Tempo')
  return payment
}
