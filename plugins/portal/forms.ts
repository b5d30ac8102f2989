/** Bodies of plain forms. */
import { fail, type Failure, type RouteRequest } from '#kernel'

const TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i

/** The fields of a form that was sent as browsers do; a Failure for anything else. */
export async function readForm(
  request: RouteRequest,
): Promise<{ ok: true; form: URLSearchParams } | Failure> {
  if (!TYPE.test(request.request.headers.get('content-type') ?? '')) {
    return fail('INVALID_INPUT', 'The body must be a form (application/x-www-form-urlencoded)')
  }
  const bytes = await request.bytes()
  if ('ok' in bytes) return bytes
  return { ok: true, form: new URLSearchParams(new TextDecoder().decode(bytes)) }
}
