/** Turns what metering says into an HTTP answer: receipt headers, error bodies, 402 offers. */
import { errorBody, errorStatus, type Failure } from '../errors.ts'
import type { MeterOutcome } from '../metering/call.ts'
import { atomicToCredits } from '../money.ts'
import type { Offer, Receipt } from '../rails/contract.ts'

/** Facts of a call that stand on every metered answer. */
export interface AnswerFacts {
  requestId: string
  priceVersion: number
  paidRoute: boolean
}

/** The HTTP answer of a metered call. */
export function answerOf(outcome: MeterOutcome, facts: AnswerFacts): Response {
  if (outcome.kind === 'failure') {
    return failureOf(outcome.failure, outcome.offers, facts, outcome.rateHeaders)
  }
  const headers = receiptHeaders(outcome.receipt, facts)
  if (outcome.kind === 'stream') {
    const { response } = outcome
    const merged = new Headers(response.headers)
    for (const [name, value] of Object.entries({ ...headers, ...outcome.rateHeaders }))
      merged.set(name, value)
    return new Response(response.body, { status: response.status, headers: merged })
  }
  const { answer } = outcome
  return new Response(answer.body as Uint8Array<ArrayBuffer>, {
    status: answer.status,
    headers: {
      ...answer.headers,
      ...headers,
      ...outcome.rateHeaders,
      ...(outcome.replayed && { 'idempotency-replayed': 'true' }),
    },
  })
}

/** Receipt headers of decisions 2. */
export function receiptHeaders(receipt: Receipt, facts: AnswerFacts): Record<string, string> {
  return {
    'x-request-id': facts.requestId,
    'x-payment-rail': receipt.rail,
    'x-charged-credits': String(atomicToCredits(receipt.chargedAtomic)),
    'x-price-version': String(facts.priceVersion),
    ...(receipt.balanceAtomic !== undefined && {
      'x-balance-credits': String(atomicToCredits(receipt.balanceAtomic)),
    }),
    ...receipt.headers,
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

/** The error answer, with the open rails' offers merged in when it is a 402. */
export function failureOf(
  failure: Failure,
  offers: readonly Offer[],
  facts: AnswerFacts,
  rateHeaders: Record<string, string> = {},
): Response {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-request-id': facts.requestId,
    'x-price-version': String(facts.priceVersion),
    ...rateHeaders,
    ...failure.headers,
  }
  let body = JSON.stringify(errorBody(failure, facts.requestId))
  for (const offer of offers) {
    Object.assign(headers, offer.headers)
    const members = membersOf(offer)
    if (members !== '') body = `${body.slice(0, -1)},${members}}`
  }
  return new Response(body, { status: errorStatus(failure, facts.paidRoute), headers })
}
