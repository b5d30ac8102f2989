/** Parameters, execution and result rows of the statements about holds. */
import { assert, codeOf } from '../errors.ts'
import { isUuid, newId } from '../ids.ts'
import { MAX_AMOUNT_ATOMIC } from '../money.ts'
import type { SqlClient, SqlTransaction } from '../storage/contract.ts'
import { ledgerUnavailable } from '../work/retry.ts'
import {
  MAX_UNITS,
  WHOLE_KEY,
  type AuthorizeOrder,
  type CaptureOrder,
  type EndOrder,
  type Hold,
  type HoldState,
  type TransitionResult,
} from './contract.ts'

/** Either the pool or a caller's transaction. */
export type Runner = Pick<SqlClient | SqlTransaction, 'unsafe'>

export interface HoldRow {
  id: string
  account_id: string
  key_id: string
  request_id: string
  claim: string | null
  skill_id: string
  product_id: string
  path: string
  amount: bigint
  captured: bigint | null
  state: HoldState
  price_version: number | null
  acquisition: string | null
  free_bucket: string | null
  units: bigint | null
  volume_units: bigint | null
  created_at: Date
  expires_at: Date
  ledger_id: string
}
/** A hold after its transition, with its account's balance after it. */
export type MovedRow = HoldRow & { available: bigint }
/** The columns that a capture changed in its hold, with the account's balance after it. */
export interface EndedRow {
  id: string
  captured: bigint
  ledger_id: string
  available: bigint
}
/** A hold as read, with its account's balance; `due`: still authorized, but expired. */
export type ReadRow = MovedRow & { due: boolean }

type Parameter = string | number | bigint | boolean | null | Date

/** Rows of one prepared statement. */
export async function run<Row extends object>(
  runner: Runner,
  text: string,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  return (await runner.unsafe(text, parameters as never, { prepare: true })) as unknown as Row[]
}

/**
 * Rows of a statement that is planned each time: for rare statements, which must not keep a plan
 * made while the tables were small.
 */
export async function runUnprepared<Row extends object>(
  runner: Runner,
  text: string,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  return (await runner.unsafe(text, parameters as never)) as unknown as Row[]
}

const CHECK_VIOLATION = '23514'
/** Tries of a batch before its members run singly. With budgets, undone batches are common. */
const BATCH_ROUNDS = 4
/** Tries lost to concurrent changes of the same account or request before giving up with 503. */
const MAX_ROUNDS = 50

/** Whether the statement was undone because the account changed concurrently. */
export function isUndone(error: unknown): boolean {
  return codeOf(error) === CHECK_VIOLATION
}

/** The result of a batch, repeated while it is undone; rethrows the error of its last try. */
export async function rerunAsBatch<T>(statement: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await statement()
    } catch (error) {
      if (round === BATCH_ROUNDS || !isUndone(error)) throw error
    }
  }
}

/** The result of `attempt`, repeated while its statement is undone or null says to look again. */
export async function untilDecided<T>(name: string, attempt: () => Promise<T | null>): Promise<T> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    try {
      const result = await attempt()
      if (result !== null) return result
    } catch (error) {
      if (!isUndone(error)) throw error
    }
  }
  throw ledgerUnavailable(new Error(`${name} lost ${MAX_ROUNDS} races in a row`))
}

/** A PostgreSQL array literal; the driver would guess a wrong type for arrays of bigint. */
export function arrayLiteral(
  values: readonly (string | number | bigint | boolean | null)[],
): string {
  let literal = '{'
  let separator = ''
  for (const value of values) {
    literal += separator + elementOf(value)
    separator = ','
  }
  return `${literal}}`
}

/** Texts that an array literal needs no quotes for (PostgreSQL's manual, 8.15.2). */
const PLAIN = /^(?!null$)[\w.:-]+$/i

function elementOf(value: string | number | bigint | boolean | null): string {
  if (value === null) return 'NULL'
  if (typeof value !== 'string') return String(value)
  return PLAIN.test(value) ? value : `"${value.replace(/[\\"]/g, '\\$&')}"`
}

/** Runs a statement that ends holds without a charge: a release or an expiry. */
export function endHolds(
  runner: Runner,
  text: string,
  orders: readonly EndOrder[],
): Promise<MovedRow[]> {
  return run(runner, text, [
    arrayLiteral(orders.map((order) => order.holdId)),
    arrayLiteral(orders.map((order) => order.accountId)),
    arrayLiteral(orders.map((order) => order.keyId)),
    arrayLiteral(orders.map(newId)),
    orders.length,
  ])
}

