/**
 * Rows that may be at most a second old: bounded, shared between concurrent readers, refreshed
 * ahead of time while they are in use, so that a busy key never waits for the database.
 */
import { LRUCache } from 'lru-cache'

/** The oldest row ever served, counted from before its query: revocation holds within a second. */
export const ROW_AGE_MAX_MS = 1000
const REFRESH_AT_MS = 500
const HITS_MAX = 50_000
/** Misses have their own bound: made-up ids cannot push out rows in use. */
const MISSES_MAX = 10_000

interface Entry<T> {
  row: T | null
  loadedAtMs: number
}

export class FreshCache<T extends { keyId: string }> {
  #load: (id: string) => Promise<T | null>
  #nowMs: () => number
  #hits = new LRUCache<string, Entry<T>>({ max: HITS_MAX })
  #misses = new LRUCache<string, Entry<T>>({ max: MISSES_MAX })
  #loading = new Map<string, Promise<T | null>>()

  constructor(load: (id: string) => Promise<T | null>, nowMs = () => performance.now()) {
    this.#load = load
    this.#nowMs = nowMs
  }

  /** The row, at most ROW_AGE_MAX_MS old, or null when there is none. Rejects when loading fails. */
  get(id: string): T | null | Promise<T | null> {
    const entry = this.#hits.get(id) ?? this.#misses.get(id)
    if (entry === undefined) return this.#refresh(id)
    const ageMs = this.#nowMs() - entry.loadedAtMs
    if (ageMs >= ROW_AGE_MAX_MS) return this.#refresh(id)
    // A failed refresh is met again, and reported, by whoever needs the row after its age.
    if (ageMs >= REFRESH_AT_MS && entry.row !== null) this.#refresh(id).catch(() => {})
    return entry.row
  }

  /** Drops the key's rows; a load that began before this is not kept. */
  forget(keyId: string): void {
    this.#loading.clear()
    for (const [id, entry] of this.#hits.entries()) {
      if (entry.row?.keyId === keyId) this.#hits.delete(id)
    }
    this.#misses.clear()
  }

  #refresh(id: string): Promise<T | null> {
    const underWay = this.#loading.get(id)
    if (underWay) return underWay
    const loadedAtMs = this.#nowMs()
    const loading = this.#load(id).then(
      (row) => {
        if (this.#loading.get(id) === loading) {
          this.#loading.delete(id)
          this.#hits.delete(id)
          this.#misses.delete(id)
          const kept = row === null ? this.#misses : this.#hits
          kept.set(id, { row, loadedAtMs })
        }
        return row
      },
      (error: unknown) => {
        if (this.#loading.get(id) === loading) this.#loading.delete(id)
        throw error
      },
    )
    this.#loading.set(id, loading)
    return loading
  }
}
