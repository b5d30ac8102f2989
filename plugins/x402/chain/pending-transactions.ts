/**
 * The own account's transactions that may be out, kept in the database: which place (account nonce)
 * each has, what it calls and which fees its forms offered. Instances with one key take their places
 * here, so that two never meet in one, and what a crash left behind can be sent again, dearer.
 */
import type { Hex } from 'viem'
import { untilReached, type PluginTx } from '#kernel'

export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** The payment that a transaction settles. */
export interface PaymentOf {
  asset: string
  payer: string
  nonce: string
}

export interface Call {
  to: Hex
  data: Hex
  gas: bigint
}

/** A transaction with its place. */
export interface Placed extends Call {
  nonce: number
  payment: PaymentOf
  /** Fees of every form that may be out, oldest first. */
  forms: Fees[]
  /** No form pays more than this for a unit of gas. */
  mostPerGas: bigint
}

export interface OutboxOptions {
  db: PluginTx
  /** CAIP-2 network, or the mark of a sandbox chain. */
  chain: string
  account: Hex
  /** How long a transaction is left to whoever sent or raised it last. */
  tendedMs: number
}

interface Row {
  account_nonce: bigint
  asset: string
  payer: string
  nonce: string
  target: Hex
  data: Hex
  gas: bigint
  forms: [string, string][]
  most_per_gas: string
}

const ADD_ATTEMPTS = 20

/** The transaction of this very payment ($1 to $6): another one may have the place by now. */
const IS_THIS = `chain = $1 AND account = $2 AND account_nonce = $3
  AND asset = $4 AND payer = $5 AND nonce = $6`

/** $3 is the lowest place that may be given. */
const ADD = `
INSERT INTO x402_outgoing
  (chain, account, account_nonce, asset, payer, nonce, target, data, gas, forms, most_per_gas, tended_until)
SELECT $1, $2, free.place, $4, $5, $6, $7, $8, $9::bigint, $10::jsonb, $11::numeric, now() + $12::interval
FROM (
  SELECT min(p.place) AS place FROM (
    SELECT $3::bigint AS place
    UNION ALL
    SELECT account_nonce + 1 FROM x402_outgoing
    WHERE chain = $1 AND account = $2 AND account_nonce >= $3) p
  WHERE NOT EXISTS (
    SELECT 1 FROM x402_outgoing o
    WHERE o.chain = $1 AND o.account = $2 AND o.account_nonce = p.place)) free
ON CONFLICT DO NOTHING
RETURNING *`

