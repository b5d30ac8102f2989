/**
 * The webhook relay: webhooks taken per second, forwards per second, and what a delivery costs as
 * the tables grow. Real meter, ledger, guarded outbound and HTTP destination, in one process.
 *
 *   bun test/bench/webinfra.ts [--seconds 3] [--callers 16] [--rows 0,100000,1000000]
 *
 * Uses the embedded PostgreSQL in a new folder, or the server of DATABASE_URL. Gateway, database
 * and destination share the machine: read the ratios.
 */
import { parseArgs } from 'node:util'
import { newId } from '../../kernel/ids.ts'
import { relayOver } from '../support/webinfra.ts'
import { destinationServer } from '../support/webinfra-destinations.ts'
import { benchDatabase } from './lib/database.ts'
import { runLoad, type LoadResult } from './lib/load.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    callers: { type: 'string', default: '16' },
    rows: { type: 'string', default: '0,100000' },
  },
})
const durationMs = Number(values.seconds) * 1000
const callers = Number(values.callers)
const sizes = values.rows.split(',').map(Number)
const BACKLOG = 2000
const BODY = JSON.stringify({ type: 'order.paid', text: 'x'.repeat(300) })

const bench = await benchDatabase()
const destination = await destinationServer()
const options = { limits: { rpm: 1_000_000_000, burst: 1_000_000_000 } }
const relay = await relayOver(bench.db, options)
const key = await relay.key(10n ** 14n)
const nowhere = (await relay.endpoint([], { apiKeyId: key.id })).id as string
const one = await relay.endpoint([destination.url], { apiKeyId: key.id })
const three = (await relay.endpoint(Array(3).fill(destination.url), { apiKeyId: key.id })).id

try {
  console.log(
    `PostgreSQL ${bench.version} (${bench.db.kind}), ${callers} callers, ${values.seconds} s each`,
  )
  const rows: string[][] = []
  let filled = 0
  for (const size of sizes) {
    await fill(size - filled)
    filled = size
    const stored = await load(nowhere)
    const duplicate = await load(nowhere, 'the same id')
    const forwarded = await load(one.id)
    const fanned = await load(three)
    const drained = await drain()
    rows.push([
      size.toLocaleString('en-US'),
      ...[stored, duplicate, forwarded].flatMap(shown),
      formatNumber(fanned.perSecond * 3),
      formatNumber(drained),
    ])
  }
  console.log(
    formatTable(
      [
        'deliveries before',
        'stored/s',
        'p50 ms',
        'p99 ms',
        'duplicates/s',
        'p50 ms',
        'p99 ms',
        'ingress + 1 forward/s',
        'p50 ms',
        'p99 ms',
        'forwards/s of 3',
        'backlog forwards/s',
      ],
      rows,
    ),
  )
  const violations = await relay.books()
  console.log(violations.length === 0 ? 'verify: the books balance' : violations)
} finally {
  await relay.close()
  await destination.close()
  await bench.close()
}

function shown({ perSecond, p50Ms, p99Ms }: LoadResult): string[] {
  return [formatNumber(perSecond), formatNumber(p50Ms), formatNumber(p99Ms)]
}

/** Webhooks to an endpoint, each with an id of its own unless one is given. */
async function load(endpointId: string, deliveryId?: string): Promise<LoadResult> {
  const result = await runLoad({
    callers,
    durationMs,
    warmupMs: 500,
    async operation() {
      const headers = { 'x-webhook-delivery-id': deliveryId ?? newId() }
      const sent = await relay.ingress(endpointId, { apiKey: key.key, body: BODY, headers })
      if (sent.status !== 200) throw new Error(JSON.stringify(sent.json))
    },
  })
  destination.got.length = 0
  return result
}

/** Forwards per second of the background worker over a queue that is there at once. */
async function drain(): Promise<number> {
  await insert(BACKLOG, 'pending')
  const worker = await relayOver(bench.db, { ...options, config: { pollMs: 10 } })
  const startedMs = performance.now()
  await destination.arrived(BACKLOG)
  const perSecond = (BACKLOG / (performance.now() - startedMs)) * 1000
  await worker.close()
  destination.got.length = 0
  return perSecond
}

/** Deliveries of the past, each forwarded once. */
async function fill(count: number): Promise<void> {
  const CHUNK = 50_000
  for (let left = count; left > 0; left -= CHUNK) await insert(Math.min(left, CHUNK), 'succeeded')
  if (count > 0) await relay.db.query('ANALYZE delivery, forward, attempt, dedupe')
}

async function insert(count: number, state: 'pending' | 'succeeded'): Promise<void> {
  await relay.db.query(
    `WITH s AS (SELECT replace(gen_random_uuid()::text, '-', '') AS id FROM generate_series(1, $1)),
     d AS (
       INSERT INTO delivery (id, endpoint_id, dedupe_key, payer_key_id, event, headers, body,
         size_bytes, sha256, created_at)
       SELECT 'dlv_' || s.id, $2::text, s.id, $3::text, 'order.paid',
         '{"content-type":"application/json"}', convert_to($4::text, 'UTF8'), length($4::text),
         md5(s.id) || md5(s.id), now() - interval '1 hour' FROM s RETURNING id, dedupe_key),
     k AS (
       INSERT INTO dedupe (endpoint_id, key, delivery_id, expires_at)
       SELECT $2::text, d.dedupe_key, d.id, now() + interval '1 day' FROM d),
     f AS (
       INSERT INTO forward (id, delivery_id, destination_id, cycle, state, lease_token, attempts,
         max_attempts, payer_key_id, due_at, created_at)
       SELECT 'fwd_' || d.dedupe_key, d.id, $5::text, 0, $6::text, 1, ($6::text = 'succeeded')::int,
         8, $3::text, CASE WHEN $6::text = 'pending' THEN now() END, now() FROM d
       RETURNING id)
     INSERT INTO attempt (forward_id, n, at, status, ms)
     SELECT f.id, 1, now(), 200, 12 FROM f WHERE $6::text = 'succeeded'`,
    [count, one.id, key.id, BODY, one.destinations[0].id, state],
  )
}
