/**
 * Refunds and disputes of top-ups in the plugin's own table. All of it runs in the transaction that moves
 * the credits.
 */
import type { PluginTx } from '#kernel'
import type { ProviderId, ReversalKind } from './providers/contract.ts'

/** One refund or dispute, as its provider names it. */
export interface ReversalName {
  provider: ProviderId
  kind: ReversalKind
  id: string
}

export interface KnownReversal {
  state: 'taken' | 'returned'
  takenAtomic: bigint
}

export interface StoredReversal extends ReversalName, KnownReversal {
  /** The top-up that it is of. */
  reference: string
  amountAtomic: bigint
  /** The dispute that a refund settles; null: none, or it is not known. */
  disputeId: string | null
}

/** Takes the lock under which reversals of one top-up follow each other. */
export async function lockIntent(tx: PluginTx, reference: string): Promise<void> {
  await tx.query('SELECT 1 FROM intent WHERE reference = $1 FOR UPDATE', [reference])
}

/** What was made of a refund or dispute; null where it was not heard of yet. */
export async function knownReversal(
  tx: PluginTx,
  { provider, kind, id }: ReversalName,
): Promise<KnownReversal | null> {
  const rows = await tx.query<KnownReversal>(
    `SELECT state, taken_atomic AS "takenAtomic" FROM reversal
     WHERE provider = $1 AND kind = $2 AND id = $3`,
    [provider, kind, id],
  )
  return rows[0] ?? null
}

/** What refunds and disputes of a top-up have claimed and not given back. */
export async function reversedAtomic(tx: PluginTx, reference: string): Promise<bigint> {
  const [row] = await tx.query<{ sum: bigint }>(
    `SELECT COALESCE(sum(amount_atomic), 0)::bigint AS sum FROM reversal
     WHERE reference = $1 AND state = 'taken'`,
    [reference],
  )
  return row!.sum
}

/** What refunds that settle this dispute have claimed and not given back. */
export async function refundedOfDisputeAtomic(
  tx: PluginTx,
  provider: ProviderId,
  disputeId: string,
): Promise<bigint> {
  const [row] = await tx.query<{ sum: bigint }>(
    `SELECT COALESCE(sum(amount_atomic), 0)::bigint AS sum FROM reversal
     WHERE provider = $1 AND dispute_id = $2 AND state = 'taken'`,
    [provider, disputeId],
  )
  return row!.sum
}

export async function addReversal(tx: PluginTx, reversal: StoredReversal): Promise<void> {
  const { provider, kind, id, reference, amountAtomic, takenAtomic, state, disputeId } = reversal
  await tx.query(
    `INSERT INTO reversal
       (provider, kind, id, reference, amount_atomic, taken_atomic, state, dispute_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [provider, kind, id, reference, amountAtomic, takenAtomic, state, disputeId],
  )
}

/** Marks what was taken as given back. */
export async function returnReversal(
  tx: PluginTx,
  { provider, kind, id }: ReversalName,
): Promise<void> {
  await tx.query(
    `UPDATE reversal SET state = 'returned' WHERE provider = $1 AND kind = $2 AND id = $3`,
    [provider, kind, id],
  )
}
