/**
 * The rows of the gateway's own transactions (table x402_outgoing), one per account nonce. Every
 * instance with the same key reserves its nonces here, so that two transactions never share one, and
 * a transaction outlives the process that sent it. Only own-transactions.ts writes here; its head has
 * the states.
 */
import type { Hex } from 'viem'
import { untilReached, type PluginTx } from '#kernel'
import type { Fees } from './account.ts'

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
  db: PluginTx
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
interface NoRow {
  account_nonce: null
}

const RESERVE_ATTEMPTS = 20

/** The row of one payment ($1 to $6); by now another payment may have reserved its nonce. */
const IS_ROW = `chain = $1 AND account = $2 AND account_nonce = $3
  AND asset = $4 AND payer = $5 AND nonce = $6`

/**
 * $3 is the lowest nonce that may be reserved. No row comes back unless `entitled` gives one; a row of
 * nulls, where the nonce or the payment has a transaction already.
 */
const reserveIf = (entitled: string) => `
WITH entitled AS MATERIALIZED (${entitled}),
made AS (
  INSERT INTO x402_outgoing
    (chain, account, account_nonce, asset, payer, nonce, target, data, gas, forms, most_per_gas, tended_until)
  SELECT $1, $2, free.account_nonce, $4, $5, $6, $7, $8, $9::bigint, $10::jsonb, $11::numeric, now() + $12::interval
  FROM entitled, (
    SELECT min(n.account_nonce) AS account_nonce FROM (
      SELECT $3::bigint AS account_nonce
      UNION ALL
      SELECT account_nonce + 1 FROM x402_outgoing
      WHERE chain = $1 AND account = $2 AND account_nonce >= $3) n
    WHERE NOT EXISTS (
      SELECT 1 FROM x402_outgoing o
      WHERE o.chain = $1 AND o.account = $2 AND o.account_nonce = n.account_nonce)) free
  ON CONFLICT DO NOTHING
  RETURNING *)
SELECT made.* FROM entitled LEFT JOIN made ON true`
const RESERVE = reserveIf('SELECT 1')
/** Locked, so that whoever takes the claim ($13) over waits for the row and then finds it. */
const RESERVE_FOR_CLAIM = reserveIf(
  `SELECT 1 FROM x402_claim WHERE id = $13 AND state = 'claimed' AND ledger_id IS NULL FOR SHARE`,
)

export class TransactionRows {
  readonly #db: PluginTx
  /** Chain and account: $1 and $2 of every statement. */
  readonly #own: readonly [string, Hex]
  readonly #lease: string
  /** Mined nonces whose rows are still to be deleted. */
  readonly #mined = new Set<number>()
  #isDeleting = false

  constructor({ db, chain, account, leaseMs }: TransactionRowsOptions) {
    this.#db = db
    this.#own = [chain, account]
    this.#lease = `${leaseMs} milliseconds`
  }

