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
  type SkillContext,
} from '#kernel'
import { readWhole } from './body.ts'
import { ask, discard, isFulfilled, rawHeader, unfulfilled, type Proxy } from './forward.ts'
import { responseHeaders } from './headers.ts'
import type { Answer } from './upstream.ts'

/** The largest answer that becomes a tool result. */
const MAX_ANSWER_BYTES = 10 * 1024 * 1024
const IN_QUERY = new Set(['GET', 'HEAD', 'DELETE'])

export type Input = Readonly<Record<string, unknown>>

/** The `handler` of a skill. Anything but a 2xx is a failure, on free routes too: a tool has no status. */
export function toolHandler(proxy: Proxy, route: RouteSpec, metered: boolean) {
  return async (ctx: SkillContext, input: Input): Promise<Result<unknown>> => {
    const placed = placeInput(route, input)
    if ('ok' in placed) return placed
    const asked = await ask(proxy, ctx, {
      method: route.method,
      path: placed.path,
      search: placed.search,
      callerHeaders: new Headers({
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(placed.body !== null && { 'content-type': 'application/json' }),
      }),
      body: placed.body,
      clientAddress: null,
      metered,
    })
    if ('ok' in asked) return asked
    const { answer } = asked
    if (!isFulfilled(answer)) {
      return unfulfilled(proxy, answer)
    }
    return outputOf(answer)
  }
}

/** Where the members of the input go; INVALID_INPUT when one cannot stand in the path. */
function placeInput(
  route: RouteSpec,
  input: Input,
): { path: string; search: string; body: Uint8Array | null } | Failure {
  const rest: Record<string, unknown> = { ...input }
  let refused: Failure | null = null
  const path = route.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    if (text === '') refused ??= invalid([{ path: `/${name}`, message: 'must be text, not empty' }])
    return encodeURIComponent(text)
  })
  if (refused) return refused
  if (!IN_QUERY.has(route.method))
    return { path, search: '', body: new TextEncoder().encode(JSON.stringify(rest)) }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null)
        query.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
    }
  }
  const text = query.toString()
  return { path, search: text === '' ? '' : `?${text}`, body: null }
}

async function outputOf(answer: Answer): Promise<Result<unknown>> {
  const encoding = rawHeader(answer, 'content-encoding') ?? 'identity'
  if (encoding !== 'identity') {
    discard(answer)
    return noResult('is compressed although no compression was asked for')
  }
  let bytes: Uint8Array | null
  try {
    const { body } = answer
    bytes = body instanceof ReadableStream ? await readWhole(body, MAX_ANSWER_BYTES) : body
  } catch {
    return fail('UPSTREAM_FAILURE', 'The upstream broke its answer off')
  }
  if (bytes === null && answer.body !== null)
    return noResult(`is larger than ${MAX_ANSWER_BYTES} bytes`)
  const source = {
    headers: responseHeaders(answer.rawHeaders, (location) => location),
    body: bytes ?? new Uint8Array(),
  }
  if (bytes === null || bytes.byteLength === 0) return { ok: true, output: {}, source }
  const type = (rawHeader(answer, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (type === 'application/json' || type.endsWith('+json')) {
    const parsed = parseJson(bytes)
    return parsed.ok ? { ok: true, output: parsed.value, source } : noResult('is no valid JSON')
  }
  if (type.startsWith('text/'))
    return {
      ok: true,
      output: { contentType: type, text: new TextDecoder().decode(bytes) },
      source,
    }
  return {
    ok: true,
    output: { contentType: type, base64: Buffer.from(bytes).toString('base64') },
    source,
  }
}

function noResult(why: string): Failure {
  return fail('UPSTREAM_FAILURE', `The upstream's answer ${why}`, { retryable: false })
}
