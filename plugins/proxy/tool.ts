/**
 * The MCP side of a proxied skill: JSON input becomes path, query or body of the same upstream
 * route, and the answer becomes JSON.
 */
import {
  fail,
  invalid,
  parseJson,
  type Failure,
  type Result,
  type RouteSpec,
  type SkillSpec,
  type SkillContext,
} from '#kernel'
import { readWhole } from './body.ts'
import { ask, discard, isFulfilled, rawHeader, unfulfilled, type Proxy } from './forward.ts'
import { responseHeaders } from './headers.ts'
import { addPairs, headerText, pathText } from '../shared/documents/request-pairs.ts'
import {
  hasBody,
  isInHeader,
  isInQuery,
  isJsonType,
  membersOf,
  namesOnlyInPath,
  styleOf,
} from '../shared/documents/request-places.ts'
import { toolBody } from './tool-body.ts'
import { mayRound, withDigits } from '../shared/exact-numbers.ts'
import type { Answer } from './answer.ts'

/** The largest answer that becomes a tool result. */
const MAX_ANSWER_BYTES = 10 * 1024 * 1024
const PROGRESS_EVERY_MS = 5000

export type Input = Readonly<Record<string, unknown>>

/**
 * The `handler` of a skill. Anything but a 2xx is a failure, on free routes too: a tool has no status.
 * Units that its price counts are read in the upstream's own answer.
 */
export function toolHandler(
  proxy: Proxy,
  route: RouteSpec,
  { input: schema, metered, price }: Pick<SkillSpec, 'input' | 'metered' | 'price'>,
) {
  const isMeasured = price.per.length > 0
  const call = async (ctx: SkillContext, input: Input): Promise<Result<unknown>> => {
    const placed = placeInput(route, input, schema)
    if ('ok' in placed) return placed
    const body = placed.rest && (await toolBody(placed.rest, input, schema))
    if (body && 'ok' in body) return body
    const asked = await ask(proxy, ctx, {
      method: route.method,
      path: placed.path,
      search: placed.search,
      callerHeaders: new Headers({
        accept: 'application/json',
        ...placed.headers,
        'accept-encoding': 'identity',
        ...(body && { 'content-type': body.type }),
      }),
      body: body && body.bytes,
      clientAddress: null,
      metered,
    })
    if ('ok' in asked) return asked
    const { answer } = asked
    if (!isFulfilled(answer)) {
      return unfulfilled(proxy, answer)
    }
    const bytes = await bytesOf(answer)
    if (!(bytes instanceof Uint8Array)) return bytes
    const result = outputOf(answer, bytes)
    if (!result.ok || !isMeasured) return result
    const headers = responseHeaders(answer.rawHeaders, (location) => location)
    return { ...result, source: { headers, body: bytes } }
  }
  return async (ctx: SkillContext, input: Input): Promise<Result<unknown>> => {
    const progress = tellProgress(ctx)
    try {
      return await call(ctx, input)
    } finally {
      clearInterval(progress)
    }
  }
}

/**
 * Tells a client that asked for progress how long its call has waited: clients give up after a time of
 * silence, often a minute, and an upstream may take longer than that.
 */
function tellProgress(ctx: SkillContext): ReturnType<typeof setInterval> {
  const sinceMs = performance.now()
  return setInterval(() => {
    const seconds = Math.round((performance.now() - sinceMs) / 1000)
    ctx.progress({ progress: seconds, message: `Waiting for the upstream, ${seconds} s so far` })
  }, PROGRESS_EVERY_MS)
}

interface Placed {
  path: string
  search: string
  headers: Record<string, string>
  /** The members of the body; null for a request without one. */
  rest: Input | null
}

/** Where the members of the input go; INVALID_INPUT when one cannot stand in the path or a header. */
function placeInput(route: RouteSpec, input: Input, schema: SkillSpec['input']): Placed | Failure {
  const onlyInPath = namesOnlyInPath(route.path, schema)
  const rest: Record<string, unknown> = { ...withDigits(input, 'text') }
  let refused: Failure | null = null
  const path = route.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = rest[name]
    if (onlyInPath.has(name)) delete rest[name]
    // Half of a surrogate pair has no form in UTF-8.
    const isWellFormed = [value].flat().every((word) => String(word).isWellFormed())
    const text = isWellFormed ? pathText(value) : null
    const message = isWellFormed ? 'must be text, not empty' : 'holds what is no character'
    if (text === null) refused ??= invalid([{ path: `/${name}`, message }])
    return text ?? ''
  })
  const sendsBody = hasBody(route.method, schema)
  const members = membersOf(schema)
  const headers: Record<string, string> = {}
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    const member = members[name]
    if (isInHeader(member)) {
      delete rest[name]
      if (value === null) continue
      const text = headerText(value)
      if (text === null) refused ??= invalid([{ path: `/${name}`, message: NO_HEADER }])
      else headers[name.toLowerCase()] = text
      continue
    }
    if (sendsBody && !isInQuery(member)) continue
    delete rest[name]
    addPairs(query, name, value, styleOf(member))
  }
  if (refused) return refused
  const text = query.toString()
  return { path, search: text === '' ? '' : `?${text}`, headers, rest: sendsBody ? rest : null }
}

const NO_HEADER = 'must be text that a header can hold: printable ASCII'

/** The whole body, as it is. */
async function bytesOf(answer: Answer): Promise<Uint8Array | Failure> {
  const encoding = rawHeader(answer, 'content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    discard(answer)
    return noResult('is compressed although no compression was asked for')
  }
  const { body } = answer
  if (body === null) return new Uint8Array()
  try {
    const bytes = body instanceof ReadableStream ? await readWhole(body, MAX_ANSWER_BYTES) : body
    return bytes ?? noResult(`is larger than ${MAX_ANSWER_BYTES} bytes`)
  } catch {
    return fail('UPSTREAM_FAILURE', 'The upstream broke its answer off')
  }
}

function outputOf(answer: Answer, bytes: Uint8Array): Result<unknown> {
  if (bytes.byteLength === 0) return { ok: true, output: {} }
  const contentType = rawHeader(answer, 'content-type') ?? ''
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  if (isJsonType(type)) {
    const parsed = parseJson(bytes)
    if (!parsed.ok) return noResult('is not valid JSON')
    const text = new TextDecoder().decode(bytes)
    // As it came, on one line: an event of a stream holds no line end.
    const json = mayRound(text) ? text.trim().replaceAll(/[\r\n]+/g, ' ') : undefined
    return { ok: true, output: parsed.value, ...(json !== undefined && { json }) }
  }
  if (type.startsWith('text/'))
    return { ok: true, output: { contentType: type, text: textOf(bytes, contentType) } }
  return {
    ok: true,
    output: { contentType: type, base64: Buffer.from(bytes).toString('base64') },
  }
}

/** Text that is not UTF-8, in the charset of its Content-Type: many servers name another than they send. */
function textOf(bytes: Uint8Array, contentType: string): string {
  const charset = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decoderOf(charset).decode(bytes)
  }
}

/** Of UTF-8, which marks what it cannot read, for a name that nobody knows. */
function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset as Bun.Encoding)
  } catch {
    return new TextDecoder()
  }
}

function noResult(why: string): Failure {
  return fail('UPSTREAM_FAILURE', `The upstream's answer ${why}`, { retryable: false })
}
