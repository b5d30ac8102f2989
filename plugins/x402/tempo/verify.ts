/**
 * Judges a payment on Tempo for a quote: its transaction moves the price to us, in time, and its payer
 * signed it. Nobody is asked. What it says about its challenge is the matter of its own dialect.
 */
import type { Quote } from '#kernel'
import { readTempoTransfer, type TempoTransfer } from '../../shared/payments/tempo-transaction.ts'
import { recoverSigner } from '../../shared/signing/ethereum.ts'
import type { Token } from '../terms/token.ts'
import { disagree, problem, type Problem } from '../payment/problem.ts'
import { WORDS } from '../payment/reason-codes.ts'
import { TransferPrices, type TransferPricesOptions } from '../payment/transfer-prices.ts'
import type { Examined, Verified } from '../payment/verified.ts'
import { windowProblem } from '../payment/window-problem.ts'
import { isSameAddress, type TempoPayment } from '../payment/wire.ts'
import type { PaymentReason } from '../reasons.ts'

export interface TempoVerifierOptions extends TransferPricesOptions {
  token: Token
}

/** What is known of a payment that was examined. */
export interface SeenTempo {
  transfer: TempoTransfer
  /** Lower case. */
  payer: string
}

/** Clients give their transactions 25 seconds (mppx); some are spent until the payment is here. */
const LONGEST_S = 20
/** Kept free between the skill's deadline and the end of the transaction, for the settlement. */
const MARGIN_S = 5
/** The longest work for which such a payment is good. */
export const LONGEST_WORK_MS = (LONGEST_S - MARGIN_S) * 1000
const FIELD = 'payload.signature'
const { token: TOKEN, recipient } = WORDS.tempo

export class TempoVerifier {
  readonly #token: Token
  readonly #prices: TransferPrices
  readonly #seen = new WeakMap<TempoPayment, SeenTempo>()

  constructor(options: TempoVerifierOptions) {
    this.#token = options.token
    this.#prices = new TransferPrices(options, WORDS.tempo.value)
  }

  /** What was found when the payment was examined; null where it was refused. */
  seen(payment: TempoPayment): SeenTempo | null {
    return this.#seen.get(payment) ?? null
  }

  async examine(payment: TempoPayment, quote: Quote, deadline: Date, now: Date): Promise<Examined> {
    const read = readTempoTransfer(payment.transaction)
    if (!read.ok) return refused('tempo_transaction', `the transaction ${read.what}`)
    const { transfer } = read
    const foreign = this.#foreign(transfer)
    if (foreign) return { kind: 'refused', problem: foreign }
    const payer = await recoverSigner(transfer.digest, transfer.signature)
    if (payer === null) return refused('tempo_signature', 'the signature is malformed')
    if (payment.payer !== null && !isSameAddress(payment.payer, payer)) {
      const wrong = disagree('tempo_signature', 'source', payment.payer, payer)
      return { kind: 'refused', problem: wrong }
    }
    this.#seen.set(payment, { transfer, payer })
    if (quote.isCeiling || quote.timeoutMs > LONGEST_WORK_MS) {
      const text = 'Tempo is not offered for what is sold here'
      return { kind: 'signed', problem: problem('tempo_not_offered', 'challenge.method', text) }
    }
    const wrong = transactionWindowProblem(transfer, deadline, now)
    if (wrong) return { kind: 'signed', problem: wrong }
    return this.#prices.examine(transfer.amount, quote)
  }

  async verify(payment: TempoPayment, quote: Quote, examined: Examined): Promise<Verified> {
    const seen = this.#seen.get(payment)
    const paid = await this.#prices.verify(seen?.transfer.amount ?? null, quote, examined)
    // It signed by its key, whose account is the same on every EVM chain.
    return paid.ok ? { ...paid, owner: `eip155:${seen!.payer}` } : paid
  }

  /** Its transaction may be over before the work is settled. */
  windowProblem(payment: TempoPayment, deadline: Date, now: Date): Problem | null {
    const seen = this.#seen.get(payment)
    return seen ? transactionWindowProblem(seen.transfer, deadline, now) : null
  }

  /** What makes it none of ours: chain, token or receiver. */
  #foreign({ chainId, token, to }: TempoTransfer): Problem | null {
    const own = this.#token
    if (chainId !== own.chainId) {
      return disagree('tempo_chain_mismatch', FIELD, String(own.chainId), String(chainId))
    }
    if (!isSameAddress(token, own.asset)) {
      return disagree(TOKEN.reason, FIELD, own.asset, token)
    }
    if (!isSameAddress(to, own.payTo)) return disagree(recipient.reason, FIELD, own.payTo, to)
    return null
  }
}

/** The ends as they are called to the payer: the field has the whole transaction. */
const ENDS = {
  validAfter: "the transaction's validAfter",
  validBefore: "the transaction's validBefore",
}

function transactionWindowProblem(
  transfer: TempoTransfer,
  deadline: Date,
  now: Date,
): Problem | null {
  const needed = { deadline, marginS: MARGIN_S, now }
  return windowProblem(transfer, needed, WORDS.tempo, ENDS)
}

function refused(reason: PaymentReason, text: string): Examined {
  return { kind: 'refused', problem: problem(reason, FIELD, text) }
}
