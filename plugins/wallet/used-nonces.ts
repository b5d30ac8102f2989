/** Nonces that have paid for a call: one row each, whoever brings the proof again and to which instance. */
import { randomUUID } from 'node:crypto'
import { createWriteBatcher, type Batcher, type PluginDb } from '#kernel'

/** Rows outlive their proofs by this, for clocks that are wrong. */
const KEPT_MS = 86_400_000
const BATCHES = { maxInFlight: 2, maxBatch: 64, maxPending: 20_000 }

interface Order {
  nonce: string
  takenBy: string
  forgetAt: Date
}

/**
 * Takes the nonces that nobody has; the result has those that the orders hold, also where an earlier
 * run of the same statement took them.
 */
const TAKE = `
WITH asked AS (
  SELECT nonce, taken_by::uuid, forget_at::timestamptz
  FROM unnest($1::text[], $2::text[], $3::text[]) AS a (nonce, taken_by, forget_at)
), added AS (
  INSERT INTO used_nonce (nonce, taken_by, forget_at) SELECT * FROM asked ORDER BY nonce
  ON CONFLICT DO NOTHING RETURNING taken_by
)
SELECT taken_by::text AS "takenBy" FROM added
UNION SELECT u.taken_by::text FROM used_nonce u JOIN asked USING (nonce, taken_by)`

export class UsedNonces {
  readonly #db: PluginDb
  readonly #taking: Batcher<Order, boolean>

  constructor(db: PluginDb) {
    this.#db = db
    this.#taking = createWriteBatcher<Order, boolean>({
      ...BATCHES,
      keyOf: ({ nonce }) => nonce,
      laneOf: ({ nonce }) => nonce,
      one: async (order) => (await this.#take([order])).has(order.takenBy),
      many: async (orders) => {
        const taken = await this.#take(orders)
        return orders.map(({ takenBy }) => taken.has(takenBy))
      },
    })
  }

  /** Whether the nonce was unused; it is not from now on. Throws 503 when the database is away. */
  take(nonce: string, expiresAt: Date): Promise<boolean> {
    const forgetAt = new Date(expiresAt.getTime() + KEPT_MS)
    return this.#taking.submit({ nonce, takenBy: randomUUID(), forgetAt })
  }

  async #take(orders: readonly Order[]): Promise<ReadonlySet<string>> {
    const rows = await this.#db.query<{ takenBy: string }>(TAKE, [
      orders.map(({ nonce }) => nonce),
      orders.map(({ takenBy }) => takenBy),
      orders.map(({ forgetAt }) => forgetAt.toISOString()),
    ])
    return new Set(rows.map(({ takenBy }) => takenBy))
  }
}
