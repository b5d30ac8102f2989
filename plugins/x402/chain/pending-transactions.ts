/**
 * The own account's transactions that may be out, kept in the database: which place (account nonce)
 * each has, what it calls and which fees its forms offered. Instances with one key take their places
 * here, so that two never meet in one, and what a crash left behind can be sent again, dearer.
 */
import type { Hex } from 'viem'
import { untilReached } from '#kernel'
import type { SqlClient } from '../../../kernel/storage/contract.ts'

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
  sql: SqlClient
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
    const { sql, chain, account } = this.#options
    const { asset, payer, nonce } = payment
    for (let attempt = 0; attempt < ADD_ATTEMPTS; attempt++) {
      const rows = await untilReached(
        () => sql<Row[]>`
          INSERT INTO coinop.x402_outgoing
            (chain, account, account_nonce, asset, payer, nonce, target, data, gas, forms, most_per_gas, tended_until)
          SELECT ${chain}, ${account}, free.place, ${asset}, ${payer}, ${nonce}, ${call.to}, ${call.data},
            ${call.gas}, ${sql.json([formOf(call.fees)])}, ${call.mostPerGas.toString()}, now() + ${this.#tended}::interval
          FROM (
            SELECT min(p.place) AS place FROM (
              SELECT ${floor}::bigint AS place
              UNION ALL
              SELECT account_nonce + 1 FROM coinop.x402_outgoing
              WHERE chain = ${chain} AND account = ${account} AND account_nonce >= ${floor}) p
            WHERE NOT EXISTS (
              SELECT 1 FROM coinop.x402_outgoing o
              WHERE o.chain = ${chain} AND o.account = ${account} AND o.account_nonce = p.place)) free
          ON CONFLICT DO NOTHING
          RETURNING *`,
      )
      if (rows[0]) return { isNew: true, placed: placedOf(rows[0]) }
      const known = await this.byPayment(payment)
      if (known) return { isNew: false, placed: known }
      // Another instance took that place in this moment.
    }
    throw new Error('no free place for a transaction was found')
  }

  async byPayment({ asset, payer, nonce }: PaymentOf): Promise<Placed | null> {
    const { sql, chain, account } = this.#options
    const rows = await untilReached(
      () => sql<Row[]>`
        SELECT * FROM coinop.x402_outgoing
        WHERE chain = ${chain} AND account = ${account} AND asset = ${asset} AND payer = ${payer}
          AND nonce = ${nonce}`,
    )
    return rows[0] ? placedOf(rows[0]) : null
  }

  async has(place: number): Promise<boolean> {
    const { sql, chain, account } = this.#options
    const rows = await sql`
      SELECT 1 FROM coinop.x402_outgoing
      WHERE chain = ${chain} AND account = ${account} AND account_nonce = ${place}`
    return rows.length > 0
  }

  /** The transaction in this place when nobody tends it any more; it is the caller's to raise now. */
  async take(place: number): Promise<Placed | null> {
    const { sql, chain, account } = this.#options
    const rows = await sql<Row[]>`
      UPDATE coinop.x402_outgoing SET tended_until = now() + ${this.#tended}::interval
      WHERE chain = ${chain} AND account = ${account} AND account_nonce = ${place} AND tended_until < now()
      RETURNING *`
    return rows[0] ? placedOf(rows[0]) : null
  }

  /** Keeps the transaction for its sender; null when it is no longer there. */
  async tend(placed: Placed): Promise<Placed | null> {
    const { sql } = this.#options
    const rows = await sql<Row[]>`
      UPDATE coinop.x402_outgoing SET tended_until = now() + ${this.#tended}::interval
      WHERE ${this.#is(placed)} RETURNING *`
    return rows[0] ? placedOf(rows[0]) : null
  }

  /** Notes a dearer form before it is sent. */
  async addForm(placed: Placed, fees: Fees): Promise<void> {
    const { sql } = this.#options
    await sql`
      UPDATE coinop.x402_outgoing
      SET forms = forms || ${sql.json([formOf(fees)])}::jsonb, tended_until = now() + ${this.#tended}::interval
      WHERE ${this.#is(placed)}`
  }

  /** Forgets a form that the node refused. */
  async dropForm(placed: Placed, fees: Fees): Promise<void> {
    const { sql } = this.#options
    await sql`
      UPDATE coinop.x402_outgoing SET forms = (
        SELECT jsonb_agg(f.form ORDER BY f.at) FROM jsonb_array_elements(forms) WITH ORDINALITY AS f (form, at)
        WHERE f.form <> ${sql.json(formOf(fees))}::jsonb)
      WHERE ${this.#is(placed)} AND jsonb_array_length(forms) > 1`
  }

  /** Frees a place: its transaction was never out, is mined, or can never be. */
  async remove(placed: Placed): Promise<void> {
    const { sql } = this.#options
    await untilReached(() => sql`DELETE FROM coinop.x402_outgoing WHERE ${this.#is(placed)}`)
  }

  /** The same without waiting; a place that could not be forgotten is, with the next one. */
  forget(place: number): void {
    this.#mined.add(place)
    if (this.#forgetting) return
    this.#forgetting = true
    void this.#forgetMined()
  }

  /** Forgets the places below the account's own count: what was in them is mined. */
  async removeBelow(count: number): Promise<void> {
    const { sql, chain, account } = this.#options
    // A sandbox chain that is gone leaves its rows behind.
    await sql`
      DELETE FROM coinop.x402_outgoing
      WHERE (chain = ${chain} AND account = ${account} AND account_nonce < ${count} AND tended_until < now())
        OR created_at < now() - interval '30 days'`
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
    const { sql, chain, account } = this.#options
    await sql`
      DELETE FROM coinop.x402_outgoing
      WHERE chain = ${chain} AND account = ${account} AND account_nonce = ANY(${places}::bigint[])`
  }

  /** The row of this very payment: another one may have the place by now. */
  #is({ nonce: place, payment: { asset, payer, nonce } }: Placed) {
    const { sql, chain, account } = this.#options
    return sql`chain = ${chain} AND account = ${account} AND account_nonce = ${place}
      AND asset = ${asset} AND payer = ${payer} AND nonce = ${nonce}`
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
