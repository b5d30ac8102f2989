/**
 * What the node knows about a payment: whether its authorization was used and paid us, whether it
 * would settle now, and whether a contract account signed it. Reads only.
 */
import {
  encodeEventTopics,
  padHex,
  zeroHash,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import type { Asset } from '../terms/asset.ts'
import {
  amountOf,
  isPermit2,
  payerOf,
  type EvmSignedPayment,
  type Signed3009,
} from '../payment/payload.ts'
import { isSameAddress } from '../payment/wire.ts'
import type { ChainFact, ChainView, CheckOutcome } from '../settle/contract.ts'
import { ContractWallets } from './contract-wallets.ts'
import { searchLogs } from './log-search.ts'
import { fullMessageOf, isFailure, messageOf } from './node-errors.ts'
import { Permit2Chain } from './permit2-chain.ts'
import {
  TOKEN_ABI,
  authorizersIn,
  callData,
  MOST_PAYMENT_GAS,
  transferBy,
  transfersIn,
  type Transfer,
} from './token.ts'
import { createClientOf, type ChainOptions, type PublicClient } from './client.ts'

export class Chain implements ChainView {
  readonly client: PublicClient
  readonly permit2: Permit2Chain
  readonly #asset: Asset
  readonly #contractWallets: ContractWallets

  constructor(options: ChainOptions) {
    this.client = createClientOf(options)
    this.#asset = options.asset
    this.#contractWallets = new ContractWallets(this.client, createClientOf(options, true))
    this.permit2 = new Permit2Chain({
      client: this.client,
      asset: options.asset,
      receipt: (transaction) => this.receipt(transaction),
      transfersIn: (receipt, payment) =>
        this.#paymentsIn(receipt, payment) - this.#authorizationsOf(receipt, payment),
    })
  }

  /** How the authorization of `payment` stands on chain. Never throws. */
  async fact(payment: EvmSignedPayment): Promise<ChainFact> {
    try {
      const [chainId, block] = await Promise.all([
        this.client.getChainId(),
        this.client.getBlock({ blockTag: 'latest' }),
      ])
      // On another chain this authorization is unused whatever became of it on ours.
      if (chainId !== this.#asset.chainId) {
        return { fact: 'unreachable', detail: `the node is on chain ${chainId}` }
      }
      if (isPermit2(payment)) return await this.permit2.fact(payment, block)
      const { authorization } = payment.payload
      // The state of that very block: one address may stand for several nodes, some of which lag.
      if (!(await this.#isUsed(authorization.from, authorization.nonce, block.number))) {
        const expired = block.timestamp >= BigInt(authorization.validBefore)
        return { fact: 'unused', expired, block: block.number }
      }
      return await this.#usedBy(payment, block)
    } catch (error) {
      return { fact: 'unreachable', detail: messageOf(error) }
    }
  }

  /** Units of the token that the account has; throws when the node is away. */
  balanceOf(account: Address): Promise<bigint> {
    const token = { address: this.#asset.address, abi: TOKEN_ABI } as const
    return this.client.readContract({ ...token, functionName: 'balanceOf', args: [account] })
  }

  /** Whether there is code at the account now, also that of EIP-7702; true while the node is silent. */
  async hasCode(address: Address): Promise<boolean> {
    const code = await this.client.getCode({ address }).catch(() => '0xef')
    return code !== undefined && code !== '0x'
  }

  /** Whether the payer has the money and the authorization is unused; to be asked before any work. */
  async check(payment: EvmSignedPayment): Promise<CheckOutcome> {
    if (isPermit2(payment)) return this.permit2.check(payment)
    const { authorization } = payment.payload
    try {
      const [isContract, isUsed, balance] = await Promise.all([
        this.#contractWallets.isContract(authorization.from),
        this.#isUsed(authorization.from, authorization.nonce),
        this.balanceOf(authorization.from),
      ])
      if (isUsed) return { outcome: 'refused', reason: 'invalid_exact_evm_nonce_already_used' }
      if (balance < BigInt(authorization.value)) {
        const detail = `the payer has ${balance} atomic units`
        return { outcome: 'refused', reason: 'invalid_exact_evm_insufficient_balance', detail }
      }
      return isContract ? await this.#tried(payment) : { outcome: 'payable' }
    } catch (error) {
      return { outcome: 'unavailable', detail: messageOf(error) }
    }
  }

  /**
   * Tries the transfer without sending anything. The token asks a payer that is a contract about its
   * signature, also one that a key signed for (EIP-7702): only the contract knows what it answers, and
   * what that costs.
   */
  async #tried(payment: Signed3009): Promise<CheckOutcome> {
    const call = { to: this.#asset.address, data: callData(payment), gas: MOST_PAYMENT_GAS }
    try {
      await this.client.call(call)
      return { outcome: 'payable' }
    } catch (error) {
      if (!isFailure(fullMessageOf(error))) throw error
      const reason = 'invalid_exact_evm_transaction_simulation_failed'
      return { outcome: 'refused', reason, detail: messageOf(error) }
    }
  }

  /** Null while the node does not know it; false for a text that names no transaction. */
  async confirms(transaction: string, payment: EvmSignedPayment): Promise<boolean | null> {
    if (!isHash(transaction)) return false
    const receipt = await this.receipt(transaction)
    return receipt === null ? null : this.paysIn(receipt, payment)
  }

  async hasFailed(transaction: string): Promise<boolean> {
    const receipt = isHash(transaction) ? await this.receipt(transaction) : null
    return receipt?.status === 'reverted'
  }

  async receipt(transaction: Hex): Promise<TransactionReceipt | null> {
    try {
      return await this.client.getTransactionReceipt({ hash: transaction })
    } catch (error) {
      if ((error as Error).name === 'TransactionReceiptNotFoundError') return null
      throw error
    }
  }

  /**
   * Whether the receipt is of a success that used this very authorization and moved its money: a
   * Transfer of the payer alone may belong to another of their payments. `input` is that of the
   * transaction, where it is known.
   */
  async paysIn(
    receipt: TransactionReceipt,
    payment: EvmSignedPayment,
    input?: Hex,
  ): Promise<boolean> {
    if (isPermit2(payment)) return this.permit2.paysIn(receipt, payment, input)
    const { from, nonce } = payment.payload.authorization
    if (receipt.status !== 'success') return false
    const transfer = transferBy(from, nonce, this.#asset.address, receipt)
    return transfer !== null && isOf(transfer, payment)
  }

  /** How many Transfers of a receipt are of the payment's payer, receiver and amount. */
  #paymentsIn(receipt: TransactionReceipt, payment: EvmSignedPayment): number {
    return this.transfersIn(receipt).filter((transfer) => isOf(transfer, payment)).length
  }

  /** How many EIP-3009 authorizations of the payment's payer a receipt used. */
  #authorizationsOf(receipt: TransactionReceipt, payment: EvmSignedPayment): number {
    const authorizers = authorizersIn(receipt, this.#asset.address)
    return authorizers.filter((authorizer) => isSameAddress(authorizer, payerOf(payment))).length
  }

  /** The token's Transfer events of a receipt. */
  transfersIn(receipt: TransactionReceipt): Transfer[] {
    return transfersIn(receipt, this.#asset.address)
  }

  /** Whether a signed payment was settled in this receipt, so that it is not a plain transfer. */
  usesAuthorization(receipt: TransactionReceipt): boolean {
    return this.permit2.settlesIn(receipt) || authorizersIn(receipt).length > 0
  }

  /** EIP-1271: true or false from a contract account, false for one without code, null = no answer. */
  contractSigned(payer: Address, digest: Hex, signature: Hex): Promise<boolean | null> {
    return this.#contractWallets.isSignedBy(payer, digest, signature)
  }

  /** The same of a message, and also for a contract account that is not deployed yet (ERC-6492). */
  contractSignedMessage(address: Address, digest: Hex, signature: Hex): Promise<boolean | null> {
    return this.#contractWallets.hasSigned(address, digest, signature)
  }

  #isUsed(from: Address, nonce: Hex, blockNumber?: bigint): Promise<boolean> {
    return this.client.readContract({
      address: this.#asset.address,
      abi: TOKEN_ABI,
      functionName: 'authorizationState',
      args: [from, nonce],
      ...(blockNumber !== undefined && { blockNumber }),
    })
  }

  /** Finds the event that used the authorization. */
  async #usedBy(
    payment: Signed3009,
    newest: { number: bigint; timestamp: bigint },
  ): Promise<ChainFact> {
    const { from, nonce, validBefore } = payment.payload.authorization
    const [used] = encodeEventTopics({ abi: TOKEN_ABI, eventName: 'AuthorizationUsed' })
    const [cancelled] = encodeEventTopics({ abi: TOKEN_ABI, eventName: 'AuthorizationCanceled' })
    const topics = [[used as Hex, cancelled as Hex], padHex(from, { size: 32 }), nonce]
    const address = this.#asset.address
    const found = await searchLogs(
      this.client,
      { newest, endS: BigInt(validBefore) },
      async (range) => {
        const params = [{ address, topics, ...range }] as const
        return (
          (await this.client.request({ method: 'eth_getLogs', params: [...params] }))[0] ?? null
        )
      },
    )
    if (found === null) return { fact: 'used' }
    if (found.topics[0] === cancelled) return { fact: 'void', reason: 'authorization_cancelled' }
    const transaction = found.transactionHash ?? zeroHash
    const paid = await this.confirms(transaction, payment)
    if (paid === null) return { fact: 'used' }
    return paid
      ? { fact: 'paid', transaction }
      : { fact: 'void', reason: 'invalid_exact_evm_transfer_event_mismatch' }
  }
}

function isHash(text: string): text is Hex {
  return /^0x[0-9a-fA-F]{64}$/.test(text)
}

/** Whether a Transfer is of the payment's payer, receiver and amount. */
function isOf({ from, to, value }: Transfer, payment: EvmSignedPayment): boolean {
  return (
    isSameAddress(from, payerOf(payment)) &&
    isSameAddress(to, payment.requirements.payTo) &&
    value === amountOf(payment)
  )
}
