/**
 * One row per use of a voucher. States: claimed → captured, or released when the work failed. An
 * answer that is streamed is 'streaming' until its last byte went out; when it breaks off, or the
 * gateway dies, the voucher is 'owed' a run of the same request for nothing, which claims it again.
 */
import type { Migration, PluginDb, RailCall, Settlements, StoredAnswer } from '@coinop/gateway'
import { RAIL_ID } from './shown.ts'
import type { Voucher } from './voucher.ts'

export const migrations: readonly Migration[] = [
  {
    id: '0001',
    up: `
CREATE TABLE claim (
  id uuid PRIMARY KEY,            -- the hold id of the call
  voucher uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('claimed', 'captured', 'streaming', 'owed', 'released')),
  fingerprint text NOT NULL,
  request_id text NOT NULL,
  key_id text,
  skill_id text NOT NULL,
  path text NOT NULL,
  amount bigint NOT NULL,         -- the price, then what was charged; atomic units
  price_version integer NOT NULL,
  acquisition text,
  lease_until timestamptz NOT NULL,
  ledger_id text,
  status integer, headers text, body text,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- What makes a voucher run a skill once, across routes and instances.
CREATE UNIQUE INDEX claim_voucher ON claim (voucher) WHERE state <> 'released';
CREATE INDEX claim_request ON claim (request_id);
CREATE INDEX claim_open ON claim (lease_until) WHERE state IN ('claimed', 'streaming');`,
  },
]

export interface Claim {
  id: string
  state: 'claimed' | 'captured' | 'streaming' | 'owed' | 'released'
  fingerprint: string
  ledgerId: string | null
  answer: StoredAnswer | null
}
interface Row extends Omit<Claim, 'answer'> {
  status: number | null
  headers: string | null
  body: string | null
}

const COLUMNS = `id, state, fingerprint, ledger_id AS "ledgerId", status, headers, body`
/** Time after the skill's deadline in which the answer is written. */
const GRACE_MS = 10_000
/** An answer that streams for longer may be had again for nothing. */
const STREAM_MS = 3_600_000

export class Claims {
  readonly #db: PluginDb
  readonly #settlements: Settlements

  constructor(db: PluginDb, settlements: Settlements) {
    this.#db = db
    this.#settlements = settlements
  }

