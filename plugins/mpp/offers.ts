/** What MPP adds to a 402: a challenge for each method that is sold, new for every answer. */
import type { CallPlace, CredentialSource, Failure, FreshOffer, Offer, Quote } from '#kernel'
import type { PaymentNetwork, Payments } from '../shared/payments/contract.ts'
import { expiresIn, type Asked, type Challenges } from './challenges.ts'
import type { ChargeMethod, ChargeNetwork } from './charge/method.ts'
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

/** The network that challenges of a method ask for: the first that is open and suits. */
export function chargeNetwork(
  charge: ChargeMethod,
  payments: Payments,
  quote?: Quote,
): ChargeNetwork | null {
  for (const network of payments.networks()) {
    if (network.isOpen && charge.isOn(network) && suits(network, quote)) return network
  }
  return null
}

/** Whether a payment on this network can wait for the work. */
function suits({ longestWorkMs }: PaymentNetwork, quote?: Quote): boolean {
  return longestWorkMs === undefined || !quote || quote.timeoutMs <= longestWorkMs
}

/** The charges of a price as OpenAPI lists them, whether their networks are open now or not. */
export function listedCharges(
  amountAtomic: bigint,
  methods: readonly ChargeMethod[],
  payments: Payments | null,
): object[] {
  if (!payments) return []
  return methods.flatMap((charge) => {
    const network = payments.networks().find((one) => charge.isOn(one))
    if (!network) return []
    const { method, intent } = charge
    const amount = payments.amountOn(network, amountAtomic).toString()
    return [{ method, intent, amount, currency: network.asset }]
  })
}

export class Offers {
  readonly #challenges: () => Challenges
  readonly #methods: readonly ChargeMethod[]
  readonly #made = new WeakMap<Quote, { networks: object; offer: Offer | null }>()

  constructor(challenges: () => Challenges, methods: readonly ChargeMethod[]) {
    this.#challenges = challenges
    this.#methods = methods
  }

  /**
   * The offer of a quote, the same object while the networks are the same. Null where nothing can be
   * charged this way: the amount of a charge is exact, and a ceiling is not.
   */
  of(quote: Quote, payments: Payments): Offer | null {
    if (quote.isCeiling) return null
    const networks = payments.networks()
    const known = this.#made.get(quote)
    if (known?.networks === networks) return known.offer
    const sold = this.#methods.flatMap((charge) => this.#soldBy(charge, quote, payments))
    const offer = sold.length > 0 ? this.#offer(sold, quote, payments) : null
    this.#made.set(quote, { networks, offer })
    return offer
  }

  #soldBy(charge: ChargeMethod, quote: Quote, payments: Payments): Sold[] {
    const network = chargeNetwork(charge, payments, quote)
    if (network === null) return []
    const { method, intent } = charge
    const requestObject = charge.request(network, payments.amountOn(network, quote.amountAtomic))
    return [{ method, intent, request: encodeJcs(requestObject), requestObject }]
  }

  #offer(sold: readonly Sold[], quote: Quote, payments: Payments): Offer {
    const seconds = payments.validForSeconds(quote)
    return {
      headers: {},
      body: {},
      advice: `With MPP: pay one of the challenges in _meta["${META_PAYMENT_REQUIRED}"].`,
      fresh: (place, source, refusal) => {
        const expires = expiresIn(seconds, payments.nowMs())
        return this.#fresh(sold, expires, { place, source, refusal })
      },
    }
  }

  #fresh(sold: readonly Sold[], expires: string, { place, source, refusal }: Unpaid): FreshOffer {
    const issuer = this.#challenges()
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
      body: problem,
      ...((accepts !== null || bringsCredential(source)) && { contentType: PROBLEM_JSON }),
    }
  }
}

/** Where a caller's credential goes whose Authorization holds a key; null: there. */
function credentialHeader(source: CredentialSource): string | null {
  const held = source.header(AUTHORIZATION)
  return held === null || bringsCredential(source) ? null : PAYMENT_AUTHORIZATION
}
