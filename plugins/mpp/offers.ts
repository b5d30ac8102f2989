/** What MPP adds to a 402: a challenge for each method that is sold, new for every answer. */
import type { CallPlace, CredentialSource, Failure, FreshOffer, Offer, Quote } from '#kernel'
import type { Payments } from '../shared/payments/contract.ts'
import { expiresIn, type Asked, type Challenges } from './challenges.ts'
import { chargeRequest, EVM_CHARGE, isEvmCharge, type EvmNetwork } from './charge/evm.ts'
import { mcpCodeOf, problemOf, problemTypeOf } from './problems.ts'
import { accepted } from './wire/accept-payment.ts'
import { encodeJcs } from './wire/base64url.ts'
import { challengeObject, challengeText } from './wire/challenge.ts'
import { bringsCredential } from './wire/credential.ts'
import {
  ACCEPT_PAYMENT,
  AUTHORIZATION,
  META_PAYMENT_REQUIRED,
  PAYMENT_AUTHORIZATION,
  WWW_AUTHENTICATE,
} from './wire/names.ts'

/** A method as it is sold for one quote. */
interface Sold extends Asked {
  requestObject: object
}

/** The call that is answered. */
interface Unpaid {
  place: CallPlace
  source: CredentialSource
  refusal: Failure | undefined
}

/** Clients that name it are told by JSON-RPC errors (payment-transport-mcp-00 §4). */
const MCP_CAPABILITY = ['experimental', 'payment'] as const
const PROBLEM_JSON = 'application/problem+json'
const NOTHING_PAID = 'Payment is required.'

/** The network that challenges ask for: the first that is open and whose token takes EIP-3009. */
export function chargeNetwork(payments: Payments): EvmNetwork | null {
  for (const network of payments.networks()) {
    if (network.isOpen && isEvmCharge(network)) return network
  }
  return null
}

/** The charge of a price as OpenAPI lists it, whether its network is open at this moment or not. */
export function listedCharges(amountAtomic: bigint, payments: Payments | null): object[] {
  const network = payments?.networks().find(isEvmCharge)
  if (!payments || !network) return []
  const amount = payments.amountOn(network, amountAtomic).toString()
  return [{ ...EVM_CHARGE, amount, currency: network.asset }]
}

export class Offers {
  readonly #challenges: () => Challenges
  readonly #made = new WeakMap<Quote, { network: EvmNetwork; offer: Offer }>()

  constructor(challenges: () => Challenges) {
    this.#challenges = challenges
  }

  /**
   * The offer of a quote, the same object while its network is the same. Null where nothing can be
   * charged this way: the amount of a charge is exact, and a ceiling is not.
   */
  of(quote: Quote, payments: Payments): Offer | null {
    const network = quote.isCeiling ? null : chargeNetwork(payments)
    if (network === null) return null
    const known = this.#made.get(quote)
    if (known && isSameToken(known.network, network)) return known.offer
    const requestObject = chargeRequest(network, payments.amountOn(network, quote.amountAtomic))
    const sold = [{ ...EVM_CHARGE, request: encodeJcs(requestObject), requestObject }]
    const seconds = payments.validForSeconds(quote)
    const offer: Offer = {
      headers: { 'cache-control': 'no-store' },
      body: {},
      advice: `With MPP: pay one of the challenges in _meta["${META_PAYMENT_REQUIRED}"].`,
      fresh: (place, source, refusal) => this.#fresh(sold, seconds, { place, source, refusal }),
    }
    this.#made.set(quote, { network, offer })
    return offer
  }

  #fresh(sold: readonly Sold[], seconds: number, { place, source, refusal }: Unpaid): FreshOffer {
    const issuer = this.#challenges()
    const expires = expiresIn(seconds)
    const header = place.transport === 'http' ? credentialHeader(source) : null
    const accepts = source.header(ACCEPT_PAYMENT)
    const taken = accepted(sold, accepts)
    const challenges = taken.map((asked) => issuer.issue(asked, { place, expires, header }))
    const type = problemTypeOf(refusal)
    const problem = problemOf(type, {
      detail: refusal?.message ?? NOTHING_PAID,
      challengeId: challenges[0]!.id,
    })
    if (place.transport === 'mcp') {
      const objects = challenges.map((challenge, at) =>
        challengeObject(challenge, taken[at]!.requestObject),
      )
      const data = { httpStatus: 402, challenges: objects, problem }
      return {
        headers: [],
        meta: { [META_PAYMENT_REQUIRED]: data },
        mcpForm: {
          capability: MCP_CAPABILITY,
          kind: 'error',
          code: mcpCodeOf(type),
          message: problem.title,
          data,
        },
      }
    }
    return {
      headers: challenges.map((challenge) => [WWW_AUTHENTICATE, challengeText(challenge)]),
      body: { ...problem },
      ...((accepts !== null || bringsCredential(source)) && { contentType: PROBLEM_JSON }),
    }
  }
}

/** Where a caller's credential goes whose Authorization holds a key; null: there. */
function credentialHeader(source: CredentialSource): string | null {
  const held = source.header(AUTHORIZATION)
  return held === null || bringsCredential(source) ? null : PAYMENT_AUTHORIZATION
}

function isSameToken(one: EvmNetwork, other: EvmNetwork): boolean {
  return one.network === other.network && one.asset === other.asset && one.payTo === other.payTo
}
