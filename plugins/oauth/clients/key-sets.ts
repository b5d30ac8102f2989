/** Public keys of clients, kept in memory: fetched when they are due, or when a key is unknown. */
import { LRUCache } from 'lru-cache'
import type { JSONWebKeySet } from 'jose'
import type { Client } from './client.ts'
import { fetchKeySet, type DocumentFetchDeps } from './document.ts'

const SETS_MAX = 200
/** An unknown key has the set fetched again, but not more often than this. */
const AGAIN_AFTER_MS = 60_000
/** A set that could not be had is asked for again after this. */
const FAILED_AGAIN_AFTER_MS = 10_000

interface Kept {
  /** Null: it could not be had. */
  set: JSONWebKeySet | null
  /** Not fetched again before, whatever key is asked for. */
  againAtMs: number
  freshUntilMs: number
}

export class KeySets {
  readonly #fetching: DocumentFetchDeps
  readonly #nowMs: () => number
  /** By the host of the client and the address: what others make of an address is not its owner's. */
  readonly #kept = new LRUCache<string, Kept>({ max: SETS_MAX })
  readonly #underWay = new Map<string, Promise<JSONWebKeySet | null>>()

  constructor(fetching: DocumentFetchDeps, nowMs = () => performance.now()) {
    this.#fetching = fetching
    this.#nowMs = nowMs
  }

  /** The keys of a client that may have signed with `kid`; null: none can be had now. */
  async of(client: Client, kid: string | undefined): Promise<JSONWebKeySet | null> {
    const { jwks, jwksUri } = client
    if (jwksUri === null) return jwks
    const name = `${new URL(client.id).host} ${jwksUri}`
    const kept = this.#kept.get(name)
    const nowMs = this.#nowMs()
    if (kept !== undefined && nowMs < kept.freshUntilMs) {
      const has = kept.set?.keys.some((key) => kid === undefined || key.kid === kid)
      if (has || nowMs < kept.againAtMs) return kept.set
    }
    const underWay = this.#underWay.get(name)
    if (underWay !== undefined) return underWay
    const fetching = this.#fetch(name, jwksUri, client.id).finally(() =>
      this.#underWay.delete(name),
    )
    this.#underWay.set(name, fetching)
    return fetching
  }

  /** The set, or what is left of the one before when it cannot be had. */
  async #fetch(name: string, jwksUri: string, clientId: string): Promise<JSONWebKeySet | null> {
    const fetched = await fetchKeySet(this.#fetching, jwksUri, clientId)
    const nowMs = this.#nowMs()
    if (fetched.ok) {
      const freshUntilMs = nowMs + fetched.freshS * 1000
      const againAtMs = nowMs + AGAIN_AFTER_MS
      this.#kept.set(name, { set: fetched.value, againAtMs, freshUntilMs })
      return fetched.value
    }
    const before = this.#kept.get(name)
    const againAtMs = nowMs + FAILED_AGAIN_AFTER_MS
    const isGood = before !== undefined && before.set !== null && nowMs < before.freshUntilMs
    const kept = isGood
      ? { ...before, againAtMs }
      : { set: null, againAtMs, freshUntilMs: againAtMs }
    this.#kept.set(name, kept)
    return kept.set
  }
}
