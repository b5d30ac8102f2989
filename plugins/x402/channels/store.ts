/**
 * The table of channels. `charged` is what calls have bought of a channel; it moves with the claim of
 * a call, in the statement that settles that claim (a trigger, see migrations.ts). What the chain says
 * of the channel is a copy, with the time when it was read.
 */
import type { Hex } from 'viem'
import type { PluginTx } from '#kernel'
import type { ChannelConfig } from '../payment/channel.ts'
import { CHANNEL_NONCE } from '../payment/nonces.ts'

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
  /** Made since the last charge. */
  refunds: number
  /** Whether a refund was sent that is not known to be mined. */
  isRefunding: boolean
  /** How long ago it was read from the chain, by the database's clock. */
  syncedAgoMs: number
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
  refunds: number
  is_refunding: boolean
  synced_ago_ms: number
}

const COLUMNS = `id, config, balance::text, total_claimed::text, withdraw_requested_at,
  refund_nonce::text, charged::text, signed_max::text, signature, refunds,
  (extract(epoch FROM now() - synced_at) * 1000)::float8 AS synced_ago_ms, EXISTS (
    SELECT 1 FROM x402_outgoing o WHERE o.chain = c.network AND lower(o.account) = c.authorizer
      AND o.nonce = 'refund:' || c.id || ':' || c.refund_nonce) AS is_refunding`
const OURS = 'network = $1 AND asset = $2 AND receiver = $3 AND authorizer = $4'
const LEASE = `now() + interval '90 seconds'`
/** A reorganisation that undoes an older block is none that networks of today have. */
const UNDOABLE = `interval '15 minutes'`
/** A channel that is not used for so long is read from the chain when it is used again. */
const FORGOTTEN = `interval '1 day'`
/** Nodes behind one address are at different blocks, but not for longer than this. */
export const BEHIND_MS = 120_000

/** The moment so many milliseconds ago. */
const ago = (ms: string): string => `now() - ${ms}::float8 * interval '1 millisecond'`

/** What names the transaction of a channel's next refund; `isRefunding` looks for it. */
export function refundNonce(id: Hex, state: Pick<ChainState, 'refundNonce'>): string {
  return `${refundPrefix(id)}${state.refundNonce}`
}

