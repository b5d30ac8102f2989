/** The ledger over PostgreSQL: validation, the batchers of the hot path, retries, reads. */
import type { Database, SqlTransaction } from '../storage/contract.ts'
import { authorizeMany, authorizeOne } from './authorize.ts'
import type { Batcher } from '../work/batcher.ts'
import { untilReached, withinPatience, createWriteBatcher } from '../work/retry.ts'
import type {
  AuthorizeOrder,
  AuthorizeResult,
  Balance,
  Ledger,
  TransitionResult,
} from './contract.ts'
import { creditOne, settlementOne, takeOne } from './credit.ts'
import { expireDue } from './expiry.ts'
import {
  assertAmount,
  assertOrder,
  isHoldId,
  isIndexable,
  run,
  toHold,
  type ReadRow,
} from './holds.ts'
import { readRows } from './rows.ts'
import { BALANCE, CAPTURE_IN, HOLDS_BY_REQUEST, REFUND_OF_SETTLEMENT } from './statements.ts'
import {
  captureMany,
  captureOne,
  readHold,
  refundOne,
  releaseMany,
  releaseOne,
  type EndOrder,
} from './transitions.ts'

/** Statements of one kind (authorize, capture, release) under way at once. */
const IN_FLIGHT_PER_KIND = 2
/** Largest multi-row statement. */
const MAX_BATCH = 256
/** Orders of one kind that may wait or run; beyond it calls are refused with 503. */
const MAX_PENDING = 20_000
const SWEEP_TIMEOUT_MS = 30_000

/** What the ledger tells while it works. */
export interface LedgerEvents {
  /** A key got credits or a refund; inside the transaction that credits it when there is one. */
  credited(keyId: string, tx?: SqlTransaction): Promise<void>
}

const NO_EVENTS: LedgerEvents = { credited: async () => {} }

/** A Ledger over one pool. Several instances, in this process or others, may share the database. */
export function createLedger(
  database: Pick<Database, 'sql' | 'orm'>,
  events: LedgerEvents = NO_EVENTS,
): Ledger {
  const { sql, orm } = database
  const shared = {
    maxInFlight: IN_FLIGHT_PER_KIND,
    maxBatch: MAX_BATCH,
    maxPending: MAX_PENDING,
    keyOf: ({ holdId }: { holdId: string }) => holdId,
    laneOf: ({ keyId }: { keyId: string }) => keyId,
  }
  const authorizing = createWriteBatcher<AuthorizeOrder, AuthorizeResult>({
    ...shared,
    one: (order) => authorizeOne(sql, order),
    many: (orders) => authorizeMany(sql, orders),
  })
  const ending = (
    one: typeof captureOne,
    many: typeof captureMany,
  ): Batcher<EndOrder, TransitionResult> =>
    createWriteBatcher<EndOrder, TransitionResult>({
      ...shared,
      one: (order) => one(sql, order),
      many: (orders) => many(sql, orders),
    })
  const capturing = ending(captureOne, captureMany)
  const releasing = ending(releaseOne, releaseMany)

  return {
    async authorize(order) {
      assertOrder(order)
      return authorizing.submit(order)
    },
    async capture(order) {
      if (order.amountAtomic !== undefined) assertAmount(order.amountAtomic)
      return isEndable(order) ? capturing.submit(order) : { outcome: 'not_found' }
    },
    async captureIn(tx, order) {
      return isEndable(order) ? captureOne(tx, order, CAPTURE_IN) : { outcome: 'not_found' }
    },
    async release(order) {
      return isEndable(order) ? releasing.submit(order) : { outcome: 'not_found' }
    },
    async refund(order) {
      if (!isIndexable(order.requestId)) return { outcome: 'not_found' }
      const result = await untilReached(() => refundOne(sql, order))
      if (result.outcome === 'done') await events.credited(result.hold.keyId)
      return result
    },
    async credit(order, tx) {
      const result = tx
        ? await creditOne(tx, order)
        : await untilReached(() => creditOne(sql, order))
      if (result.outcome === 'credited' && !result.duplicate) {
        await events.credited(order.keyId, tx)
      }
      return result
    },
    take: (order, tx) => takeOne(tx, order),
    recordSettlement: (order, tx) =>
      tx ? settlementOne(tx, order) : untilReached(() => settlementOne(sql, order)),
    isRefunded: async (ledgerId) =>
      (await untilReached(() => run(sql, REFUND_OF_SETTLEMENT, [ledgerId]))).length > 0,
    balance: (keyId) => untilReached(() => readBalance(sql, keyId)),
    async hold(holdId, keyId) {
      const row = await untilReached(() => readHold(sql, holdId, keyId))
      return row && toHold(row)
    },
    async holdByRequest(keyId, requestId) {
      if (!isIndexable(requestId)) return null
      const rows = await untilReached(() => run<ReadRow>(sql, HOLDS_BY_REQUEST, [requestId, keyId]))
      return rows[0] ? toHold(rows[0]) : null
    },
    rows: (filter) => readRows(orm, filter),
    expireDue: (limit = 500) => withinPatience(() => expireDue(sql, limit), SWEEP_TIMEOUT_MS),
    async drain() {
      await Promise.all([authorizing.drain(), capturing.drain(), releasing.drain()])
    },
  }
}

function isEndable(order: EndOrder): boolean {
  return isHoldId(order.holdId) && isIndexable(order.keyId)
}

async function readBalance(sql: Database['sql'], keyId: string): Promise<Balance | null> {
  if (!isIndexable(keyId)) return null
  const [row] = await run<{ available: bigint; held: bigint; spent: bigint }>(sql, BALANCE, [keyId])
  if (row === undefined) return null
  return {
    keyId,
    availableAtomic: row.available,
    heldAtomic: row.held,
    spentTodayAtomic: row.spent,
  }
}
