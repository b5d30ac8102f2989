/** Captures holds in full, in part or by tiers, each at most once; a repeat returns the same. */
import { assert } from '../errors.ts'
import { newId } from '../ids.ts'
import { expireOne } from './authorize.ts'
import type { CaptureOrder, Hold, TransitionResult } from './contract.ts'
import {
  arrayLiteral,
  run,
  toHold,
  type EndedRow,
  type MovedRow,
  type ReadRow,
  type Runner,
  rerunAsBatch,
  untilDecided,
  done,
  matched,
} from './holds.ts'
import {
  CAPTURE_IN,
  CAPTURE_MANY,
  CAPTURE_ONE,
  LOCK_ACCOUNT,
  LOCK_HOLD,
  type CaptureTexts,
} from './sql/end.ts'
import { readHold } from './transitions.ts'

function capture(
  runner: Runner,
  all: CaptureTexts,
  orders: readonly CaptureOrder[],
): Promise<(MovedRow | EndedRow)[]> {
  const column = (value: (order: CaptureOrder) => string | bigint | null): string =>
    arrayLiteral(orders.map(value))
  if (all.ends && orders.every(isWhole)) {
    return run(runner, all.ends.whole, [
      column((order) => order.holdId),
      column((order) => order.accountId),
      column((order) => order.keyId),
      column((order) => order.units ?? null),
      column(newId),
      orders.length,
    ])
  }
  const texts = all.ends && orders.every((order) => order.hold) ? all.ends : all
  const parameters = [
    column((order) => order.holdId),
    column((order) => order.accountId),
    column((order) => order.keyId),
    column((order) => order.amountAtomic ?? null),
    column((order) => order.units ?? order.graduated?.units ?? null),
    column(newId),
    // Id of the posting that returns the rest of the hold, if there can be one.
    column((order) => (order.amountAtomic === undefined && !order.graduated ? null : newId())),
    orders.length,
  ]
  if (!orders.some((order) => order.graduated)) return run(runner, texts.flat, parameters)
  const tiers = (order: CaptureOrder, value: 'upTo' | 'unitAtomic') =>
    order.graduated ? arrayLiteral(order.graduated.tiers.map((tier) => tier[value])) : null
  return run(runner, texts.tiered, [
    ...parameters,
    column((order) => order.graduated?.units ?? null),
    column((order) => order.graduated?.baseAtomic ?? null),
    column((order) => tiers(order, 'upTo')),
    column((order) => tiers(order, 'unitAtomic')),
  ])
}

/** Whether the order passes its hold and captures all of it. */
function isWhole({ hold, amountAtomic, graduated }: CaptureOrder): boolean {
  if (hold === undefined || graduated) return false
  return (
    hold.freeBucket !== null || amountAtomic === undefined || amountAtomic === hold.amountAtomic
  )
}

/**
 * Captures one hold. Idempotent: the same capture again is `repeated` (also if the hold was
 * refunded since); a due hold is expired here, and the result is a conflict.
 */
export function captureOne(
  runner: Runner,
  order: CaptureOrder,
  texts: CaptureTexts = CAPTURE_ONE,
): Promise<TransitionResult> {
  return untilDecided('capture', async () => {
    const [ended] = await capture(runner, texts, [order])
    if (ended) return captured(ended, order)
    const row = await readHold(runner, order.holdId, order.keyId)
    if (row === null || row.account_id !== order.accountId) return { outcome: 'not_found' }
    if (row.due) await expireOne(runner, row)
    else if (row.state !== 'authorized') return captureAgain(row, order)
    else assert((order.amountAtomic ?? 0n) <= row.amount, 'a capture takes at most what was held')
    return null
  })
}

/** The same in a caller's transaction, which concurrent changes of the account cannot abort. */
export async function captureInTransaction(
  runner: Runner,
  order: CaptureOrder,
): Promise<TransitionResult> {
  await run(runner, LOCK_HOLD, [order.holdId, order.accountId])
  await run(runner, LOCK_ACCOUNT, [order.accountId])
  return captureOne(runner, order, CAPTURE_IN)
}

/** The result of capturing the hold of `row`. */
function captured(row: MovedRow | EndedRow, order: CaptureOrder): TransitionResult {
  if ('account_id' in row) return done(row)
  assert(order.hold, 'a capture that shows no hold was asked for with it')
  const hold: Hold = {
    ...order.hold,
    state: 'captured',
    capturedAtomic: row.captured,
    units: order.units ?? order.graduated?.units ?? null,
    ledgerId: row.ledger_id,
  }
  return { outcome: 'done', hold, availableAtomic: row.available, repeated: false }
}

function captureAgain(row: ReadRow, order: CaptureOrder): TransitionResult {
  const isSame = row.captured !== null && (row.free_bucket !== null || isSameSum(row, order))
  return isSame ? done(row, true) : { outcome: 'conflict', hold: toHold(row) }
}

function isSameSum(row: ReadRow, { graduated, amountAtomic }: CaptureOrder): boolean {
  if (graduated) return row.volume_units === graduated.units
  return row.captured === (amountAtomic ?? row.amount)
}

/** Captures many holds in one statement; holds that it could not capture stay undefined. */
export async function captureMany(
  runner: Runner,
  orders: readonly CaptureOrder[],
): Promise<(TransitionResult | undefined)[]> {
  return matched(orders, await rerunAsBatch(() => capture(runner, CAPTURE_MANY, orders)), captured)
}
