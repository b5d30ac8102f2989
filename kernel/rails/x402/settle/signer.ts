/**
 * Settles by the gateway's own key: submits the payer's authorization to the token, or to the proxy
 * of x402 that has Permit2 move it, and waits for the receipt with its Transfer log. One that is not mined in time is sent again with higher fees in
 * the same place, also by a later attempt: a payment never has two transactions under way.
 */
import { LRUCache } from 'lru-cache'
import {
  encodeFunctionData,
  parseSignature,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import { isPermit2, keyTextOf, type Signed3009, type SignedPayment } from '../payload.ts'
import { Account, type AccountOptions, type Outgoing } from './account.ts'
import { TOKEN_ABI } from './chain.ts'
import type { CheckOutcome, SettleOutcome, Settler } from './contract.ts'
import { fullMessageOf, messageOf } from './error-text.ts'
import { proxyCall } from './permit2-call.ts'

export interface SignerOptions extends AccountOptions {
  /** How long a receipt is waited for before the outcome counts as unknown. */
  receiptTimeoutMs?: number
  /** First pause between looks for the receipt; it grows to ten times that. */
  pollMs?: number
  /** After this without a receipt the fees are raised, and again after as long. */
  raiseAfterMs?: number
}

const RECEIPT_TIMEOUT_MS = 30_000
const POLL_MS = 50
const RAISE_AFTER_MS = 10_000
const UNMINED_KEPT = 10_000

export class OwnSigner implements Settler {
  readonly name = 'own signer'
  readonly #options: SignerOptions
  readonly #account: Account
  /** Transactions without a receipt at the end of an attempt, by payment. */
  readonly #unmined = new LRUCache<string, Outgoing>({ max: UNMINED_KEPT })

  constructor(options: SignerOptions) {
    this.#options = options
    this.#account = new Account(options)
  }

  /** Who settles; an `upto` payment names the one who may. */
  get address(): Address {
    return this.#account.address
  }

  takes(payment: SignedPayment): boolean {
    if (!isPermit2(payment)) return true
    const { caller } = proxyCall(payment)
    return caller === null || caller.toLowerCase() === this.address.toLowerCase()
  }

  check(payment: SignedPayment): Promise<CheckOutcome> {
    return this.#options.chain.check(payment)
  }

  async settle(payment: SignedPayment): Promise<SettleOutcome> {
    const key = keyTextOf(payment)
    const unmined = this.#unmined.get(key)
    if (unmined) {
      const outcome = await this.#resume(key, unmined, payment)
      if (outcome) return outcome
    }
    const { chain, asset } = this.#options
    const call = isPermit2(payment)
      ? proxyCall(payment)
      : { to: asset.address, data: callData(payment) }
    let gas: bigint
    try {
      gas = await chain.client.estimateGas({ account: this.address, to: call.to, data: call.data })
    } catch (error) {
      return this.#refusal(error, payment)
    }
    const sent = await this.#account.send(call, (gas * 12n) / 10n)
    if (!sent.sent) return { outcome: 'unavailable', detail: sent.detail }
    return this.#outcome(key, sent.outgoing, payment)
  }

  /** Goes on with a transaction of an earlier attempt; null when its place was taken by another. */
  async #resume(
    key: string,
    outgoing: Outgoing,
    payment: SignedPayment,
  ): Promise<SettleOutcome | null> {
    try {
      if (await this.#account.isFree(outgoing.nonce)) await this.#account.replace(outgoing)
      else if (!(await this.#minedOf(outgoing))) {
        this.#unmined.delete(key)
        return null
      }
    } catch (error) {
      return { outcome: 'unknown', detail: messageOf(error), transaction: outgoing.hashes.at(-1)! }
    }
    return this.#outcome(key, outgoing, payment)
  }

  async #outcome(key: string, outgoing: Outgoing, payment: SignedPayment): Promise<SettleOutcome> {
    const { chain } = this.#options
    const receipt = await this.#receipt(outgoing)
    if (receipt === null) {
      this.#unmined.set(key, outgoing)
      this.#account.recount()
      const transaction = outgoing.hashes.at(-1)!
      return { outcome: 'unknown', detail: `no receipt of ${transaction} yet`, transaction }
    }
    this.#unmined.delete(key)
    const transaction = receipt.transactionHash
    if (await chain.paysIn(receipt, payment, outgoing.data)) {
      return { outcome: 'settled', transaction }
    }
    const reason =
      receipt.status === 'success'
        ? 'invalid_exact_evm_transfer_event_mismatch'
        : 'invalid_exact_evm_transaction_failed'
    return { outcome: 'refused', reason, detail: transaction }
  }

  /** A failed gas estimate: words of the contract that was called, else the node's trouble. */
  async #refusal(error: unknown, payment: SignedPayment): Promise<SettleOutcome> {
    const reverted = /revert/i.test(fullMessageOf(error))
    // Permit2 and its proxies say no in codes; the state of payer and nonce says why.
    if (isPermit2(payment) && reverted) return this.#options.chain.permit2.whyNot(payment)
    return refusalOf(error)
  }

  /** The receipt of whichever form is mined, with the fees raised meanwhile; null when time is up. */
  async #receipt(outgoing: Outgoing): Promise<TransactionReceipt | null> {
    const { pollMs = POLL_MS, raiseAfterMs = RAISE_AFTER_MS } = this.#options
    const endsAt = Date.now() + (this.#options.receiptTimeoutMs ?? RECEIPT_TIMEOUT_MS)
    let raiseAt = Date.now() + raiseAfterMs
    for (let wait = pollMs; ; wait = Math.min(wait * 1.5, pollMs * 10)) {
      const receipt = await this.#minedOf(outgoing).catch(() => null)
      if (receipt !== null) return receipt
      if (Date.now() + wait > endsAt) return null
      if (Date.now() >= raiseAt) {
        // A node that is away is asked again at the next raise.
        await this.#account.replace(outgoing).catch(() => {})
        raiseAt = Date.now() + raiseAfterMs
      }
      await Bun.sleep(wait)
    }
  }

  /** Newest form first: that is the one miners prefer. */
  async #minedOf(outgoing: Outgoing): Promise<TransactionReceipt | null> {
    for (const hash of outgoing.hashes.toReversed()) {
      const receipt = await this.#options.chain.receipt(hash)
      if (receipt !== null) return receipt
    }
    return null
  }
}

