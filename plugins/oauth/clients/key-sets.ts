/** Public keys of clients, kept in memory: fetched when they are due, or when a key is unknown. */
import { LRUCache } from 'lru-cache'
import type { JSONWebKeySet } from 'jose'
import type { Client } from './client.ts'
import { fetchKeySet, type DocumentFetchDeps } from './document.ts'

const SETS_MAX = 500
/** An unknown key has the set fetched again, but not more often than this. */
const AGAIN_AFTER_MS = 60_000

interface Kept {
  set: JSONWebKeySet
  fetchedAtMs: number
  freshUntilMs: number
}

export class KeySets {
  readonly #fetching: DocumentFetchDeps
  readonly #kept = new LRUCache<string, Kept>({ max: SETS_MAX })

  constructor(fetching: DocumentFetchDeps) {
    this.#fetching = fetching
  }

  /** The keys of a client that may have signed with `kid`; null: none can be had now. */
  async of({ jwks, jwksUri }: Client, kid: string | undefined): Promise<JSONWebKeySet | null> {
    if (jwksUri === null) return jwks
    const kept = this.#kept.get(jwksUri)
    const nowMs = performance.now()
    if (kept !== undefined && nowMs < kept.freshUntilMs) {
      const has = kid === undefined || kept.set.keys.some((key) => key.kid === kid)
      if (has || nowMs < kept.fetchedAtMs + AGAIN_AFTER_MS) return kept.set
    }
    const fetched = await fetchKeySet(this.#fetching, jwksUri)
    if (!fetched.ok) return null
    const freshUntilMs = nowMs + fetched.freshS * 1000
    this.#kept.set(jwksUri, { set: fetched.value, fetchedAtMs: nowMs, freshUntilMs })
    return fetched.value
  }
}
