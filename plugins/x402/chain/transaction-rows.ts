/**
 * The rows of the gateway's own transactions (table x402_outgoing), one per account nonce. Every
 * instance with the same key reserves its nonces here, so that two transactions never share one, and
 * a transaction outlives the process that sent it. Only own-transactions.ts writes here; its head has
 * the states.
 */
import type { Hex } from 'viem'
import { untilReached } from '../../../kernel/ledger/retry.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import type { Fees } from './fees.ts'

/** What identifies the payment that a transaction settles. */
export interface PaymentOf {
  asset: string
  payer: string
  nonce: string
}

export interface Call {
  to: Hex
  data: Hex
  /** Gas limit. */
  gas: bigint
}

export interface StoredTransaction extends Call {
  /** The account nonce, not the payment's. */
  nonce: number
  payment: PaymentOf
  /** Fees of every attempt at this nonce, oldest first; each replaces the one before. */
  attempts: Fees[]
  /** No attempt offers more for a unit of gas, in wei. */
  feeLimit: bigint
}

export interface TransactionRowsOptions {
  sql: SqlClient
  /** CAIP-2 network, or the mark of a sandbox chain. */
  chain: string
  account: Hex
  /** How long a transaction belongs to whoever sent or bumped it last. */
  leaseMs: number
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

const RESERVE_ATTEMPTS = 20

export class TransactionRows {
  readonly #options: TransactionRowsOptions
  /** Mined nonces whose rows are still to be deleted. */
  readonly #mined = new Set<number>()
  #isDeleting = false

  constructor(options: TransactionRowsOptions) {
    this.#options = options
  }

  /**
   * Reserves the lowest free nonce from `floor` on for `call`; or returns the transaction that the
   * payment has already. Throws when the database is away: the row may have been written then.
   */
  async reserve(
    payment: PaymentOf,
    call: Call & { fees: Fees; feeLimit: bigint },
    floor: number,
  ): Promise<{ isNew: boolean; stored: StoredTransaction }> {
    const { sql, chain, account } = this.#options
    const { asset, payer, nonce } = payment
    for (let attempt = 0; attempt < RESERVE_ATTEMPTS; attempt++) {
      const rows = await untilReached(
        () => sql<Row[]>`
          INSERT INTO coinop.x402_outgoing
            (chain, account, account_nonce, asset, payer, nonce, target, data, gas, forms, most_per_gas, tended_until)
          SELECT ${chain}, ${account}, free.account_nonce, ${asset}, ${payer}, ${nonce}, ${call.to}, ${call.data},
            ${call.gas}, ${sql.json([jsonOf(call.fees)])}, ${call.feeLimit.toString()}, ${this.#leaseUntil()}
          FROM (
            SELECT min(p.account_nonce) AS account_nonce FROM (
              SELECT ${floor}::bigint AS account_nonce
              UNION ALL
              SELECT account_nonce + 1 FROM coinop.x402_outgoing
              WHERE chain = ${chain} AND account = ${account} AND account_nonce >= ${floor}) p
            WHERE NOT EXISTS (
              SELECT 1 FROM coinop.x402_outgoing o
              WHERE o.chain = ${chain} AND o.account = ${account} AND o.account_nonce = p.account_nonce)) free
          ON CONFLICT DO NOTHING
          RETURNING *`,
      )
      if (rows[0]) return { isNew: true, stored: storedOf(rows[0]) }
      const known = await this.byPayment(payment)
      if (known) return { isNew: false, stored: known }
      // Another instance reserved that nonce at the same moment.
    }
    throw new Error('no free nonce for a transaction was found')
  }

  /** The transaction of a payment; throws when the database is away. */
  async byPayment({ asset, payer, nonce }: PaymentOf): Promise<StoredTransaction | null> {
    const { sql } = this.#options
    const rows = await untilReached(
      () => sql<Row[]>`
        SELECT * FROM coinop.x402_outgoing
        WHERE ${this.#own()} AND asset = ${asset} AND payer = ${payer} AND nonce = ${nonce}`,
    )
    return rows[0] ? storedOf(rows[0]) : null
  }

  async isReserved(nonce: number): Promise<boolean> {
    const { sql } = this.#options
    const rows = await sql`
      SELECT 1 FROM coinop.x402_outgoing WHERE ${this.#own()} AND account_nonce = ${nonce}`
    return rows.length > 0
  }

