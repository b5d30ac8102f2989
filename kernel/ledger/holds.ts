/** Holds as they come out of the database, and the checks on what goes into a statement. */
import { assert } from '../errors.ts'
import { MAX_AMOUNT_ATOMIC } from '../money.ts'
import type { SqlClient, SqlTransaction } from '../storage/contract.ts'
import type { AuthorizeOrder, Hold, HoldState } from './contract.ts'

/** Either the pool or a caller's transaction. */
export type Runner = Pick<SqlClient | SqlTransaction, 'unsafe'>

export interface HoldRow {
  id: string
  key_id: string
  request_id: string
  skill_id: string
  path: string
  amount: bigint
  captured: bigint | null
  state: HoldState
  price_version: number | null
  acquisition: string | null
  created_at: Date
  expires_at: Date
  ledger_id: bigint
}
/** A hold just moved, with its key's balance after the move. */
export type MovedRow = HoldRow & { available: bigint }
/** A hold as read, with its key's balance; `due`: still authorized, but past its time. */
export type ReadRow = MovedRow & { due: boolean }

type Parameter = string | number | bigint | boolean | null | Date

/** Rows of one prepared statement. */
export async function run<Row extends object>(
  runner: Runner,
  text: string,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  const rows = await runner.unsafe(text, parameters as never, { prepare: true })
  return rows as unknown as Row[]
}

/**
 * Rows of a statement planned anew each time: for the rare ones, whose plan made while the tables
 * were small must not be kept.
 */
export async function runUnprepared<Row extends object>(
  runner: Runner,
  text: string,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  const rows = await runner.unsafe(text, parameters as never)
  return rows as unknown as Row[]
}

/** A PostgreSQL array literal; the driver would guess a wrong type for arrays of bigint. */
export function arrayLiteral(values: readonly (string | number | bigint | null)[]): string {
  const items = values.map((value) => {
    if (value === null) return 'NULL'
    return typeof value === 'string' ? `"${value.replace(/[\\"]/g, '\\$&')}"` : String(value)
  })
  return `{${items.join(',')}}`
}

export function toHold(row: HoldRow): Hold {
  return {
    id: row.id,
    keyId: row.key_id,
    requestId: row.request_id,
    skillId: row.skill_id,
    path: row.path,
    amountAtomic: row.amount,
    capturedAtomic: row.captured,
    state: row.state,
    priceVersion: row.price_version,
    acquisition: row.acquisition,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ledgerId: String(row.ledger_id),
  }
}

/** Whether an id can be one of ours; any other text names no hold and must not reach a uuid cast. */
export function isHoldId(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
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
 * Throws for an order that no caller may make. Such an order must not reach the batcher, where it
 * would fail a statement that it shares with others.
 */
export function assertOrder(order: AuthorizeOrder): void {
  assertAmount(order.amountAtomic)
  assert(isHoldId(order.holdId), 'a hold id must be a UUID')
  assert(order.ttlMs > 0 && Number.isSafeInteger(order.ttlMs), 'a hold must have a time to live')
  assert(isIndexable(order.keyId) && isIndexable(order.requestId), 'unstorable key or request id')
  assert(
    isStorable(order.skillId) && isStorable(order.path) && isStorable(order.acquisition ?? ''),
    'unstorable skill, path or acquisition',
  )
}
