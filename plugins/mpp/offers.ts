/** What MPP adds to a 402: a challenge for each method that is sold, new for every answer. */
import type { CallPlace, CredentialSource, Failure, FreshOffer, Offer, Quote } from '#kernel'
import type { Payments } from '../shared/payments/contract.ts'
import { expiresIn, type Asked, type Challenges } from './challenges.ts'
import { chargeRequest, EVM_CHARGE, isEvmCharge, type EvmNetwork } from './charge/evm.ts'
import { problemOf, problemTypeOf, type ProblemType } from './problems.ts'
import { accepted } from './wire/accept-payment.ts'
import { encodeJcs } from './wire/base64url.ts'
import { challengeObject, challengeText, type Challenge } from './wire/challenge.ts'
import { bringsCredential } from './wire/credential.ts'
import {
  ACCEPT_PAYMENT,
  AUTHORIZATION,
  META_PAYMENT_REQUIRED,
  PAYMENT_AUTHORIZATION,
  WWW_AUTHENTICATE,
} from './wire/names.ts'

/** The network whose token is asked for: the first that is open and takes transfers by EIP-3009. */
export function networkOf(payments: Payments): EvmNetwork | null {
  return payments.networks().find((one) => one.isOpen && isEvmCharge(one)) as EvmNetwork | null ?? null
}

/** Made once for a quote, while its network is the same. */
interface Made {
  network: EvmNetwork
  offer: Offer
}

interface Sold extends Asked {
  requestObject: object
}

export class Offers {
  readonly #challenges: () => Challenges
  readonly #made = new WeakMap<Quote, Made>()

  constructor(challenges: () => Challenges) {
    this.#challenges = challenges
  }

  /**
   * The offer of a quote; null where nothing can be charged that way: the amount of a charge is
   * exact, and a ceiling is not.
   */
  of(quote: Quote, payments: Payments): Offer | null {
    if (quote.isCeiling) return null
    const network = networkOf(payments)
    if (network === null) return null
    const known = this.#made.get(quote)
    if (known && isSame(known.network, network)) return known.offer
    const offer = this.#make(quote, network, payments)
    this.#made.set(quote, { network, offer })
    return offer
  }

  #make(quote: Quote, network: EvmNetwork, payments: Payments): Offer {
    const requestObject = chargeRequest(network, payments.amountOn(network, quote.amountAtomic))
    const sold: Sold[] = [{ ...EVM_CHARGE, request: encodeJcs(requestObject), requestObject }]
    const seconds = payments.validForSeconds(quote)
    const freshOf = place => place
    return {
      headers: { 'cache-control': 'no-store' },
      body: {},
      advice: `With MPP: pay one of the challenges in _meta["${META_PAYMENT_REQUIRED}"].`,
      fresh: (place, source, refusal) => this.#fresh(sold, seconds, { place, source, refusal }),
    }
  }
}
