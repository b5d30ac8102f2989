/** Places holds, for one order or many, and explains refusals. */
import { assert } from '../errors.ts'
import type { AuthorizeOrder, AuthorizeResult, Hold, SpendLimit } from './contract.ts'
import {
  arrayLiteral,
  endHolds,
  run,
  toHold,
  type ReadRow,
  type Runner,
  rerunAsBatch,
  untilDecided,
} from './holds.ts'
import { AUTHORIZE } from './sql/authorize.ts'
import { EXPIRE_ONE } from './sql/end.ts'
import { HOLD_OF_ORDER } from './sql/read.ts'

interface MadeRow {
  id: string
  amount: bigint
  free_bucket: string | null
  /** When the hold was made. */
  at: Date
  available_after: bigint
}
interface RefusedRow {
  id: string
  amount: null
  /** Null: the id or claim is taken, or the order does not fit together with the others. */
  refused: 'closed' | 'revoked' | 'insufficient' | 'undecided' | SpendLimit | null
  available: bigint
  /** On the day that budgets count, which may be later than the clock's. */
  at: Date
  cap: bigint | null
  spent: bigint
}
type DecidedRow = MadeRow | RefusedRow

/** What makes a claim of a request id, which has no tab; null claims nothing. */
const CLAIM_PREFIX = { request: '', service: '\t', call: null } as const
const claimOf = ({ scope, requestId }: AuthorizeOrder): string | null =>
  scope === 'call' ? null : CLAIM_PREFIX[scope] + requestId

function made(order: AuthorizeOrder, row: MadeRow): AuthorizeResult {
  const hold: Hold = {
    id: row.id,
    accountId: order.accountId,
    keyId: order.keyId,
    requestId: order.requestId,
    claim: claimOf(order),
    skillId: order.skillId,
    productId: order.productId,
    path: order.path,
    amountAtomic: row.amount,
    capturedAtomic: null,
    state: 'authorized',
    priceVersion: order.priceVersion ?? null,
    acquisition: order.acquisition ?? null,
    freeBucket: row.free_bucket,
    units: null,
    createdAt: row.at,
    expiresAt: new Date(row.at.getTime() + order.ttlMs),
    ledgerId: row.id,
  }
  return { outcome: 'authorized', hold, availableAtomic: row.available_after, repeated: false }
}

/**
 * Decides one order. Idempotent by hold id: if the order was carried out before, the result is the
 * same hold with `repeated`. Throws when the database fails.
 */
export function authorizeOne(runner: Runner, order: AuthorizeOrder): Promise<AuthorizeResult> {
  return untilDecided('authorize', async () => {
    const [row] = await decide(runner, [order])
    if (row === undefined) return { outcome: 'unknown_key' }
    if (row.amount !== null) return made(order, row)
    const earlier = await earlierHold(runner, order)
    if (earlier === 'gone') return null
    return earlier ?? refusalOf(row)
  })
}

/** Orders that differ only in id, request and time, so that the database checks them once. */
interface Group {
  like: AuthorizeOrder
  orders: AuthorizeOrder[]
}

function grouped(orders: readonly AuthorizeOrder[]): Group[] {
  const groups = new Map<string, Group>()
  for (const order of orders) {
    const { accountId, keyId, skillId, productId, path, amountAtomic, acquisition, free } = order
    const quota = free ? `${free.calls}/${free.period}` : ''
    const source = acquisition == null ? '' : `=${acquisition}`
    // NUL separates safely: stored texts contain none.
    const name = `${accountId}\0${keyId}\0${skillId}\0${productId}\0${path}\0${amountAtomic}\0${order.priceVersion ?? ''}\0${order.scope}\0${quota}\0${source}`
    const group = groups.get(name)
    if (group) group.orders.push(order)
    else groups.set(name, { like: order, orders: [order] })
  }
  return [...groups.values()]
}

