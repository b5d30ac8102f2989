/** Rows of endpoints and destinations: what the ingress loads, and what the admin routes change. */
import type { PluginDb, PluginTx } from '#kernel'
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

/** What both a database and one of its transactions can do. */
export type Queries = Pick<PluginTx, 'query'>

const DESTINATION = `t.id, t.endpoint_id AS "endpointId", t.url, t.headers,
  t.header_names AS "headerNames", t.secrets, t.events, t.enabled,
  t.disabled_reason AS "disabledReason", t.disabled_at AS "disabledAt",
  t.failing_since AS "failingSince", t.created_at AS "createdAt"`
const ENDPOINT = `e.id, e.name, e.owner_key_id AS "ownerKeyId", e.scheme, e.header, e.algorithm,
  e.secrets, e.max_attempts AS "maxAttempts", e.timeout_ms AS "timeoutMs", e.enabled,
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

/** An endpoint with its destinations, or null when it does not exist or was deleted. */
export async function findEndpoint(db: Queries, id: string): Promise<Endpoint | null> {
  const [row] = await db.query<Row>(`${SELECT} WHERE e.id = $1 AND e.deleted_at IS NULL`, [id])
  return row ? endpointOf(row) : null
}

/** Endpoints newest first, those older than `before`. */
export async function listEndpoints(
  db: Queries,
  page: { limit: number; before: string | null },
): Promise<Endpoint[]> {
  const rows = await db.query<Row>(
    `${SELECT} WHERE e.deleted_at IS NULL AND ($2::text IS NULL OR e.id < $2)
     ORDER BY e.id DESC LIMIT $1`,
    [page.limit, page.before],
  )
  return rows.map(endpointOf)
}

/** Writes an endpoint's own fields, new or changed; its destinations are written one by one. */
export async function saveEndpoint(tx: Queries, endpoint: Endpoint): Promise<void> {
  await tx.query(
    `INSERT INTO endpoint (id, name, owner_key_id, scheme, header, algorithm, secrets, max_attempts,
       timeout_ms, enabled, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, $9, $10, $11, $12)
     ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, owner_key_id = EXCLUDED.owner_key_id,
       scheme = EXCLUDED.scheme, header = EXCLUDED.header, algorithm = EXCLUDED.algorithm,
       secrets = EXCLUDED.secrets, max_attempts = EXCLUDED.max_attempts,
       timeout_ms = EXCLUDED.timeout_ms, enabled = EXCLUDED.enabled,
       updated_at = EXCLUDED.updated_at`,
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
    ],
  )
}

/** Takes the row's lock until the transaction ends, so that two changes do not cross. */
export async function lockEndpoint(tx: Queries, id: string): Promise<Endpoint | null> {
  await tx.query('SELECT 1 FROM endpoint WHERE id = $1 FOR UPDATE', [id])
  return findEndpoint(tx, id)
}

/** False when there was none. Its deliveries stay listed; nothing is forwarded any more. */
export async function deleteEndpoint(db: PluginDb, id: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    `WITH e AS (UPDATE endpoint SET deleted_at = $2, enabled = false
       WHERE id = $1 AND deleted_at IS NULL RETURNING id),
     t AS (UPDATE destination t SET enabled = false, disabled_reason = 'endpoint_deleted',
       disabled_at = $2, removed_at = $2 FROM e WHERE t.endpoint_id = e.id AND t.removed_at IS NULL)
     SELECT id FROM e`,
    [id, now],
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
