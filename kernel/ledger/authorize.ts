/** Placing holds: one order, many orders, and what a refusal means. */
import { assert } from '../errors.ts'
import type { AuthorizeOrder, AuthorizeResult, Hold } from './contract.ts'
import { arrayLiteral, run, toHold, type MovedRow, type ReadRow, type Runner } from './holds.ts'
import { codeOf, ledgerUnavailable } from '../work/retry.ts'
import { AUTHORIZE_MANY, AUTHORIZE_ONE, EXPIRE_ONE, HOLD_OF_ORDER } from './statements.ts'

const CHECK_VIOLATION = '23514'
/** Rounds lost to others on the same key or request before giving up with 503. */
const MAX_ROUNDS = 50

interface MadeRow {
  created_at: Date
  expires_at: Date
  ledger_id: bigint
  available_after: bigint
}
interface OneRow extends MadeRow {
  available: bigint
  revoked: boolean
  ceiling: bigint | null
  spent: bigint
}

const claimOf = (order: AuthorizeOrder): string | null =>
  order.scope === 'request' ? order.requestId : null

function made(order: AuthorizeOrder, row: MadeRow): AuthorizeResult {
  const hold: Hold = {
    id: order.holdId,
    keyId: order.keyId,
    requestId: order.requestId,
    skillId: order.skillId,
    path: order.path,
    amountAtomic: order.amountAtomic,
    capturedAtomic: null,
    state: 'authorized',
    priceVersion: order.priceVersion ?? null,
    acquisition: order.acquisition ?? null,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ledgerId: String(row.ledger_id),
  }
  return { outcome: 'authorized', hold, availableAtomic: row.available_after, repeated: false }
}

/**
 * Decides one order. Idempotent by hold id: when the order was carried out before, the same hold
 * comes back with `repeated`. Throws when the database fails.
 */
export async function authorizeOne(
  runner: Runner,
  order: AuthorizeOrder,
): Promise<AuthorizeResult> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const row = await tryAuthorize(runner, order)
    if (row === 'lost_race') continue
    if (row === undefined) return { outcome: 'unknown_key' }
    if (row.created_at !== null) return made(order, row)
    const earlier = await earlierHold(runner, order)
    if (earlier === 'gone') continue
    if (earlier !== null) return earlier
    const refusal = refusalOf(order, row)
    if (refusal !== null) return refusal
  }
  throw ledgerUnavailable(new Error(`authorize lost ${MAX_ROUNDS} races in a row`))
}

/** The statement's row; 'lost_race' when the CHECK undid it because the account changed meanwhile. */
async function tryAuthorize(
  runner: Runner,
  order: AuthorizeOrder,
): Promise<OneRow | undefined | 'lost_race'> {
  try {
    const rows = await run<OneRow>(runner, AUTHORIZE_ONE, [
      order.holdId,
      order.keyId,
      order.requestId,
      claimOf(order),
      order.skillId,
      order.path,
      order.amountAtomic,
      order.priceVersion ?? null,
      order.acquisition ?? null,
      order.ttlMs,
    ])
    return rows[0]
  } catch (error) {
    if (codeOf(error) === CHECK_VIOLATION) return 'lost_race'
    throw error
  }
}

function refusalOf(order: AuthorizeOrder, row: OneRow): AuthorizeResult | null {
  if (row.revoked) return { outcome: 'revoked' }
  if (row.available < order.amountAtomic) {
    return { outcome: 'insufficient', availableAtomic: row.available }
  }
  if (row.ceiling !== null && row.spent + order.amountAtomic > row.ceiling) {
    return { outcome: 'ceiling', ceilingAtomic: row.ceiling, spentTodayAtomic: row.spent }
  }
  return null
}

/**
 * What an earlier hold of this id, or the live hold of this request id, means for the order. Null:
 * there is none. 'gone': its request id has just become free.
 */
async function earlierHold(
  runner: Runner,
  order: AuthorizeOrder,
): Promise<AuthorizeResult | 'gone' | null> {
  const [row] = await run<ReadRow>(runner, HOLD_OF_ORDER, [
    order.holdId,
    order.keyId,
    claimOf(order),
  ])
  if (row === undefined) return null
  assert(row.key_id === order.keyId, 'a hold id is never shared by two keys')
  if (row.due) {
    // Past its time but not swept yet: end it now, so that a retry is not answered with a dead hold.
    await run<MovedRow>(runner, EXPIRE_ONE, [row.id, row.key_id])
    return 'gone'
  }
  const hold = toHold(row)
  const live = hold.state !== 'released' && hold.state !== 'expired'
  if (!live || !isSameBody(order, hold)) return { outcome: 'conflict', hold }
  return { outcome: 'authorized', hold, availableAtomic: row.available, repeated: true }
}

function isSameBody(order: AuthorizeOrder, hold: Hold): boolean {
  return (
    hold.requestId === order.requestId &&
    hold.skillId === order.skillId &&
    hold.path === order.path &&
    hold.amountAtomic === order.amountAtomic
  )
}

/** Decides many orders in one statement; what it could not admit stays undefined. */
export async function authorizeMany(
  runner: Runner,
  orders: readonly AuthorizeOrder[],
): Promise<(AuthorizeResult | undefined)[]> {
  const rows = await run<MadeRow & { id: string }>(runner, AUTHORIZE_MANY, [
    arrayLiteral(orders.map((order) => order.holdId)),
    arrayLiteral(orders.map((order) => order.keyId)),
    arrayLiteral(orders.map((order) => order.requestId)),
    arrayLiteral(orders.map(claimOf)),
    arrayLiteral(orders.map((order) => order.skillId)),
    arrayLiteral(orders.map((order) => order.path)),
    arrayLiteral(orders.map((order) => order.amountAtomic)),
    arrayLiteral(orders.map((order) => order.priceVersion ?? null)),
    arrayLiteral(orders.map((order) => order.acquisition ?? null)),
    arrayLiteral(orders.map((order) => order.ttlMs)),
    orders.length,
  ])
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return orders.map((order) => {
    const row = rowOf.get(order.holdId.toLowerCase())
    return row && made(order, row)
  })
}
