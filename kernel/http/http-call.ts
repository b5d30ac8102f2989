/**
 * A request to a skill as metering sees it, and metering's outcome as an HTTP answer: receipt
 * headers, error bodies, 402 offers. Body, query and path parameters are read and joined into the
 * skill's input only when needed.
 */
import { hash } from 'node:crypto'
import { type Failure, GatewayError } from '../errors.ts'
import type { MeterCall, ReadOutcome, MeterOutcome } from '../metering/call.ts'
import type { MountedSkill } from '../plugins/catalog.ts'
import type { HttpParts } from '../plugins/skill.ts'
import type { Match } from '../products/snapshot.ts'
import type { Quote, StoredAnswer, Receipt, Usage } from '../rails/contract.ts'
import type { CallPlace, CredentialSource } from '../auth/contract.ts'
import type { ReadLongJson } from '../schema/json.ts'
import { BodyReader, BUDGETS, inputOf, readShort, tooLarge } from './body.ts'
import { fileAnswer } from './file-answer.ts'
import { forwardProblem, readForward } from './forward-body.ts'
import { acquisitionOf, httpSource, withoutCredentials, type Incoming } from './incoming.ts'
import { paymentHeaders } from '../net/reserved-headers.ts'
import { isPayingBy } from '../rails/registry.ts'
import { FREE } from '../metering/call-outcome.ts'
import { atomicToCredits } from '../money.ts'
import { confine } from '../net/foreign-answer.ts'
import { failureOf, type AnswerFacts } from './failure-answer.ts'

export type SkillMatch = Extract<Match, { kind: 'skill' }>

/** Longer bodies are not digested, because a call without a payment should be cheap. */
const DIGESTED_BYTES = 65_536

const NO_CREDENTIALS: CredentialSource = { header: () => null }

export class HttpCall implements MeterCall {
  readonly request: Request
  mounted: MountedSkill
  quote: Quote
  readonly requestId: string
  readonly source: CredentialSource
  readonly idempotencyKey: string | null
  readonly acquisition: string | null
  seen?: MeterCall['seen']
  readonly #match: SkillMatch
  readonly #incoming: Incoming
  readonly #readLong: ReadLongJson | undefined
  /** HEAD only asks for the price: its answer has no body, so nothing is charged. */
  readonly #isProbe: boolean
  #parts: Promise<HttpParts | Failure> | null = null
  #place: CallPlace | null = null
  #reader: BodyReader | null = null
  /** The body, if it was read for its digest. */
  #bytes: Uint8Array<ArrayBuffer> | null = null
  #shown: { of: StoredAnswer; as: StoredAnswer } | null = null

  constructor(
    match: SkillMatch,
    incoming: Incoming,
    quote: Quote,
    idempotencyKey: string | null,
    readLong?: ReadLongJson,
  ) {
    const { request, headers } = incoming
    this.request = request
    this.mounted = match.mounted
    this.quote = quote
    this.requestId = incoming.requestId
    this.#isProbe = request.method === 'HEAD' && match.mounted.metered
    this.source = this.#isProbe ? NO_CREDENTIALS : httpSource(headers, incoming)
    this.idempotencyKey = idempotencyKey
    this.acquisition = acquisitionOf(headers.get('x-kernel-acquisition'))
    this.#match = match
    this.#readLong = readLong
    this.#incoming = incoming
  }

  get clientAddress(): string {
    return this.#incoming.clientAddress
  }

  get signal(): AbortSignal {
    return this.request.signal
  }

