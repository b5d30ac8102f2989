/** The ledger over PostgreSQL: validation, the batchers of the hot path, retries, reads. */
import type { Database, SqlTransaction } from '../storage/contract.ts'
import { isUuid } from '../ids.ts'
import { authorizeMany, authorizeOne } from './authorize.ts'
import { untilReached, withinPatience, createWriteBatcher } from '../work/retry.ts'
import { captureInTransaction, captureMany, captureOne } from './capture.ts'
import type { Balance, EndOrder, KeySpend, Ledger, Spender } from './contract.ts'
import { creditOne, takeOne } from './credit.ts'
import { expireDue } from './expiry.ts'
import { assertCapture, assertOrder, isIndexable, run, toHold, type Runner } from './holds.ts'
import { chargeOne, transferOne } from './moves.ts'
import { REFUND_OF_SETTLEMENT } from './sql/money.ts'
import { BALANCE, FREE_USED, SPEND, VOLUME } from './sql/read.ts'
import { readHold, refundOne, releaseMany, releaseOne } from './transitions.ts'

/** Concurrent statements of one kind (authorize, capture, release). */
const IN_FLIGHT_PER_KIND = 2
/** Largest multi-row statement. */
const MAX_BATCH = 256
/** Orders of one kind that may wait or run; beyond it, calls are refused with 503. */
const MAX_PENDING = 20_000
const SWEEP_TIMEOUT_MS = 30_000

/** Notifications of the ledger. */
export interface LedgerEvents {
  /**
   * An account got credits or a refund; `tx` is the transaction that credits it, if any. Also for a
   * repeat: the try before it may have credited the account and lost its answer.
   */
  credited(accountId: string, tx?: SqlTransaction): Promise<void>
}

const NO_EVENTS: LedgerEvents = { credited: async () => {} }

/** A Ledger over one pool. Several instances, in this process or others, may share the database. */
export function createLedger(
  { sql }: Pick<Database, 'sql'>,
  events: LedgerEvents = NO_EVENTS,
): Ledger {
  const batched = <Order extends EndOrder, Outcome>(
    one: (runner: Runner, order: Order) => Promise<Outcome>,
    many: (runner: Runner, orders: readonly Order[]) => Promise<(Outcome | undefined)[]>,
  ) =>
    createWriteBatcher<Order, Outcome>({
      maxInFlight: IN_FLIGHT_PER_KIND,
      maxBatch: MAX_BATCH,
      maxPending: MAX_PENDING,
      keyOf: ({ holdId }) => holdId,
      laneOf: ({ accountId }) => accountId,
      one: (order) => one(sql, order),
      many: (orders) => many(sql, orders),
    })
  const authorizing = batched(authorizeOne, authorizeMany)
  const capturing = batched(captureOne, captureMany)
  const releasing = batched(releaseOne, releaseMany)

  return {
    async authorize(order) {
      assertOrder(order)
      return authorizing.submit(order)
    },
    async capture(order) {
      assertCapture(order)
      return isEndable(order) ? capturing.submit(order) : { outcome: 'not_found' }
    },
    async captureIn(tx, order) {
      assertCapture(order)
      return isEndable(order) ? captureInTransaction(tx, order) : { outcome: 'not_found' }
    },
    async release(order) {
      return isEndable(order) ? releasing.submit(order) : { outcome: 'not_found' }
    },
    async refund(order) {
      if (!isIndexable(order.requestId)) return { outcome: 'not_found' }
      const result = await untilReached(() => refundOne(sql, order))
      if (result.outcome === 'done') await events.credited(result.hold.accountId)
      return result
    },
    async credit(order, tx) {
      const result = tx
        ? await creditOne(tx, order)
        : await untilReached(() => creditOne(sql, order))
      if (result.outcome === 'credited') await events.credited(order.accountId, tx)
      return result
    },
    take: (order, tx) => takeOne(tx, order),
    async transfer(order) {
      const result = await untilReached(() => transferOne(sql, order))
      if (result.outcome === 'transferred') await events.credited(order.toAccountId)
      return result
    },
    charge: (order, tx) => (tx ? chargeOne(tx, order) : untilReached(() => chargeOne(sql, order))),
    async isRefunded(ledgerId) {
      const names = [ledgerId, isUuid(ledgerId) ? ledgerId : null]
      const refunds = await untilReached(() => run(sql, REFUND_OF_SETTLEMENT, names))
      return refunds.length > 0
    },
    balance: (accountId) => untilReached(() => readBalance(sql, accountId)),
    spend: (spender) => untilReached(() => readSpend(sql, spender)),
    freeUsed: (accountId, skillId, period) =>
      untilReached(() => readCount(sql, FREE_USED, [accountId, skillId, period])),
    volume: (accountId, skillId) =>
      untilReached(() => readCount(sql, VOLUME, [accountId, skillId])),
    async hold(holdId, keyId) {
      const row = await untilReached(() => readHold(sql, holdId, keyId))
      return row && toHold(row)
    },
    expireDue: (limit = 500) => withinPatience(() => expireDue(sql, limit), SWEEP_TIMEOUT_MS),
    async drain() {
      await Promise.all([authorizing.drain(), capturing.drain(), releasing.drain()])
    },
  }
}

function isEndable(order: EndOrder): boolean {
  return isUuid(order.holdId) && isUuid(order.accountId) && isIndexable(order.keyId)
}

async function readBalance(sql: Runner, accountId: string): Promise<Balance | null> {
  if (!isUuid(accountId)) return null
  const [balance] = await run<Balance>(sql, BALANCE, [accountId])
  return balance ?? null
}

async function readSpend(sql: Runner, { accountId, keyId }: Spender): Promise<KeySpend[]> {
  return isUuid(accountId) && isIndexable(keyId) ? run(sql, SPEND, [accountId, keyId]) : []
}

/** The count in the only row, or 0 if there is none. */
async function readCount(
  sql: Runner,
  text: string,
  [accountId, ...rest]: [string, ...string[]],
): Promise<bigint> {
  if (!isUuid(accountId) || !rest.every(isIndexable)) return 0n
  const [row] = await run<Record<string, bigint>>(sql, text, [accountId, ...rest])
  return row ? Object.values(row)[0]! : 0n
}
