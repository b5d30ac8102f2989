/** Turns an HTTP request into the input of a skill: JSON body, query and path parameters joined. */
import type { TSchema } from 'typebox'
import { invalid, type Failure } from '../errors.ts'
import { withheldHeaders } from '../net/reserved-headers.ts'
import type { HttpParts, Skill } from '../plugins/contract.ts'
import { isObject, readJson, type ParsedJson } from '../schema/json.ts'
import type { ReadOutcome } from '../metering/call.ts'

/** Framing: what Connection names of it stays, since the body is read by it. */
const FRAMING = new Set(['content-length', 'content-encoding', 'host'])

/** A copy of the caller's headers without credentials, connection headers and those it nominates. */
export function withoutCredentials(headers: Headers): Headers {
  const copy = new Headers(headers)
  for (const named of headers.get('connection')?.split(',') ?? []) {
    const name = named.trim().toLowerCase()
    if (/^[a-z0-9-]+$/.test(name) && !FRAMING.has(name)) copy.delete(name)
  }
  for (const name of withheldHeaders()) copy.delete(name)
  return copy
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
  const properties =
    (schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {}
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
