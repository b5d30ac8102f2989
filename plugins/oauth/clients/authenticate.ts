/** Who a client is at the token and the revocation endpoint. */
import { refuse, type Refusal } from '../oauth-error.ts'
import { ASSERTION_TYPE, assertionProblem, type AssertionDeps } from './assertion.ts'
import type { Client } from './client.ts'
import type { Clients } from './clients.ts'

export interface AuthenticateDeps extends AssertionDeps {
  clients: Clients
}

/**
 * The client of a form. An unknown one is 401 `invalid_client`, on which hosts register again. A
 * `client_secret` proves nothing, because none was ever given.
 */
export async function authenticate(
  deps: AuthenticateDeps,
  headers: Headers,
  form: URLSearchParams,
): Promise<{ ok: true; client: Client } | Refusal> {
  if (headers.has('authorization')) return NOT_BY_HEADER
  const assertion = form.get('client_assertion')
  const id = form.get('client_id') ?? (assertion === null ? null : subjectOf(assertion))
  if (id === null) return refuse('invalid_client', 'client_id is missing')
  const client = await deps.clients.known(id)
  if (client === null) return refuse('invalid_client', 'No client has this client_id; register')
  if (assertion === null) {
    return client.authMethod === 'none'
      ? { ok: true, client }
      : refuse('invalid_client', 'This client proves itself by a client_assertion')
  }
  if (form.get('client_assertion_type') !== ASSERTION_TYPE)
    return refuse('invalid_client', `client_assertion_type must be ${ASSERTION_TYPE}`)
  const problem = await assertionProblem(deps, client, assertion)
  return problem === null ? { ok: true, client } : refuse('invalid_client', problem)
}

/** Whoever tries it by a header is told so by one (RFC 6749 section 5.2). */
const NOT_BY_HEADER: Refusal = {
  ...refuse('invalid_client', 'Clients name themselves by client_id, not by Authorization'),
  headers: { 'www-authenticate': 'Basic realm="coinop"' },
}

/** Whom an assertion is about, before it is proven: RFC 7523 lets client_id be left out. */
function subjectOf(assertion: string): string | null {
  try {
    const [, payload = ''] = assertion.split('.')
    const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub?: unknown }
    return typeof sub === 'string' ? sub : null
  } catch {
    return null
  }
}
