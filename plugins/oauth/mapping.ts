/**
 * Below a path of its host the gateway cannot serve the documents where clients look for them: RFC
 * 8414 and RFC 9728 put `.well-known` before the path. Only the proxy in front can bring them there.
 */
import { isObject, parseJson, type GuardedFetch } from '#kernel'
import { RESOURCE_DOCUMENT_PATH, ENDPOINT_PATH, SERVER_DOCUMENT_PATHS } from './places.ts'

const ASKED_EVERY_MS = 60_000
/** Below the timeout of the health check. */
const TIMEOUT_MS = 800
const MAX_BYTES = 100_000

export interface MappingCheckDeps {
  fetch: GuardedFetch
  /** PUBLIC_URL or MCP_OAUTH_URL, without a slash at its end. */
  base: string
  now(): number
}

/**
 * Asks, as a client would, for the document that needs the mapping, once a minute at most; resolves
 * with what to map where it is not there, else with null. Without a path nothing needs a mapping.
 */
export function mappingCheck({ fetch, base, now }: MappingCheckDeps): () => Promise<string | null> {
  const { origin, pathname } = new URL(base)
  const prefix = pathname.replace(/\/$/, '')
  if (prefix === '') return async () => null
  const place = `${origin}/.well-known/oauth-authorization-server${prefix}${ENDPOINT_PATH}`
  let known: { at: number; found: Promise<string | null> } | null = null

  async function ask(): Promise<string | null> {
    const answer = await fetch(place, {
      maxRedirects: 0,
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      // The operator's own address, wherever it leads.
      allowPrivate: true,
    })
    const parsed = answer.ok && answer.status === 200 ? parseJson(answer.body) : null
    const isThere =
      parsed?.ok === true &&
      isObject(parsed.value) &&
      parsed.value['issuer'] === base + ENDPOINT_PATH
    return isThere ? null : explain(answer.ok ? `answered ${answer.status}` : answer.reason)
  }

  /** What an operator tells the proxy; `why` is what came of asking. */
  function explain(why: string): string {
    const [server] = SERVER_DOCUMENT_PATHS
    const folders = [RESOURCE_DOCUMENT_PATH, server!].map((path) =>
      path.slice(0, -ENDPOINT_PATH.length),
    )
    const rules = folders.map((folder) => `${origin}${folder}${prefix}/* to ${folder}/*`)
    return `clients find no sign-in at ${place} (${why}): the path ${prefix} needs the proxy to pass ${rules.join(' and ')} of the gateway`
  }

  return () => {
    if (known === null || now() - known.at > ASKED_EVERY_MS) known = { at: now(), found: ask() }
    return known.found
  }
}