/** The token call: v, r, s for a plain signature, which old EIP-3009 tokens need, else bytes. */
export function callData(payment: Signed3009): Hex {
  const { signature, authorization } = payment.payload
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const common = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce] as const
  if (signature.length !== 132) {
    return encodeFunctionData({
      abi: TOKEN_ABI,
      functionName: 'transferWithAuthorization',
      args: [...common, signature],
    })
  }
  const { r, s, yParity } = parseSignature(signature)
  return encodeFunctionData({
    abi: TOKEN_ABI,
    functionName: 'transferWithAuthorization',
    args: [...common, 27 + yParity, r, s],
  })
}

/** A failed gas estimate: the token's own words say which field is wrong; anything else is the node. */
function refusalOf(error: unknown): SettleOutcome {
  const text = fullMessageOf(error)
  const words: [RegExp, string][] = [
    [/authorization is used|canceled/i, 'invalid_exact_evm_nonce_already_used'],
    [/authorization is expired/i, 'invalid_exact_evm_payload_authorization_valid_before'],
    [/not yet valid/i, 'invalid_exact_evm_payload_authorization_valid_after'],
    [/exceeds balance/i, 'invalid_exact_evm_insufficient_balance'],
    [/invalid signature|ECRecover/i, 'invalid_exact_evm_signature'],
    [/revert/i, 'invalid_exact_evm_transaction_simulation_failed'],
  ]
  const found = words.find(([pattern]) => pattern.test(text))
  if (found) return { outcome: 'refused', reason: found[1] }
  return { outcome: 'unavailable', detail: messageOf(error) }
}
