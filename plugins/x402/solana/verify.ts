/**
 * Judges a Solana payment for a quote: what its client says it accepts, the rules of the transaction,
 * and the price. Only the height that ends its blockhash is asked of the node.
 */
import { isObject, type Quote } from '#kernel'
import type { Token } from '../terms/token.ts'
import { disagree, problem, type Problem } from '../payment/problem.ts'
import { WORDS } from '../payment/reason-codes.ts'
import { TransferPrices, type TransferPricesOptions } from '../payment/transfer-prices.ts'
import type { Examined, Verified } from '../payment/verified.ts'
import type { Payment, SvmPayment } from '../payment/wire.ts'
import { memosIn, transferIn } from './instructions.ts'
import { isMemoOf, memoOf, SOLANA_MARGIN_S, suits } from './offers.ts'
import { judgeTransaction, readWire, type Expected, type SolanaTransfer } from './rules.ts'
import { SIGNATURE_BYTES, writeTransaction } from './transaction.ts'

export interface SolanaVerifierOptions extends TransferPricesOptions {
  token: Token
  /** What its transaction must be beside fee payer, amount and memo; null before the boot check. */
  account: () => Pick<Expected, 'program' | 'destination'> | null
  knowsFeePayer: (feePayer: string) => boolean
  /** An upper bound of the block height at which the payments of now expire. */
  lastValidBlockHeight: () => Promise<bigint>
}

/** What is known of a payment that was examined. */
export interface SeenPayment {
  transfer: SolanaTransfer
  /** Base64, with the fee payer's signature empty: of several forms of a payment there is one here. */
  transaction: string
  seenAtMs: number
  /** Null until it was verified. */
  lastValidBlockHeight: bigint | null
}

const FIELD = 'payload.transaction'
/** The shortest life of a blockhash that was fresh when the payment came. */
const LIFE_MS = 60_000

export class SolanaVerifier {
  readonly #options: SolanaVerifierOptions
  readonly #prices: TransferPrices
  readonly #seen = new WeakMap<Payment, SeenPayment>()

  constructor(options: SolanaVerifierOptions) {
    this.#options = options
    this.#prices = new TransferPrices(options, WORDS.svm.value)
  }

  /** What was found when the payment was examined; null where its transaction is not good. */
  seen(payment: Payment): SeenPayment | null {
    return this.#seen.get(payment) ?? null
  }

  examine(payment: SvmPayment, quote: Quote, deadline: Date, now: Date): Examined {
    const { token, account } = this.#options
    const to = account()
    const foreign = this.#foreign(payment)
    if (foreign) return { kind: 'refused', problem: foreign }
    if (to === null) return { kind: 'refused', problem: notOffered('the network is not known yet') }
    const judged = judgeTransaction(payment.transaction, {
      ...to,
      feePayer: feePayerOf(payment) ?? '',
      mint: token.asset,
      decimals: token.decimals,
      amount: null,
      memo: this.#memoOf(payment, quote),
    })
    if (!judged.ok) {
      const { reason, detail, expected, got } = judged
      const sides = {
        ...(expected !== undefined && { expected }),
        ...(got !== undefined && { got }),
      }
      return {
        kind: 'refused',
        problem: problem(reason, FIELD, `the transaction ${detail}`, sides),
      }
    }
    const { transfer } = judged
    const unsponsored = writeTransaction(judged.transaction, new Uint8Array(SIGNATURE_BYTES))
    const transaction = unsponsored.toString('base64')
    const seenAtMs = this.#seen.get(payment)?.seenAtMs ?? now.getTime()
    this.#seen.set(payment, { transfer, transaction, seenAtMs, lastValidBlockHeight: null })
    const wrong = this.#unoffered(payment, transfer, quote) ?? this.windowProblem(payment, deadline)
    if (wrong) return { kind: 'signed', problem: wrong }
    return this.#prices.examine(transfer.amount, quote)
  }

  async verify(payment: SvmPayment, quote: Quote, examined: Examined): Promise<Verified> {
    const seen = this.#seen.get(payment)
    const paid = await this.#prices.verify(seen?.transfer.amount ?? null, quote, examined)
    if (!paid.ok) return paid
    const { transfer } = seen!
    try {
      seen!.lastValidBlockHeight ??= await this.#options.lastValidBlockHeight()
    } catch {
      return { ok: false, unavailable: true }
    }
    // A key's wallet is the same on every network of Solana.
    return { ...paid, owner: `solana:${transfer.payer}` }
  }

