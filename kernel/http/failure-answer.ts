/**
 * Failures as HTTP answers. The 402 of a price is the most frequent answer of a busy gateway, so it
 * is rendered once, and only the request id and the rails' fresh parts are inserted for each call.
 */
import { errorStatus, errorText, isKeyless402, type Failure } from '../errors.ts'
import type { MeterOutcome } from '../metering/call.ts'
import type { Offer } from '../rails/offer-contract.ts'
import type { FreshPart } from '../rails/fresh.ts'
import { isSameList } from '../work/same-list.ts'

/** Facts of a call that every metered answer needs. */
export interface AnswerFacts {
  requestId: string
  priceVersion: number
  paidRoute: boolean
  /** The call had a valid credential: then even a free answer must not be shared by caches. */
  isIdentified?: boolean
  /** For a skill that forwards an upstream's answer: the withheld headers that may pass. */
  foreign?: { passHeaders: readonly string[] }
}

type Failed = Extract<MeterOutcome, { kind: 'failure' }>
type Json = Record<string, unknown>

/** JSON text of an offer's members, without the braces; made once per offer. */
const offerText = new WeakMap<Offer, string>()
function membersOf(offer: Offer): string {
  const known = offerText.get(offer)
  if (known !== undefined) return known
  const text = JSON.stringify(offer.body).slice(1, -1)
  offerText.set(offer, text)
  return text
}

/** A rendered failure with its offers, without the request id and the headers of one call. */
interface Rendered {
  offers: readonly Offer[]
  priceVersion: number
  status: number
  headers: Headers
  head: string
  tail: string
  /** Names of the body's members. */
  members: ReadonlySet<string>
}

/** Cached by Failure object: the 402 of a price is always the same one. */
const renderings = {
  keyless: new WeakMap<Failure, Rendered>(),
  other: new WeakMap<Failure, Rendered>(),
}

function rendered(
  { failure, offers, bringsKey }: Failed,
  { priceVersion, paidRoute }: AnswerFacts,
): Rendered {
  const isKeyless = isKeyless402(failure, bringsKey)
  const made = isKeyless ? renderings.keyless : renderings.other
  const known = made.get(failure)
  if (known?.priceVersion === priceVersion && isSameList(known.offers, offers)) return known
  const headers = new Headers({
    'content-type': 'application/json',
    // A cache must not serve one caller's error to others.
    'cache-control': 'no-store',
    'x-price-version': String(priceVersion),
    // After an internal error the charge is unknown; an uncaptured hold expires.
    ...(paidRoute && failure.code !== 'INTERNAL_ERROR' && { 'x-charged-credits': '0' }),
    ...failure.headers,
  })
  let { head, tail } = errorText(failure, isKeyless)
  for (const offer of offers) {
    for (const name in offer.headers) headers.set(name, offer.headers[name]!)
    const members = membersOf(offer)
    if (members !== '') tail = `${tail.slice(0, -1)},${members}}`
  }
  const status = errorStatus(failure, paidRoute)
  const members = new Set(['error', 'problem', ...offers.flatMap(({ body }) => Object.keys(body))])
  const rendering = { offers, priceVersion, status, headers, head, tail, members }
  made.set(failure, rendering)
  return rendering
}

/** The error answer; a 402 includes the offers of the available rails. */
export function failureOf(outcome: Failed, facts: AnswerFacts): Response {
  const fixed = rendered(outcome, facts)
  const { head, tail, status, headers } = fixed
  const { rateHeaders, fresh } = outcome
  // The Response copies these headers, which is faster than setting them one by one.
  headers.set('x-request-id', facts.requestId)
  const body =
    fresh.length === 0 ? head + facts.requestId + tail : bodyWith(fixed, facts.requestId, fresh)
  outcome.sentCharacters = body.length
  const response = new Response(body, { status, headers })
  if (fresh.length > 0) addHeaders(response.headers, fresh)
  for (const name in rateHeaders) response.headers.set(name, rateHeaders[name]!)
  return response
}

/** The body with the members that the offers' fresh parts add. */
function bodyWith(
  { head, tail, members }: Rendered,
  requestId: string,
  fresh: readonly FreshPart[],
): string {
  const parts = fresh.flatMap(({ part }) =>
    part.body ? [{ body: part.body, known: part.bodyText }] : [],
  )
  const added = parts.map(({ body }) => body)
  if (areNew(added, members)) {
    let more = ''
    for (const { body, known } of parts) {
      const text = known ?? JSON.stringify(body)
      if (text !== '{}') more += `,${text.slice(1, -1)}`
    }
    return more === '' ? head + requestId + tail : `${head}${requestId}${tail.slice(0, -1)}${more}}`
  }
  const { error, problem, ...offered } = JSON.parse(head + requestId + tail) as Json
  const own = { ...(error !== undefined && { error }), ...(problem !== undefined && { problem }) }
  // If two rails set the same member, the first one counts.
  return JSON.stringify({ ...own, ...Object.assign(offered, ...added.toReversed()), ...own })
}

/** Whether the bodies' members are all new: not in `members`, and in only one body. */
function areNew(bodies: readonly Readonly<Json>[], members: ReadonlySet<string>): boolean {
  for (const [at, body] of bodies.entries()) {
    for (const name in body) {
      if (members.has(name)) return false
      for (let before = 0; before < at; before++) {
        if (Object.hasOwn(bodies[before]!, name)) return false
      }
    }
  }
  return true
}

/** Parts append their headers in order; headers of the same name are not merged. */
function addHeaders(headers: Headers, fresh: readonly FreshPart[]): void {
  for (const { part } of fresh) {
    const { replacedHeaders = {}, contentType } = part
    for (const name in replacedHeaders) headers.set(name, replacedHeaders[name]!)
    for (const [name, value] of part.headers) headers.append(name, value)
    if (contentType !== undefined) headers.set('content-type', contentType)
  }
}
