/**
 * The four writes of every paid call through batchers: what calls of the same moment write
 * goes out together, and each resolves when its own part is durable. All can be run again
 * after a lost connection, because each finds what it did before.
 */
import {
  assert,
  type Batcher,
  createWriteBatcher,
  type PluginDb,
  type PluginTx,
  type Settlements,
  type StoredAnswer,
  untilReached,
} from '#kernel'
import {
  settlementOrderOf,
  toClaim,
  type Claim,
  type ClaimOrder,
  type ClaimRow,
  type Lease,
} from './claim.ts'
import { ClaimReads } from './claim-reads.ts'
import { CLAIM, KEEP_HEADERS, settledStatement, SETTLING } from './claim-statements.ts'
import { isLeased, leaseFor } from './leases-sql.ts'
import { NO_INPUT } from './states.ts'

export type Claimed = { outcome: 'claimed' } | { outcome: 'known'; claim: Claim }

export interface SettlingOrder {
  id: string
  answer: StoredAnswer | null
  lease: Lease
  /** What is to be taken, when that may be less than was claimed (`upto`). */
  taken?: Taken
}

/** In millionths of a dollar, and in units of the asset. */
export interface Taken {
  amountAtomic: bigint
  units: bigint
}

export interface SettledOrder {
  id: string
  transaction: string
  /** The first lease of an answer that is streamed now, and whose claim is under one until the last byte. */
  streamingMs: number | null
  /** Of its signed receipt, which the answer gets as well; null: none. */
  headers: Readonly<Record<string, string>> | null
}

/** Headers that are added to an answer. */
export interface HeadersOrder {
  id: string
  headers: Readonly<Record<string, string>>
}

/** Statements of one kind under way at once; what comes meanwhile shares the next one. */
const BATCHES = { maxInFlight: 2, maxBatch: 64, maxPending: 20_000 }
/** A longer answer goes in a statement of its own, so that no short one waits for it. */
const SHARED_BODY_BYTES = 65_536

/** uint256 does not fit a bigint column; anything later than this never expires for us. */
const LATEST_S = 253_402_300_799n

export class ClaimWrites extends ClaimReads {
  readonly #db: PluginDb
  readonly #settlements: Settlements
  readonly #settledStatement: string
  readonly #claiming: Batcher<ClaimOrder, Claimed>
  readonly #settling: Batcher<SettlingOrder, boolean>
  readonly #finishing: Batcher<SettledOrder, { ledgerId: string }>
  readonly #keeping: Batcher<HeadersOrder, true>

