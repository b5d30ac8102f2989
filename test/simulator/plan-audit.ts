/** Reckons a second time what plans cost and give an account, from its turns and its ledger. */
import { expect } from 'vitest'
import type { PlansConfig } from '../../plugins/plans/config.ts'
import type { SqlClient } from '../../kernel/storage/contract.ts'

export const CREDIT = 10_000n
export const FREE_CALLS = 2
export const PLANS: PlansConfig['plans'] = {
  plus: {
    price: { credits: 35 },
    monthly_credits: 60,
    grace_days: 3,
    free: { 't.run': `${FREE_CALLS}/month` },
    prices: { 't.run': { credits: 5 } },
  },
  keeper: { price: { credits: 30 }, monthly_credits: 40, rollover: true, grace_days: 10 },
}
const LIST_CREDITS = 10n

/** A call as its caller saw it. */
export interface CallMade {
  atMs: number
  /** The plan that was in force. */
  planId: string | null
  availableAtomic: bigint
  failing: boolean
  /** Null: it was not answered. */
  chargedAtomic: bigint | null
}
interface Audited {
  paid: number
  unpaid: number
  ended: number
  lapsed: number
  free: number
  availableAtomic: bigint
}
interface TurnRow {
  subscription: string
  plan: string
  agreed: bigint
  state: string
  due: Date
  number: number
  at: Date
  outcome: 'started' | 'renewed' | 'unpaid' | 'ended'
  charged: bigint
  granted: bigint
  lapsed: bigint
}

export async function auditPlans(
  sql: SqlClient,
  holder: {
    accountId: string
    fundedAtomic: bigint
    calls: readonly CallMade[]
    bought: ReadonlyMap<string, bigint>
  },
  where: string,
  nowMs: number,
): Promise<Audited> {
  const { accountId, calls, bought } = holder
  const turns = await sql<TurnRow[]>`
    SELECT s.id::text AS subscription, s.plan_id AS plan, s.agreed_atomic AS agreed, s.state,
      s.due_at AS due, t.number, t.at, t.outcome, t.charged_atomic AS charged,
      t.granted_atomic AS granted, t.lapsed_atomic AS lapsed
    FROM plugin_plans.turn t JOIN plugin_plans.subscription s ON s.id = t.subscription_id
    WHERE s.account_id = ${accountId} ORDER BY s.created_at, t.number`
  const audited: Audited = {
    paid: 0,
    unpaid: 0,
    ended: 0,
    lapsed: 0,
    free: checkCalls(calls, where),
    availableAtomic: holder.fundedAtomic,
  }
  for (const { chargedAtomic } of calls) audited.availableAtomic -= chargedAtomic ?? 0n
  const entries = new Map<string, bigint>()
  for (const [requestId, amount] of bought) {
    entries.set(`topup:x402 x402:${requestId}`, amount)
    audited.availableAtomic += amount
  }
  for (const own of Map.groupBy(turns, ({ subscription }) => subscription).values()) {
    checkMonths(own, calls, where)
    const { state, due } = own[0]!
    const isLeft = state !== 'ended' && due.getTime() <= nowMs
    expect(isLeft, `${where}: nothing that is due is left`).toBe(false)
    for (const { subscription, number, plan, outcome, charged, granted, lapsed } of own) {
      const note = (what: string, amount: bigint): void => {
        if (amount > 0n) entries.set(`plan:${plan} ${subscription}:${number}:${what}`, amount)
      }
      note('price', charged)
      note('credits', granted)
      note('lapse', lapsed)
      audited.availableAtomic += granted - charged - lapsed
      if (outcome === 'started' || outcome === 'renewed') audited.paid++
      else audited[outcome]++
      if (lapsed > 0n) audited.lapsed++
    }
  }
  const rows = await sql<{ name: string; amount: bigint }[]>`
    SELECT CASE WHEN debit = 'available' THEN credit ELSE debit END || ' ' || regexp_replace(reference, '^charge:', '') AS name, amount
    FROM coinop.entry
    WHERE account_id = ${accountId} AND reference IS NOT NULL AND debit <> 'sandbox'`
  const sorted = (all: Iterable<readonly [string, bigint]>): string[] =>
    [...all].map(([name, amount]) => `${name} ${amount}`).toSorted()
  expect(sorted(rows.map(({ name, amount }) => [name, amount])), `${where}: the ledger`).toEqual(
    sorted(entries),
  )
  return audited
}

