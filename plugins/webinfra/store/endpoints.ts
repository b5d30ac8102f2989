/** Rows of endpoints and destinations: what the ingress loads, and what the admin routes change. */
import type { PluginDb, PluginTx } from '#kernel'
import { mayBeId } from '../ids.ts'
import type { StoredSecret } from '../secrets.ts'
import type { Algorithm, SchemeName } from '../verify/contract.ts'

export interface Endpoint {
  id: string
  name: string
  /** The API key that pays for what third parties send; null: callers pay for themselves. */
  ownerKeyId: string | null
  scheme: SchemeName
  header: string | null
  algorithm: Algorithm | null
  secrets: StoredSecret[]
  maxAttempts: number
  timeoutMs: number
  enabled: boolean
  /** Who paused it; null: it is enabled, or was paused before this was noted. */
  disabledBy: 'operator' | 'owner' | null
  createdAt: Date
  updatedAt: Date
  destinations: Destination[]
}
export interface Destination {
  id: string
  endpointId: string
  url: string
  /** Sealed JSON of the operator's own headers; null: none. */
  headers: string | null
  headerNames: string[]
  secrets: StoredSecret[]
  /** Event names it listens to; null: all. */
  events: string[] | null
  enabled: boolean
  disabledReason: string | null
  disabledAt: Date | null
  /** The first failure after the last success; null: the last attempt succeeded. */
  failingSince: Date | null
  createdAt: Date
}

/** Whose endpoints are meant: those that one of these keys owns; null: everybody's (the operator). */
export type KeyScope = readonly string[] | null

/** The condition that `scope` adds, for the parameter `$n` with its JSON. */
export function inScope(scope: KeyScope, column: string, n: number): string {
  return scope === null
    ? ''
    : ` AND ${column} IN (SELECT jsonb_array_elements_text($${n}::text::jsonb))`
}

/** The parameter of `inScope`; none for everybody's. */
export function scopeParameter(scope: KeyScope): string[] {
  return scope === null ? [] : [JSON.stringify(scope)]
}

/** What both a database and one of its transactions can do. */
export type Queries = Pick<PluginTx, 'query'>

const DESTINATION = `t.id, t.endpoint_id AS "endpointId", t.url, t.headers,
  t.header_names AS "headerNames", t.secrets, t.events, t.enabled,
  t.disabled_reason AS "disabledReason", t.disabled_at AS "disabledAt",
  t.failing_since AS "failingSince", t.created_at AS "createdAt"`
const ENDPOINT = `e.id, e.name, e.owner_key_id AS "ownerKeyId", e.scheme, e.header, e.algorithm,
  e.secrets, e.max_attempts AS "maxAttempts", e.timeout_ms AS "timeoutMs", e.enabled, e.disabled_by AS "disabledBy",
  e.created_at AS "createdAt", e.updated_at AS "updatedAt"`
const DESTINATIONS_OF = `SELECT ${DESTINATION} FROM destination t
  WHERE t.endpoint_id = e.id AND t.removed_at IS NULL ORDER BY t.created_at, t.id`

type Row = Omit<Endpoint, 'destinations'> & { destinations: JsonDestination[] | null }
/** `to_jsonb` gives times as text. */
type JsonDestination = Omit<Destination, 'disabledAt' | 'failingSince' | 'createdAt'> & {
  disabledAt: string | null
  failingSince: string | null
  createdAt: string
}

const SELECT = `SELECT ${ENDPOINT},
  (SELECT jsonb_agg(to_jsonb(x)) FROM (${DESTINATIONS_OF}) AS x) AS destinations
  FROM endpoint e`

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

function endpointOf(row: Row): Endpoint {
  const destinations = (row.destinations ?? []).map((destination) => ({
    ...destination,
    disabledAt: dateOf(destination.disabledAt),
    failingSince: dateOf(destination.failingSince),
    createdAt: new Date(destination.createdAt),
  }))
  return { ...row, destinations }
}

/** An endpoint with its destinations, or null when it does not exist, was deleted or is out of scope. */
export async function findEndpoint(
  db: Queries,
  id: string,
  scope: KeyScope = null,
): Promise<Endpoint | null> {
  if (!mayBeId(id)) return null
  const [row] = await db.query<Row>(
    `${SELECT} WHERE e.id = $1 AND e.deleted_at IS NULL${inScope(scope, 'e.owner_key_id', 2)}`,
    [id, ...scopeParameter(scope)],
  )
  return row ? endpointOf(row) : null
}

/** Endpoints newest first, those older than `before`. */
export async function listEndpoints(
  db: Queries,
  page: { limit: number; before: string | null },
  scope: KeyScope = null,
): Promise<Endpoint[]> {
  const rows = await db.query<Row>(
    `${SELECT} WHERE e.deleted_at IS NULL AND ($2::text IS NULL OR e.id < $2)
       ${inScope(scope, 'e.owner_key_id', 3)}
     ORDER BY e.id DESC LIMIT $1`,
    [page.limit, page.before, ...scopeParameter(scope)],
  )
  return rows.map(endpointOf)
}

