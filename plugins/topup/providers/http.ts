/** JSON requests to a provider's API through the guarded fetch. */
import type { GuardedFetch } from '#kernel'
import type { Started } from './contract.ts'

const TIMEOUT_MS = 15_000
const decoder = new TextDecoder()

/** `status` is 2xx, or one of those by which a provider says that it does not know something. */
export type ApiAnswer = { ok: true; status: number; json: unknown } | { ok: false; message: string }

const UNKNOWN_STATUSES: ReadonlySet<number> = new Set([400, 404])

/** The provider's answer; `ok: false` when it could not be had. */
export async function callApi(
  fetch: GuardedFetch,
  url: string,
  secret: string,
  body?: unknown,
): Promise<ApiAnswer> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    timeoutMs: TIMEOUT_MS,
    maxRedirects: 0,
    maxBytes: 1_048_576,
    // The operator configured the address.
    allowPrivate: true,
  })
  if (!answer.ok) return { ok: false, message: answer.message }
  // A wrong secret, a rate limit or an outage says nothing about the charge.
  if (answer.status >= 300 && !UNKNOWN_STATUSES.has(answer.status))
    return { ok: false, message: `the provider answered ${answer.status}` }
  try {
    return { ok: true, status: answer.status, json: JSON.parse(decoder.decode(answer.body)) }
  } catch {
    return { ok: false, message: `the provider answered ${answer.status} without JSON` }
  }
}

/** The checkout that an answer started, with the page to pay at as its text `url`. */
export function startedBy(answer: ApiAnswer, url: (json: unknown) => unknown): Started {
  if (!answer.ok) return answer
  const authorizationUrl = url(answer.json)
  if (typeof authorizationUrl === 'string') return { ok: true, authorizationUrl }
  return { ok: false, message: `the provider answered ${answer.status} without a page to pay at` }
}

/** The member of nested objects, or undefined. */
export function member(value: unknown, ...path: string[]): unknown {
  let at = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return at
}

/** Rows of a list answer, or the one row of a single answer. */
export function rowsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? [value] : []
}

/** Text of a text or number member. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null
}
