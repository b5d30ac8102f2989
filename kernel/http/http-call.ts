/**
 * A request to a skill as metering sees it. Body, query and path parameters are read and joined to
 * the skill's input only when they are needed.
 */
import { hash } from 'node:crypto'
import { type Failure, GatewayError, invalid } from '../errors.ts'
import type { MeterCall, ReadOutcome } from '../metering/call.ts'
import type { MountedSkill } from '../plugins/catalog.ts'
import type { HttpParts, Skill } from '../plugins/skill.ts'
import type { Match } from '../products/snapshot.ts'
import type { Quote, StoredAnswer } from '../rails/contract.ts'
import type { CallPlace, CredentialSource } from '../auth/contract.ts'
import { BodyReader, brokenOff, BUDGETS, isRefused, tooLarge } from './body.ts'
import { fileAnswer } from './file-answer.ts'
import { readForward } from './forward-body.ts'
import { acquisitionOf, httpSource, withoutCredentials, type Incoming } from './incoming.ts'
import { isPayingBy, paymentHeaders } from '../net/reserved-headers.ts'
import type { TSchema } from 'typebox'
import { isObject, readJson, type ParsedJson } from '../schema/json.ts'
import { compileSchema } from '../schema/validator.ts'

export type SkillMatch = Extract<Match, { kind: 'skill' }>

