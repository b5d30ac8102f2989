/** A database as the version before accounts left it: its schema and its rows, without its code. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { SqlClient } from '../../kernel/storage/contract.ts'
import { migrateDatabase } from './migrate.ts'

const FOLDER = resolve(import.meta.dirname, '../../kernel/storage/migrations')
const BEFORE_ACCOUNTS = 5

/** Applies the migrations 0000 to 0004, which are frozen, and no later one. */
export async function migrateToOldLedger(url: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'coinop-old-'))
  try {
    cpSync(FOLDER, scratch, { recursive: true })
    const path = join(scratch, 'meta/_journal.json')
    const journal = JSON.parse(readFileSync(path, 'utf8'))
    journal.entries = journal.entries.slice(0, BEFORE_ACCOUNTS)
    writeFileSync(path, JSON.stringify(journal))
    await migrateDatabase(url, scratch)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** Atomic units that each key was granted, and what a hold takes. */
export const GRANTED = 10_000_000_000n
export const HELD = 100n

/** The id of the `n`th key, from 0. */
export function oldKeyId(n: number): string {
  return `key_0190000000007000a000${String(n).padStart(12, '0')}`
}
/** The id of the `n`th hold, from 1; the last six are one of each kind, see `fillOldLedger`. */
export function oldHoldId(n: number): string {
  return `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}

/**
 * Books that balance, of `keys` keys with `holds` holds, made as the old ledger made them. Hold `n` is
 * of key `n % keys` and by `n % 6`: 0 captured, 1 captured in part, 2 released, 3 expired, 4 refunded,
 * 5 open. The last hold is of this moment, each one before it a second older. Two settlements, the
 * first of them refunded, and a key with an id of another form come on top.
 */
export async function fillOldLedger(
  sql: SqlClient,
  { keys, holds }: { keys: number; holds: number },
): Promise<void> {
  const key = (n: string) => `'key_0190000000007000a000' || lpad((${n})::text, 12, '0')`
  await sql.unsafe(`
    INSERT INTO coinop.api_key (id, name, mode, prefix, daily_spend_ceiling_credits)
    SELECT ${key('n')}, 'key ' || n, 'test', 'ck_test_' || n, CASE WHEN n = 0 THEN 5000 END
    FROM generate_series(0, ${keys - 1}) n;
    INSERT INTO coinop.account (key_id, mode, ceiling, revoked_at)
    SELECT id, mode, daily_spend_ceiling_credits * 10000, revoked_at FROM coinop.api_key;
    INSERT INTO coinop.account (key_id, mode, revoked_at) VALUES ('key_of_another_form', 'live', now());
    INSERT INTO coinop.hold (id, amount, captured, created_at, expires_at, authorize_entry, end_entry,
      rest_entry, refund_entry, state, price_version, key_id, request_id, claim, skill_id, path)
    SELECT format('01900000-0000-7000-8000-%s', lpad(to_hex(n), 12, '0'))::uuid, ${HELD},
      CASE n % 6 WHEN 0 THEN ${HELD} WHEN 1 THEN 30 WHEN 4 THEN ${HELD} END, at, at + interval '1 hour',
      n * 4, CASE WHEN n % 6 <> 5 THEN n * 4 + 1 END, CASE WHEN n % 6 = 1 THEN n * 4 + 2 END,
      CASE WHEN n % 6 = 4 THEN n * 4 + 3 END,
      (ARRAY['captured', 'captured', 'released', 'expired', 'refunded', 'authorized'])[n % 6 + 1]::coinop.hold_state,
      1, ${key(`n % ${keys}`)}, 'request-' || n, CASE WHEN n % 6 IN (0, 5) THEN 'request-' || n END,
      'demo.echo', '/v1/paid/echo'
    FROM generate_series(1, ${holds}) n, LATERAL (SELECT now() - make_interval(secs => ${holds} - n) AS at) t;
    INSERT INTO coinop.entry (id, at, kind, key_id, hold_id, amount, debit, credit, note)
    SELECT * FROM (
      SELECT authorize_entry AS id, created_at AS at, 'authorize'::coinop.entry_kind AS kind, key_id, id AS hold_id,
        amount, 'available' AS debit, 'held' AS credit, NULL AS note FROM coinop.hold
      UNION ALL
      SELECT end_entry, created_at, CASE state WHEN 'released' THEN 'release' WHEN 'expired' THEN 'expire'
          ELSE 'capture' END::coinop.entry_kind, key_id, id, COALESCE(captured, amount), 'held',
        CASE WHEN captured IS NULL THEN 'available' ELSE 'revenue' END, NULL
      FROM coinop.hold WHERE end_entry IS NOT NULL
      UNION ALL
      SELECT rest_entry, created_at, 'release', key_id, id, amount - captured, 'held', 'available', NULL
      FROM coinop.hold WHERE rest_entry IS NOT NULL
      UNION ALL
      SELECT refund_entry, created_at, 'refund', key_id, id, captured, 'revenue', 'available', 'goodwill'
      FROM coinop.hold WHERE refund_entry IS NOT NULL) e ORDER BY id;
    SELECT setval('coinop.entry_id', ${holds * 4 + 10});
    INSERT INTO coinop.entry (id, at, kind, key_id, amount, debit, credit, rail, reference)
    SELECT nextval('coinop.entry_id'), now(), 'grant', key_id, ${GRANTED}, 'sandbox', 'available', 'credits', key_id
    FROM coinop.account;
    INSERT INTO coinop.entry (id, at, kind, amount, debit, credit, rail, request_id, skill_id, path,
      price_version, transaction, reference)
    SELECT nextval('coinop.entry_id'), now(), 'settlement', 700 + n, 'x402:eip155:8453', 'settlement', 'x402',
      'paid-' || n, 'demo.echo', '/v1/paid/echo', 1, '0x' || n, 'nonce-' || n FROM generate_series(1, 2) n;
    INSERT INTO coinop.entry (id, at, kind, key_id, amount, debit, credit, rail, request_id, reference)
    SELECT nextval('coinop.entry_id'), now(), 'refund', ${key('0')}, amount, 'settlement', 'available', 'credits',
      request_id, 'refund:' || id FROM coinop.entry WHERE reference = 'nonce-1';
    UPDATE coinop.account a SET available = p.available, held = p.held, spent_today = COALESCE(s.spent, 0)
    FROM (SELECT key_id,
        sum(CASE WHEN credit = 'available' THEN amount WHEN debit = 'available' THEN -amount ELSE 0 END) AS available,
        sum(CASE WHEN credit = 'held' THEN amount WHEN debit = 'held' THEN -amount ELSE 0 END) AS held
      FROM coinop.entry WHERE key_id IS NOT NULL GROUP BY key_id) p
      LEFT JOIN (SELECT key_id, sum(CASE state WHEN 'authorized' THEN amount ELSE COALESCE(captured, 0) END) AS spent
        FROM coinop.hold WHERE (created_at AT TIME ZONE 'utc')::date = (now() AT TIME ZONE 'utc')::date
        GROUP BY key_id) s USING (key_id)
    WHERE p.key_id = a.key_id`)
}
