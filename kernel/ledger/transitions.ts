/** Ending holds: capture, release, refund. Each happens at most once; a repeat answers the same. */
import { assert } from '../errors.ts'
import type { RefundResult, TransitionResult } from './contract.ts'
import {
  arrayLiteral,
  isHoldId,
  run,
  toHold,
  type MovedRow,
  type ReadRow,
  type Runner,
} from './holds.ts'
import { ledgerUnavailable } from '../work/retry.ts'
import {
  CAPTURE_MANY,
  CAPTURE_ONE,
  EXPIRE_ONE,
  HOLD_BY_ID,
  HOLDS_BY_REQUEST,
  REFUND_ONE,
  RELEASE_MANY,
  RELEASE_ONE,
} from './statements.ts'

export interface EndOrder {
  holdId: string
  keyId: string
  amountAtomic?: bigint
}
export interface RefundOrder {
  requestId: string
  keyId?: string
  holdId?: string
  note?: string
}

const MAX_ROUNDS = 50

function done(row: MovedRow, repeated = false): TransitionResult {
  return { outcome: 'done', hold: toHold(row), availableAtomic: row.available, repeated }
}

/**
 * Captures one hold in full or in part. Idempotent: the same capture again is `repeated` (also when
 * the hold was refunded since); a hold past its time is expired here and answers conflict.
 */
export async function captureOne(
  runner: Runner,
  order: EndOrder,
  statement: string = CAPTURE_ONE,
): Promise<TransitionResult> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [moved] = await run<MovedRow>(runner, statement, [
      order.holdId,
      order.keyId,
      order.amountAtomic ?? null,
    ])
    if (moved) return done(moved)
    const row = await readHold(runner, order.holdId, order.keyId)
    if (row === null) return { outcome: 'not_found' }
    if (row.due) await run<MovedRow>(runner, EXPIRE_ONE, [row.id, row.key_id])
    else if (row.state !== 'authorized') return captureAgain(row, order)
    else {
      assert((order.amountAtomic ?? 0n) <= row.amount, 'a capture takes at most what was held')
    }
  }
  throw ledgerUnavailable(new Error(`capture lost ${MAX_ROUNDS} races in a row`))
}

function captureAgain(row: ReadRow, order: EndOrder): TransitionResult {
  const same = row.captured !== null && row.captured === (order.amountAtomic ?? row.amount)
  return same ? done(row, true) : { outcome: 'conflict', hold: toHold(row) }
}

/** Gives one authorized hold back in full; idempotent. */
export async function releaseOne(runner: Runner, order: EndOrder): Promise<TransitionResult> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [moved] = await run<MovedRow>(runner, RELEASE_ONE, [order.holdId, order.keyId])
    if (moved) return done(moved)
    const row = await readHold(runner, order.holdId, order.keyId)
    if (row === null) return { outcome: 'not_found' }
    if (row.state === 'released') return done(row, true)
    if (row.state !== 'authorized') return { outcome: 'conflict', hold: toHold(row) }
  }
  throw ledgerUnavailable(new Error(`release lost ${MAX_ROUNDS} races in a row`))
}

/**
 * Refunds the captured hold of a request, once. Several captured holds can share a request id that
 * a caller used for several calls; then `holdId` must say which one is meant.
 */
export async function refundOne(runner: Runner, order: RefundOrder): Promise<RefundResult> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const holds = await holdsOfRequest(runner, order)
    const charged = holds.filter((row) => row.captured !== null)
    const [row, second] = charged
    if (row === undefined) {
      const [newest] = holds
      return newest ? { outcome: 'conflict', hold: toHold(newest) } : { outcome: 'not_found' }
    }
    if (second !== undefined) return { outcome: 'ambiguous', holds: charged.map(toHold) }
    if (row.state === 'refunded') return done(row, true)
    const [moved] = await run<MovedRow>(runner, REFUND_ONE, [row.id, order.note ?? null])
    if (moved) return done(moved)
  }
  throw ledgerUnavailable(new Error(`refund lost ${MAX_ROUNDS} races in a row`))
}

async function holdsOfRequest(runner: Runner, order: RefundOrder): Promise<ReadRow[]> {
  if (order.holdId !== undefined) {
    const row = await readHold(runner, order.holdId, order.keyId)
    return row !== null && row.request_id === order.requestId ? [row] : []
  }
  return run<ReadRow>(runner, HOLDS_BY_REQUEST, [order.requestId, order.keyId ?? null])
}

/** The hold with its key's balance; null when unknown, or not of `keyId` when that is given. */
export async function readHold(
  runner: Runner,
  holdId: string,
  keyId?: string,
): Promise<ReadRow | null> {
  if (!isHoldId(holdId)) return null
  const [row] = await run<ReadRow>(runner, HOLD_BY_ID, [holdId])
  return row !== undefined && (keyId === undefined || row.key_id === keyId) ? row : null
}

/** Captures many holds in one statement; those it could not capture stay undefined. */
export async function captureMany(
  runner: Runner,
  orders: readonly EndOrder[],
): Promise<(TransitionResult | undefined)[]> {
  const rows = await run<MovedRow>(runner, CAPTURE_MANY, [
    arrayLiteral(orders.map((order) => order.holdId)),
    arrayLiteral(orders.map((order) => order.keyId)),
    arrayLiteral(orders.map((order) => order.amountAtomic ?? null)),
    orders.length,
  ])
  return matched(orders, rows)
}

/** Releases many holds in one statement; those it could not release stay undefined. */
export async function releaseMany(
  runner: Runner,
  orders: readonly EndOrder[],
): Promise<(TransitionResult | undefined)[]> {
  const rows = await run<MovedRow>(runner, RELEASE_MANY, [
    arrayLiteral(orders.map((order) => order.holdId)),
    arrayLiteral(orders.map((order) => order.keyId)),
    orders.length,
  ])
  return matched(orders, rows)
}

function matched(
  orders: readonly EndOrder[],
  rows: readonly MovedRow[],
): (TransitionResult | undefined)[] {
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return orders.map((order) => {
    const row = rowOf.get(order.holdId.toLowerCase())
    return row && done(row)
  })
}
