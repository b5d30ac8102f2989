/** Bodies of the token endpoint and of the consent page. */
import type { RouteRequest } from '#kernel'
import { readForm as readFields } from '../shared/request-body.ts'
import { refuse, type Refusal } from './oauth-error.ts'

/** The largest form: an assertion with a chain of certificates is some kilobytes. */
export const FORM_BYTES = 32 * 1024
/** RFC 8707 lets it come more than once; nothing else may (RFC 6749 section 3.2). */
const REPEATABLE = 'resource'

/** The fields of a form, or the refusal of what is none. */
export async function readForm(
  request: RouteRequest,
  repeatable = REPEATABLE,
): Promise<{ ok: true; form: URLSearchParams } | Refusal> {
  const read = await readFields(request)
  if (!read.ok) return refuse('invalid_request', read.message)
  const form = withoutEmpty(read.form)
  const twice = repeated(form, repeatable)
  if (twice !== null) return refuse('invalid_request', `${twice} may be given once`)
  return { ok: true, form }
}

/** The parameters that have a value: one without is as if it was left out (RFC 6749 section 3.1). */
export function withoutEmpty(parameters: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([, value]) => value !== ''))
}

/** The name of a parameter that stands there more than once; null when there is none. */
export function repeated(parameters: URLSearchParams, repeatable = REPEATABLE): string | null {
  const seen = new Set<string>()
  for (const name of parameters.keys()) {
    if (seen.has(name) && name !== repeatable) return name.slice(0, 40)
    seen.add(name)
  }
  return null
}
