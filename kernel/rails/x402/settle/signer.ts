/**
 * Settles by the gateway's own key: submits the payer's authorization to the token and waits for
 * the receipt with its Transfer log. Sending is serial, so that parallel settlements get
 * consecutive account nonces; waiting is parallel.
 */
import {
  encodeFunctionData,
  keccak256,
  parseSignature,
  type Hex,
  type PrivateKeyAccount,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Asset } from '../asset.ts'
import type { SignedPayment } from '../claim.ts'
import { messageOf, TOKEN_ABI, type Chain } from './chain.ts'
import type { CheckOutcome, SettleOutcome, Settler } from './contract.ts'

export interface SignerOptions {
  chain: Chain
  asset: Asset
  /** 0x and 64 hex digits; its account pays the gas. */
  key: Hex
  /** How long a receipt is waited for before the outcome counts as unknown. */
  receiptTimeoutMs?: number
  /** First pause between looks for the receipt; it grows to ten times that. */
  pollMs?: number
}

const RECEIPT_TIMEOUT_MS = 30_000
const POLL_MS = 50
/** Fees move slowly against the head room below. */
const FEES_KEPT_MS = 5000
const SEND_ATTEMPTS = 4

interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}
type Sent = { sent: true; hash: Hex } | { sent: false; detail: string }

export class OwnSigner implements Settler {
  readonly name = 'own signer'
  readonly #options: SignerOptions
  readonly #account: PrivateKeyAccount
  /** Sends in order: each waits for the one before. */
  #queue: Promise<unknown> = Promise.resolve()
  /** The next account nonce, or null when the node must be asked. */
  #nonce: number | null = null
  #fees: { at: number; value: Fees } | null = null

  constructor(options: SignerOptions) {
    this.#options = options
    this.#account = privateKeyToAccount(options.key)
  }

  get address(): Hex {
    return this.#account.address
  }

  check(payment: SignedPayment): Promise<CheckOutcome> {
    return this.#options.chain.check(payment)
  }

  async settle(payment: SignedPayment): Promise<SettleOutcome> {
    const { chain, asset } = this.#options
    const data = callData(payment)
    let gas: bigint
    try {
      gas = await chain.client.estimateGas({
        account: this.#account.address,
        to: asset.address,
        data,
      })
    } catch (error) {
      return refusalOf(error)
    }
    const sending = this.#queue.then(() => this.#send(data, (gas * 12n) / 10n))
    this.#queue = sending.catch(() => {})
    const sent = await sending
    if (!sent.sent) return { outcome: 'unavailable', detail: sent.detail }
    const receipt = await this.#receipt(sent.hash)
    if (receipt === null) {
      return {
        outcome: 'unknown',
        detail: `no receipt of ${sent.hash} yet`,
        transaction: sent.hash,
      }
    }
    if (chain.paysIn(receipt, payment)) return { outcome: 'settled', transaction: sent.hash }
    const reason =
      receipt.status === 'success'
        ? 'invalid_exact_evm_transfer_event_mismatch'
        : 'invalid_exact_evm_transaction_failed'
    return { outcome: 'refused', reason, detail: sent.hash }
  }

  /** Signs and sends with the next account nonce. A lost answer counts as sent: the hash is known. */
  async #send(data: Hex, gas: bigint): Promise<Sent> {
    const { chain, asset } = this.#options
    const { client } = chain
    let detail = ''
    for (let attempt = 0; attempt < SEND_ATTEMPTS; attempt++) {
      let serialized: Hex
      try {
        const fees = await this.#currentFees()
        this.#nonce ??= await client.getTransactionCount({
          address: this.#account.address,
          blockTag: 'pending',
        })
        serialized = await this.#account.signTransaction({
          type: 'eip1559',
          chainId: asset.chainId,
          to: asset.address,
          data,
          gas,
          nonce: this.#nonce,
          ...fees,
        })
      } catch (error) {
        return { sent: false, detail: messageOf(error) }
      }
      try {
        const hash = await client.sendRawTransaction({ serializedTransaction: serialized })
        this.#nonce++
        return { sent: true, hash }
      } catch (error) {
        detail = fullMessageOf(error)
        const taken = this.#nonce
        this.#nonce = null
        if (/already known|already imported/i.test(detail)) {
          return { sent: true, hash: keccak256(serialized) }
        }
        if (/nonce|underpriced/i.test(detail)) {
          this.#fees = null
          continue
        }
        if (/insufficient funds|gas required|intrinsic gas/i.test(detail)) {
          return { sent: false, detail: 'the settlement account cannot pay the gas' }
        }
        return this.#afterLostSend(keccak256(serialized), taken, detail)
      }
    }
    return { sent: false, detail: `the node refused the transaction: ${detail.slice(0, 200)}` }
  }

  /** No answer to a send: it may be out, so the receipt is waited for. A refusal by text is not sent. */
  #afterLostSend(hash: Hex, nonce: number, detail: string): Sent {
    const lost =
      /timed? ?out|took too long|fetch failed|HTTP request failed|socket|closed|reset/i.test(detail)
    if (!lost)
      return { sent: false, detail: `the node refused the transaction: ${detail.slice(0, 200)}` }
    this.#nonce = nonce + 1
    return { sent: true, hash }
  }

  async #currentFees(): Promise<Fees> {
    const known = this.#fees
    if (known && Date.now() - known.at < FEES_KEPT_MS) return known.value
    const { client } = this.#options.chain
    const [block, tip] = await Promise.all([
      client.getBlock({ blockTag: 'latest' }),
      client.estimateMaxPriorityFeePerGas(),
    ])
    const value = {
      maxFeePerGas: (block.baseFeePerGas ?? 0n) * 2n + tip,
      maxPriorityFeePerGas: tip,
    }
    this.#fees = { at: Date.now(), value }
    return value
  }

  async #receipt(hash: Hex): Promise<TransactionReceipt | null> {
    const pollMs = this.#options.pollMs ?? POLL_MS
    const endsAt = Date.now() + (this.#options.receiptTimeoutMs ?? RECEIPT_TIMEOUT_MS)
    for (let wait = pollMs; ; wait = Math.min(wait * 1.5, pollMs * 10)) {
      const receipt = await this.#options.chain.receipt(hash).catch(() => null)
      if (receipt !== null) return receipt
      if (Date.now() + wait > endsAt) {
        // A transaction that never came out leaves a gap; the node knows which nonce is free.
        this.#nonce = null
        return null
      }
      await Bun.sleep(wait)
    }
  }
}

/** The token call: v, r, s for a plain signature, which old EIP-3009 tokens need, else bytes. */
export function callData(payment: SignedPayment): Hex {
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

/** All texts of an error and its causes, for matching; never shown. */
function fullMessageOf(error: unknown): string {
  const texts: string[] = []
  for (let at: unknown = error; at instanceof Error && texts.length < 8; at = at.cause) {
    texts.push(at.message, String((at as { details?: unknown }).details ?? ''))
  }
  return texts.join('\n')
}
