/** The batcher for writes about money: one statement for what has gathered, retried safely. */
import { BatcherFullError, createBatcher, type Batcher, type BatcherOptions } from './batcher.ts'
import { ledgerUnavailable, untilReached, withinPatience } from './retry.ts'

export interface WriteBatcherOptions<Order, Outcome> extends BatcherOptions<Order, Outcome> {
  keyOf(order: Order): string
  laneOf(order: Order): string
  /** Idempotent: it is run again when the connection was lost and its outcome is unknown. */
  one(order: Order): Promise<Outcome>
}

/**
 * A batcher whose single orders are retried while the database is away, and whose statements have
 * an end. `submit` rejects with INTERNAL_ERROR 503 (`ledger_unavailable`) when the database stays
 * away or too many orders wait already; what became of the order is then unknown.
 */
export function createWriteBatcher<Order, Outcome>(
  options: WriteBatcherOptions<Order, Outcome>,
): Batcher<Order, Outcome> {
  const batcher = createBatcher<Order, Outcome>({
    ...options,
    one: (order, submittedAtMs) => untilReached(() => options.one(order), submittedAtMs),
    many: (orders) => withinPatience(() => options.many(orders)),
  })
  return {
    drain: () => batcher.drain(),
    async submit(order) {
      try {
        return await batcher.submit(order)
      } catch (error) {
        throw error instanceof BatcherFullError ? ledgerUnavailable(error) : error
      }
    },
  }
}
