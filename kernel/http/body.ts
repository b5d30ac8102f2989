/**
 * Request bodies under a limit that is enforced while they stream in, not after they were buffered,
 * and the skill input that is made from them.
 */
import type { TSchema } from 'typebox'
import { fail, GatewayError, invalid, type Failure } from '../errors.ts'
import type { ReadOutcome } from '../metering/call.ts'
import type { HttpParts, Skill } from '../plugins/skill.ts'
import { REASONS } from '../reasons.ts'
import { isObject, readJson, type ReadLongJson } from '../schema/json.ts'
import { andThen } from '../work/at-once.ts'
import { within } from '../work/timeout.ts'

type Reader = ReadableStreamDefaultReader<Uint8Array>

const EMPTY = new Uint8Array()
const MIB = 1_048_576
/** Shorter bodies are not counted: their size and the number of connections bound their sum. */
const COUNTED_ABOVE_BYTES = MIB

/** Limits the bytes of long bodies in memory, for all senders together and for each of them. */
export class BodyBudget {
  readonly #limitBytes: number
  readonly #shareBytes: number
  #heldBytes = 0
  /** By share, as `shareOf` names it. */
  readonly #held = new Map<string, number>()

  constructor(limitBytes: number, shareBytes: number) {
    this.#limitBytes = limitBytes
    this.#shareBytes = shareBytes
  }

