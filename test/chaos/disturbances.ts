/** What goes on around the callers of a chaos series: money, budgets, revocations, time, deaths. */
import { newId } from '../../kernel/ids.ts'
import { accounts } from '../../kernel/ledger/accounts.ts'
import type { Ledger, Spender } from '../../kernel/ledger/contract.ts'
import type { SqlClient, SqlTransaction } from '../../kernel/storage/contract.ts'
import type { Random } from '../support/docintel-fixtures/random.ts'
import type { VirtualClock } from '../support/virtual-clock.ts'
import { patiently } from './patiently.ts'
import { PRODUCTS } from './plan.ts'

const HOUR_MS = 3_600_000

export interface Ground {
  sql: SqlClient
  ledger: Ledger
  clock: VirtualClock
  random: Random
  accountId: string
  /** A second account, for transfers. */
  otherId: string
  keyIds: readonly string[]
}

/**
 * Raises a key's budget over all products or sets one for a product: always above what is spent at
 * that moment, so that at no moment a counter stands over its budget.
 */
export async function changeBudget(ground: Ground): Promise<void> {
  const { random, accountId } = ground
  const spender = { accountId, keyId: random.pick(ground.keyIds) }
  const scope = random.chance(0.5) ? '*' : random.pick(PRODUCTS)
  const more = BigInt(random.int(50, 2000))
  await patiently(() => ground.sql.begin((tx) => raise(tx, spender, scope, more)))
}

async function raise(
  tx: SqlTransaction,
  spender: Spender,
  scope: string,
  more: bigint,
): Promise<void> {
  const read = async () => {
    const [row] = await tx<
      { day_cap: bigint | null; month_cap: bigint | null; day_spent: bigint; month_spent: bigint }[]
    >`SELECT day_cap, month_cap, day_spent, month_spent FROM coinop.key_spend
      WHERE account_id = ${spender.accountId} AND key_id = ${spender.keyId} AND scope = ${scope}`
    return row
  }
  const caps = (await read()) ?? { day_cap: null, month_cap: null }
  // Locks the account and makes the row, whose counters are then what this budget begins with.
  await accounts.setBudget(tx, spender, scope, {
    call: null,
    day: caps.day_cap,
    month: caps.month_cap,
  })
  const row = (await read())!
  await accounts.setBudget(tx, spender, scope, {
    call: 55n,
    day: (row.day_cap ?? row.day_spent) + more,
    month: (row.month_cap ?? row.month_spent) + 10n * more,
  })
}

/** Revokes a key; afterwards its holds are counted: that number must never change again. */
export async function revoke(ground: Ground, keyId: string): Promise<number> {
  const { sql, accountId } = ground
  await patiently(() => sql.begin((tx) => accounts.revokeKey(tx, { accountId, keyId })))
  return holdsOf(sql, keyId)
}

export async function holdsOf(sql: SqlClient, keyId: string): Promise<number> {
  const [row] = await patiently(
    () =>
      sql<[{ count: number }]>`
        SELECT count(*)::integer FROM coinop.hold WHERE key_id = ${keyId}`,
  )
  return row.count
}

/** Funds the account, the same reference twice at once. Returns what it was given. */
export async function topUp(ground: Ground, amountAtomic: bigint): Promise<bigint> {
  const order = {
    accountId: ground.accountId,
    amountAtomic,
    source: 'sandbox',
    reference: `top-up-${newId()}`,
    kind: 'grant' as const,
  }
  await Promise.all([1, 2].map(() => patiently(() => ground.ledger.credit(order))))
  return amountAtomic
}

/** There and back again, under a reference each. */
export async function transfer(ground: Ground): Promise<void> {
  const amountAtomic = BigInt(ground.random.int(1, 500))
  const { accountId, otherId, ledger } = ground
  for (const [fromAccountId, toAccountId] of [
    [accountId, otherId],
    [otherId, accountId],
  ] as const) {
    const order = { fromAccountId, toAccountId, amountAtomic, reference: `transfer-${newId()}` }
    await patiently(() => ledger.transfer(order))
  }
}

/** Nine hours later; now and then twelve days, over the end of a month and of every hold. */
export async function moveClock({ clock, random }: Ground): Promise<void> {
  const hours = random.chance(0.1) ? 12 * 24 : 9
  await patiently(() => clock.advance(hours * HOUR_MS))
}

/** Cuts one connection that is in the middle of a statement, if there is one. */
export async function cutConnection({ sql }: Ground): Promise<number> {
  const rows = await patiently(
    () => sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active' AND ltrim(query, E' \\n') LIKE 'WITH%'
        AND pid <> pg_backend_pid() LIMIT 1`,
  )
  return rows.length
}