const refundPrefix = (id: Hex): string => `refund:${id}:`

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
    const [found] = await this.#rows(`SELECT ${COLUMNS} FROM x402_channel c WHERE id = $1`, [id])
    return found ?? null
  }

  /**
   * Writes down what the chain says of a channel, and returns it. One that is not known here begins
   * at the sum that was claimed: what else was charged cannot be proven any more. What is left after a
   * claim counts as charged now: a channel in use would else be claimed again and again. A node that
   * does not show the last refund yet changes nothing: what was given back would be left again.
   */
  async sync(id: Hex, config: ChannelConfig, state: ChainState): Promise<Channel> {
    const { balance, totalClaimed, withdrawRequestedAt, refundNonce } = state
    const [channel] = await this.#rows(
      `INSERT INTO x402_channel AS c (id, network, asset, receiver, authorizer, config, balance, total_claimed,
         withdraw_requested_at, refund_nonce, charged, synced_at)
       VALUES ($5, $1, $2, $3, $4, $6::text::jsonb, $7, $8, $9, $10, $8, now())
       ON CONFLICT (id) DO UPDATE SET
         balance = excluded.balance, total_claimed = excluded.total_claimed,
         withdraw_requested_at = excluded.withdraw_requested_at,
         refund_nonce = excluded.refund_nonce, charged = GREATEST(c.charged, excluded.charged),
         unclaimed_since =
           CASE WHEN c.charged <= excluded.total_claimed THEN NULL
             WHEN excluded.total_claimed > c.total_claimed THEN now()
             ELSE COALESCE(c.unclaimed_since, now()) END,
         synced_at = now()
       WHERE excluded.refund_nonce >= c.refund_nonce OR c.synced_at < now() - make_interval(secs => $11)
       RETURNING ${COLUMNS}`,
      [
        ...this.#own,
        id,
        JSON.stringify(config),
        String(balance),
        String(totalClaimed),
        withdrawRequestedAt,
        String(refundNonce),
        BEHIND_MS / 1000,
      ],
    )
    return channel ?? (await this.byId(id))!
  }

  /** A claim of all up to this sum was mined: ends its lease as well. */
  async claimed(id: Hex, totalClaimed: bigint): Promise<void> {
    // One statement for each: calls lock channels in an order of their own.
    await this.#db.query(
      `UPDATE x402_channel SET total_claimed = GREATEST(total_claimed, $2::numeric), claimed_at = now(),
         unclaimed_since = CASE WHEN charged > GREATEST(total_claimed, $2::numeric) THEN now() END,
         lease_until = now()
       WHERE id = $1`,
      [id, String(totalClaimed)],
    )
  }

  /**
   * A refund of so much of the channel as it was `before` was mined, with a claim of all that was
   * charged; the channel after it. It is not read from the chain: a node that lags behind would show
   * what was given back as left. Where another instance has read it since, it is not taken off twice.
   */
  async refunded(
    before: Pick<Channel, 'id' | 'refundNonce'>,
    amount: bigint,
    totalClaimed: bigint,
  ): Promise<Channel> {
    const [channel] = await this.#rows(
      `UPDATE x402_channel c SET
         balance = balance - CASE WHEN refund_nonce = $4::numeric THEN $2::numeric ELSE 0 END,
         refund_nonce = GREATEST(refund_nonce, $4::numeric + 1),
         total_claimed = GREATEST(total_claimed, $3::numeric), claimed_at = now(),
         unclaimed_since = CASE WHEN charged > GREATEST(total_claimed, $3::numeric) THEN now() END,
         refunds = refunds + 1, synced_at = now()
       WHERE id = $1 RETURNING ${COLUMNS}`,
      [before.id, String(amount), String(totalClaimed), String(before.refundNonce)],
    )
    return channel!
  }

  /**
   * The number of the refund that was reserved since the channel's last charge, and is not known to be
   * over; null without one. It may be mined by now.
   */
  async reservedRefund({ id, config }: Pick<Channel, 'id' | 'config'>): Promise<bigint | null> {
    const { network, asset, authorizer } = this.#place
    const prefix = refundPrefix(id)
    const [row] = await this.#db.query<{ nonce: string }>(
      `SELECT o.nonce FROM x402_outgoing o
       WHERE o.chain = $1 AND o.asset = $2 AND lower(o.account) = $3 AND starts_with(o.nonce, $4)
         AND NOT EXISTS (
           SELECT 1 FROM x402_claim c
           WHERE c.network = $1 AND c.asset = $2 AND c.payer = $5 AND starts_with(c.nonce, $6)
             AND c.settled_at > o.created_at)
       ORDER BY o.created_at DESC LIMIT 1`,
      [network, asset, authorizer, prefix, config.payerAuthorizer, `${CHANNEL_NONCE}${id}:`],
    )
    return row ? BigInt(row.nonce.slice(prefix.length)) : null
  }

  /**
   * Channels that were not looked at on the chain for `afterMs`: those with something to claim, because a
   * payer may withdraw, and those that were just claimed, because that block may be undone. What a
   * payer has taken is looked for in the first day. By the database's clock: a gateway whose own is
   * behind would see a withdrawal when it is over.
   */
  async toWatch(afterMs: number, limit: number): Promise<Channel[]> {
    return this.#rows(
      `SELECT ${COLUMNS} FROM x402_channel c
       WHERE ${OURS} AND synced_at < ${ago('$5')} AND (claimed_at > now() - ${UNDOABLE} OR charged > total_claimed
         AND (balance > total_claimed OR unclaimed_since > now() - ${FORGOTTEN}))
       ORDER BY synced_at LIMIT $6`,
      [...this.#own, afterMs, limit],
    )
  }

  /** Forgets channels of which all is claimed and that are not used; how many. */
  async purge(limit: number): Promise<number> {
    const gone = await this.#db.query(
      `DELETE FROM x402_channel WHERE id IN (
         SELECT id FROM x402_channel c
         WHERE ${OURS} AND charged <= total_claimed AND synced_at < now() - ${FORGOTTEN} AND NOT EXISTS (
           SELECT 1 FROM x402_claim WHERE state IN ('claimed', 'settling')
             AND starts_with(nonce, 'channel:' || c.id || ':'))
         LIMIT $5 FOR UPDATE SKIP LOCKED)
       RETURNING 1`,
      [...this.#own, limit],
    )
    return gone.length
  }

  /**
   * Leases channels whose vouchers are due: more than `above` units, as old as `afterMs`, or about to
   * be withdrawn; with `isAll` whatever can be claimed. What a withdrawal has taken is never due.
   */
  async leaseDue(order: {
    above: bigint
    afterMs: number
    isAll: boolean
    limit: number
  }): Promise<Channel[]> {
    const { above, afterMs, isAll, limit } = order
    return this.#rows(
      `UPDATE x402_channel c SET lease_until = ${LEASE} WHERE id IN (
         SELECT id FROM x402_channel
         WHERE ${OURS} AND charged > total_claimed AND balance > total_claimed
           AND signature IS NOT NULL AND lease_until < now()
           AND ($7 OR charged - total_claimed >= $5::numeric OR unclaimed_since <= ${ago('$6')}
             OR withdraw_requested_at > 0)
         ORDER BY unclaimed_since LIMIT $8 FOR UPDATE SKIP LOCKED)
       RETURNING ${COLUMNS}`,
      [...this.#own, String(above), afterMs, isAll, limit],
    )
  }

  /** Ends leases: their channels may be due again at once. */
  async letGo(ids: readonly Hex[]): Promise<void> {
    await this.#db.query(
      `UPDATE x402_channel SET lease_until = now() WHERE id IN (
         SELECT id FROM x402_channel WHERE id = ANY($1::text[]) FOR UPDATE SKIP LOCKED)`,
      [ids],
    )
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
    refunds: row.refunds,
    isRefunding: row.is_refunding,
    syncedAgoMs: row.synced_ago_ms,
  }
}
