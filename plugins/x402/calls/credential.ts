/** What a call presents: a payment that pays it, one that paid before, or a request id paid ahead. */
import {
  type CredentialSource,
  type EarlyRailCall,
  fail,
  type Failure,
  type Identity,
  type InspectOutcome,
  type PrecheckOutcome,
  type Quote,
} from '#kernel'
import type { RailParts } from '../rail-parts.ts'
import type { ForeignPayment } from '../../shared/payments/contract.ts'
import { decodePayment } from '../payment/decode.ts'
import { foreignPayment } from '../payment/foreign.ts'
import type { Entry } from '../entries/contract.ts'
import type { AcceptedPrice } from '../terms/prices.ts'
import type { PrepaidRequests } from '../claims/prepaid-requests.ts'
import type { PrepaidRequest } from '../claims/claim.ts'
import { paymentFailed, problem, settlementUnavailable, type Problem } from '../payment/problem.ts'
import type { Examined } from '../payment/verified.ts'
import {
  META_PAYMENT,
  META_PAYMENT_V1,
  PAYMENT_SIGNATURE,
  PAYMENT_V1,
  type Payment,
} from '../payment/wire.ts'
import { REASONS } from '../reasons.ts'

export type Presented =
  | { kind: 'prepaid'; request: PrepaidRequest }
  | { kind: 'payment'; entry: Entry; payment: Payment; price: AcceptedPrice; owner: string }
  /** Not good for this call any more, but a claim of it exists: its answer may be had again. */
  | { kind: 'earlier'; entry: Entry; payment: Payment; problem: Problem }
  | { kind: 'refused'; failure: Failure; offer: boolean }

/** What was found and what it says by itself. */
type Seen =
  | { kind: 'prepaid'; request: PrepaidRequest }
  | { kind: 'undecoded'; failure: Failure }
  | { kind: 'payment'; entry: Entry; payment: Payment; examined: Examined }

/** A call's headers and `_meta`, or a payment that another dialect carried. */
export type Presentation = CredentialSource | ForeignPayment

const PREPAID_HEADER = 'x-request-id'

/** Where the payment of a call stands, undecoded; null when it brings none. */
export function findPayment(source: CredentialSource): { place: string; value: unknown } | null {
  const header = source.header(PAYMENT_SIGNATURE)
  if (header !== null) return { place: PAYMENT_SIGNATURE, value: header }
  const meta = source.meta
  if (meta) {
    for (const place of [META_PAYMENT, META_PAYMENT_V1]) {
      if (meta[place] !== undefined && meta[place] !== null) return { place, value: meta[place] }
    }
  }
  const v1 = source.header(PAYMENT_V1)
  return v1 === null ? null : { place: PAYMENT_V1, value: v1 }
}

export class Credentials {
  readonly #core: RailParts
  readonly #prepaid: PrepaidRequests
  /** Decoded and examined once per call: prechecking, inspecting and authorizing see the same. */
  readonly #seen = new WeakMap<Presentation, Promise<Seen>>()
  readonly #read = new WeakMap<Presentation, Presented>()

  constructor(core: RailParts, prepaid: PrepaidRequests) {
    this.#core = core
    this.#prepaid = prepaid
  }

  /** Whether there is something to look at; costs no more than reading headers. */
  isPresented(source: CredentialSource, identity: Identity | null, quote: Quote): boolean {
    if (findPayment(source) !== null) return true
    const requestId = source.header(PREPAID_HEADER)
    return requestId !== null && this.#prepaid.has(requestOf(requestId, quote, identity))
  }

  /** What the credential says by itself: nobody is asked for it, and nothing is claimed. */
  async precheck(call: EarlyRailCall, source: Presentation): Promise<PrecheckOutcome> {
    const seen = await this.#look(call, source)
    if (seen.kind === 'prepaid') return { outcome: 'ok', payer: null, rest: null }
    if (seen.kind === 'undecoded') return { outcome: 'refused', failure: seen.failure, offer: true }
    const { entry, payment, examined } = seen
    if (examined.kind === 'refused') {
      const failure = failureOf(entry, payment, examined.problem)
      return { outcome: 'refused', failure, offer: true }
    }
    const payer = payerIdOf(entry, payment)
    if (examined.kind === 'good') return { outcome: 'ok', payer, rest: null }
    // Signatures are public once they were settled: one that is good for nothing here may be sent by
    // anybody, and proves nobody.
    const isProven = examined.kind === 'signed' && examined.problem === null
    return {
      outcome: 'ok',
      payer: isProven ? payer : null,
      rest: async () => inspected(await this.read(call, source)),
    }
  }

  /** What the call presents, verified; nothing is claimed. */
  async read(call: EarlyRailCall, source: Presentation): Promise<Presented> {
    const known = this.#read.get(source)
    const { clock } = this.#core
    // A long upload may have taken the time that was left for settling.
    const isTooLate =
      known?.kind === 'payment' &&
      known.entry.windowProblem(known.payment, clock.timeOf(call.deadline), clock.now()) !== null
    if (known && !isTooLate) return known
    const seen = await this.#look(call, source, known !== undefined)
    const read = await this.#judge(call, seen)
    this.#read.set(source, read)
    return read
  }

