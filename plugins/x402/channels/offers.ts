/** The offer of a channel: the same price as every other, with whom a channel has to be opened. */
import type { Quote } from '#kernel'
import type { EntryOffers } from '../entries/contract.ts'
import type { Token } from '../terms/token.ts'
import { unitsOf } from '../terms/prices.ts'
import { maxTimeoutSeconds } from '../terms/window.ts'
import type { PaymentRequirements } from '../payment/wire.ts'
import { SCHEME } from '../payment/channel.ts'

export interface ChannelTerms {
  /** Who claims: our signer, with its checksum. */
  receiverAuthorizer: string
  /** Seconds. */
  withdrawDelay: number
  /** EIP-712 domain of the token. */
  name: string
  version: string
}

export class ChannelOffers implements EntryOffers {
  readonly token: Token
  readonly speaksV1 = false
  readonly terms: ChannelTerms
  /** Millionths of a dollar that a client is told to deposit at least. */
  readonly #depositAtomic: bigint
  readonly #byQuote = new WeakMap<Quote, readonly PaymentRequirements[]>()

  constructor(token: Token, terms: ChannelTerms, depositAtomic: bigint) {
    this.token = token
    this.terms = terms
    this.#depositAtomic = depositAtomic
  }

  of(quote: Quote): readonly PaymentRequirements[] {
    const known = this.#byQuote.get(quote)
    if (known) return known
    const made = [this.requirementsOf(quote, quote.amountAtomic)]
    this.#byQuote.set(quote, made)
    return made
  }

  /** The requirements of a call at `amountAtomic`, in millionths of a dollar. */
  requirementsOf(quote: Quote, amountAtomic: bigint): PaymentRequirements {
    const seconds = maxTimeoutSeconds(quote.timeoutMs)
    return this.#made(unitsOf(this.token.decimals, amountAtomic), seconds)
  }

  /** The requirements of a refund, which buys nothing. */
  ofRefund(maxTimeoutS: number): PaymentRequirements {
    return this.#made(0n, maxTimeoutS)
  }

  #made(units: bigint, maxTimeoutS: number): PaymentRequirements {
    const { network, asset, payTo, decimals } = this.token
    const deposit = unitsOf(decimals, this.#depositAtomic)
    return {
      scheme: SCHEME,
      network,
      amount: units.toString(),
      asset,
      payTo,
      maxTimeoutSeconds: maxTimeoutS,
      extra: { ...this.terms, ...(deposit > units && { minDeposit: deposit.toString() }) },
    }
  }
}
