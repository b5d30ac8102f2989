/** The rows that authentication reads: cached for at most a second, and dropped by NOTIFY. */
import type { Database, SqlClient } from '../storage/contract.ts'
import { originTest, type OriginTest } from '../net/origins.ts'
import { createBatcher } from '../work/batcher.ts'
import { KEYS_CHANNEL } from './account-management.ts'
import type { KeyLimits } from './contract.ts'
import { LRUCache } from 'lru-cache'

export interface KeyRow extends KeyLimits {
  keyId: string
  accountId: string
  name: string
  mode: 'live' | 'test'
  /** A grant has no secret, so no API key and no JWT can stand for it. */
  kind: 'key' | 'grant'
  /** Ids of the skills that it may buy, for a grant within those of its parent; null: all. */
  skills: readonly string[] | null
  revoked: boolean
  /**
   * When it expires, by the clock of `performance.now()`; null: never. Derived from the clock of
   * the database, so that all instances agree. A grant ends with its parent.
   */
  expiresAtMs: number | null
  /** Which addresses may use it; null: all. A grant is also bound to the networks of its parent. */
  isFrom: OriginTest | null
  /** The account was opened on behalf of a payer. */
  isPayersOwn: boolean
}
export interface CredentialRow extends KeyRow {
  secretHash: Uint8Array
}

export interface KeyRows {
  /** The valid credential with this public id, or null. */
  byPublicId(publicId: string): CredentialRow | null | Promise<CredentialRow | null>
  byKeyId(keyId: string): KeyRow | null | Promise<KeyRow | null>
  close(): Promise<void>
}

/** Starts to listen for changes; `close` stops that. */
export async function openKeyRows(database: Database): Promise<KeyRows> {
  const credentials = new FreshCache(batched((ids) => loadCredentials(database.sql, ids)))
  const keys = new FreshCache(batched((ids) => loadKeys(database.sql, ids)))
  const unlisten = await database.listen(KEYS_CHANNEL, (keyId) => {
    credentials.forget(keyId)
    keys.forget(keyId)
  })
  return {
    byPublicId: (publicId) => credentials.get(publicId),
    byKeyId: (keyId) => keys.get(keyId),
    close: unlisten,
  }
}

/** Concurrent statements; ids requested meanwhile are collected for the next one. */
const STATEMENTS_AT_ONCE = 4
const IDS_PER_STATEMENT = 500

/**
 * A look-up by id that batches requests into `loadMany`, which finds the existing rows of a list of
 * ids. Every result comes from a statement that was sent after the request; null if there is no
 * row.
 */
export function batched<T>(
  loadMany: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (id: string) => Promise<T | null> {
  const batcher = createBatcher<string, T | null>({
    maxInFlight: STATEMENTS_AT_ONCE,
    maxBatch: IDS_PER_STATEMENT,
    async many(ids) {
      const found = await loadMany([...new Set(ids)])
      return ids.map((id) => found.get(id) ?? null)
    },
  })
  return (id) => batcher.submit(id)
}

/** A row as it is read, with the expiry and networks of itself and of its parent. */
interface ReadRow extends Omit<KeyRow, 'expiresAtMs' | 'isFrom'> {
  leftMs: number | null
  networks: string[] | null
  parentNetworks: string[] | null
  parentSkills: string[] | null
}

/** The columns of `ReadRow`, of the key `k` and its `parent`, which only grants have. */
const keyColumns = (sql: SqlClient) => sql`
  k.id AS "keyId", k.account_id AS "accountId", k.name, k.mode, k.kind, k.rpm_limit AS "rpmLimit",
  k.burst_limit AS "burstLimit", k.products, k.revoked_at IS NOT NULL AS revoked,
  (extract(epoch FROM LEAST(k.expires_at, parent.expires_at) - now()) * 1000)::float8 AS "leftMs",
  k.networks, parent.networks AS "parentNetworks", k.skills, parent.skills AS "parentSkills",
  EXISTS (SELECT FROM coinop.payer_account p WHERE p.account_id = k.account_id) AS "isPayersOwn"`

async function loadCredentials(
  sql: SqlClient,
  publicIds: readonly string[],
): Promise<Map<string, CredentialRow>> {
  const askedAtMs = performance.now()
  const rows = await sql<(ReadRow & { secretHash: Uint8Array; publicId: string })[]>`
    SELECT ${keyColumns(sql)}, s.secret_hash AS "secretHash", s.public_id AS "publicId"
    FROM coinop.api_key_secret s JOIN coinop.api_key k ON k.id = s.key_id
      LEFT JOIN coinop.api_key parent ON parent.id = k.parent_key_id
    WHERE s.public_id = ANY (${publicIds}::text[])
      AND (s.expires_at IS NULL OR s.expires_at > now())`
  return new Map(
    rows.map(({ publicId, secretHash, ...row }) => [
      publicId,
      { ...keyRowOf(row, askedAtMs), secretHash },
    ]),
  )
}

async function loadKeys(sql: SqlClient, keyIds: readonly string[]): Promise<Map<string, KeyRow>> {
  const askedAtMs = performance.now()
  const rows = await sql<ReadRow[]>`
    SELECT ${keyColumns(sql)}
    FROM coinop.api_key k LEFT JOIN coinop.api_key parent ON parent.id = k.parent_key_id
    WHERE k.id = ANY (${keyIds}::text[])`
  return new Map(rows.map((row) => [row.keyId, keyRowOf(row, askedAtMs)]))
}

function keyRowOf(
  { leftMs, networks, parentNetworks, skills, parentSkills, ...row }: ReadRow,
  askedAtMs: number,
): KeyRow {
  const tests = [networks, parentNetworks].flatMap((list) => (list ? [originTest(list)] : []))
  return {
    ...row,
    skills:
      skills && parentSkills
        ? skills.filter((id) => parentSkills.includes(id))
        : (skills ?? parentSkills),
    expiresAtMs: leftMs === null ? null : askedAtMs + leftMs,
    isFrom: tests.length === 0 ? null : (address) => tests.every((test) => test(address)),
  }
}

/** The oldest age of a served row, counted from before its query: revocation takes a second. */
export const ROW_AGE_MAX_MS = 1000
const REFRESH_AT_MS = 500
const HITS_MAX = 50_000
/** Misses have their own limit, so that made-up ids cannot evict rows in use. */
const MISSES_MAX = 10_000

interface Entry<T> {
  row: T | null
  loadedAtMs: number
}

/**
 * A cache of rows by id: bounded, shared by concurrent readers, and refreshed ahead of expiry while
 * in use, so that a busy key never waits for the database.
 */
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

  /** The row, at most ROW_AGE_MAX_MS old, or null if there is none. Rejects if loading fails. */
  get(id: string): T | null | Promise<T | null> {
    const entry = this.#hits.get(id) ?? this.#misses.get(id)
    if (entry === undefined) return this.#refresh(id)
    const ageMs = this.#nowMs() - entry.loadedAtMs
    if (ageMs >= ROW_AGE_MAX_MS) return this.#refresh(id)
    // A failed refresh is repeated, and reported, when the row is needed after it expired.
    if (ageMs >= REFRESH_AT_MS && entry.row !== null) this.#refresh(id).catch(() => {})
    return entry.row
  }

  /** Drops the key's rows; a load that began earlier is not cached. */
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