  /** Leases the transaction at `nonce` when its lease has run out; null when it has not. */
  async takeOver(nonce: number): Promise<StoredTransaction | null> {
    const { sql } = this.#options
    const rows = await sql<Row[]>`
      UPDATE coinop.x402_outgoing SET tended_until = ${this.#leaseUntil()}
      WHERE ${this.#own()} AND account_nonce = ${nonce} AND tended_until < now()
      RETURNING *`
    return rows[0] ? storedOf(rows[0]) : null
  }

  /** Renews the lease; null when the row is gone. */
  async renew(stored: StoredTransaction): Promise<StoredTransaction | null> {
    const { sql } = this.#options
    const rows = await sql<Row[]>`
      UPDATE coinop.x402_outgoing SET tended_until = ${this.#leaseUntil()}
      WHERE ${this.#rowOf(stored)} RETURNING *`
    return rows[0] ? storedOf(rows[0]) : null
  }

  /** Records a replacement transaction; to be called before it is sent. */
  async addAttempt(stored: StoredTransaction, fees: Fees): Promise<void> {
    const { sql } = this.#options
    await sql`
      UPDATE coinop.x402_outgoing
      SET forms = forms || ${sql.json([jsonOf(fees)])}::jsonb, tended_until = ${this.#leaseUntil()}
      WHERE ${this.#rowOf(stored)}`
  }

  /** Removes a replacement that the node refused. */
  async removeAttempt(stored: StoredTransaction, fees: Fees): Promise<void> {
    const { sql } = this.#options
    await sql`
      UPDATE coinop.x402_outgoing SET forms = (
        SELECT jsonb_agg(f.form ORDER BY f.at) FROM jsonb_array_elements(forms) WITH ORDINALITY AS f (form, at)
        WHERE f.form <> ${sql.json(jsonOf(fees))}::jsonb)
      WHERE ${this.#rowOf(stored)} AND jsonb_array_length(forms) > 1`
  }

  /** Deletes the row, which frees the nonce and the payment. Throws when the database is away. */
  async delete(stored: StoredTransaction): Promise<void> {
    const { sql } = this.#options
    await untilReached(() => sql`DELETE FROM coinop.x402_outgoing WHERE ${this.#rowOf(stored)}`)
  }

  /** Deletes the row of a mined transaction in the background; a failure is retried with the next one. */
  deleteMined(nonce: number): void {
    this.#mined.add(nonce)
    if (!this.#isDeleting) void this.#deleteMined()
  }

  /** Deletes rows without a lease below the account's transaction count: their nonces are mined. */
  async deleteBelow(count: number): Promise<void> {
    const { sql } = this.#options
    // The rows of a sandbox chain that is gone are deleted by their age.
    await sql`
      DELETE FROM coinop.x402_outgoing
      WHERE (${this.#own()} AND account_nonce < ${count} AND tended_until < now())
        OR created_at < now() - interval '30 days'`
  }

  async #deleteMined(): Promise<void> {
    const { sql } = this.#options
    this.#isDeleting = true
    try {
      while (this.#mined.size > 0) {
        const nonces = [...this.#mined]
        await sql`
          DELETE FROM coinop.x402_outgoing
          WHERE ${this.#own()} AND account_nonce = ANY(${nonces}::bigint[])`
        for (const nonce of nonces) this.#mined.delete(nonce)
      }
    } catch {
      // They stay in the set.
    } finally {
      this.#isDeleting = false
    }
  }

  /** Rows of this account on this chain. */
  #own() {
    const { sql, chain, account } = this.#options
    return sql`chain = ${chain} AND account = ${account}`
  }

  /** The row of this payment: by now another payment may have reserved the nonce. */
  #rowOf({ nonce: accountNonce, payment: { asset, payer, nonce } }: StoredTransaction) {
    const { sql } = this.#options
    return sql`${this.#own()} AND account_nonce = ${accountNonce}
      AND asset = ${asset} AND payer = ${payer} AND nonce = ${nonce}`
  }

  #leaseUntil() {
    const { sql, leaseMs } = this.#options
    return sql`now() + ${`${leaseMs} milliseconds`}::interval`
  }
}

function jsonOf({ maxFeePerGas, maxPriorityFeePerGas }: Fees): [string, string] {
  return [maxFeePerGas.toString(), maxPriorityFeePerGas.toString()]
}

function storedOf(row: Row): StoredTransaction {
  return {
    nonce: Number(row.account_nonce),
    payment: { asset: row.asset, payer: row.payer, nonce: row.nonce },
    to: row.target,
    data: row.data,
    gas: row.gas,
    attempts: row.forms.map(([max, tip]) => ({
      maxFeePerGas: BigInt(max),
      maxPriorityFeePerGas: BigInt(tip),
    })),
    feeLimit: BigInt(row.most_per_gas),
  }
}