/** A longer body has no digest: a call that brings nothing to pay with is to cost nothing. */
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
  /** HEAD asks for the price only: its answer has no body, so nothing is charged. */
  readonly #isProbe: boolean
  #parts: Promise<HttpParts | Failure> | null = null
  #place: CallPlace | null = null
  #reader: BodyReader | null = null
  /** The body, where it was read for its digest. */
  #bytes: Uint8Array<ArrayBuffer> | null = null
  #shown: { of: StoredAnswer; as: StoredAnswer } | null = null

  constructor(match: SkillMatch, incoming: Incoming, quote: Quote, idempotencyKey: string | null) {
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
    this.#incoming = incoming
  }

  get clientAddress(): string {
    return this.#incoming.clientAddress
  }

  get signal(): AbortSignal {
    return this.request.signal
  }

  /** HEAD asks for what GET costs. */
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
    if (isDigested) this.#bytes = await request.bytes().catch(() => null)
    if (isDigested && this.#bytes === null) throw new GatewayError(brokenOff())
    place.bodyDigest = this.#bytes && hash('sha256', this.#bytes, 'base64')
  }

  /** Null for a probe: a credential that the skill finds there must not pay either. */
  async parts(share: string): Promise<HttpParts | Failure | null> {
    return this.#isProbe ? null : this.#readOnce(share)
  }

  async read(share: string): Promise<ReadOutcome> {
    const { skill } = this.mounted
    if (skill.forward) {
      const { subPath, params } = this.#match
      const isBound = this.#isBound()
      const isChecked = skill.checksForward && isJson(this.#incoming.headers.get('content-type'))
      return readForward(this.mounted, this.#incoming, {
        subPath,
        isBound,
        bytes: this.#bytes,
        ...(isChecked && {
          check: (body) =>
            forwardProblem(skill, body, { params, search: this.#incoming.search }, share),
        }),
      })
    }
    const read = await this.#readOnce(share)
    return 'ok' in read ? read : inputOf(skill, read, share)
  }

  /** The body that goes out for a kept answer, for a signed receipt of it. */
  sentBody(answer: StoredAnswer): Uint8Array {
    return this.shown(answer).body
  }

  /** The answer as the caller's Accept asks for it: the file that the skill made, or JSON. */
  shown(answer: StoredAnswer): StoredAnswer {
    if (!this.mounted.skill.content) return answer
    if (this.#shown?.of !== answer) {
      const file = fileAnswer(this.mounted.skill, this.#incoming.headers.get('accept'), answer)
      this.#shown = { of: answer, as: file ?? answer }
    }
    return this.#shown.as
  }

  /** Gives the memory of the body back once the call has ended. */
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
    if (isRefused(body)) return body
    return new ReadParts(this.#incoming, this.#match.params, body)
  }
}

/** Whether a key came with the call; metering has verified it before the body is read. */
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

/**
 * The input of `skill` before the schema check, or INVALID_INPUT for a body that is no JSON. A long
 * body is parsed in slices, at the turn of `share`.
 */
export function inputOf(
  skill: Skill,
  parts: HttpParts,
  share: string,
): ReadOutcome | Promise<ReadOutcome> {
  if (skill.fromHttp) {
    const mapped = skill.fromHttp(parts)
    return isFailure(mapped) ? mapped : { ok: true, input: mapped }
  }
  if (parts.method === 'GET' || parts.method === 'HEAD') {
    return { ok: true, input: { ...fromQuery(skill.input, parts.query), ...parts.params } }
  }
  if (parts.body.byteLength === 0) return { ok: true, input: { ...parts.params } }
  const parsed = readJson(parts.body, share, knownMembers(skill.input))
  const withParams = (json: ParsedJson) => (json.ok ? joinedWith(json.value, parts.params) : json)
  return parsed instanceof Promise ? parsed.then(withParams) : withParams(parsed)
}

const isJson = (type: string | null): boolean =>
  /^\s*application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i.test(type ?? '')

/**
 * Why a JSON body, with the path parameters and the query parameters that the schema names, is no
 * input of the skill; null when it is one. What is no object has no members: of an input that needs
 * none the upstream judges it.
 */
async function forwardProblem(
  skill: Skill,
  body: Uint8Array,
  { params, search }: { params: HttpParts['params']; search: string },
  share: string,
): Promise<Failure | null> {
  if (body.byteLength === 0) return null
  const parsed = await readJson(body, share, knownMembers(skill.input))
  if (!parsed.ok) return parsed
  const properties = propertiesOf(skill.input)
  const declared = ([name]: readonly [string, unknown]) => Object.hasOwn(properties, name)
  const query = fromQuery(skill.input, new URLSearchParams(search))
  const typed = Object.entries(params).map(([name, text]) => {
    const type = Object.hasOwn(properties, name) ? properties[name]!.type : undefined
    return [name, coerce(text, type)] as const
  })
  const input = {
    ...Object.fromEntries(Object.entries(query).filter(declared)),
    ...(isObject(parsed.value) ? parsed.value : {}),
    ...Object.fromEntries(typed),
  }
  const schema = compileSchema(skill.input)
  return schema.check(input) ? null : invalid(schema.issues(input))
}

function propertiesOf(schema: TSchema): Readonly<Record<string, { type?: unknown }>> {
  return (schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {}
}

/** The parsed body with the path parameters among its members. */
function joinedWith(body: unknown, params: HttpParts['params']): ReadOutcome {
  if (Object.keys(params).length === 0) return { ok: true, input: body }
  if (!isObject(body)) return invalid([{ path: '', message: 'must be a JSON object' }])
  return { ok: true, input: Object.assign(body, params) }
}

const known = new WeakMap<TSchema, ReadonlySet<string> | null>()

/** The members that an input may have; null where its schema leaves others open. */
function knownMembers(schema: TSchema): ReadonlySet<string> | null {
  const found = known.get(schema)
  if (found !== undefined) return found
  const { properties, patternProperties, additionalProperties } = schema as Record<string, unknown>
  const isClosed = additionalProperties === false && patternProperties === undefined
  const names = isClosed ? new Set(Object.keys(properties ?? {})) : null
  known.set(schema, names)
  return names
}

function isFailure(value: unknown): value is Failure {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { ok?: unknown }).ok === false &&
    'code' in value
  )
}

/** Query parameters as the types that the schema's properties name; unknown ones stay text. */
function fromQuery(schema: TSchema, query: URLSearchParams): Record<string, unknown> {
  const properties = propertiesOf(schema)
  const input: Record<string, unknown> = {}
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name)
    const type = Object.hasOwn(properties, name) ? properties[name]!.type : undefined
    input[name] = type === 'array' || values.length > 1 ? values : coerce(values[0]!, type)
  }
  return input
}

function coerce(text: string, type: unknown): unknown {
  if ((type === 'number' || type === 'integer') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text))
    return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
