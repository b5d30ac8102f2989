/**
 * What the node knows about a payment by Permit2: whether its nonce was used and paid us, and
 * whether it would settle now. Permit2 logs nothing about a transfer, so the Transfer of the token is
 * told from others of the same payer by the call that stands in its transaction. Reads only.
 */
import {
  erc20Abi,
  padHex,
  parseAbi,
  toEventSelector,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import type { Asset } from '../terms/asset.ts'
import { amountOf, type SignedPermit2 } from '../payment/payload.ts'
import { PERMIT2, PROXY, type Permit2Scheme } from '../payment/permit2.ts'
import { WORDS } from '../payment/reason-codes.ts'
import type { PublicClient } from './client.ts'
import type { ChainFact, CheckOutcome } from '../settle/contract.ts'
import { searchLogs, type LogRange } from './log-search.ts'
import { fullMessageOf, isFailure, messageOf } from './node-errors.ts'
import { callsLike, MOST_PAYMENT_GAS, proxyCall } from './token.ts'

const PERMIT2_ABI = parseAbi([
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
  'event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask)',
])
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const INVALIDATION = toEventSelector('UnorderedNonceInvalidation(address,uint256,uint256)')
const SETTLED = ['Settled()', 'SettledWithPermit()'].map((name) => toEventSelector(name))
/** At most so many Transfers of one payer are examined for one payment. */
const MAX_CANDIDATES = 64
/** The logs have the Transfer of a nonce that was used so long ago; full nodes still have that state. */
const LOGS_LAG_BLOCKS = 100n

export interface Permit2ChainOptions {
  client: PublicClient
  asset: Asset
  receipt(transaction: Hex): Promise<TransactionReceipt | null>
  /**
   * How many Transfers of a receipt are of the payment's payer, receiver and amount, without those
   * that EIP-3009 authorizations account for.
   */
  transfersIn(receipt: TransactionReceipt, payment: SignedPermit2): number
}

export class Permit2Chain {
  readonly #options: Permit2ChainOptions

  constructor(options: Permit2ChainOptions) {
    this.#options = options
  }

  /** How the nonce of `payment` stood at `block`. Throws when the node does not answer. */
  async fact(
    payment: SignedPermit2,
    block: { number: bigint; timestamp: bigint },
  ): Promise<ChainFact> {
    const { deadline } = payment.payload.permit2Authorization
    if (await this.#isUsed(payment, block.number)) return this.#usedBy(payment, block)
    return { fact: 'unused', expired: block.timestamp > BigInt(deadline), block: block.number }
  }

  /** Whether the payment would settle, asked by trying it without sending anything. */
  async check(payment: SignedPermit2): Promise<CheckOutcome> {
    const { to, data, caller } = proxyCall(payment)
    try {
      const gas = MOST_PAYMENT_GAS
      await this.#options.client.call({ to, data, gas, ...(caller && { account: caller }) })
      return { outcome: 'payable' }
    } catch (error) {
      if (!isFailure(fullMessageOf(error))) {
        return { outcome: 'unavailable', detail: messageOf(error) }
      }
    }
    const { sponsoring } = payment
    const why = await this.whyNot(payment)
    const isApproved = why.outcome === 'refused' && why.reason === 'permit2_allowance_required'
    // The approval comes with the settlement, and only who brings it can try both.
    return sponsoring !== undefined && isApproved ? { outcome: 'payable' } : why
  }

  /** Why a payment does not settle. */
  async whyNot(
    payment: SignedPermit2,
  ): Promise<CheckOutcome & { outcome: 'refused' | 'unavailable' }> {
    const { client, asset } = this.#options
    const { from } = payment.payload.permit2Authorization
    const token = { address: asset.address, abi: erc20Abi } as const
    try {
      const [isUsed, balance, allowance] = await Promise.all([
        this.#isUsed(payment),
        client.readContract({ ...token, functionName: 'balanceOf', args: [from] }),
        client.readContract({ ...token, functionName: 'allowance', args: [from, PERMIT2] }),
      ])
      const amount = amountOf(payment)
      if (isUsed) return { outcome: 'refused', reason: WORDS.permit2.nonce.reason }
      if (balance < amount) {
        const detail = `the payer has ${balance} atomic units`
        return { outcome: 'refused', reason: WORDS.permit2.balance.reason, detail }
      }
      if (allowance < amount) {
        const detail = `the payer lets Permit2 move ${allowance} atomic units`
        return { outcome: 'refused', reason: 'permit2_allowance_required', detail }
      }
      return { outcome: 'refused', reason: 'permit2_simulation_failed' }
    } catch (error) {
      return { outcome: 'unavailable', detail: messageOf(error) }
    }
  }

  /**
   * Whether the receipt is of a success that settled this very payment. `input` is that of its
   * transaction, where it is known. A Transfer counts for one call only, so that a payer who settles
   * one payment among the bytes of another has not paid for both.
   */
  async paysIn(receipt: TransactionReceipt, payment: SignedPermit2, input?: Hex): Promise<boolean> {
    const { client, transfersIn } = this.#options
    if (receipt.status !== 'success') return false
    const transfers = transfersIn(receipt, payment)
    if (transfers < 1) return false
    const data = input ?? (await client.getTransaction({ hash: receipt.transactionHash })).input
    const calls = callsLike(payment, data)
    return calls > 0 && calls <= transfers
  }

  /** Whether a proxy of x402 settled something in this receipt. */
  settlesIn(receipt: TransactionReceipt): boolean {
    const proxies = Object.values(PROXY).map((address) => address.toLowerCase())
    return receipt.logs.some(
      ({ address, topics }) =>
        proxies.includes(address.toLowerCase()) && SETTLED.includes(topics[0]!),
    )
  }

  /** Whether Permit2 and the scheme's proxy are on this chain. Throws when the node is silent. */
  async isDeployed(scheme: Permit2Scheme): Promise<boolean> {
    const codes = await Promise.all(
      [PERMIT2, PROXY[scheme]].map((address) => this.#options.client.getCode({ address })),
    )
    return codes.every((code) => code !== undefined && code !== '0x')
  }

  async #isUsed(payment: SignedPermit2, blockNumber?: bigint): Promise<boolean> {
    const { from, nonce } = payment.payload.permit2Authorization
    const bitmap = await this.#options.client.readContract({
      address: PERMIT2,
      abi: PERMIT2_ABI,
      functionName: 'nonceBitmap',
      args: [from, BigInt(nonce) >> 8n],
      ...(blockNumber !== undefined && { blockNumber }),
    })
    return (bitmap & bitOf(payment)) !== 0n
  }

  /** Whether the payment was not signed yet at a block: nothing before it can be of the payment. */
  async #isBeforeSigning(payment: SignedPermit2, blockNumber: bigint): Promise<boolean> {
    const { requirements, payload } = payment
    const { deadline, witness } = payload.permit2Authorization
    const validAfter = BigInt(witness.validAfter)
    // Some clients name no beginning; all of them sign for as long as they are asked to.
    const signed = validAfter || BigInt(deadline) - BigInt(requirements.maxTimeoutSeconds)
    const { timestamp } = await this.#options.client.getBlock({ blockNumber })
    return timestamp <= signed
  }

  /** Finds the transaction that used the nonce. */
  async #usedBy(
    payment: SignedPermit2,
    newest: { number: bigint; timestamp: bigint },
  ): Promise<ChainFact> {
    const { client } = this.#options
    const { deadline } = payment.payload.permit2Authorization
    let candidates = 0
    let oldest = newest.number
    const found = await searchLogs<ChainFact>(
      client,
      { newest, endS: BigInt(deadline) },
      async (range) => {
        const { isVoid, transactions } = await this.#usesIn(range, payment)
        if (BigInt(range.fromBlock) < oldest) oldest = BigInt(range.fromBlock)
        if (isVoid) return { fact: 'void', reason: 'permit2_nonce_invalidated' }
        for (const transaction of transactions) {
          const receipt =
            ++candidates > MAX_CANDIDATES ? null : await this.#options.receipt(transaction)
          if (receipt === null) return { fact: 'used' }
          if (await this.paysIn(receipt, payment)) return { fact: 'paid', transaction }
        }
        return null
      },
    )
    if (found !== null) return found
    // Its payer can sign the same nonce for another transfer, which leaves no log that names us.
    const before = newest.number - LOGS_LAG_BLOCKS
    const isOld = before > 0n && (await this.#isUsed(payment, before).catch(() => false))
    const isSearched = isOld && (await this.#isBeforeSigning(payment, oldest))
    return isSearched ? { fact: 'void', reason: 'permit2_nonce_spent_elsewhere' } : { fact: 'used' }
  }

  /** Whether the payer gave the nonce up in these blocks; and what may have paid there, newest first. */
  async #usesIn(
    range: LogRange,
    payment: SignedPermit2,
  ): Promise<{ isVoid: boolean; transactions: Hex[] }> {
    const { client, asset } = this.#options
    const { from, nonce, witness } = payment.payload.permit2Authorization
    const payer = padHex(from, { size: 32 })
    const logsOf = (address: Hex, topics: Hex[]) =>
      client.request({ method: 'eth_getLogs', params: [{ address, topics, ...range }] })
    const [transfers, invalidations] = await Promise.all([
      logsOf(asset.address, [TRANSFER, payer, padHex(witness.to, { size: 32 })]),
      logsOf(PERMIT2, [INVALIDATION, payer]),
    ])
    const isVoid = invalidations.some(({ data }) => {
      const [word, mask] = [BigInt(data.slice(0, 66)), BigInt(`0x${data.slice(66)}`)]
      return word === BigInt(nonce) >> 8n && (mask & bitOf(payment)) !== 0n
    })
    const amount = amountOf(payment)
    const transactions = transfers
      .toReversed()
      .flatMap(({ data, transactionHash }) =>
        BigInt(data) === amount && transactionHash !== null ? [transactionHash] : [],
      )
    return { isVoid, transactions }
  }
}

/** The bit of the payment's nonce within its word of the bitmap. */
function bitOf({ payload }: SignedPermit2): bigint {
  return 1n << (BigInt(payload.permit2Authorization.nonce) & 0xffn)
}