/** Each call cost what its account's plan says; returns how many of them were free. */
function checkCalls(calls: readonly CallMade[], where: string): number {
  const freeOf = new Map<string, number>()
  let free = 0
  for (const made of calls) {
    const month = new Date(made.atMs).toISOString().slice(0, 7)
    const used = freeOf.get(month) ?? 0
    const isFree = made.planId === 'plus' && used < FREE_CALLS
    const price = made.planId === 'plus' ? (isFree ? 0n : 5n) : LIST_CREDITS
    const isAnswered = !made.failing && made.availableAtomic >= price * CREDIT
    const told = `${where}: ${JSON.stringify(made, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))}` // prettier-ignore
    expect(made.chargedAtomic, told).toBe(isAnswered ? price * CREDIT : null)
    if (!isAnswered || !isFree) continue
    freeOf.set(month, used + 1)
    free++
  }
  return free
}

/** The turns of one subscription: no month is paid twice, and what was not used of one lapses. */
function checkMonths(turns: readonly TurnRow[], calls: readonly CallMade[], where: string): void {
  const plan = PLANS[turns[0]!.plan]!
  const monthlyAtomic = BigInt(plan.monthly_credits!) * CREDIT
  let anchorMs = 0
  let month = -1
  /** Credits of the month that lapse at its end, and when it began. */
  let lapsing = { grantedAtomic: 0n, sinceMs: 0 }
  let isPastDue = false
  for (const [index, turn] of turns.entries()) {
    const { number, outcome, charged, granted, lapsed } = turn
    const what = `${where}: turn ${number} (${outcome}) of ${turn.subscription}`
    expect(number, `${what} follows the one before`).toBe(index + 1)
    const atMs = turn.at.getTime()
    const isPaid = outcome === 'started' || outcome === 'renewed'
    expect([charged, granted], `${what} costs and gives`).toEqual(
      isPaid ? [turn.agreed, monthlyAtomic] : [0n, 0n],
    )
    const spentAtomic = calls
      .filter((made) => made.atMs >= lapsing.sinceMs && made.atMs < atMs)
      .reduce((sum, { chargedAtomic }) => sum + (chargedAtomic ?? 0n), 0n)
    const left = lapsing.grantedAtomic - spentAtomic
    expect(lapsed, `${what}: what was not used lapses`).toBe(left > 0n ? left : 0n)
    lapsing = { grantedAtomic: 0n, sinceMs: 0 }
    if (isPaid) {
      if (outcome === 'started' || isPastDue) [anchorMs, month] = [atMs, -1]
      const now = monthAt(anchorMs, atMs)
      expect(now, `${what}: its month was not paid before`).toBeGreaterThan(month)
      month = now
      if (!plan.rollover) {
        const sinceMs = dayAfterMonths(anchorMs, month)
        lapsing = { grantedAtomic: monthlyAtomic, sinceMs }
      }
    }
    isPastDue = outcome === 'unpaid'
  }
}

/** The instant so many months after the anchor; on the month's last day where it is shorter. */
function dayAfterMonths(anchorMs: number, months: number): number {
  const anchor = new Date(anchorMs)
  const first = Date.UTC(anchor.getUTCFullYear(), anchor.getUTCMonth() + months, 1)
  const last = new Date(first)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  const day = Math.min(anchor.getUTCDate(), last.getUTCDate())
  return first + (day - 1) * 86_400_000 + (anchorMs % 86_400_000)
}

/** How many whole months lie between the two. */
function monthAt(anchorMs: number, atMs: number): number {
  let months = 0
  while (dayAfterMonths(anchorMs, months + 1) <= atMs) months++
  return months
}
