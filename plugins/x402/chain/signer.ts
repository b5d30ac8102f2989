/**
 * Settles by the gateway's own key: submits the payer's authorization to the token, or to the proxy
 * of x402 that has Permit2 move it, and waits for the receipt with its Transfer log. One that is not
 * mined in time is sent again with higher fees in the same place, also by a later attempt, another
 * instance or the next start: a payment never has two transactions under way.
 */
import {
  encodeFunctionData,
  parseSignature,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import {
  isPermit2,
  nonceTextOf,
  payerOf,
  type Signed3009,
  type SignedPayment,
} from '../payment/payload.ts'
import { Account, type AccountOptions, type Outgoing } from './account.ts'
import { TOKEN_ABI } from './chain.ts'
import type { CheckOutcome, SettleOutcome, Settler } from '../settle/contract.ts'
import { fullMessageOf, messageOf } from '../settle/error-text.ts'
import type { PaymentOf } from './pending-transactions.ts'
import { proxyCall } from './permit2-call.ts'
import { isSameAddress } from '../payment/wire.ts'

export interface SignerOptions extends Omit<AccountOptions, 'tendedMs'> {
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
/** A transaction whose sender raises it no more, because it is dead, may be raised by others. */
const TENDED_RAISES = 2
/** A send whose answer was lost is repeated; the node says when it knows it. */
const RESEND_AFTER_MS = 1000
/** Nodes behind one address show a receipt at different times. */
const TAKEN_GRACE_MS = 1000

export class OwnSigner implements Settler {
  readonly name = 'own signer'
  readonly isRemote = false
  readonly #options: SignerOptions
  readonly #raiseAfterMs: number
  readonly #account: Account

  constructor(options: SignerOptions) {
    this.#options = options
    this.#raiseAfterMs = options.raiseAfterMs ?? RAISE_AFTER_MS
    this.#account = new Account({ ...options, tendedMs: this.#raiseAfterMs * TENDED_RAISES })
  }

  /** Who settles; an `upto` payment names the one who may. */
  get address(): Address {
    return this.#account.address
  }

  takes(payment: SignedPayment): boolean {
    if (!isPermit2(payment)) return true
    const { caller } = proxyCall(payment)
    return caller === null || isSameAddress(caller, this.address)
  }

  /** It needs no verification of its own before it settles. */
  hasVerified(): boolean {
    return false
  }

  check(payment: SignedPayment): Promise<CheckOutcome> {
    return this.#options.chain.check(payment)
  }

  async settle(payment: SignedPayment, isAgain = false): Promise<SettleOutcome> {
    const { chain, asset } = this.#options
    const key = { asset: asset.address, payer: payerOf(payment), nonce: nonceTextOf(payment) }
    if (isAgain) {
      const outcome = await this.#resume(key, payment)
      if (outcome) return outcome
    }
    const call = isPermit2(payment)
      ? proxyCall(payment)
      : { to: asset.address, data: callData(payment) }
    let gas: bigint
    try {
      gas = await chain.client.estimateGas({ account: this.address, to: call.to, data: call.data })
    } catch (error) {
      return this.#refusal(error, payment)
    }
    const { to, data } = call
    const sent = await this.#account.send(key, { to, data, gas: (gas * 12n) / 10n })
    switch (sent.sent) {
      case 'now':
        return this.#outcome(sent.outgoing, payment)
      case 'before':
        return this.#goOn(sent.outgoing, payment)
      case 'no':
        return { outcome: 'unavailable', detail: sent.detail }
      case 'unknown':
        return { outcome: 'unknown', detail: sent.detail }
    }
  }

  /** Goes on with a transaction of an earlier attempt; null when there is none. */
  async #resume(key: PaymentOf, payment: SignedPayment): Promise<SettleOutcome | null> {
    let outgoing: Outgoing | null
    try {
      outgoing = await this.#account.find(key)
    } catch (error) {
      return { outcome: 'unknown', detail: messageOf(error) }
    }
    return outgoing && this.#goOn(outgoing, payment)
  }

  async #goOn(outgoing: Outgoing, payment: SignedPayment): Promise<SettleOutcome> {
    const receipt = await this.#minedOf(outgoing).catch(() => null)
    return receipt
      ? this.#mined(outgoing, receipt, payment)
      : this.#outcome(outgoing, payment, Date.now())
  }

  async #outcome(
    outgoing: Outgoing,
    payment: SignedPayment,
    raiseAt = Date.now() + this.#raiseAfterMs,
  ): Promise<SettleOutcome> {
    const receipt = await this.#receipt(outgoing, raiseAt)
    if (receipt !== null) return this.#mined(outgoing, receipt, payment)
    this.#account.recount()
    const transaction = outgoing.hashes.at(-1)!
    return { outcome: 'unknown', detail: `no receipt of ${transaction} yet`, transaction }
  }

  async #mined(
    outgoing: Outgoing,
    receipt: TransactionReceipt,
    payment: SignedPayment,
  ): Promise<SettleOutcome> {
    const transaction = receipt.transactionHash
    if (await this.#options.chain.paysIn(receipt, payment, outgoing.data)) {
      this.#account.forget(outgoing)
      return { outcome: 'settled', transaction }
    }
    const reason =
      receipt.status === 'success'
        ? 'invalid_exact_evm_transfer_event_mismatch'
        : 'invalid_exact_evm_transaction_failed'
    try {
      await this.#account.drop(outgoing)
    } catch (error) {
      return { outcome: 'unknown', detail: messageOf(error), transaction }
    }
    return { outcome: 'refused', reason, detail: transaction, block: receipt.blockNumber }
  }

  /** A failed gas estimate: words of the contract that was called, else the node's trouble. */
  async #refusal(error: unknown, payment: SignedPayment): Promise<SettleOutcome> {
    const reverted = /revert/i.test(fullMessageOf(error))
    // Permit2 and its proxies say no in codes; the state of payer and nonce says why.
    if (isPermit2(payment) && reverted) return this.#options.chain.permit2.whyNot(payment)
    return refusalOf(error)
  }

  /** The receipt of whichever form is mined, with the fees raised meanwhile; null when time is up. */
  async #receipt(outgoing: Outgoing, firstRaiseAt: number): Promise<TransactionReceipt | null> {
    const { pollMs = POLL_MS } = this.#options
    let endsAt = Date.now() + (this.#options.receiptTimeoutMs ?? RECEIPT_TIMEOUT_MS)
    let raiseAt = firstRaiseAt
    let resendAt = Date.now() + RESEND_AFTER_MS
    let isOver = false
    for (let wait = pollMs; ; wait = Math.min(wait * 1.5, pollMs * 10)) {
      const receipt = await this.#minedOf(outgoing).catch(() => null)
      if (receipt !== null) return receipt
      if (Date.now() + wait > endsAt) break
      if (!isOver && Date.now() >= raiseAt) {
        // A node or a database that is away is asked again at the next raise.
        const standing = await this.#account.push(outgoing).catch(() => null)
        isOver = standing === 'taken' || standing === 'cut off'
        if (isOver) endsAt = Math.min(endsAt, Date.now() + TAKEN_GRACE_MS)
        raiseAt = Date.now() + this.#raiseAfterMs
      } else if (!isOver && outgoing.isLost && Date.now() >= resendAt) {
        await this.#account.resend(outgoing)
        resendAt = Date.now() + RESEND_AFTER_MS
      }
      await Bun.sleep(wait)
    }
    // The next attempt takes a new place.
    if (isOver) await this.#account.drop(outgoing).catch(() => {})
    return null
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