  /** Whether there is a claim of what the call presents. */
  async isClaimed(call: EarlyRailCall, source: Presentation): Promise<boolean> {
    const seen = await this.#look(call, source)
    if (seen.kind !== 'payment' || seen.examined.kind === 'refused') return false
    return (await this.#core.claims.byPayment(seen.entry.keyOf(seen.payment))) !== null
  }

  #look(call: EarlyRailCall, source: Presentation, again = false): Promise<Seen> {
    const known = again ? undefined : this.#seen.get(source)
    const seen = known ?? this.#see(call, source)
    this.#seen.set(source, seen)
    return seen
  }

  async #see(call: EarlyRailCall, source: Presentation): Promise<Seen> {
    if (!('header' in source)) return this.#seeForeign(call, source)
    const found = findPayment(source)
    if (!found) {
      const request = requestOf(call.requestId, call.quote, call.identity)
      return { kind: 'prepaid', request }
    }
    const decoded = decodePayment(found.place, found.value)
    if (!decoded.ok) return { kind: 'undecoded', failure: decodeFailure(decoded.problem) }
    const entry = this.#core.entryFor(decoded.payment)
    if (!entry) {
      const failure = settlementUnavailable(this.#core.closedBy ?? 'closed')
      return { kind: 'undecoded', failure }
    }
    return this.#examined(call, entry, decoded.payment)
  }

  async #seeForeign(call: EarlyRailCall, foreign: ForeignPayment): Promise<Seen> {
    const entry = this.#core.entryAt(foreign)
    if (!entry) {
      const { network, asset } = foreign
      const text = `${asset} on ${network} is not taken here`
      const failure = paymentFailed(problem('unsupported_network', 'network', text))
      return { kind: 'undecoded', failure }
    }
    const decoded = foreignPayment(foreign)
    if (!decoded.ok) return { kind: 'undecoded', failure: decodeFailure(decoded.problem) }
    return this.#examined(call, entry, decoded.payment)
  }

  async #examined(
    { quote, deadline }: EarlyRailCall,
    entry: Entry,
    payment: Payment,
  ): Promise<Seen> {
    const { clock } = this.#core
    const examined = await entry.examine(payment, quote, clock.timeOf(deadline), clock.now())
    return { kind: 'payment', entry, payment, examined }
  }

  async #judge(call: EarlyRailCall, seen: Seen): Promise<Presented> {
    if (seen.kind === 'prepaid') return seen
    if (seen.kind === 'undecoded') return { kind: 'refused', failure: seen.failure, offer: true }
    const { entry, payment, examined } = seen
    const verified = await entry.verify(payment, call.quote, examined)
    if (verified.ok) {
      const { price, owner } = verified
      return { kind: 'payment', entry, payment, price, owner }
    }
    if (verified.unavailable) {
      const failure = settlementUnavailable('the payer could not be looked up')
      return { kind: 'refused', failure, offer: false }
    }
    const { problem: wrong, signed } = verified
    const wasClaimed = signed && (await this.#core.claims.byPayment(entry.keyOf(payment)))
    if (wasClaimed) return { kind: 'earlier', entry, payment, problem: wrong }
    return { kind: 'refused', failure: failureOf(entry, payment, wrong), offer: true }
  }
}

function requestOf(
  requestId: string,
  { skillId }: Quote,
  identity: Identity | null,
): PrepaidRequest {
  return { requestId, skillId, keyId: identity?.keyId ?? null }
}

/** Who pays and under which key, of a credential that was read. */
export function inspected(read: Presented): InspectOutcome {
  switch (read.kind) {
    case 'refused':
      return { outcome: 'refused', failure: read.failure, offer: read.offer }
    case 'prepaid':
      return {
        outcome: 'ok',
        payer: `x402:request:${read.request.requestId}`,
        idempotencyKey: null,
      }
    default: {
      const { entry, payment } = read
      const payer = payerIdOf(entry, payment)
      const owner = read.kind === 'payment' ? { owner: read.owner } : {}
      return { outcome: 'ok', payer, idempotencyKey: payment.identifier, ...owner }
    }
  }
}

/** Who pays, for limits and idempotency: the same in every dialect that x402's claims know. */
export function payerIdOf(entry: Entry, payment: Payment): string {
  return `x402:${entry.payerOf(payment) ?? 'unknown'}`
}

export function failureOf(entry: Entry, payment: Payment, wrong: Problem): Failure {
  const payer = entry.payerOf(payment)
  return paymentFailed(wrong, payer === null ? {} : { payer })
}

function decodeFailure(wrong: Problem): Failure {
  const reason = REASONS.invalid_payment_identifier
  if (wrong.reason !== reason) return paymentFailed(wrong)
  const { field, message } = wrong
  return fail('INVALID_INPUT', message, { details: { reason, field } })
}
