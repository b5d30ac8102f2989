/** A relay with many deliveries behind it, in bulk, and what a look for due forwards costs there. */
import { migratePlugin, pluginDb } from '../../../kernel/storage/plugin-db.ts'
import type { Database } from '../../../kernel/storage/contract.ts'
import { migrations } from '../../../plugins/webinfra/migrations.ts'
import { claimDue } from '../../../plugins/webinfra/store/queue.ts'

const LOOKS = 200

/** Delivered ones, of a thousand endpoints; 0: only the tables. */
export async function fillRelay(db: Database, deliveries: number): Promise<void> {
  await migratePlugin(db, 'webinfra', migrations)
  if (deliveries === 0) return
  await db.sql.unsafe(`
    SET search_path TO plugin_webinfra;
    INSERT INTO endpoint (id, name, scheme, secrets, max_attempts, timeout_ms, enabled, created_at, updated_at)
      SELECT 'whk_' || n, 'made', 'none', '[]', 8, 15000, true, now(), now() FROM generate_series(0, 999) n;
    INSERT INTO destination (id, endpoint_id, url, header_names, secrets, enabled, created_at)
      SELECT 'dst_' || n, 'whk_' || n, 'https://example.com/hook', '{}', '[]', true, now()
      FROM generate_series(0, 999) n;
    INSERT INTO delivery (id, endpoint_id, dedupe_key, headers, body, size_bytes, sha256, created_at)
      SELECT 'dlv_' || lpad(n::text, 12, '0'), 'whk_' || n % 1000, 'event-' || n, '{}',
        decode(repeat('7b7d', 100), 'hex'), 200, repeat('0', 64), now() - (${deliveries} - n) * interval '1 second'
      FROM generate_series(1, ${deliveries}) n;
    INSERT INTO dedupe (endpoint_id, key, delivery_id, expires_at)
      SELECT endpoint_id, dedupe_key, id, created_at + interval '1 day' FROM delivery;
    INSERT INTO forward (id, delivery_id, destination_id, cycle, state, lease_token, attempts, max_attempts,
        rail, created_at, ended_at)
      SELECT 'fwd_' || id, id, 'dst_' || substr(endpoint_id, 5), 0, 'succeeded', 1, 1, 8, 'free', created_at, created_at
      FROM delivery;
    INSERT INTO attempt (forward_id, n, at, status, ms) SELECT id, 1, created_at, 200, 12 FROM forward;
    SET search_path TO coinop`)
  await db.sql.unsafe(
    'VACUUM (ANALYZE) plugin_webinfra.delivery, plugin_webinfra.forward, plugin_webinfra.attempt',
  )
}

/** Milliseconds of one look for due forwards, where none is due; the median of many. */
export async function lookMs(db: Database): Promise<number> {
  const relay = pluginDb(db, 'webinfra')
  const order = { limit: 16, leaseMarginMs: 30_000, busyDestinations: [] }
  const times: number[] = []
  for (let n = 0; n < LOOKS; n++) {
    const beganMs = performance.now()
    await claimDue(relay, { now: new Date(), ...order })
    times.push(performance.now() - beganMs)
  }
  return times.toSorted((a, b) => a - b)[LOOKS >> 1]!
}