  /**
   * Reserves the lowest free nonce from `floor` on for `call`; or returns the transaction that the
   * payment has already. Null, and nothing reserved, if the claim `claimId` belongs to another call by
   * now. Throws when the database is away: the row may have been written then.
   */
  async reserve(
    payment: PaymentOf,
    call: Call & { fees: Fees; feeLimit: bigint },
    floor: number,
    claimId?: string,
  ): Promise<{ isNew: boolean; stored: StoredTransaction } | null> {
    const { asset, payer, nonce } = payment
    const { to, data, gas, fees, feeLimit } = call
    const row = [...this.#own, floor, asset, payer, nonce, to, data, gas]
    const parameters = [...row, [jsonOf(fees)], feeLimit.toString(), this.#lease]
    const [text, values] =
      claimId === undefined
        ? ([RESERVE, parameters] as const)
        : ([RESERVE_FOR_CLAIM, [...parameters, claimId]] as const)
    for (let attempt = 0; attempt < RESERVE_ATTEMPTS; attempt++) {
      const [made] = await untilReached(() => this.#db.query<Row | NoRow>(text, values))
      if (!made) return null
      if (made.account_nonce !== null) return { isNew: true, stored: storedOf(made) }
      const known = await this.byPayment(payment)
      if (known) return { isNew: false, stored: known }
      // Another instance reserved that nonce at the same moment.
    }
    throw new Error('no free nonce for a transaction was found')
  }

  /** The transaction of a payment; throws when the database is away. */
  byPayment({ asset, payer, nonce }: PaymentOf): Promise<StoredTransaction | null> {
    const text = `SELECT * FROM x402_outgoing
      WHERE chain = $1 AND account = $2 AND asset = $3 AND payer = $4 AND nonce = $5`
    return untilReached(() => this.#one(text, [...this.#own, asset, payer, nonce]))
  }

  async isReserved(nonce: number): Promise<boolean> {
    const text = `SELECT * FROM x402_outgoing
      WHERE chain = $1 AND account = $2 AND account_nonce = $3`
    return (await this.#one(text, [...this.#own, nonce])) !== null
  }

  /** Leases the transaction at `nonce` when its lease has run out; null when it has not. */
  takeOver(nonce: number): Promise<StoredTransaction | null> {
    return this.#one(
      `UPDATE x402_outgoing SET tended_until = now() + $4::interval
       WHERE chain = $1 AND account = $2 AND account_nonce = $3 AND tended_until < now()
       RETURNING *`,
      [...this.#own, nonce, this.#lease],
    )
  }

  /** Renews the lease; null when the row is gone. */
  renew(stored: StoredTransaction): Promise<StoredTransaction | null> {
    return this.#one(
      `UPDATE x402_outgoing SET tended_until = now() + $7::interval WHERE ${IS_ROW} RETURNING *`,
      [...this.#rowOf(stored), this.#lease],
    )
  }

  /** Records a replacement transaction; to be called before it is sent. */
  async addAttempt(stored: StoredTransaction, fees: Fees): Promise<void> {
    await this.#db.query(
      `UPDATE x402_outgoing SET forms = forms || $7::jsonb, tended_until = now() + $8::interval
       WHERE ${IS_ROW}`,
      [...this.#rowOf(stored), [jsonOf(fees)], this.#lease],
    )
  }

  /** Removes a replacement that the node refused. */
  async removeAttempt(stored: StoredTransaction, fees: Fees): Promise<void> {
    await this.#db.query(
      `UPDATE x402_outgoing SET forms = (
         SELECT jsonb_agg(f.form ORDER BY f.at)
         FROM jsonb_array_elements(forms) WITH ORDINALITY AS f (form, at)
         WHERE f.form <> $7::jsonb)
       WHERE ${IS_ROW} AND jsonb_array_length(forms) > 1`,
      [...this.#rowOf(stored), jsonOf(fees)],
    )
  }

  /**
   * Deletes a transaction that the node refused to the worker that reserved it. False, and the row
   * stays, if another worker has leased it since: that one may have sent it. False as well if it is
   * gone. Throws when the database is away.
   */
  async withdraw(stored: StoredTransaction): Promise<boolean> {
    // Whoever is about to send it renews or takes the lease first.
    const text = `DELETE FROM x402_outgoing
      WHERE ${IS_ROW} AND tended_until = created_at + $7::interval RETURNING 1`
    const values = [...this.#rowOf(stored), this.#lease]
    return (await untilReached(() => this.#db.query(text, values))).length > 0
  }

  /** Deletes the row, which frees the nonce and the payment. Throws when the database is away. */
  async delete(stored: StoredTransaction): Promise<void> {
    const text = `DELETE FROM x402_outgoing WHERE ${IS_ROW}`
    await untilReached(() => this.#db.query(text, this.#rowOf(stored)))
  }

  /** Deletes the row of a mined transaction in the background; a failure is retried with the next one. */
  deleteMined(nonce: number): void {
    this.#mined.add(nonce)
    if (!this.#isDeleting) void this.#deleteMined()
  }

  /** Deletes rows without a lease below the account's transaction count: their nonces are mined. */
  async deleteBelow(count: number): Promise<void> {
    // The rows of a sandbox chain that is gone are deleted by their age.
    await this.#db.query(
      `DELETE FROM x402_outgoing
       WHERE (chain = $1 AND account = $2 AND account_nonce < $3 AND tended_until < now())
         OR created_at < now() - interval '30 days'`,
      [...this.#own, count],
    )
  }

  async #deleteMined(): Promise<void> {
    this.#isDeleting = true
    try {
      while (this.#mined.size > 0) {
        const nonces = [...this.#mined]
        await this.#db.query(
          `DELETE FROM x402_outgoing
           WHERE chain = $1 AND account = $2 AND account_nonce = ANY($3::bigint[])`,
          [...this.#own, nonces],
        )
        for (const nonce of nonces) this.#mined.delete(nonce)
      }
    } catch {
      // They stay in the set.
    } finally {
      this.#isDeleting = false
    }
  }

  async #one(text: string, parameters: readonly unknown[]): Promise<StoredTransaction | null> {
    const [row] = await this.#db.query<Row>(text, parameters)
    return row ? storedOf(row) : null
  }

  /** Parameters of IS_ROW. */
  #rowOf({ nonce: accountNonce, payment: { asset, payer, nonce } }: StoredTransaction): unknown[] {
    return [...this.#own, accountNonce, asset, payer, nonce]
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
