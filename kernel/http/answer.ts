/** Turns what metering says into an HTTP answer: receipt headers, error bodies, 402 offers. */
import type { MeterOutcome } from '../metering/call.ts'
import { FREE } from '../metering/call-outcome.ts'
import { atomicToCredits } from '../money.ts'
import { confine } from '../net/foreign-answer.ts'
import type { Receipt, StoredAnswer, Usage } from '../rails/contract.ts'
import { failureOf, type AnswerFacts } from './failure-answer.ts'

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
    for (const [name, value] of Object.entries(Object.assign(headers, outcome.rateHeaders)))
      merged.set(name, value)
    if (isPaid(outcome.receipt)) merged.set('cache-control', privately(merged.get('cache-control')))
    return new Response(response.body, { status: response.status, headers: merged })
  }
  const { answer, replayed } = outcome
  const { body, status } = answer
  const own = Object.assign(headers, outcome.rateHeaders)
  if (replayed) own['idempotency-replayed'] = 'true'
  if (isPaid(outcome.receipt)) {
    const said = own['cache-control'] ?? answer.headers['cache-control'] ?? null
    own['cache-control'] = privately(said)
  }
  // A stored answer may be from an earlier version, which kept headers that are withheld now.
  if (facts.foreign || replayed) {
    const merged = keptHeaders(answer, facts.foreign?.passHeaders ?? [])
    for (const [name, value] of Object.entries(own)) merged.set(name, value)
    return new Response(body as Uint8Array<ArrayBuffer>, { status, headers: merged })
  }
  const merged = Object.assign({}, answer.headers, own)
  return new Response(body as Uint8Array<ArrayBuffer>, { status, headers: merged })
}

/** Whether the answer is one caller's own, because that caller paid for it or had it for nothing. */
function isPaid({ rail }: Receipt): boolean {
  return rail !== FREE.rail
}

/** Cache-Control without what lets a shared cache give the answer to somebody else (RFC 9111, 5.2.2). */
function privately(cacheControl: string | null): string {
  if (cacheControl === null) return 'private'
  const kept = cacheControl
    .split(',')
    .map((directive) => directive.trim())
    .filter((directive) => !/^(?:|public|private(?:=.*)?|s-maxage=.*)$/i.test(directive))
  return ['private', ...kept].join(', ')
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
  const { rail, chargedAtomic, heldAtomic, balanceAtomic, usage } = receipt
  const headers: Record<string, string> = {
    'x-request-id': facts.requestId,
    'x-payment-rail': rail,
    'x-price-version': String(facts.priceVersion),
  }
  // Of a stream that is charged at its end, only the most that it will cost is known.
  if (heldAtomic === undefined)
    headers['x-charged-credits'] = String(atomicToCredits(chargedAtomic))
  else headers['x-held-credits'] = String(atomicToCredits(heldAtomic))
  if (usage) Object.assign(headers, usageHeaders(usage))
  if (balanceAtomic !== undefined)
    headers['x-balance-credits'] = String(atomicToCredits(balanceAtomic))
  return Object.assign(headers, receipt.headers)
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
