/** Turns what metering says into an HTTP answer: receipt headers, error bodies, 402 offers. */
import { errorStatus, errorText, isKeyless402, type Failure } from '../errors.ts'
import type { MeterOutcome } from '../metering/call.ts'
import { atomicToCredits } from '../money.ts'
import { confine } from '../net/foreign-answer.ts'
import type { Offer, Receipt, StoredAnswer, Usage } from '../rails/contract.ts'

/** Facts of a call that stand on every metered answer. */
export interface AnswerFacts {
  requestId: string
  priceVersion: number
  paidRoute: boolean
  /** For a skill that streams an upstream's answer through: the withheld headers that may pass. */
  foreign?: { passHeaders: readonly string[] }
}

type Failed = Extract<MeterOutcome, { kind: 'failure' }>

/** The HTTP answer of a metered call. */
export function answerOf(outcome: MeterOutcome, facts: AnswerFacts): Response {
  if (outcome.kind === 'failure') {
    const response = failureOf(outcome, facts)
    // While a settlement is pending, the charge is unknown.
    if (outcome.pending) response.headers.delete('x-charged-credits')
    if (outcome.rail !== null) response.headers.set('x-payment-rail', outcome.rail)
    if (outcome.balanceAtomic !== undefined)
      response.headers.set('x-balance-credits', String(atomicToCredits(outcome.balanceAtomic)))
    return response
  }
  const headers = receiptHeaders(outcome.receipt, facts)
  if (outcome.kind === 'stream') {
    const { response } = outcome
    const merged = new Headers(response.headers)
    confine(merged, facts.foreign?.passHeaders ?? [])
    for (const [name, value] of Object.entries({ ...headers, ...outcome.rateHeaders }))
      merged.set(name, value)
    return new Response(response.body, { status: response.status, headers: merged })
  }
  const { answer, replayed } = outcome
  const { body, status } = answer
  const own = {
    ...headers,
    ...outcome.rateHeaders,
    ...(replayed && { 'idempotency-replayed': 'true' }),
  }
  let merged: Headers | Record<string, string> = { ...answer.headers, ...own }
  // A stored answer may be from an earlier version, which kept headers that are withheld now.
  if (facts.foreign || replayed) {
    merged = keptHeaders(answer, facts.foreign?.passHeaders ?? [])
    for (const [name, value] of Object.entries(own)) merged.set(name, value)
  }
  return new Response(body as Uint8Array<ArrayBuffer>, { status, headers: merged })
}

/** The headers of an answer that was kept, several Set-Cookie among them apart again. */
function keptHeaders({ headers }: StoredAnswer, passHeaders: readonly string[]): Headers {
  const { 'set-cookie': cookies, ...rest } = headers
  const kept = new Headers(rest)
  for (const cookie of cookies?.split('\n') ?? []) kept.append('set-cookie', cookie)
  confine(kept, passHeaders)
  return kept
}

/** What the call cost and who took it, as headers of the answer. */
function receiptHeaders(receipt: Receipt, facts: AnswerFacts): Record<string, string> {
  return {
    'x-request-id': facts.requestId,
    'x-payment-rail': receipt.rail,
    // Of a stream that is charged at its end, only the most that it will cost is known.
    ...(receipt.heldAtomic === undefined
      ? { 'x-charged-credits': String(atomicToCredits(receipt.chargedAtomic)) }
      : { 'x-held-credits': String(atomicToCredits(receipt.heldAtomic)) }),
    'x-price-version': String(facts.priceVersion),
    ...(receipt.usage && usageHeaders(receipt.usage)),
    ...(receipt.balanceAtomic !== undefined && {
      'x-balance-credits': String(atomicToCredits(receipt.balanceAtomic)),
    }),
    ...receipt.headers,
  }
}

/** What was measured, and what of the charge is not as the units say. */
function usageHeaders({ units, isCapped, isMissing }: Usage): Record<string, string> {
  const known = units.filter((one) => one.units !== null)
  const notes = [...(isCapped ? ['capped'] : []), ...(isMissing ? ['measure-missing'] : [])]
  return {
    ...(known.length > 0 && {
      'x-charged-units': known.map((one) => `${one.unit}=${one.units}`).join(', '),
    }),
    ...(notes.length > 0 && { 'x-charge-note': notes.join(', ') }),
  }
}

/** JSON text of an offer's members, without the braces; made once per offer. */
const offerText = new WeakMap<Offer, string>()
function membersOf(offer: Offer): string {
  const known = offerText.get(offer)
  if (known !== undefined) return known
  const text = JSON.stringify(offer.body).slice(1, -1)
  offerText.set(offer, text)
  return text
}

/** A failure with its offers as it goes out, but for the request id and the caller's own headers. */
interface Rendered {
  offers: readonly Offer[]
  priceVersion: number
  status: number
  headers: Headers
  head: string
  tail: string
}

/** The 402 of a price is one Failure object: most answers of a busy gateway are made here once. */
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
  if (
    known?.priceVersion === priceVersion &&
    known.offers.length === offers.length &&
    known.offers.every((offer, place) => offer === offers[place])
  ) {
    return known
  }
  const headers = new Headers({
    'content-type': 'application/json',
    'x-price-version': String(priceVersion),
    // After an internal error it is unknown; a hold that was not captured expires by itself.
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
  const rendering = { offers, priceVersion, status, headers, head, tail }
  made.set(failure, rendering)
  return rendering
}

/** The error answer, with the open rails' offers merged in when it is a 402. */
function failureOf(outcome: Failed, facts: AnswerFacts): Response {
  const { head, tail, status, headers } = rendered(outcome, facts)
  // The Response takes a copy.
  headers.set('x-request-id', facts.requestId)
  const response = new Response(head + facts.requestId + tail, { status, headers })
  const { rateHeaders } = outcome
  for (const name in rateHeaders) response.headers.set(name, rateHeaders[name]!)
  return response
}