  /** HEAD asks for the price of GET. */
  get place(): CallPlace {
    if (this.#place) return this.#place
    const { pathname, search } = this.#incoming
    const method = this.request.method === 'HEAD' ? 'GET' : this.request.method
    return (this.#place = { transport: 'http', method, target: pathname + search })
  }

  async digestBody(): Promise<void> {
    const { place, request } = this
    if (place.bodyDigest !== undefined) return
    const declared = Number(this.#incoming.headers.get('content-length') ?? 0)
    const isDigested = declared > 0 && declared <= DIGESTED_BYTES
    const read = isDigested ? await readShort(request, declared) : null
    if (read && 'ok' in read) throw new GatewayError(read)
    this.#bytes = read
    place.bodyDigest = this.#bytes && hash('sha256', this.#bytes, 'base64')
  }

  /** Null for a probe, which must not be paid by a credential that the skill finds either. */
  async parts(share: string): Promise<HttpParts | Failure | null> {
    return this.#isProbe ? null : this.#readOnce(share)
  }

  async read(share: string): Promise<ReadOutcome> {
    const { skill } = this.mounted
    if (skill.forward) {
      const { subPath, params } = this.#match
      const isBound = this.#isBound()
      const { headers, search } = this.#incoming
      return readForward(this.mounted, this.#incoming, {
        subPath,
        isBound,
        bytes: this.#bytes,
        ...(skill.checksForward && {
          check: (body) =>
            forwardProblem(
              skill,
              body,
              { params, search, type: headers.get('content-type') },
              share,
              this.#readLong,
            ),
        }),
      })
    }
    const read = await this.#readOnce(share)
    return 'ok' in read ? read : inputOf(skill, read, share, this.#readLong)
  }

  /** The bytes sent for a kept answer, which its signed receipt covers. */
  sentBody(answer: StoredAnswer): Uint8Array {
    return this.shown(answer).body
  }

  /** The answer by the caller's Accept: the file that the skill made, or JSON. */
  shown(answer: StoredAnswer): StoredAnswer {
    if (!this.mounted.skill.content) return answer
    if (this.#shown?.of !== answer) {
      const file = fileAnswer(this.mounted.skill, this.#incoming.headers.get('accept'), answer)
      this.#shown = { of: answer, as: file ?? answer }
    }
    return this.#shown.as
  }

  /** Releases the memory of the body once the call has ended. */
  done(): void {
    this.#reader?.done()
  }

  /** Whether the body is part of what identifies a retry of this call. */
  #isBound(): boolean {
    if (this.idempotencyKey !== null) return true
    for (const name of paymentHeaders()) if (isPayingBy(this.source, name)) return true
    return false
  }

  #readOnce(share: string): Promise<HttpParts | Failure> {
    return (this.#parts ??= this.#readParts(share))
  }

  async #readParts(share: string): Promise<HttpParts | Failure> {
    const budget = hasKey(this.source) ? BUDGETS.keyed : BUDGETS.keyless
    const { bodyBytes: limitBytes } = this.mounted.limits
    this.#reader = new BodyReader(this.request, { limitBytes, budget, share })
    const read = this.#bytes
    if (read && read.byteLength > limitBytes) return tooLarge(limitBytes)
    const body = read ?? (await this.#reader.read())
    if ('ok' in body) return body
    return new ReadParts(this.#incoming, this.#match.params, body)
  }
}

/** Whether the call has a key; metering verifies it before the body is read. */
function hasKey(source: CredentialSource): boolean {
  return (
    source.header('x-api-key') !== null || /^bearer /i.test(source.header('authorization') ?? '')
  )
}

class ReadParts implements HttpParts {
  readonly method: string
  readonly params: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly #incoming: Incoming
  #query: URLSearchParams | null = null
  #headers: Headers | null = null

  constructor(incoming: Incoming, params: Readonly<Record<string, string>>, body: Uint8Array) {
    this.method = incoming.request.method
    this.params = params
    this.body = body
    this.#incoming = incoming
  }

  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(this.#incoming.search))
  }

  get headers(): Headers {
    return (this.#headers ??= withoutCredentials(this.#incoming.headers))
  }
}

/** The HTTP answer of a metered call. */
export function answerOf(outcome: MeterOutcome, facts: AnswerFacts): Response {
  if (outcome.kind === 'failure') {
    const response = failureOf(outcome, facts)
    // While a settlement is pending, the charge is unknown.
    if (outcome.pending) response.headers.delete('x-charged-credits')
    const paid = outcome.receipt && receiptHeaders(outcome.receipt, facts)
    for (const name in paid) response.headers.set(name, paid[name]!)
    if (outcome.rail !== null) response.headers.set('x-payment-rail', outcome.rail)
    if (outcome.balanceAtomic !== undefined)
      response.headers.set('x-balance-credits', String(atomicToCredits(outcome.balanceAtomic)))
    return response
  }
  const own = Object.assign(receiptHeaders(outcome.receipt, facts), outcome.rateHeaders)
  const passHeaders = facts.foreign?.passHeaders ?? []
  if (outcome.kind === 'stream') {
    const { body, headers, status } = outcome.response
    const merged = new Headers(headers)
    confine(merged, passHeaders)
    for (const name in own) merged.set(name, own[name]!)
    if (isOnesOwn(outcome.receipt, facts))
      merged.set('cache-control', privately(merged.get('cache-control')))
    return new Response(body, { status, headers: merged })
  }
  const { answer, replayed } = outcome
  const { status } = answer
  const body = answer.body as Uint8Array<ArrayBuffer>
  if (replayed) own['idempotency-replayed'] = 'true'
  if (isOnesOwn(outcome.receipt, facts)) {
    const said = own['cache-control'] ?? answer.headers['cache-control'] ?? null
    own['cache-control'] = privately(said)
  }
  // An answer stored by an earlier version may have headers that are withheld now.
  if (!facts.foreign && !replayed)
    return new Response(body, { status, headers: { ...answer.headers, ...own } })
  const merged = keptHeaders(answer, passHeaders)
  for (const name in own) merged.set(name, own[name]!)
  return new Response(body, { status, headers: merged })
}

/**
 * Whether the answer belongs to one caller: a rail paid for it, or the caller is
 * identified, as for a product that needs a key.
 */
function isOnesOwn({ rail }: Receipt, { isIdentified = false }: AnswerFacts): boolean {
  return isIdentified || rail !== FREE.rail
}

/** Cache-Control without directives that let shared caches store the answer (RFC 9111, 5.2.2). */
function privately(cacheControl: string | null): string {
  if (cacheControl === null) return 'private'
  const kept = cacheControl
    .split(',')
    .map((directive) => directive.trim())
    .filter((directive) => !/^(?:|public|private(?:=.*)?|s-maxage=.*)$/i.test(directive))
  return ['private', ...kept].join(', ')
}

/** The headers of a kept answer, with its joined Set-Cookie headers separated again. */
function keptHeaders({ headers }: StoredAnswer, passHeaders: readonly string[]): Headers {
  const { 'set-cookie': cookies, ...rest } = headers
  const kept = new Headers(rest)
  for (const cookie of cookies?.split('\n') ?? []) kept.append('set-cookie', cookie)
  confine(kept, passHeaders)
  return kept
}

/** The charge and the rail, as headers of the answer. */
function receiptHeaders(receipt: Receipt, facts: AnswerFacts): Record<string, string> {
  const { rail, chargedAtomic, heldAtomic, balanceAtomic, usage } = receipt
  const headers: Record<string, string> = {
    'x-request-id': facts.requestId,
    'x-payment-rail': rail,
    'x-price-version': String(facts.priceVersion),
  }
  // For a stream charged at its end, only the maximum is known.
  if (heldAtomic === undefined)
    headers['x-charged-credits'] = String(atomicToCredits(chargedAtomic))
  else headers['x-held-credits'] = String(atomicToCredits(heldAtomic))
  if (usage) Object.assign(headers, usageHeaders(usage))
  if (balanceAtomic !== undefined)
    headers['x-balance-credits'] = String(atomicToCredits(balanceAtomic))
  return Object.assign(headers, receipt.headers)
}

/** The measured units, and why the charge differs from them. */
function usageHeaders({ units, isCapped, isMissing }: Usage): Record<string, string> {
  const known = units.filter((one) => one.units !== null)
  const text = known.map((one) => `${one.unit}=${one.units}`).join(', ')
  const notes = [...(isCapped ? ['capped'] : []), ...(isMissing ? ['measure-missing'] : [])]
  return {
    // Also under its earlier name.
    ...(known.length > 0 && { 'x-usage': text, 'x-charged-units': text }),
    ...(isCapped && { 'x-price-capped': '1' }),
    ...(notes.length > 0 && { 'x-charge-note': notes.join(', ') }),
  }
}