/** Writes an endpoint's own fields, new or changed; its destinations are written one by one. */
export async function saveEndpoint(tx: Queries, endpoint: Endpoint): Promise<void> {
  await tx.query(
    `INSERT INTO endpoint (id, name, owner_key_id, scheme, header, algorithm, secrets, max_attempts,
       timeout_ms, enabled, created_at, updated_at, disabled_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, $9, $10, $11, $12, $13)
     ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, owner_key_id = EXCLUDED.owner_key_id,
       scheme = EXCLUDED.scheme, header = EXCLUDED.header, algorithm = EXCLUDED.algorithm,
       secrets = EXCLUDED.secrets, max_attempts = EXCLUDED.max_attempts,
       timeout_ms = EXCLUDED.timeout_ms, enabled = EXCLUDED.enabled,
       updated_at = EXCLUDED.updated_at, disabled_by = EXCLUDED.disabled_by`,
    [
      endpoint.id,
      endpoint.name,
      endpoint.ownerKeyId,
      endpoint.scheme,
      endpoint.header,
      endpoint.algorithm,
      JSON.stringify(endpoint.secrets),
      endpoint.maxAttempts,
      endpoint.timeoutMs,
      endpoint.enabled,
      endpoint.createdAt,
      endpoint.updatedAt,
      endpoint.disabledBy,
    ],
  )
}

/**
 * How many endpoints the keys have, those deleted within a day included, counted one caller of the
 * owner at a time until the transaction ends: making and deleting them in turn fills no table.
 */
export async function countMade(
  tx: Queries,
  ownerKeyId: string,
  keyIds: readonly string[],
  now: Date,
): Promise<number> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('webinfra endpoint ' || $1, 0))`, [
    ownerKeyId,
  ])
  const [row] = await tx.query<{ made: number }>(
    `SELECT count(*)::int AS made FROM endpoint e
     WHERE (e.deleted_at IS NULL OR e.deleted_at > $1::timestamptz - interval '1 day')
       ${inScope(keyIds, 'e.owner_key_id', 2)}`,
    [now, ...scopeParameter(keyIds)],
  )
  return row!.made
}

/** Takes the row's lock until the transaction ends, so that two changes do not cross. */
export async function lockEndpoint(
  tx: Queries,
  id: string,
  scope: KeyScope = null,
): Promise<Endpoint | null> {
  await tx.query(
    `SELECT 1 FROM endpoint e WHERE e.id = $1${inScope(scope, 'e.owner_key_id', 2)} FOR UPDATE`,
    [id, ...scopeParameter(scope)],
  )
  return findEndpoint(tx, id, scope)
}

/** False when there was none. Its deliveries stay listed; nothing is forwarded any more. */
export async function deleteEndpoint(
  db: PluginDb,
  id: string,
  now: Date,
  scope: KeyScope = null,
): Promise<boolean> {
  const rows = await db.query(
    `WITH e AS (UPDATE endpoint SET deleted_at = $2, enabled = false
       WHERE id = $1 AND deleted_at IS NULL${inScope(scope, 'owner_key_id', 3)} RETURNING id),
     t AS (UPDATE destination t SET enabled = false, disabled_reason = 'endpoint_deleted',
       disabled_at = $2, removed_at = $2 FROM e WHERE t.endpoint_id = e.id AND t.removed_at IS NULL)
     SELECT id FROM e`,
    [id, now, ...scopeParameter(scope)],
  )
  return rows.length > 0
}

export async function saveDestination(tx: Queries, destination: Destination): Promise<void> {
  await tx.query(
    `INSERT INTO destination (id, endpoint_id, url, headers, header_names, secrets, events, enabled,
       disabled_reason, disabled_at, created_at)
     VALUES ($1, $2, $3, $4, ARRAY(SELECT jsonb_array_elements_text($5::text::jsonb)),
       $6::text::jsonb, CASE WHEN $7::text IS NULL THEN NULL
         ELSE ARRAY(SELECT jsonb_array_elements_text($7::text::jsonb)) END,
       $8, $9, $10, $11)
     ON CONFLICT (id) DO UPDATE SET url = EXCLUDED.url, headers = EXCLUDED.headers,
       header_names = EXCLUDED.header_names, secrets = EXCLUDED.secrets, events = EXCLUDED.events,
       enabled = EXCLUDED.enabled, disabled_reason = EXCLUDED.disabled_reason,
       disabled_at = EXCLUDED.disabled_at,
       failing_since = CASE WHEN EXCLUDED.url = destination.url
         AND EXCLUDED.enabled = destination.enabled THEN destination.failing_since END`,
    [
      destination.id,
      destination.endpointId,
      destination.url,
      destination.headers,
      JSON.stringify(destination.headerNames),
      JSON.stringify(destination.secrets),
      destination.events === null ? null : JSON.stringify(destination.events),
      destination.enabled,
      destination.disabledReason,
      destination.disabledAt,
      destination.createdAt,
    ],
  )
}

export async function removeDestination(tx: Queries, id: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE destination SET enabled = false, disabled_reason = 'removed', disabled_at = $2,
       removed_at = $2 WHERE id = $1`,
    [id, now],
  )
}
