/** The offers of a Solana entry: `exact`, with who pays the fee and a memo that names the place. */
import { createHash } from 'node:crypto'
import type { Quote } from '#kernel'
import type { EntryOffers } from '../entries/contract.ts'
import type { Token } from '../terms/token.ts'
import { unitsOf } from '../terms/prices.ts'
import { maxTimeoutSeconds } from '../terms/window.ts'
import type { PaymentRequirements } from '../payment/wire.ts'
import { memoWith, nonceIn } from '../offers/solana-nonce.ts'

/** A blockhash lives for 150 blocks, a minute or more, and the payer has used some of it. */
const LONGEST_S = 45
/** Kept free between the skill's deadline and the end of the blockhash, for the settlement. */
export const SOLANA_MARGIN_S = 15

export class SolanaOffers implements EntryOffers {
  readonly token: Token
  readonly speaksV1 = true
  readonly #feePayer: () => string | null
  #byQuote = new WeakMap<Quote, readonly PaymentRequirements[]>()

  /** `feePayer` tells whom offers name now; null: nothing is offered. */
  constructor(token: Token, feePayer: () => string | null) {
    this.token = token
    this.#feePayer = feePayer
  }

  of(quote: Quote): readonly PaymentRequirements[] {
    const known = this.#byQuote.get(quote)
    if (known) return known
    const feePayer = this.#feePayer()
    const made =
      feePayer !== null && suits(quote)
        ? [
            this.requirementsOf(
              quote,
              { feePayer, memo: memoOf(this.token, quote) },
              quote.amountAtomic,
            ),
          ]
        : []
    this.#byQuote.set(quote, made)
    return made
  }

  /** The fee payer changed: all offers are made anew. */
  renew(): void {
    this.#byQuote = new WeakMap()
  }

  /** The requirements of a payment with this fee payer and memo (null: none), at millionths of a dollar. */
  requirementsOf(
    quote: Quote,
    { feePayer, memo }: { feePayer: string; memo: string | null },
    amountAtomic: bigint,
  ): PaymentRequirements {
    const { network, asset, payTo, decimals } = this.token
    return {
      scheme: 'exact',
      network,
      amount: unitsOf(decimals, amountAtomic).toString(),
      asset,
      payTo,
      maxTimeoutSeconds: maxTimeoutSeconds(quote.timeoutMs),
      extra: { feePayer, ...(memo !== null && { memo }) },
    }
  }
}

/** Whether a quote can be paid by a transaction: it takes all of the price, and lives not for long. */
export function suits({ isCeiling, timeoutMs }: Quote): boolean {
  return !isCeiling && timeoutMs / 1000 + SOLANA_MARGIN_S <= LONGEST_S
}

/** Binds a payment to its place: the route or tool, and what is paid to whom. */
export function memoOf(
  { network, asset, payTo }: Token,
  { skillId, transport, method, path }: Quote,
  nonce?: string,
): string {
  const place = JSON.stringify([network, asset, payTo, skillId, transport, method, path])
  return memoWith(createHash('sha256').update(place).digest('hex').slice(0, 16), nonce)
}

/** Whether a memo is one of the quote's place. */
export function isMemoOf(token: Token, quote: Quote, memo: unknown): memo is string {
  const nonce = nonceIn(memo)
  return nonce !== null && memo === memoOf(token, quote, nonce)
}
