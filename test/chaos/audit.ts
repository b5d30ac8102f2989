/**
 * What must be true in the chaos run, computed from the holds themselves and from what callers were
 * told, not from the counters that the ledger keeps. Each function returns what it found wrong.
 */
import type { SqlClient } from '../../kernel/storage/contract.ts'
import type { Ack } from './caller.ts'
import { SKILLS } from './plan.ts'

/** Balances and counters at one moment. */
export async function sampleCounters(sql: SqlClient): Promise<string[]> {
  const rows = await sql<{ wrong: string }[]>`
    SELECT format('account %s: available %s, held %s', id, available, held) AS wrong
    FROM coinop.account WHERE available < 0 OR held < 0
    UNION ALL
    SELECT format('%s %s: day %s of %s, month %s of %s', key_id, scope, day_spent, day_cap,
      month_spent, month_cap)
    FROM coinop.key_spend WHERE day_spent > day_cap OR month_spent > month_cap
    UNION ALL
    SELECT format('%s %s: %s free calls of %s', skill_id, bucket, used, cap)
    FROM coinop.free_use WHERE used > cap`
  return rows.map(({ wrong }) => wrong)
}

/**
 * Today's holds against the day budgets in force, in one snapshot. `sinceId` is a hold id from before
 * the day began: only newer ones are read.
 */
export async function sampleHolds(sql: SqlClient, sinceId: string): Promise<string[]> {
  const rows = await sql<{ wrong: string }[]>`
    WITH today AS MATERIALIZED (
      SELECT h.account_id, h.key_id, h.product_id,
        CASE h.state WHEN 'authorized' THEN h.amount ELSE COALESCE(h.captured, 0) END AS amount
      FROM coinop.hold h WHERE h.id >= ${sinceId}::uuid
        AND (h.created_at AT TIME ZONE 'utc')::date = (now() AT TIME ZONE 'utc')::date),
    spent AS (
      SELECT account_id, key_id, '*' AS scope, sum(amount) AS amount FROM today GROUP BY 1, 2
      UNION ALL
      SELECT account_id, key_id, product_id, sum(amount) FROM today GROUP BY 1, 2, 3)
    SELECT format('%s %s: holds of today take %s of %s', s.key_id, s.scope, t.amount, s.day_cap) AS wrong
    FROM spent t JOIN coinop.key_spend s USING (account_id, key_id, scope)
    WHERE t.amount > s.day_cap`
  return rows.map(({ wrong }) => wrong)
}

interface HoldFacts {
  id: string
  state: string
  amount: bigint
  captured: bigint | null
}

/** Everything that a caller was told must be in the ledger, and each change was told once. */
export async function auditAcks(sql: SqlClient, acks: readonly Ack[]): Promise<string[]> {
  const rows = await sql<HoldFacts[]>`SELECT id, state::text, amount, captured FROM coinop.hold`
  const holds = new Map(rows.map((row) => [row.id, row]))
  const told = new Set<string>()
  const wrong: string[] = []
  for (const ack of acks) {
    const hold = holds.get(ack.holdId)
    const said = `hold ${ack.holdId} was told ${ack.fact} ${ack.amountAtomic}`
    if (!isTrue(ack, hold)) {
      wrong.push(`${said}, and is ${hold?.state ?? 'not there'} ${hold?.amount} ${hold?.captured}`)
    }
    if (ack.repeated || ack.fact === 'refused') continue
    const change = `${ack.holdId} ${ack.fact}`
    if (told.has(change)) wrong.push(`${said} as new, twice`)
    told.add(change)
  }
  return wrong
}

function isTrue({ fact, amountAtomic }: Ack, hold: HoldFacts | undefined): boolean {
  if (hold === undefined) return fact === 'refused'
  const amount = BigInt(amountAtomic)
  const isCharged = hold.state === 'captured' || hold.state === 'refunded'
  switch (fact) {
    case 'authorized':
      return hold.amount === amount
    case 'captured':
      return isCharged && hold.captured === amount
    case 'released':
      return hold.state === 'released'
    case 'refunded':
      return hold.state === 'refunded' && hold.captured === amount
    case 'refused':
      return false
  }
}

interface MeasuredHold {
  id: string
  account_id: string
  skill_id: string
  month: string
  amount: bigint
  captured: bigint
  units: bigint
  volume_before: bigint
}

/** Tiered captures: their units tile each month from 0, and each one costs what its place costs. */
export async function auditTiers(sql: SqlClient, baseAtomic: bigint): Promise<string[]> {
  const rows = await sql<MeasuredHold[]>`
    SELECT id, account_id, skill_id, to_char(created_at AT TIME ZONE 'utc', 'YYYY-MM') AS month,
      amount, captured, units, volume_before
    FROM coinop.hold WHERE volume_before IS NOT NULL
    ORDER BY account_id, skill_id, month, volume_before, units`
  const wrong: string[] = []
  const reached = new Map<string, bigint>()
  for (const row of rows) {
    const counter = `${row.account_id} ${row.skill_id} ${row.month}`
    const before = reached.get(counter) ?? 0n
    if (row.volume_before !== before) {
      wrong.push(`${counter}: hold ${row.id} begins at ${row.volume_before}, not ${before}`)
    }
    reached.set(counter, row.volume_before + row.units)
    const price =
      priceOf(row.skill_id, row.volume_before + row.units) -
      priceOf(row.skill_id, row.volume_before)
    const due = baseAtomic + price < row.amount ? baseAtomic + price : row.amount
    if (row.captured !== due) wrong.push(`hold ${row.id} captured ${row.captured}, not ${due}`)
  }
  return wrong
}

/** The cumulated price of the first `units`, written down once more, apart from the ledger's. */
function priceOf(skillId: string, units: bigint): bigint {
  const tiers = SKILLS.find((skill) => skill.skillId === skillId)!.tiers!
  let sum = 0n
  let from = 0n
  for (const { upTo, unitAtomic } of tiers) {
    const to = upTo === null || units < upTo ? units : upTo
    if (to > from) sum += (to - from) * unitAtomic
    if (upTo === null || units <= upTo) break
    from = upTo
  }
  return sum
}

/** Free calls of each bucket against the quota of their skill. */
export async function auditFree(sql: SqlClient): Promise<string[]> {
  const rows = await sql<{ skill_id: string; free_bucket: string; used: number }[]>`
    SELECT account_id, skill_id, free_bucket, count(*)::integer AS used FROM coinop.hold
    WHERE free_bucket IS NOT NULL AND state IN ('authorized', 'captured', 'refunded')
    GROUP BY 1, 2, 3`
  return rows.flatMap(({ skill_id, free_bucket, used }) => {
    const quota = SKILLS.find(({ skillId }) => skillId === skill_id)!.free!.calls
    return used > quota ? [`${skill_id} ${free_bucket}: ${used} free calls of ${quota}`] : []
  })
}

/** Each account's money: what came in from outside is what is there and what was earned. */
export async function auditMoney(sql: SqlClient, fundedAtomic: bigint): Promise<string[]> {
  const [row] = await sql<[{ held: bigint; available: bigint; earned: bigint }]>`
    SELECT (SELECT COALESCE(sum(available), 0)::bigint FROM coinop.account) AS available,
      (SELECT COALESCE(sum(held), 0)::bigint FROM coinop.account) AS held,
      (SELECT COALESCE(sum(captured), 0)::bigint FROM coinop.hold WHERE state = 'captured') AS earned`
  const sum = row.available + row.held + row.earned
  return sum === fundedAtomic
    ? []
    : [
        `${row.available} available + ${row.held} held + ${row.earned} earned are not ${fundedAtomic}`,
      ]
}
