/**
 * The table of channels. `charged` is what calls have bought of a channel; it moves with the claim of
 * a call, in the statement that settles that claim (a trigger, see migrations.ts). What the chain says
 * of the channel is a copy, with the time when it was read.
 */
import type { Hex } from 'viem'
import type { PluginTx } from '#kernel'
import type { ChannelConfig } from './wire.ts'

/** A channel as its contract has it. */
export interface ChainState {
  /** Units deposited, less what was given back. */
  balance: bigint
  totalClaimed: bigint
  /** Seconds since 1970; 0 while no withdrawal is pending. */
  withdrawRequestedAt: number
  refundNonce: bigint
}

export interface Channel extends ChainState {
  id: Hex
  config: ChannelConfig
  /** Units bought so far, claimed or not. */
  charged: bigint
  /** The last voucher that bought something; null before the first. */
  voucher: { ceiling: bigint; signature: Hex } | null
  syncedAt: Date
}

/** The channels of one entry, whose receiver authorizer we are. */
export interface ChannelPlace {
  network: string
  /** Token, as the entry names it. */
  asset: string
  receiver: string
  authorizer: string
}

/** Sums over channels, for health and metrics; units of the token. */
export interface ChannelSums {
  /** With something left or something to claim. */
  open: number
  unclaimed: bigint
  /** Charged and not claimed in time: the payer took it back. */
  lost: bigint
  withdrawing: number
  /** With something to claim under another signer or receiver than today's. */
  foreign: number
}

interface Row {
  id: Hex
  config: ChannelConfig
  balance: string
  total_claimed: string
  withdraw_requested_at: bigint
  refund_nonce: string
  charged: string
  signed_max: string | null
  signature: Hex | null
  synced_at: Date
}

const COLUMNS = `id, config, balance::text, total_claimed::text, withdraw_requested_at,
  refund_nonce::text, charged::text, signed_max::text, signature, synced_at`
const OURS = 'network = $1 AND asset = $2 AND receiver = $3 AND authorizer = $4'
const LEASE = `now() + interval '90 seconds'`

export class ChannelStore {
  readonly #db: PluginTx
  readonly #place: ChannelPlace
  readonly #own: readonly string[]

  constructor(db: PluginTx, place: ChannelPlace) {
    this.#db = db
    this.#place = place
    const { network, asset, receiver, authorizer } = place
    this.#own = [network, asset, receiver, authorizer]
  }

