/** What a call presents: a payment that pays it, one that paid before, or a request id paid ahead. */
import { fail, type Failure } from '../../errors.ts'
import type { CredentialSource, Identity, Quote, RailCall } from '../contract.ts'
import type { Core } from './core.ts'
import { decodePayment, findPayment } from './decode.ts'
import type { AcceptedPrice } from './offers.ts'
import type { PrepaidRequest, PrepaidRequests } from './prepaid-requests.ts'
import { paymentFailed, settlementUnavailable, type Problem } from './problem.ts'
import { keyOf } from './signed.ts'
import type { Payment } from './wire.ts'

export type Presented =
  | { kind: 'prepaid'; request: PrepaidRequest }
  | { kind: 'payment'; payment: Payment; price: AcceptedPrice }
  /** Not good for this call any more, but a claim of it exists: its answer may be had again. */
  | { kind: 'earlier'; payment: Payment; problem: Problem }
  | { kind: 'refused'; failure: Failure; offer: boolean }

const PREPAID_HEADER = 'x-request-id'

export class Credentials {
  readonly #core: Core
  readonly #prepaid: PrepaidRequests
  /** Verified once per call: inspecting and authorizing see the same. */
  readonly #read = new WeakMap<CredentialSource, Presented>()

  constructor(core: Core, prepaid: PrepaidRequests) {
    this.#core = core
    this.#prepaid = prepaid
  }

  /** Whether there is something to look at; costs no more than reading headers. */
  isPresented(source: CredentialSource, identity: Identity | null, quote: Quote): boolean {
    if (findPayment(source) !== null) return true
    const requestId = source.header(PREPAID_HEADER)
    return requestId !== null && this.#prepaid.has(requestOf(requestId, quote, identity))
  }

  /** Decodes and verifies what the call presents; nothing is claimed. */
  async read(call: RailCall, source: CredentialSource): Promise<Presented> {
    const known = this.#read.get(source)
    if (known) return known
    const found = findPayment(source)
    const read: Presented = found
      ? await this.#payment(call, found.place, found.value)
      : { kind: 'prepaid', request: requestOf(call.requestId, call.quote, call.identity) }
    this.#read.set(source, read)
    return read
  }

  async #payment(call: RailCall, place: string, value: unknown): Promise<Presented> {
    const decoded = decodePayment(place, value)
    if (!decoded.ok)
      return { kind: 'refused', failure: decodeFailure(decoded.problem), offer: true }
    const { payment } = decoded
    const verified = await this.#core.verifier.verify(payment, call.quote, call.deadline)
    if (verified.ok) return { kind: 'payment', payment, price: verified.price }
    if (verified.unavailable) {
      const failure = settlementUnavailable('the payer could not be looked up')
      return { kind: 'refused', failure, offer: false }
    }
    const { problem, signed } = verified
    const wasClaimed = signed && (await this.#core.claims.byPayment(keyOf(this.#core, payment)))
    if (wasClaimed) return { kind: 'earlier', payment, problem }
    const failure = paymentFailed(problem, { payer: payment.authorization.from })
    return { kind: 'refused', failure, offer: true }
  }
}

function requestOf(
  requestId: string,
  { skillId }: Quote,
  identity: Identity | null,
): PrepaidRequest {
  return { requestId, skillId, keyId: identity?.keyId ?? null }
}

function decodeFailure(problem: Problem): Failure {
  if (problem.reason !== 'invalid_payment_identifier') return paymentFailed(problem)
  const { reason, field, message } = problem
  return fail('INVALID_INPUT', message, { details: { reason, field } })
}
