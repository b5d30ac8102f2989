/**
 * Client id metadata documents (draft-ietf-oauth-client-id-metadata-document): the client's id is the
 * URL of a document about it. It is fetched by the guarded fetch, and nothing else that it names is.
 */
import { isObject, parseJson, type GuardedFetch } from '#kernel'
import type { JSONWebKeySet } from 'jose'
import type { Rate, Rates } from '../rates.ts'
import { cleanName, type Client } from './client.ts'
import { isAcceptableRedirect } from './redirect.ts'

const URL_MAX = 2000
const HOST_MAX = 253
const DOCUMENT_BYTES = 16 * 1024
const KEY_SET_BYTES = 64 * 1024
const TIMEOUT_MS = 5000
const FRESH_MIN_S = 5 * 60
const FRESH_MAX_S = 24 * 3600
const REDIRECTS_MAX = 20
/** Fetches of documents at one host: for one asking address, so that nobody uses up all, and for all. */
const ADDRESS_RATE = { burst: 30, perMinute: 10 }
const HOST_RATE = { burst: 300, perMinute: 120 }
/** Fetches of key sets at one host, for the documents of one host. */
const KEYS_RATE = { burst: 30, perMinute: 30 }

export type Fetched<T> =
  | { ok: true; value: T; freshS: number }
  /** `isTooOften`: nothing was asked, because of a limit here. */
  | { ok: false; message: string; isTooOften?: boolean }
type Limits = readonly (readonly [subject: string, rate: Rate])[]

export interface DocumentFetchDeps {
  fetch: GuardedFetch
  rates: Pick<Rates, 'take'>
  schemes: readonly string[]
}

/** Whether a client id is the URL of a document, as the draft wants it and as browsers write it. */
export function isDocumentUrl(clientId: string): boolean {
  if (clientId.length > URL_MAX || !URL.canParse(clientId)) return false
  const url = new URL(clientId)
  return (
    url.protocol === 'https:' &&
    url.href === clientId &&
    url.pathname !== '/' &&
    url.hostname.length <= HOST_MAX &&
    url.username === '' &&
    url.password === '' &&
    !clientId.includes('#')
  )
}

/** The client of a document, or why it is none. `askedBy`: the block of addresses that wants it. */
export async function fetchDocument(
  deps: DocumentFetchDeps,
  url: string,
  askedBy: string,
): Promise<Fetched<Client>> {
  const { host } = new URL(url)
  const fetched = await fetchJson(deps, url, DOCUMENT_BYTES, [
    [`fetch:${host} for ${askedBy}`, ADDRESS_RATE],
    [`fetch:${host}`, HOST_RATE],
  ])
  if (!fetched.ok) return fetched
  const client = clientIn(fetched.value, url, deps.schemes)
  if (typeof client === 'string') return { ok: false, message: client }
  return { ...fetched, value: client }
}

/**
 * The public keys at `jwks_uri` of a client, or why there are none. What documents elsewhere say of a
 * host takes nothing from the host's own documents.
 */
export async function fetchKeySet(
  deps: DocumentFetchDeps,
  url: string,
  clientId: string,
): Promise<Fetched<JSONWebKeySet>> {
  const { host } = new URL(url)
  const own = new URL(clientId).host
  const fetched = await fetchJson(deps, url, KEY_SET_BYTES, [
    [`keys:${host} of ${own}`, KEYS_RATE],
    ...(own === host ? [] : [[`keys:${host}`, HOST_RATE] as const]),
  ])
  if (!fetched.ok) return fetched
  const set = keySetIn(fetched.value)
  return set === null ? { ok: false, message: 'the key set is none' } : { ...fetched, value: set }
}

async function fetchJson(
  { fetch, rates }: DocumentFetchDeps,
  url: string,
  maxBytes: number,
  limits: Limits,
): Promise<Fetched<Record<string, unknown>>> {
  for (const [subject, rate] of limits) {
    if ((await rates.take(subject, rate)) === null) continue
    const message = `${new URL(url).host} was asked too often just now`
    return { ok: false, message, isTooOften: true }
  }
  const answer = await fetch(url, {
    headers: { accept: 'application/json' },
    maxRedirects: 0,
    maxBytes,
    timeoutMs: TIMEOUT_MS,
  })
  if (!answer.ok) return { ok: false, message: `it could not be fetched (${answer.reason})` }
  if (answer.status !== 200) return { ok: false, message: `it answered ${answer.status}` }
  const parsed = parseJson(answer.body)
  if (!parsed.ok || !isObject(parsed.value)) return { ok: false, message: 'it is no JSON object' }
  return { ok: true, value: parsed.value, freshS: freshSeconds(answer.headers) }
}

/** The client that a document describes, or what is wrong with it. */
function clientIn(
  document: Record<string, unknown>,
  url: string,
  schemes: readonly string[],
): Client | string {
  if (document['client_id'] !== url) return 'its client_id is another one'
  const name =
    typeof document['client_name'] === 'string' ? cleanName(document['client_name']) : null
  if (name === null) return 'it has no client_name'
  const redirectUris = document['redirect_uris']
  if (!Array.isArray(redirectUris) || redirectUris.length < 1) return 'it has no redirect_uris'
  if (redirectUris.length > REDIRECTS_MAX) return 'it has too many redirect_uris'
  const refused = redirectUris.find((uri) => !isAcceptableRedirect(uri, schemes))
  if (refused !== undefined) return 'one of its redirect_uris is not taken here'
  if ('client_secret' in document || 'client_secret_expires_at' in document)
    return 'it has a client_secret, which a public document cannot keep'
  const authMethod = document['token_endpoint_auth_method'] ?? 'none'
  if (authMethod !== 'none' && authMethod !== 'private_key_jwt')
    return 'its token_endpoint_auth_method is not taken here'
  const jwks = isObject(document['jwks']) ? keySetIn(document['jwks']) : null
  const jwksUri = document['jwks_uri'] ?? null
  if (jwksUri !== null && (typeof jwksUri !== 'string' || !isDocumentUrl(jwksUri)))
    return 'its jwks_uri is no https URL'
  if (authMethod === 'private_key_jwt' && jwks === null && jwksUri === null)
    return 'it has neither jwks nor jwks_uri'
  return { id: url, kind: 'document', name, redirectUris, authMethod, jwksUri, jwks }
}

function keySetIn(value: Record<string, unknown>): JSONWebKeySet | null {
  const { keys } = value
  // Written with an escape are control characters and halves of pairs, which the database cannot keep.
  if (JSON.stringify(keys)?.includes('\\u')) return null
  return Array.isArray(keys) && keys.length > 0 && keys.length <= 50 && keys.every(isObject)
    ? { keys: keys as JSONWebKeySet['keys'] }
    : null
}

function freshSeconds(headers: Headers): number {
  const said = headers.get('cache-control') ?? ''
  const maxAge = /(?:^|[,\s])max-age=(\d{1,9})/i.exec(said)?.[1]
  if (maxAge === undefined || /no-store|no-cache/i.test(said)) return FRESH_MIN_S
  return Math.min(FRESH_MAX_S, Math.max(FRESH_MIN_S, Number(maxAge)))
}