  /** The claim of this call, or the one that has the voucher already. */
  async claim(call: RailCall, { id }: Voucher): Promise<{ isMine: boolean; claim: Claim }> {
    const { quote, identity } = call
    const leaseUntil = new Date(call.deadline.getTime() + GRACE_MS)
    for (;;) {
      const [made] = await this.#db.query<Row>(
        `INSERT INTO claim (id, voucher, state, fingerprint, request_id, key_id, skill_id, path,
           amount, price_version, acquisition, lease_until)
         VALUES ($1, $2, 'claimed', $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (voucher) WHERE state <> 'released' DO NOTHING RETURNING ${COLUMNS}`,
        [call.holdId, id, call.fingerprint, call.requestId, identity?.keyId ?? null, quote.skillId,
          quote.path, quote.amountAtomic, quote.priceVersion, call.acquisition, leaseUntil],
      ) // prettier-ignore
      if (made) return { isMine: true, claim: claimOf(made) }
      await this.endAbandoned()
      const [again] = await this.#db.query<Row>(
        `UPDATE claim SET id = $1, state = 'claimed', lease_until = $4
         WHERE voucher = $2 AND fingerprint = $3 AND state = 'owed' RETURNING ${COLUMNS}`,
        [call.holdId, id, call.fingerprint, leaseUntil],
      )
      if (again) return { isMine: true, claim: claimOf(again) }
      const [known] = await this.#db.query<Row>(
        `SELECT ${COLUMNS} FROM claim WHERE voucher = $1 AND state <> 'released'`,
        [id],
      )
      if (known) return { isMine: false, claim: claimOf(known) }
    }
  }

  /** Adds the headers of a signed receipt to the answer that `capture` kept. */
  async keepReceipt(id: string, headers: Readonly<Record<string, string>>): Promise<void> {
    await this.#db.query(
      `UPDATE claim SET headers = (headers::jsonb || $2::text::jsonb)::text
       WHERE id = $1 AND state = 'captured' AND headers IS NOT NULL`,
      [id, JSON.stringify(headers)],
    )
  }

  /**
   * Takes the voucher: the answer and the settlement are written in one transaction, so a crash
   * leaves both or neither. Null: the claim was lost, and nothing is taken.
   */
  capture(
    { holdId, quote, requestId, identity, acquisition }: RailCall,
    voucherId: string,
    amountAtomic: bigint,
    answer: StoredAnswer | null,
  ): Promise<{ ledgerId: string } | null> {
    return this.#db.transaction(async (tx) => {
      const [claim] = await tx.query<{ paid: string | null }>(
        `UPDATE claim SET state = $2, lease_until = $3, status = $4, headers = $5, body = $6
         WHERE id = $1 AND state = 'claimed' RETURNING ledger_id AS paid`,
        [
          holdId,
          answer ? 'captured' : 'streaming',
          new Date(Date.now() + STREAM_MS),
          answer?.status ?? null,
          answer && JSON.stringify(answer.headers),
          answer && Buffer.from(answer.body).toString('base64'),
        ],
      )
      if (!claim) return null
      // It was charged before an answer broke off: this run costs nothing.
      if (claim.paid !== null) return { ledgerId: claim.paid }
      const { ledgerId } = await this.#settlements.record(
        RAIL_ID,
        {
          keyId: identity?.keyId ?? null,
          requestId,
          skillId: quote.skillId,
          path: quote.path,
          amountAtomic,
          priceVersion: quote.priceVersion,
          acquisition,
          network: 'issued',
          transaction: voucherId,
          reference: voucherId,
        },
        tx,
      )
      await tx.query('UPDATE claim SET ledger_id = $2, amount = $3 WHERE id = $1', [
        holdId,
        ledgerId,
        amountAtomic,
      ])
      return { ledgerId }
    })
  }

  /** The work failed: the voucher is free again, or owed its run once more. */
  async release(id: string): Promise<void> {
    await this.#db.query(`UPDATE claim SET ${ENDED} WHERE id = $1 AND state = 'claimed'`, [id])
  }

  async interrupted(id: string): Promise<void> {
    await this.#db.query(`UPDATE claim SET ${ENDED} WHERE id = $1 AND state = 'streaming'`, [id])
  }

  async delivered(id: string): Promise<void> {
    await this.#db.query(
      `UPDATE claim SET state = 'captured' WHERE id = $1 AND state IN ('streaming', 'owed')`,
      [id],
    )
  }

  /** Ends what a gateway that died left behind; any instance may. */
  async endAbandoned(): Promise<void> {
    await this.#db.query(
      `UPDATE claim SET ${ENDED} WHERE state IN ('claimed', 'streaming') AND lease_until <= now()`,
    )
  }

  async byId(id: string): Promise<Claim | null> {
    const [row] = await this.#db.query<Row>(`SELECT ${COLUMNS} FROM claim WHERE id = $1`, [id])
    return row ? claimOf(row) : null
  }

  isRefunded(ledgerId: string): Promise<boolean> {
    return this.#settlements.isRefunded(ledgerId)
  }

  async open(): Promise<number> {
    const [row] = await this.#db.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM claim WHERE state = 'claimed'`,
    )
    return row!.open
  }
}

const ENDED = `state = CASE WHEN ledger_id IS NULL THEN 'released' ELSE 'owed' END`

function claimOf({ status, headers, body, ...claim }: Row): Claim {
  if (status === null || headers === null || body === null) return { ...claim, answer: null }
  return {
    ...claim,
    answer: { status, headers: JSON.parse(headers), body: Buffer.from(body, 'base64') },
  }
}