export function toHold(row: HoldRow): Hold {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    requestId: row.request_id,
    claim: row.claim,
    skillId: row.skill_id,
    productId: row.product_id,
    path: row.path,
    amountAtomic: row.amount,
    capturedAtomic: row.captured,
    state: row.state,
    priceVersion: row.price_version,
    acquisition: row.acquisition,
    freeBucket: row.free_bucket,
    units: row.units,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ledgerId: row.ledger_id,
  }
}

/** The result of ending the hold of `row`. */
export function done(row: MovedRow, repeated = false): TransitionResult {
  return { outcome: 'done', hold: toHold(row), availableAtomic: row.available, repeated }
}

/** The results of a batch in the order of its orders; undefined where no row came back. */
export function matched<Order extends EndOrder, Row extends { id: string }>(
  orders: readonly Order[],
  rows: readonly Row[],
  answer: (row: Row, order: Order) => TransitionResult,
): (TransitionResult | undefined)[] {
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return orders.map((order) => {
    const row = rowOf.get(order.holdId.toLowerCase())
    return row && answer(row, order)
  })
}

/** Request ids and references are indexed: PostgreSQL refuses longer index entries. */
const LONGEST_INDEXED = 500
const LONGEST_TEXT = 4096

/** Whether PostgreSQL can store and index the text: no NUL, not over-long. */
export function isStorable(text: string, maxLength = LONGEST_TEXT): boolean {
  return text.length <= maxLength && !text.includes('\0')
}
export const isIndexable = (text: string): boolean => isStorable(text, LONGEST_INDEXED)

export function assertAmount(amountAtomic: bigint): void {
  assert(
    amountAtomic > 0n && amountAtomic <= MAX_AMOUNT_ATOMIC,
    `an amount of ${amountAtomic} cannot be moved`,
  )
}

/**
 * Throws for an invalid order. Such an order must not reach the batcher, where it would fail a
 * statement that it shares with others.
 */
export function assertOrder(order: AuthorizeOrder): void {
  assertAmount(order.amountAtomic)
  assert(isUuid(order.holdId), 'a hold id must be a UUID')
  assert(isUuid(order.accountId), 'an account id must be a UUID')
  assert(order.ttlMs > 0 && Number.isSafeInteger(order.ttlMs), 'a hold must have a time to live')
  assert(isIndexable(order.keyId) && isIndexable(order.requestId), 'unstorable key or request id')
  assert(
    isStorable(order.skillId) && isStorable(order.path) && isStorable(order.acquisition ?? ''),
    'unstorable skill, path or acquisition',
  )
  assert(
    isIndexable(order.productId) && order.productId !== '' && order.productId !== WHOLE_KEY,
    'a product id names a product',
  )
  if (order.free) {
    assert(isIndexable(order.skillId), 'unstorable skill')
    assert(
      order.free.calls >= 0 && Number.isSafeInteger(order.free.calls),
      'a quota of whole calls',
    )
  }
}

/** The same for a capture. */
export function assertCapture(order: CaptureOrder): void {
  const { amountAtomic, units, graduated } = order
  if (amountAtomic !== undefined && amountAtomic !== 0n) assertAmount(amountAtomic)
  if (units !== undefined) assertUnits(units)
  if (!graduated) return
  assertUnits(graduated.units)
  assertCount(graduated.baseAtomic)
  const { tiers } = graduated
  assert(tiers.length > 0 && tiers.at(-1)!.upTo === null, 'the last tier has no end')
  let below = 0n
  for (const [index, { upTo, unitAtomic }] of tiers.entries()) {
    assertCount(unitAtomic)
    if (index === tiers.length - 1) continue
    assert(upTo !== null && upTo > below, 'tiers ascend')
    below = upTo
  }
}

/** Upstreams may report any integer that is exact in JSON; sums of tiers are numeric. */
function assertUnits(units: bigint): void {
  assert(units >= 0n && units <= MAX_UNITS, `${units} units cannot be counted`)
}

function assertCount(count: bigint): void {
  assert(count >= 0n && count <= MAX_AMOUNT_ATOMIC, `${count} cannot be counted`)
}
