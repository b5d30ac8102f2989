/** The rows that authentication reads, cached for at most a second and dropped by NOTIFY. */
import type { Database, SqlClient } from '../storage/contract.ts'
import { batched } from './batched.ts'
import { FreshCache } from './fresh-cache.ts'

/** NOTIFY channel whose payload is the id of a key that changed. */
export const KEYS_CHANNEL = 'coinop_keys'

export interface KeyRow {
  keyId: string
  name: string
  mode: 'live' | 'test'
  rpmLimit: number | null
  burstLimit: number | null
  revoked: boolean
}
export interface CredentialRow extends KeyRow {
  secretHash: Uint8Array
}

export interface KeyRows {
  /** The credential with this public id that is still valid, or null. */
  byPublicId(publicId: string): CredentialRow | null | Promise<CredentialRow | null>
  byKeyId(keyId: string): KeyRow | null | Promise<KeyRow | null>
  close(): Promise<void>
}

/** Starts to listen for changes; `close` ends it. */
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

async function loadCredentials(
  sql: SqlClient,
  publicIds: readonly string[],
): Promise<Map<string, CredentialRow>> {
  const rows = await sql<(CredentialRow & { publicId: string })[]>`
    SELECT k.id AS "keyId", k.name, k.mode, k.rpm_limit AS "rpmLimit",
      k.burst_limit AS "burstLimit", k.revoked_at IS NOT NULL AS revoked,
      s.secret_hash AS "secretHash", s.public_id AS "publicId"
    FROM coinop.api_key_secret s JOIN coinop.api_key k ON k.id = s.key_id
    WHERE s.public_id = ANY (${publicIds}::text[])
      AND (s.expires_at IS NULL OR s.expires_at > now())`
  return new Map(rows.map(({ publicId, ...row }) => [publicId, row]))
}

async function loadKeys(sql: SqlClient, keyIds: readonly string[]): Promise<Map<string, KeyRow>> {
  const rows = await sql<KeyRow[]>`
    SELECT id AS "keyId", name, mode, rpm_limit AS "rpmLimit", burst_limit AS "burstLimit",
      revoked_at IS NOT NULL AS revoked
    FROM coinop.api_key WHERE id = ANY (${keyIds}::text[])`
  return new Map(rows.map((row) => [row.keyId, row]))
}
