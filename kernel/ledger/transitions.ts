/** Gives holds back: release and refund. Each happens at most once; a repeat returns the same. */
import { isUuid, newId } from '../ids.ts'
import type { EndOrder, RefundOrder, RefundResult, TransitionResult } from './contract.ts'
import {
  endHolds,
  run,
  toHold,
  type MovedRow,
  type ReadRow,
  type Runner,
  rerunAsBatch,
  untilDecided,
  done,
  matched,
} from './holds.ts'
import { REFUND_ONE, RELEASE_MANY, RELEASE_ONE } from './sql/end.ts'
import { HOLD_BY_ID, HOLDS_BY_REQUEST } from './sql/read.ts'

/** Releases one authorized hold in full; idempotent. */
export function releaseOne(runner: Runner, order: EndOrder): Promise<TransitionResult> {
  return untilDecided('release', async () => {
    const [released] = await endHolds(runner, RELEASE_ONE, [order])
    if (released) return done(released)
    const row = await readHold(runner, order.holdId, order.keyId)
    if (row === null || row.account_id !== order.accountId) return { outcome: 'not_found' }
    if (row.state === 'released') return done(row, true)
    return row.state === 'authorized' ? null : { outcome: 'conflict', hold: toHold(row) }
  })
}

/** Releases many holds in one statement; holds that it could not release stay undefined. */
export async function releaseMany(
  runner: Runner,
  orders: readonly EndOrder[],
): Promise<(TransitionResult | undefined)[]> {
  const rows = await rerunAsBatch(() => endHolds(runner, RELEASE_MANY, orders))
  return matched(orders, rows, (row) => done(row))
}

/** Refunds the captured hold of a request, once; 'ambiguous' if there are several. */
export function refundOne(runner: Runner, order: RefundOrder): Promise<RefundResult> {
  return untilDecided<RefundResult>('refund', async () => {
    const holds = await holdsOfRequest(runner, order)
    const charged = holds.filter((row) => row.captured !== null)
    const [row, second] = charged
    if (row === undefined) {
      const [newest] = holds
      return newest ? { outcome: 'conflict', hold: toHold(newest) } : { outcome: 'not_found' }
    }
    if (second !== undefined) return { outcome: 'ambiguous', holds: charged.map(toHold) }
    if (row.state === 'refunded') return done(row, true)
    const parameters = [row.id, order.note ?? null, newId(), order.isUndone ?? false]
    const [refunded] = await run<MovedRow>(runner, REFUND_ONE, parameters)
    return refunded ? done(refunded) : null
  })
}

async function holdsOfRequest(runner: Runner, order: RefundOrder): Promise<ReadRow[]> {
  if (order.holdId !== undefined) {
    const row = await readHold(runner, order.holdId, order.keyId)
    return row !== null && row.request_id === order.requestId ? [row] : []
  }
  return run<ReadRow>(runner, HOLDS_BY_REQUEST, [order.requestId, order.keyId ?? null])
}

/** The hold with its account's balance; null if unknown, or not of `keyId` if that is given. */
export async function readHold(
  runner: Runner,
  holdId: string,
  keyId?: string,
): Promise<ReadRow | null> {
  if (!isUuid(holdId)) return null
  const [row] = await run<ReadRow>(runner, HOLD_BY_ID, [holdId])
  return row !== undefined && (keyId === undefined || row.key_id === keyId) ? row : null
}