function decide(runner: Runner, orders: readonly AuthorizeOrder[]): Promise<DecidedRow[]> {
  const groups = grouped(orders)
  const isAlike = new Set(groups.map(({ like }) => like.accountId)).size === groups.length
  const texts = AUTHORIZE[orders.length === 1 ? 'one' : isAlike ? 'alike' : 'many']
  const column = (value: (order: AuthorizeOrder) => string | number | bigint | boolean | null) =>
    arrayLiteral(groups.map(({ like }) => value(like)))
  const lists = (value: (order: AuthorizeOrder) => string | number) =>
    arrayLiteral(groups.map((group) => arrayLiteral(group.orders.map(value))))
  const parameters = [
    column((order) => order.accountId),
    column((order) => order.keyId),
    column((order) => order.skillId),
    column((order) => order.productId),
    column((order) => order.path),
    column((order) => order.amountAtomic),
    column((order) => order.priceVersion ?? null),
    column((order) => order.acquisition ?? null),
    column((order) => CLAIM_PREFIX[order.scope]),
    arrayLiteral(groups.map((group) => group.orders.length)),
    lists((order) => order.holdId),
    lists((order) => order.requestId),
    lists((order) => order.ttlMs),
    groups.length,
    orders.every((order) => order.isProvisional) ? 'off' : null,
  ]
  if (!orders.some((order) => order.free)) return run<DecidedRow>(runner, texts.paid, parameters)
  return run<DecidedRow>(runner, texts.free, [
    ...parameters,
    column((order) => order.free?.calls ?? null),
    column((order) => order.free?.period ?? null),
  ])
}

function refusalOf({ refused, available, at, cap, spent }: RefusedRow): AuthorizeResult | null {
  switch (refused) {
    case null:
    case 'undecided':
      return null
    case 'closed':
    case 'revoked':
      return { outcome: refused }
    case 'insufficient':
      return { outcome: refused, availableAtomic: available }
    default:
      assert(cap !== null, 'a budget that refuses has a cap')
      return {
        outcome: 'over_budget',
        limit: refused,
        capAtomic: cap,
        spentAtomic: spent,
        resetsAt: endOf(refused, at),
      }
  }
}

/** The end of the UTC day or month of `at`; null for the limit of one call. */
function endOf(limit: SpendLimit, at: Date): Date | null {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  if (limit.endsWith('_day')) return new Date(Date.UTC(year, month, day + 1))
  return limit.endsWith('_month') ? new Date(Date.UTC(year, month + 1, 1)) : null
}

/**
 * The order's result by an earlier hold of this id or the live hold of this request id. Null if
 * there is neither; 'gone' if the request id has just become free.
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
  assert(
    row.key_id === order.keyId && row.account_id === order.accountId,
    'a hold id is never shared by two keys',
  )
  if (row.due) {
    // Expired but not swept yet: end it now, so that a retry is not answered with a dead hold.
    await expireOne(runner, row)
    return 'gone'
  }
  const hold = toHold(row)
  const live = hold.state !== 'released' && hold.state !== 'expired'
  if (!live || !isSameBody(order, hold)) return { outcome: 'conflict', hold }
  return { outcome: 'authorized', hold, availableAtomic: row.available, repeated: true }
}

function isSameBody(order: AuthorizeOrder, hold: Hold): boolean {
  const isFree = hold.freeBucket !== null && order.free != null
  return (
    hold.requestId === order.requestId &&
    hold.skillId === order.skillId &&
    hold.path === order.path &&
    (isFree || hold.amountAtomic === order.amountAtomic)
  )
}

/** Expires a due hold; returns how many it expired, 0 if the hold had ended already. */
export function expireOne(
  runner: Runner,
  hold: { id: string; account_id: string; key_id: string },
): Promise<number> {
  const order = { holdId: hold.id, accountId: hold.account_id, keyId: hold.key_id }
  return untilDecided('expiry', async () => (await endHolds(runner, EXPIRE_ONE, [order])).length)
}

/**
 * Decides many orders in one statement. A refusal of an order with a new hold id is final here: the
 * snapshot was taken after the order was submitted, and no earlier hold can exist. Orders that
 * could not be decided stay undefined.
 */
export async function authorizeMany(
  runner: Runner,
  orders: readonly AuthorizeOrder[],
): Promise<(AuthorizeResult | undefined)[]> {
  const rows = await rerunAsBatch(() => decide(runner, orders))
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return orders.map((order) => {
    const row = rowOf.get(order.holdId.toLowerCase())
    if (row === undefined) return undefined
    if (row.amount !== null) return made(order, row)
    return order.scope === 'call' ? (refusalOf(row) ?? undefined) : undefined
  })
}