  /** Its blockhash may be over before the work is settled. */
  windowProblem(payment: Payment, deadline: Date): Problem | null {
    const seen = this.#seen.get(payment)
    const endsAtMs = deadline.getTime() + SOLANA_MARGIN_S * 1000
    if (!seen || endsAtMs <= seen.seenAtMs + LIFE_MS) return null
    const text = 'the transaction would expire before the call could be settled: sign a new payment'
    return problem('invalid_exact_svm_blockhash_expired', FIELD, text)
  }

  /** Scheme, network or receiver of somebody else. */
  #foreign({ scheme, network, accepted, version }: SvmPayment): Problem | null {
    const { token } = this.#options
    const place = (name: string) => (version === 2 ? `accepted.${name}` : name)
    if (scheme !== 'exact') {
      return disagree('invalid_exact_svm_unsupported_scheme', place('scheme'), 'exact', scheme)
    }
    const ownName = version === 2 ? token.network : token.networkV1
    if (network !== ownName && network !== token.network) {
      return disagree('invalid_exact_svm_network_mismatch', place('network'), ownName, network)
    }
    if (accepted === null) return null
    if (accepted.asset !== token.asset) {
      const reason = 'invalid_exact_svm_payload_mint_mismatch'
      return disagree(reason, 'accepted.asset', token.asset, accepted.asset)
    }
    if (accepted.payTo !== token.payTo) {
      const reason = 'invalid_exact_svm_payload_recipient_mismatch'
      return disagree(reason, 'accepted.payTo', token.payTo, accepted.payTo)
    }
    return null
  }

  /** No offer of the quote, now or a little earlier, is the one that it says it accepts. */
  #unoffered(payment: SvmPayment, transfer: SolanaTransfer, quote: Quote): Problem | null {
    const { knowsFeePayer } = this.#options
    if (!suits(quote)) return notOffered('Solana does not suit what is sold here')
    if (!knowsFeePayer(transfer.feePayer)) {
      const field = payment.version === 2 ? 'accepted.extra.feePayer' : FIELD
      const text = `${field} is no fee payer that was offered`
      const got = { got: transfer.feePayer }
      return problem('invalid_exact_svm_fee_payer_not_managed_by_facilitator', field, text, got)
    }
    const { accepted } = payment
    if (accepted === null) return null
    if (accepted.amount !== transfer.amount.toString()) {
      const reason = 'invalid_exact_svm_payload_amount_mismatch'
      return disagree(reason, FIELD, accepted.amount, transfer.amount.toString())
    }
    return null
  }

  /** That of the offer which is accepted, if it is one of the quote's; version 1 repeats no offer. */
  #memoOf({ accepted, transaction }: SvmPayment, quote: Quote): string {
    const { token } = this.#options
    const memo =
      accepted === null ? memoIn(transaction) : isObject(accepted.extra) && accepted.extra['memo']
    return isMemoOf(token, quote, memo) ? memo : memoOf(token, quote)
  }
}

/** Who pays, by the transaction's own word; null where it cannot be read. */
export function payerIn(transaction: string): string | null {
  const read = readWire(transaction)
  return read.ok ? (transferIn(read.transaction)?.authority ?? null) : null
}

function memoIn(transaction: string): string | null {
  const read = readWire(transaction)
  return read.ok ? (memosIn(read.transaction)[0]?.toString() ?? null) : null
}

/** The fee payer of the offer that is accepted; version 1 does not repeat the offer. */
function feePayerOf({ accepted, transaction }: SvmPayment): string | null {
  if (accepted === null) {
    const read = readWire(transaction)
    return read.ok ? read.transaction.signers[0]! : null
  }
  const feePayer = isObject(accepted.extra) ? accepted.extra['feePayer'] : undefined
  return typeof feePayer === 'string' ? feePayer : null
}

function notOffered(why: string): Problem {
  return problem('invalid_exact_svm_unsupported_scheme', 'accepted.network', why)
}