  /**
   * Reserves `bytes` more for a body that then has `bodyBytes`. False, and nothing reserved, if the
   * budget or the sender's part is used up; a sender's only body may exceed its part.
   */
  hold(share: string, bytes: number, bodyBytes: number): boolean {
    const ofShare = (this.#held.get(share) ?? 0) + bytes
    const isOverShare = ofShare > this.#shareBytes && ofShare > bodyBytes
    if (isOverShare || this.#heldBytes + bytes > this.#limitBytes) return false
    this.#heldBytes += bytes
    this.#held.set(share, ofShare)
    return true
  }

  giveBack(share: string, bytes: number): void {
    this.#heldBytes -= bytes
    const left = (this.#held.get(share) ?? 0) - bytes
    if (left > 0) this.#held.set(share, left)
    else this.#held.delete(share)
  }
}

/**
 * The budgets of this process. Callers without a key cannot use up the memory of those with one,
 * and no caller gets more than a quarter of either budget for several bodies.
 */
export const BUDGETS = {
  keyless: new BodyBudget(256 * MIB, 64 * MIB),
  keyed: new BodyBudget(512 * MIB, 128 * MIB),
} as const

/** The slowest accepted pace of a body, which occupies memory and a connection meanwhile. */
export interface UploadPace {
  /** Grace period from the start of reading. */
  graceMs: number
  /** Least average rate after the grace period. */
  bytesPerSecond: number
}

const PACE: UploadPace = { graceMs: 30_000, bytesPerSecond: 16_384 }

export interface BodyRules {
  limitBytes: number
  budget: BodyBudget
  /** The share that the body counts against; see `shareOf`. */
  share: string
  pace?: UploadPace
}

/** Reads the body of one request; `done` releases its memory. */
export class BodyReader {
  readonly #request: Request
  readonly #rules: BodyRules
  readonly #pace: UploadPace
  #heldBytes = 0
  #isDone = false

  constructor(request: Request, rules: BodyRules) {
    this.#request = request
    this.#rules = rules
    this.#pace = rules.pace ?? PACE
  }

  /**
   * The whole body; 413 INVALID_INPUT (400 on paid routes) once it is over the limit, RATE_LIMITED
   * while too many long bodies are in memory, 408 TIMEOUT if it comes too slowly. Throws a
   * GatewayError if the sender disconnects, since nobody is left to answer.
   */
  async read(): Promise<Uint8Array | Failure> {
    try {
      return await this.#read()
    } catch {
      throw new GatewayError(brokenOff())
    }
  }

  async #read(): Promise<Uint8Array | Failure> {
    const request = this.#request
    const { limitBytes } = this.#rules
    const length = request.headers.get('content-length')
    const declared = length === null ? null : Number(length)
    if (declared !== null) {
      if (declared > limitBytes) return tooLarge(limitBytes)
      // The server never delivers more than Content-Length says; asking for `body` makes a stream.
      if (declared <= COUNTED_ABOVE_BYTES) return readShort(request, declared, this.#pace)
    }
    if (!request.body) return EMPTY
    // Pages of the buffer that are not yet written to take no memory.
    const whole = declared === null ? null : new Uint8Array(declared)
    const chunks: Uint8Array[] = []
    let sizeBytes = 0
    const startedMs = performance.now()
    const reader = request.body.getReader()
    try {
      for (;;) {
        const next = await readPaced(reader, startedMs, sizeBytes, this.#pace)
        if (next === 'slow') return tooSlow(this.#pace)
        if (next.done) return whole ? whole.subarray(0, sizeBytes) : joined(chunks)
        const chunk = next.value
        sizeBytes += chunk.byteLength
        if (sizeBytes > (declared ?? limitBytes)) return tooLarge(declared ?? limitBytes)
        if (!this.#holds(sizeBytes)) return tooMuch()
        if (whole) whole.set(chunk, sizeBytes - chunk.byteLength)
        else chunks.push(chunk)
      }
    } finally {
      // Stops the sender if the body was not read to its end; otherwise it has no effect.
      reader.cancel().catch(() => {})
    }
  }

  /** Releases the body's part of the budget; a running read no longer counts. */
  done(): void {
    const { budget, share } = this.#rules
    this.#isDone = true
    if (this.#heldBytes > 0) budget.giveBack(share, this.#heldBytes)
    this.#heldBytes = 0
  }

  #holds(sizeBytes: number): boolean {
    if (sizeBytes <= COUNTED_ABOVE_BYTES) return true
    const { budget, share } = this.#rules
    const more = sizeBytes - this.#heldBytes
    if (this.#isDone || !budget.hold(share, more, sizeBytes)) return false
    this.#heldBytes = sizeBytes
    return true
  }
}

/** A short body, whose size is known; 408 TIMEOUT if it comes too slowly. Throws as `BodyReader`. */
export function readShort(request: Request, sizeBytes: number, pace = PACE) {
  const reading = request.bytes().catch(() => {
    throw new GatewayError(brokenOff())
  })
  return within(reading, timeMs(pace, sizeBytes), () => tooSlow(pace))
}

/** The next chunk after `sizeBytes`; 'slow' if it does not arrive in time. */
export function readPaced(from: Reader, startedMs: number, sizeBytes: number, pace = PACE) {
  const leftMs = startedMs + timeMs(pace, sizeBytes) - performance.now()
  return within(from.read(), leftMs, () => 'slow' as const)
}

/** How long a body of this size may take. */
function timeMs({ graceMs, bytesPerSecond }: UploadPace, sizeBytes: number): number {
  return graceMs + (sizeBytes / bytesPerSecond) * 1000
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0]!
  const { buffer, byteOffset, byteLength } = Buffer.concat(chunks)
  return new Uint8Array(buffer, byteOffset, byteLength)
}

export function tooLarge(limitBytes: number): Failure {
  return fail('INVALID_INPUT', `The body is larger than ${limitBytes} bytes`, {
    status: 413,
    details: { limitBytes },
  })
}

function tooMuch(): Failure {
  return fail('RATE_LIMITED', 'Too many long bodies are under way; try again shortly', {
    details: { limit: 'body_memory' },
    headers: { 'retry-after': '1' },
  })
}

export function tooSlow({ graceMs, bytesPerSecond }: UploadPace = PACE): Failure {
  const message = `The body came too slowly: at least ${bytesPerSecond} bytes a second are expected after ${graceMs / 1000} seconds`
  return fail('TIMEOUT', message, { status: 408, details: { reason: REASONS.slow_upload } })
}

/** The failure of a sender that disconnected during its body; only the log shows it. */
export function brokenOff(): Failure {
  return fail('INVALID_INPUT', 'The sender broke the body off; nothing was charged', {
    details: { reason: REASONS.aborted },
  })
}

/**
 * The input of `skill` before the schema check, or INVALID_INPUT if the body is not JSON. A long
 * body is parsed by `readLong`, in the turns of `share`.
 */
export function inputOf(
  skill: Skill,
  parts: HttpParts,
  share: string,
  readLong?: ReadLongJson,
): ReadOutcome | Promise<ReadOutcome> {
  if (skill.fromHttp) {
    const mapped = skill.fromHttp(parts)
    return isFailure(mapped) ? mapped : { ok: true, input: mapped }
  }
  const params = fromPath(skill.input, parts.params)
  if (parts.method === 'GET' || parts.method === 'HEAD')
    return { ok: true, input: { ...fromQuery(skill.input, parts.query), ...params } }
  if (parts.body.byteLength === 0) return { ok: true, input: params }
  const parsing = readJson(parts.body, share, readLong, knownMembers(skill.input))
  return andThen(parsing, (json) =>
    json.ok ? joinedWith(json.value, params) : refusalOfText(json, parts, skill.input),
  )
}

export function propertiesOf(schema: TSchema | undefined): Readonly<Record<string, MemberSchema>> {
  return (schema as { properties?: Record<string, object> } | undefined)?.properties ?? {}
}

/** The refusal of a body, which says what to send where that is a file or a form and no JSON. */
export function refusalOfText(
  refusal: Failure,
  { body, headers }: Pick<HttpParts, 'body' | 'headers'>,
  schema?: TSchema,
): Failure {
  // RFC 9110, 15.5.16: which codings are accepted stands in Accept-Encoding.
  const coding = headers.get('content-encoding') ?? 'identity'
  if (!/^identity$/i.test(coding) || (body[0] === 0x1f && body[1] === 0x8b)) {
    const issue = { path: '', message: 'must be JSON that is not compressed (application/json)' }
    return { ...invalid([issue], 415), headers: { 'accept-encoding': 'identity' } }
  }
  if (/^\s*[{[]/.test(Buffer.from(body.subarray(0, 64)).toString())) return refusal
  const properties = propertiesOf(schema)
  const name = Object.keys(properties).find((one) => properties[one]!.contentEncoding === 'base64')
  const hint = name === undefined ? '' : `; a file is sent in ${name}, as base64`
  return invalid([{ path: '', message: `must be JSON (application/json)${hint}` }])
}

/** The parsed body with the path parameters among its members. */
function joinedWith(body: unknown, params: Record<string, unknown>): ReadOutcome {
  if (Object.keys(params).length === 0) return { ok: true, input: body }
  if (!isObject(body)) return invalid([{ path: '', message: 'must be a JSON object' }])
  return { ok: true, input: Object.assign(body, params) }
}

const known = new WeakMap<TSchema, ReadonlySet<string> | null>()

/** The members that an input may have; null if its schema allows others. */
export function knownMembers(schema: TSchema): ReadonlySet<string> | null {
  const found = known.get(schema)
  if (found !== undefined) return found
  const { properties, patternProperties, additionalProperties } = schema as Record<string, unknown>
  const isClosed = additionalProperties === false && patternProperties === undefined
  const names = isClosed ? new Set(Object.keys(properties ?? {})) : null
  known.set(schema, names)
  return names
}

function isFailure(value: unknown): value is Failure {
  return isObject(value) && value['ok'] === false && 'code' in value
}

/** Query parameters converted to the types in the schema; unknown ones stay text. */
export function fromQuery(schema: TSchema, query: URLSearchParams): Record<string, unknown> {
  const properties = propertiesOf(schema)
  const members = [...new Set(query.keys())].map((name): [string, unknown] => {
    const values = query.getAll(name)
    const { type, items } = Object.hasOwn(properties, name) ? properties[name]! : ANY_TYPE
    const isList = type === 'array' || values.length > 1
    return [
      name,
      isList ? values.map((value) => coerce(value, items?.type)) : coerce(values[0]!, type),
    ]
  })
  // An assignment to `__proto__` would make no member, which the schema could refuse.
  return Object.fromEntries(members)
}

/** Path parameters, in the same way. */
export function fromPath(schema: TSchema, params: HttpParts['params']): Record<string, unknown> {
  return Object.keys(params).length === 0 ? {} : fromQuery(schema, new URLSearchParams(params))
}

interface MemberSchema {
  type?: unknown
  contentEncoding?: unknown
  items?: { type?: unknown }
}
const ANY_TYPE: MemberSchema = {}

function coerce(text: string, type: unknown): unknown {
  if ((type === 'number' || type === 'integer') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text))
    return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