  /** What is known of a channel; null when nothing is. */
  async byId(id: Hex): Promise<Channel | null> {
    const [row] = await this.#db.query<Row>(`SELECT ${COLUMNS} FROM x402_channel WHERE id = $1`, [
      id,
    ])
    return row ? channelOf(row) : null
  }

  /**
   * Writes down what the chain says of a channel, and returns it. One that is not known here begins
   * at the sum that was claimed: what else was charged cannot be proven any more.
   */
  async sync(id: Hex, config: ChannelConfig, state: ChainState): Promise<Channel> {
    const { balance, totalClaimed, withdrawRequestedAt, refundNonce } = state
    const [row] = await this.#db.query<Row>(
      `INSERT INTO x402_channel AS c (id, network, asset, receiver, authorizer, config, balance, total_claimed,
         withdraw_requested_at, refund_nonce, charged, synced_at)
       VALUES ($5, $1, $2, $3, $4, $6::text::jsonb, $7, $8, $9, $10, $8, now())
       ON CONFLICT (id) DO UPDATE SET
         balance = excluded.balance, total_claimed = excluded.total_claimed,
         withdraw_requested_at = excluded.withdraw_requested_at,
         refund_nonce = excluded.refund_nonce, charged = GREATEST(c.charged, excluded.charged),
         unclaimed_since =
           CASE WHEN c.charged > excluded.total_claimed THEN COALESCE(c.unclaimed_since, now()) END,
         synced_at = now()
       RETURNING ${COLUMNS}`,
      [
        ...this.#own,
        id,
        JSON.stringify(config),
        String(balance),
        String(totalClaimed),
        withdrawRequestedAt,
        String(refundNonce),
      ],
    )
    return channelOf(row!)
  }

  /** Channels with something to claim that were not looked at on the chain since then. */
  async toWatch(before: Date, limit: number): Promise<Channel[]> {
    return this.#rows(
      `SELECT ${COLUMNS} FROM x402_channel
       WHERE ${OURS} AND charged > total_claimed AND synced_at < $5
       ORDER BY synced_at LIMIT $6`,
      [...this.#own, before, limit],
    )
  }

  /**
   * Leases channels whose vouchers are due: more than `above` units, older than `since`, or about to
   * be withdrawn; with `isAll` whatever can be claimed. What a withdrawal has taken is never due.
   */
  async leaseDue(order: {
    above: bigint
    since: Date
    isAll: boolean
    limit: number
  }): Promise<Channel[]> {
    const { above, since, isAll, limit } = order
    return this.#rows(
      `UPDATE x402_channel SET lease_until = ${LEASE} WHERE id IN (
         SELECT id FROM x402_channel
         WHERE ${OURS} AND charged > total_claimed AND balance > total_claimed
           AND signature IS NOT NULL AND lease_until < now()
           AND ($7 OR charged - total_claimed >= $5::numeric OR unclaimed_since <= $6
             OR withdraw_requested_at > 0)
         ORDER BY unclaimed_since LIMIT $8 FOR UPDATE SKIP LOCKED)
       RETURNING ${COLUMNS}`,
      [...this.#own, String(above), since, isAll, limit],
    )
  }

  /** Ends leases: their channels may be due again at once. */
  async letGo(ids: readonly Hex[]): Promise<void> {
    await this.#db.query(`UPDATE x402_channel SET lease_until = now() WHERE id = ANY($1::text[])`, [
      ids,
    ])
  }

  async sums(): Promise<ChannelSums> {
    const { network, asset } = this.#place
    const [row] = await this.#db.query<Record<keyof ChannelSums, string>>(
      `SELECT count(*) FILTER (WHERE balance > charged OR charged > total_claimed) AS open,
         COALESCE(sum(LEAST(charged, balance) - total_claimed)
           FILTER (WHERE LEAST(charged, balance) > total_claimed), 0)::text AS unclaimed,
         COALESCE(sum(charged - balance) FILTER (WHERE charged > balance), 0)::text AS lost,
         count(*) FILTER (WHERE withdraw_requested_at > 0 AND charged > total_claimed) AS withdrawing,
         count(*) FILTER (WHERE charged > total_claimed AND (receiver <> $3 OR authorizer <> $4)) AS foreign
       FROM x402_channel WHERE network = $1 AND asset = $2`,
      [network, asset, this.#place.receiver, this.#place.authorizer],
    )
    const { open, unclaimed, lost, withdrawing, foreign } = row!
    return {
      open: Number(open),
      unclaimed: BigInt(unclaimed),
      lost: BigInt(lost),
      withdrawing: Number(withdrawing),
      foreign: Number(foreign),
    }
  }

  async #rows(text: string, parameters: readonly unknown[]): Promise<Channel[]> {
    return (await this.#db.query<Row>(text, parameters)).map(channelOf)
  }
}

function channelOf(row: Row): Channel {
  const { signed_max: ceiling, signature } = row
  return {
    id: row.id,
    config: row.config,
    balance: BigInt(row.balance),
    totalClaimed: BigInt(row.total_claimed),
    withdrawRequestedAt: Number(row.withdraw_requested_at),
    refundNonce: BigInt(row.refund_nonce),
    charged: BigInt(row.charged),
    voucher:
      ceiling === null || signature === null ? null : { ceiling: BigInt(ceiling), signature },
    syncedAt: row.synced_at,
  }
}
