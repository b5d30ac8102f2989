/** Deliveries as an operator or their owner looks at them: listed with their derived status, and one in full. */
import type { PluginDb } from '#kernel'
import { inScope, scopeParameter, type KeyScope } from './endpoints.ts'
import { statusSql, type DeliveryStatus, type ForwardState } from '../status.ts'

export interface DeliveryRow {
  id: string
  endpointId: string
  deliveryId: string | null
  apiKeyId: string | null
  event: string | null
  sizeBytes: number
  sha256: string
  purged: boolean
  createdAt: Date
  status: DeliveryStatus
}
export interface ForwardRow {
  id: string
  destinationId: string
  url: string
  cycle: number
  state: ForwardState
  maxAttempts: number
  apiKeyId: string | null
  rail: string | null
  authorizationId: string | null
  /** When it is tried next; null when it ended, is under way or waits for funds. */
  nextAttemptAt: Date | null
  lastError: string | null
  createdAt: Date
  endedAt: Date | null
  attempts: AttemptRow[]
}
export interface AttemptRow {
  n: number
  at: string
  status: number | null
  error: string | null
  ms: number
  excerpt: string | null
}
export interface DeliveryFilter {
  endpointId: string | null
  status: DeliveryStatus | null
  /** Deliveries older than this id. */
  before: string | null
  limit: number
  /** Deliveries of these keys' endpoints only; null: of all. */
  scope: KeyScope
}

/** Deliveries of endpoints in scope, also of those that were deleted. */
function ofScope(scope: KeyScope, n: number): string {
  if (scope === null) return ''
  return ` AND d.endpoint_id IN (SELECT e.id FROM endpoint e WHERE true${inScope(scope, 'e.owner_key_id', n)})`
}

/** The newest cycle of each destination counts. */
const NEWEST = `(SELECT DISTINCT ON (f.destination_id) f.state FROM forward f
  WHERE f.delivery_id = d.id ORDER BY f.destination_id, f.cycle DESC)`
const COLUMNS = `d.id, d.endpoint_id AS "endpointId", d.dedupe_key AS "deliveryId",
  d.payer_key_id AS "apiKeyId", d.event, d.size_bytes AS "sizeBytes", d.sha256,
  d.body IS NULL AS purged, d.created_at AS "createdAt", x.status`
const FROM = `FROM delivery d CROSS JOIN LATERAL (SELECT ${statusSql(NEWEST)} AS status) AS x`

/** Statuses that only a delivery with some other state than succeeded can have: few, and indexed. */
const NOT_ALL_SUCCEEDED: ReadonlySet<DeliveryStatus> = new Set(['retrying', 'partial', 'failed'])

/** Newest first. */
export async function listDeliveries(db: PluginDb, filter: DeliveryFilter): Promise<DeliveryRow[]> {
  const { endpointId, status, before, limit, scope } = filter
  const conditions = [`($2::text IS NULL OR d.id < $2::text)${ofScope(scope, 3)}`]
  const parameters: unknown[] = [limit, before, ...scopeParameter(scope)]
  const where = (text: string, value: unknown) => {
    parameters.push(value)
    conditions.push(text.replace('?', `$${parameters.length}`))
  }
  if (endpointId !== null) where('d.endpoint_id = ?', endpointId)
  if (status !== null) {
    where('x.status = ?', status)
    if (NOT_ALL_SUCCEEDED.has(status)) {
      conditions.push(
        `EXISTS (SELECT 1 FROM forward f WHERE f.delivery_id = d.id AND f.state <> 'succeeded')`,
      )
    }
  }
  return db.query<DeliveryRow>(
    `SELECT ${COLUMNS} ${FROM} WHERE ${conditions.join(' AND ')} ORDER BY d.id DESC LIMIT $1`,
    parameters,
  )
}

/** The key that owns the endpoint of a delivery in scope; null: no such delivery. */
export async function ownerOfDelivery(
  db: PluginDb,
  id: string,
  scope: readonly string[],
): Promise<string | null> {
  const [row] = await db.query<{ keyId: string }>(
    `SELECT e.owner_key_id AS "keyId" FROM delivery d JOIN endpoint e ON e.id = d.endpoint_id
     WHERE d.id = $1${inScope(scope, 'e.owner_key_id', 2)}`,
    [id, ...scopeParameter(scope)],
  )
  return row?.keyId ?? null
}

/** One delivery with every forward and attempt, or null. */
export async function findDelivery(
  db: PluginDb,
  id: string,
  scope: KeyScope = null,
): Promise<(DeliveryRow & { headers: Record<string, string>; forwards: ForwardRow[] }) | null> {
  const [delivery] = await db.query<DeliveryRow & { headers: Record<string, string> }>(
    `SELECT ${COLUMNS}, d.headers ${FROM} WHERE d.id = $1${ofScope(scope, 2)}`,
    [id, ...scopeParameter(scope)],
  )
  if (!delivery) return null
  const forwards = await db.query<ForwardRow>(
    `SELECT f.id, f.destination_id AS "destinationId", t.url, f.cycle, f.state,
       f.max_attempts AS "maxAttempts", f.payer_key_id AS "apiKeyId", f.rail,
       f.hold_id AS "authorizationId",
       CASE WHEN f.state IN ('pending', 'retrying') THEN f.due_at END AS "nextAttemptAt",
       f.last_error AS "lastError", f.created_at AS "createdAt", f.ended_at AS "endedAt",
       COALESCE((SELECT jsonb_agg(jsonb_build_object('n', a.n, 'at', a.at, 'status', a.status,
         'error', a.error, 'ms', a.ms, 'excerpt', a.excerpt) ORDER BY a.n)
         FROM attempt a WHERE a.forward_id = f.id), '[]') AS attempts
     FROM forward f JOIN destination t ON t.id = f.destination_id
     WHERE f.delivery_id = $1 ORDER BY f.cycle, f.id`,
    [id],
  )
  return { ...delivery, forwards }
}

/** The raw bytes with their headers; `body` null when purged. */
export async function findPayload(
  db: PluginDb,
  id: string,
): Promise<{ body: Uint8Array | null; headers: Record<string, string> } | null> {
  const [row] = await db.query<{ body: Uint8Array | null; headers: Record<string, string> }>(
    'SELECT body, headers FROM delivery WHERE id = $1',
    [id],
  )
  return row ?? null
}
