/** Bodies of routes that are not JSON: text and plain forms. Bytes that are not UTF-8 are refused. */
import { fail, invalid, type Failure, type RouteRequest } from '#kernel'

const FORM = 'application/x-www-form-urlencoded'
const ESCAPES = /(?:%[\da-f]{2})+/gi
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body as text, or why it cannot be read; `expected` says what to send. */
export async function textOf(
  request: RouteRequest,
  expected: string,
): Promise<{ ok: true; text: string } | Failure> {
  const bytes = await request.bytes()
  if ('ok' in bytes) return bytes
  try {
    return { ok: true, text: utf8.decode(bytes) }
  } catch {
    return invalid([{ path: '', message: `must be ${expected} in UTF-8` }])
  }
}

/** The fields of a form that was sent as browsers do; a Failure for anything else. */
export async function readForm(
  request: RouteRequest,
): Promise<{ ok: true; form: URLSearchParams } | Failure> {
  const type = request.request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== FORM) return fail('INVALID_INPUT', `The body must be a form (${FORM})`)
  const read = await textOf(request, `a form (${FORM})`)
  if (!read.ok) return read
  try {
    // URLSearchParams would put U+FFFD where escaped bytes are not UTF-8: another value than sent.
    for (const [escapes] of read.text.matchAll(ESCAPES)) decodeURIComponent(escapes)
  } catch {
    return invalid([{ path: '', message: 'must escape UTF-8 only' }])
  }
  return { ok: true, form: new URLSearchParams(read.text) }
}
