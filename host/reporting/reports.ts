/** The `reports` service: what an operator's page shows of the kernel's tables and of the rails. */
import { GOODS_PREFIX, type Reports } from '#kernel'
import type { ReportDeps, SqlTransaction } from '#kernel/host'
import { boundedRead } from './bounded-read.ts'
import { entriesWithRefunds } from './ledger-entries.ts'
import { entriesSince } from './ledger-seek.ts'
import { verifyLedger } from './verify.ts'

const TIMEOUT_MS = 5000
const SUM_TIMEOUT_MS = 8000
const MAX_TRANSACTIONS = 200

/** The service over the tables and rails of `deps`. A read that takes too long throws. */
export function createReports(deps: ReportDeps): Reports {
  const { sql, ledger, rails, configuration, version, startedAt } = deps

  const within = boundedRead(sql)

  return {
    version,
    startedAt,
    configuration,
    rails: () =>
      rails
        .list()
        .map((rail) => ({ id: rail.id, calls: rail.calls, available: () => rail.available() })),
    openHolds: () =>
      within(TIMEOUT_MS, async (tx) => {
        const [row] = await tx<{ open: number; amount: string; oldest_at: Date | null }[]>`
          SELECT count(*)::int AS open, COALESCE(sum(amount), 0)::text AS amount,
            min(created_at) AS oldest_at
          FROM coinop.hold WHERE state = 'authorized'`
        const { open, amount, oldest_at: oldestAt } = row!
        return { open, amountAtomic: BigInt(amount), oldestAt }
      }),
    instances: () =>
      within(
        TIMEOUT_MS,
        // Each instance keeps a connection that listens.
        (tx) => tx<{ address: string | null; since: Date }[]>`
          SELECT host(client_addr) AS address, backend_start AS since FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'coinop' AND query ILIKE 'listen %'
          ORDER BY backend_start LIMIT 200`,
      ),
    revenue: (from, until, stepMs = until.getTime() - from.getTime()) =>
      within(SUM_TIMEOUT_MS, (tx) => revenue(tx, from, until, stepMs)),
    minutes: (since) => within(TIMEOUT_MS, (tx) => minutes(tx, since)),
    entries: (ids) => entriesWithRefunds({ sql, ledger }, ids),
    async transactions(requestId) {
      const rows = await ledger.rows({ requestId, kind: 'settlement', limit: MAX_TRANSACTIONS })
      return rows.flatMap(({ transaction }) => transaction ?? [])
    },
    verify: () => verifyLedger(sql),
  }
}

async function revenue(
  tx: SqlTransaction,
  from: Date,
  until: Date,
  stepMs: number,
): ReturnType<Reports['revenue']> {
  const first = entriesSince(from)
  const last = entriesSince(until)
  const rows = await tx<
    {
      slot: Date
      skill: string
      rail: string
      key_id: string | null
      key_name: string | null
      mode: 'live' | 'test' | null
      calls: number
      charged: string
      refunded: string
    }[]
  >`
    SELECT date_bin(${`${stepMs} milliseconds`}::interval, e.at, ${from}::timestamptz) AS slot,
      COALESCE(e.skill_id, h.skill_id, s.skill_id, 'unknown') AS skill,
      COALESCE(s.rail, e.rail, 'credits') AS rail,
      COALESCE(e.key_id, h.key_id, s.key_id) AS key_id, k.name AS key_name, a.mode,
      count(*) FILTER (WHERE e.kind <> 'refund')::int AS calls,
      COALESCE(sum(e.amount) FILTER (WHERE e.kind <> 'refund'), 0)::text AS charged,
      COALESCE(sum(e.amount) FILTER (WHERE e.kind = 'refund'), 0)::text AS refunded
    FROM coinop.entry e LEFT JOIN coinop.hold h ON h.id = e.hold_id AND h.account_id = e.account_id
      -- The refund of a settlement names its row, which says by which rail it was paid: by its id,
      -- or by the number that it had.
      LEFT JOIN LATERAL (
        SELECT x.skill_id, x.rail, x.key_id FROM coinop.entry x
        WHERE x.id = CASE WHEN e.reference ~ '^refund:[0-9a-f]{8}-' THEN substr(e.reference, 8)::uuid END
        UNION ALL
        SELECT x.skill_id, x.rail, x.key_id FROM coinop.entry x
        WHERE x.legacy_id = CASE WHEN e.reference ~ '^refund:[0-9]{1,18}$' THEN substr(e.reference, 8)::bigint END
      ) s ON e.kind = 'refund'
      LEFT JOIN coinop.api_key k ON k.id = COALESCE(e.key_id, h.key_id, s.key_id)
      LEFT JOIN coinop.account a ON a.id = e.account_id
    WHERE e.id >= ${first.lower}::uuid AND e.id <= ${last.upper}::uuid AND e.at >= ${from} AND e.at < ${until}
      AND e.kind IN ('capture', 'settlement', 'refund')
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY sum(e.amount) DESC`
  return rows
    .filter(({ skill }) => !skill.startsWith(GOODS_PREFIX))
    .map(({ slot, skill, rail, key_id, key_name, mode, calls, charged, refunded }) => ({
      at: slot,
      skillId: skill,
      rail,
      keyId: key_id,
      keyName: key_name,
      mode,
      calls,
      chargedAtomic: BigInt(charged),
      refundedAtomic: BigInt(refunded),
    }))
}

async function minutes(tx: SqlTransaction, since: Date): ReturnType<Reports['minutes']> {
  const { lower } = entriesSince(since)
  // The rest that a partial capture gives back is a release too, but no failure.
  return tx<{ minute: number; charged: number; uncharged: number }[]>`
    SELECT floor(extract(epoch FROM e.at) / 60)::int AS minute,
      (count(*) FILTER (WHERE e.kind IN ('capture', 'settlement')))::int AS charged,
      (count(*) FILTER (WHERE e.kind IN ('release', 'expire') AND h.end_id = e.id))::int AS uncharged
    FROM coinop.entry e LEFT JOIN coinop.hold h
      ON h.id = e.hold_id AND h.account_id = e.account_id AND e.kind IN ('release', 'expire')
    WHERE e.id >= ${lower}::uuid AND e.at >= ${since}
      AND e.kind IN ('capture', 'settlement', 'release', 'expire')
    GROUP BY 1`
}