export class Outbox {
  readonly #options: OutboxOptions
  /** Places that are known to be mined, to be forgotten with the next statement. */
  readonly #mined = new Set<number>()
  #forgetting = false

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /**
   * Gives `call` the lowest free place from `floor` on; or the transaction that its payment has
   * already. Throws when the database is away: it may have been written then.
   */
  async add(
    payment: PaymentOf,
    call: Call & { fees: Fees; mostPerGas: bigint },
    floor: number,
  ): Promise<{ isNew: boolean; placed: Placed }> {
    const { db, chain, account } = this.#options
    const { asset, payer, nonce } = payment
    const { to, data, gas, fees, mostPerGas } = call
    const order = [chain, account, floor, asset, payer, nonce, to, data, gas]
    const offered = [[formOf(fees)], mostPerGas.toString(), this.#tended]
    for (let attempt = 0; attempt < ADD_ATTEMPTS; attempt++) {
      const rows = await untilReached(() => db.query<Row>(ADD, [...order, ...offered]))
      if (rows[0]) return { isNew: true, placed: placedOf(rows[0]) }
      const known = await this.byPayment(payment)
      if (known) return { isNew: false, placed: known }
      // Another instance took that place in this moment.
    }
    throw new Error('no free place for a transaction was found')
  }

  async byPayment({ asset, payer, nonce }: PaymentOf): Promise<Placed | null> {
    const { db, chain, account } = this.#options
    const rows = await untilReached(() =>
      db.query<Row>(
        `SELECT * FROM x402_outgoing
         WHERE chain = $1 AND account = $2 AND asset = $3 AND payer = $4 AND nonce = $5`,
        [chain, account, asset, payer, nonce],
      ),
    )
    return rows[0] ? placedOf(rows[0]) : null
  }

  async has(place: number): Promise<boolean> {
    const { db, chain, account } = this.#options
    const rows = await db.query(
      'SELECT 1 FROM x402_outgoing WHERE chain = $1 AND account = $2 AND account_nonce = $3',
      [chain, account, place],
    )
    return rows.length > 0
  }

  /** The transaction in this place when nobody tends it any more; it is the caller's to raise now. */
  async take(place: number): Promise<Placed | null> {
    const { db, chain, account } = this.#options
    const rows = await db.query<Row>(
      `UPDATE x402_outgoing SET tended_until = now() + $4::interval
       WHERE chain = $1 AND account = $2 AND account_nonce = $3 AND tended_until < now()
       RETURNING *`,
      [chain, account, place, this.#tended],
    )
    return rows[0] ? placedOf(rows[0]) : null
  }

  /** Keeps the transaction for its sender; null when it is no longer there. */
  async tend(placed: Placed): Promise<Placed | null> {
    const rows = await this.#options.db.query<Row>(
      `UPDATE x402_outgoing SET tended_until = now() + $7::interval WHERE ${IS_THIS} RETURNING *`,
      [...this.#keyOf(placed), this.#tended],
    )
    return rows[0] ? placedOf(rows[0]) : null
  }

  /** Records a replacement with higher fees before it is sent. */
  async addForm(placed: Placed, fees: Fees): Promise<void> {
    await this.#options.db.query(
      `UPDATE x402_outgoing SET forms = forms || $7::jsonb, tended_until = now() + $8::interval
       WHERE ${IS_THIS}`,
      [...this.#keyOf(placed), [formOf(fees)], this.#tended],
    )
  }

  /** Forgets a form that the node refused. */
  async dropForm(placed: Placed, fees: Fees): Promise<void> {
    await this.#options.db.query(
      `UPDATE x402_outgoing SET forms = (
         SELECT jsonb_agg(f.form ORDER BY f.at)
         FROM jsonb_array_elements(forms) WITH ORDINALITY AS f (form, at)
         WHERE f.form <> $7::jsonb)
       WHERE ${IS_THIS} AND jsonb_array_length(forms) > 1`,
      [...this.#keyOf(placed), formOf(fees)],
    )
  }

  /** Frees a place: its transaction was never out, is mined, or can never be. */
  async remove(placed: Placed): Promise<void> {
    const text = `DELETE FROM x402_outgoing WHERE ${IS_THIS}`
    await untilReached(() => this.#options.db.query(text, this.#keyOf(placed)))
  }

  /** The same without waiting; a deletion that failed is tried again with the next one. */
  forget(place: number): void {
    this.#mined.add(place)
    if (this.#forgetting) return
    this.#forgetting = true
    void this.#forgetMined()
  }

  /** Forgets the places below the account's own count: what was in them is mined. */
  async removeBelow(count: number): Promise<void> {
    const { db, chain, account } = this.#options
    // A sandbox chain that is gone leaves its rows behind.
    await db.query(
      `DELETE FROM x402_outgoing
       WHERE (chain = $1 AND account = $2 AND account_nonce < $3 AND tended_until < now())
         OR created_at < now() - interval '30 days'`,
      [chain, account, count],
    )
  }

  async #forgetMined(): Promise<void> {
    try {
      while (this.#mined.size > 0) {
        const places = [...this.#mined]
        await this.#removeAll(places)
        for (const place of places) this.#mined.delete(place)
      }
    } catch {
      // Tried again with the next; it holds nobody up meanwhile.
    } finally {
      this.#forgetting = false
    }
  }

  async #removeAll(places: number[]): Promise<void> {
    const { db, chain, account } = this.#options
    await db.query(
      `DELETE FROM x402_outgoing
       WHERE chain = $1 AND account = $2 AND account_nonce = ANY($3::bigint[])`,
      [chain, account, places],
    )
  }

  /** Parameters of IS_THIS. */
  #keyOf({ nonce: place, payment: { asset, payer, nonce } }: Placed): unknown[] {
    const { chain, account } = this.#options
    return [chain, account, place, asset, payer, nonce]
  }

  get #tended(): string {
    return `${this.#options.tendedMs} milliseconds`
  }
}

function formOf({ maxFeePerGas, maxPriorityFeePerGas }: Fees): [string, string] {
  return [maxFeePerGas.toString(), maxPriorityFeePerGas.toString()]
}

function placedOf(row: Row): Placed {
  return {
    nonce: Number(row.account_nonce),
    payment: { asset: row.asset, payer: row.payer, nonce: row.nonce },
    to: row.target,
    data: row.data,
    gas: row.gas,
    forms: row.forms.map(([max, tip]) => ({
      maxFeePerGas: BigInt(max),
      maxPriorityFeePerGas: BigInt(tip),
    })),
    mostPerGas: BigInt(row.most_per_gas),
  }
}