  constructor(db: PluginDb, settlements: Settlements) {
    super(db)
    this.#db = db
    this.#settlements = settlements
    this.#settledStatement = settledStatement(settlements)
    const paymentOf = ({ network, asset, payer, nonce }: ClaimOrder) =>
      `${payer} ${nonce} ${network} ${asset}`
    const byId = { keyOf: idOf, laneOf: idOf }
    this.#claiming = createWriteBatcher({
      ...BATCHES,
      keyOf: paymentOf,
      laneOf: paymentOf,
      one: (order) => this.#claimOne(order),
      many: async (orders) => {
        const taken = await claimPayments(db, orders)
        return orders.map(({ id }) => (taken.has(id) ? { outcome: 'claimed' as const } : undefined))
      },
    })
    this.#settling = createWriteBatcher<SettlingOrder, boolean>({
      ...BATCHES,
      ...byId,
      one: (order) => this.#settlingOne(order),
      many: async (orders) => {
        const moved = await settleClaims(db, orders)
        return orders.map(({ id }) => moved.has(id))
      },
    })
    this.#finishing = createWriteBatcher<SettledOrder, { ledgerId: string }>({
      ...BATCHES,
      ...byId,
      one: (order) => this.#settledOne(order),
      many: async (orders) => {
        const ledgerIds = await this.#finish(orders)
        return orders.map(({ id }) => {
          const ledgerId = ledgerIds.get(id)
          return ledgerId === undefined ? undefined : { ledgerId }
        })
      },
    })
    this.#keeping = createWriteBatcher<HeadersOrder, true>({
      ...BATCHES,
      ...byId,
      one: (order) => this.#keepHeaders([order]).then(() => true),
      many: async (orders) => {
        await this.#keepHeaders(orders)
        return orders.map(() => true)
      },
    })
  }

  /** Claims the payment for a call, before any work; or the claim as another call made it. */
  claim(order: ClaimOrder): Promise<Claimed> {
    return this.#claiming.submit(order)
  }

  async #claimOne(order: ClaimOrder): Promise<Claimed> {
    for (let attempt = 0; attempt < 3; attempt++) {
      const taken = await claimPayments(this.#db, [order])
      if (taken.has(order.id)) return { outcome: 'claimed' }
      const known = await this.byPayment(order)
      // Our own: the statement took effect, and its answer was lost.
      const isOurs = known?.id === order.id
      if (isOurs && (known.state === 'working' || known.state === 'abandoned')) {
        return { outcome: 'claimed' }
      }
      if (known) return { outcome: 'known', claim: known }
    }
    throw new Error('A payment claim vanished three times while it was read')
  }

  /**
   * Writes the answer and the state `settling`, before any money moves: from here any instance can
   * finish. False when the claim was lost to another call.
   */
  beginSettling(order: SettlingOrder): Promise<boolean> {
    const { answer } = order
    return answer && answer.body.byteLength > SHARED_BODY_BYTES
      ? untilReached(() => this.#settlingOne(order))
      : this.#settling.submit(order)
  }

  async #settlingOne(order: SettlingOrder): Promise<boolean> {
    return (await settleClaims(this.#db, [order])).has(order.id)
  }

  /**
   * The money is here: the state, the transaction, the ledger's entry and the receipt's headers at once.
   * The claim of an answer that is streamed from now on stays under a lease.
   */
  settled(order: SettledOrder): Promise<{ ledgerId: string }> {
    return this.#finishing.submit(order)
  }

  /** Adds headers to the answer of a settled claim; nothing happens where there is none. */
  async keepHeaders(order: HeadersOrder): Promise<void> {
    await this.#keeping.submit(order)
  }

  async #keepHeaders(orders: readonly HeadersOrder[]): Promise<void> {
    await idsOf(this.#db, KEEP_HEADERS, orders)
  }

  #finish(orders: readonly SettledOrder[]): Promise<Map<string, string>> {
    return finishClaims(this.#db, this.#settledStatement, orders)
  }

  async #settledOne(order: SettledOrder): Promise<{ ledgerId: string }> {
    const { id, transaction, streamingMs, headers } = order
    const finished = (await this.#finish([order])).get(id)
    if (finished !== undefined) return { ledgerId: finished }
    return this.#db.transaction(async (tx) => {
      const [row] = await tx.query<ClaimRow>(
        `SELECT *, ${isLeased()} FROM x402_claim WHERE id = $1 FOR NO KEY UPDATE`,
        [id],
      )
      assert(row !== undefined, `settled claim ${id} is not there`)
      // It was written before: by another instance, or by a statement whose answer was lost.
      if (row.ledger_id !== null) {
        await tx.query(
          `UPDATE x402_claim SET state = 'claimed', lease_until = ${leaseFor('$2')}
           WHERE id = $1 AND state = 'prepaid' AND $2::float8 IS NOT NULL`,
          [id, streamingMs],
        )
        if (headers !== null) await idsOf(tx, KEEP_HEADERS, [{ id, headers }])
        return { ledgerId: row.ledger_id }
      }
      assert(row.state === 'settling', `settled claim ${id} is ${row.state}`)
      const settlement = settlementOrderOf(toClaim(row), transaction)
      const { ledgerId } = await this.#settlements.record('x402', settlement, tx)
      await tx.query(
        `UPDATE x402_claim
         SET state = CASE WHEN status IS NULL AND fingerprint <> '${NO_INPUT}' THEN 'prepaid' ELSE 'settled' END,
             transaction = $2, ledger_id = $3, settled_at = now(), reason = NULL,
             payment = payment - 'sent', headers = COALESCE($4::text::jsonb || headers, headers)
         WHERE id = $1`,
        [id, transaction, ledgerId, headers && JSON.stringify(headers)],
      )
      return { ledgerId }
    })
  }
}

function idOf(order: { id: string }): string {
  return order.id
}

/** Ids of the orders that own their payment now; the payments of the others are held by other calls. */
async function claimPayments(db: PluginTx, orders: readonly ClaimOrder[]): Promise<Set<string>> {
  return idsOf(
    db,
    CLAIM,
    orders.map((order) => ({
      id: order.id,
      network: order.network,
      asset: order.asset,
      payer: order.payer,
      nonce: order.nonce,
      fingerprint: order.fingerprint ?? NO_INPUT,
      request_id: order.requestId,
      key_id: order.keyId,
      skill_id: order.skillId,
      path: order.path,
      amount: String(order.amountAtomic),
      units: String(order.units),
      price_version: order.priceVersion,
      acquisition: order.acquisition,
      payment: order.payment,
      valid_before: String(order.validBefore < LATEST_S ? order.validBefore : LATEST_S),
      chain_ref: order.chainRef,
      rail: order.rail ?? null,
      lease_ms: order.leaseMs,
    })),
  )
}

/** Ids of the claims that are settling now, with their answers stored; the others were lost. */
async function settleClaims(db: PluginTx, orders: readonly SettlingOrder[]): Promise<Set<string>> {
  return idsOf(
    db,
    SETTLING,
    orders.map(({ id, answer, lease, taken }) => ({
      id,
      status: answer?.status ?? null,
      headers: answer?.headers ?? null,
      body: answer ? Buffer.from(answer.body).toString('base64') : null,
      lease_token: lease.token,
      lease_ms: lease.ms,
      amount: taken ? String(taken.amountAtomic) : null,
      units: taken ? String(taken.units) : null,
    })),
  )
}

/**
 * Ledger ids by claim, of `settledStatement`; a claim without one was not settling, or its payment has an entry
 * already.
 */
async function finishClaims(
  db: PluginTx,
  statement: string,
  orders: readonly SettledOrder[],
): Promise<Map<string, string>> {
  const members = orders.map(({ id, transaction, streamingMs, headers }) => ({
    id,
    transaction,
    streaming_ms: streamingMs,
    headers,
  }))
  const rows = await db.query<{ id: string; ledger_id: string }>(statement, [
    JSON.stringify(members),
    members.length,
  ])
  return new Map(rows.map((row) => [row.id, row.ledger_id]))
}

async function idsOf(db: PluginTx, text: string, members: readonly object[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(text, [JSON.stringify(members), members.length])
  return new Set(rows.map((row) => row.id))
}
