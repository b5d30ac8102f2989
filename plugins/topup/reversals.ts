/**
 * Refunds and disputes of top-ups in the plugin's own table. All of it runs in the transaction that moves
 * the credits.
 */
import { least, type PluginTx } from '#kernel'
import type { ProviderId, ReversalKind } from './providers/contract.ts'

/** One refund or dispute, as its provider names it. */
export interface ReversalName {
  provider: ProviderId
  kind: ReversalKind
  id: string
}

export interface KnownReversal {
  state: 'taken' | 'returned'
  /** What it claims of the top-up. */
  amountAtomic: bigint
  /** What it would claim if other reversals of the top-up had claimed nothing. */
  wantedAtomic: bigint
  takenAtomic: bigint
  /** The top-up that it is of. */
  reference: string
  /** It ended in the merchant's favour, and what it took could not be given back yet. */
  isOwed: boolean
}

/** What calls under way hold of an amount that is to be taken: it may come back from their holds. */
export interface Rest {
  atomic: bigint
  holds: readonly string[]
}

export interface StoredReversal extends ReversalName, Omit<KnownReversal, 'isOwed'> {
  rest: Rest
  /** The dispute that a refund settles; null: none, or it is not known. */
  disputeId: string | null
}

/** A reversal with its top-up. */
export type OwedReversal = ReversalName & { reference: string }

/** One whose credits are to be given back. */
export interface Unreturned extends OwedReversal {
  keyId: string
  takenAtomic: bigint
  /** When they were taken. */
  at: Date
  /** The round tries it again; if not, only an operator gives it back. */
  isRetried: boolean
}

/** Rows of the version before are never owed: it marked them as returned, given back or not. */
export const IS_OWED = `(state = 'taken' AND return_due_at IS NOT NULL)`
const RETRY = `interval '1 hour'`
const DUE_IF = (rest: string) => `CASE WHEN ${rest}::bigint > 0 THEN now() END`
/** It has ended in the merchant's favour: nothing more is taken. */
const NO_REST = `rest_atomic = 0, rest_holds = '{}', rest_due_at = NULL`

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
    `SELECT state, amount_atomic AS "amountAtomic", taken_atomic AS "takenAtomic", reference,
       COALESCE(wanted_atomic, amount_atomic) AS "wantedAtomic", ${IS_OWED} AS "isOwed" FROM reversal
     WHERE provider = $1 AND kind = $2 AND id = $3`,
    [provider, kind, id],
  )
  return rows[0] ?? null
}

/** What refunds and disputes of a top-up have claimed and not given back. */
export async function reversedAtomic(tx: PluginTx, reference: string): Promise<bigint> {
  const [row] = await tx.query<{ sum: bigint }>(
    `SELECT COALESCE(sum(amount_atomic), 0)::bigint AS sum FROM reversal
     WHERE reference = $1 AND state = 'taken' AND NOT ${IS_OWED}`,
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
     WHERE provider = $1 AND dispute_id = $2 AND state = 'taken' AND NOT ${IS_OWED}`,
    [provider, disputeId],
  )
  return row!.sum
}

export async function addReversal(tx: PluginTx, reversal: StoredReversal): Promise<void> {
  const { provider, kind, id, reference, amountAtomic, takenAtomic, state, disputeId } = reversal
  await tx.query(
    `INSERT INTO reversal
       (provider, kind, id, reference, amount_atomic, taken_atomic, state, dispute_id, wanted_atomic,
        held_atomic, rest_atomic, rest_holds, rest_due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11::uuid[], ${DUE_IF('$10')})`,
    [
      provider,
      kind,
      id,
      reference,
      amountAtomic,
      takenAtomic,
      state,
      disputeId,
      reversal.wantedAtomic,
      reversal.rest.atomic,
      [...reversal.rest.holds],
    ],
  )
}

/** A standing reversal that could not claim all of its money, because others had claimed it before. */
export type Displaced = ReversalName & { missingAtomic: bigint }

/** Those of a top-up, oldest first. */
export function displacedOf(tx: PluginTx, reference: string): Promise<Displaced[]> {
  return tx.query<Displaced>(
    `SELECT provider, kind, id, wanted_atomic - amount_atomic AS "missingAtomic" FROM reversal
     WHERE reference = $1 AND state = 'taken' AND NOT ${IS_OWED} AND wanted_atomic > amount_atomic
     ORDER BY at, kind, id`,
    [reference],
  )
}

/** Adds to what a reversal has claimed and taken. */
export async function claimMore(
  tx: PluginTx,
  { provider, kind, id }: ReversalName,
  { amountAtomic, takenAtomic, rest }: { amountAtomic: bigint; takenAtomic: bigint; rest: Rest },
): Promise<void> {
  await tx.query(
    `UPDATE reversal SET amount_atomic = amount_atomic + $4, taken_atomic = taken_atomic + $5,
       held_atomic = held_atomic + $6, rest_atomic = rest_atomic + $6,
       rest_holds = rest_holds || $7::uuid[], rest_due_at = ${DUE_IF('rest_atomic + $6')}
     WHERE provider = $1 AND kind = $2 AND id = $3`,
    [provider, kind, id, amountAtomic, takenAtomic, rest.atomic, [...rest.holds]],
  )
}

/** Lowers what a reversal wants that others keep from claiming so much. */
export async function wantLess(
  tx: PluginTx,
  { provider, kind, id }: ReversalName,
  wantedAtomic: bigint,
): Promise<void> {
  await tx.query(
    `UPDATE reversal SET wanted_atomic = $4 WHERE provider = $1 AND kind = $2 AND id = $3`,
    [provider, kind, id, wantedAtomic],
  )
}

/** Lowers what a reversal claims; what it had taken beyond that was given back. */
export async function claimLess(
  tx: PluginTx,
  { provider, kind, id }: ReversalName,
  amountAtomic: bigint,
): Promise<void> {
  const rest = 'LEAST(rest_atomic, $4 - LEAST(taken_atomic, $4))'
  await tx.query(
    `UPDATE reversal SET amount_atomic = $4, wanted_atomic = $4,
       taken_atomic = LEAST(taken_atomic, $4), rest_atomic = ${rest},
       held_atomic = held_atomic - rest_atomic + ${rest},
       rest_due_at = CASE WHEN ${rest} > 0 THEN rest_due_at END
     WHERE provider = $1 AND kind = $2 AND id = $3`,
    [provider, kind, id, amountAtomic],
  )
}

/** What of these holds other reversals wait for. */
export async function awaitedOf(tx: PluginTx, holds: readonly string[]): Promise<bigint> {
  const [row] = await tx.query<{ sum: bigint }>(
    `SELECT COALESCE(sum(rest_atomic), 0)::bigint AS sum FROM reversal
     WHERE rest_due_at IS NOT NULL AND rest_holds && $1::uuid[]`,
    [[...holds]],
  )
  return row!.sum
}

/** What a reversal waits for, beside what it has taken; null: for nothing. */
export async function restOf(
  tx: PluginTx,
  { provider, kind, id }: ReversalName,
): Promise<(Rest & { takenAtomic: bigint }) | null> {
  const rows = await tx.query<Rest & { takenAtomic: bigint }>(
    `SELECT rest_atomic AS atomic, rest_holds AS holds, taken_atomic AS "takenAtomic" FROM reversal
     WHERE provider = $1 AND kind = $2 AND id = $3 AND rest_due_at IS NOT NULL`,
    [provider, kind, id],
  )
  return rows[0] ?? null
}

/** What an ended hold gave back to its account. */
export interface EndedHold {
  id: string
  backAtomic: bigint
}

/**
 * What reversals have not taken yet of what these holds gave back. Locks them until `tx` ends, so that
 * of several reversals that waited for one hold none takes what another has.
 */
export async function untakenOf(
  tx: PluginTx,
  ended: readonly EndedHold[],
): Promise<readonly EndedHold[]> {
  const ids = ended.map(({ id }) => id).sort()
  if (ids.length === 0) return []
  await tx.query(
    'INSERT INTO ended_hold (id) SELECT unnest($1::uuid[]) ORDER BY 1 ON CONFLICT DO NOTHING',
    [ids],
  )
  const rows = await tx.query<{ id: string; takenAtomic: bigint }>(
    `SELECT id::text, taken_atomic AS "takenAtomic" FROM ended_hold
     WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
    [ids],
  )
  const takenOf = new Map(rows.map(({ id, takenAtomic }) => [id, takenAtomic]))
  return ended.map(({ id, backAtomic }) => ({ id, backAtomic: backAtomic - takenOf.get(id)! }))
}

/** Records what was taken of what `untaken` holds gave back, from the first one on. */
export async function takeOfEnded(
  tx: PluginTx,
  untaken: readonly EndedHold[],
  takenAtomic: bigint,
): Promise<void> {
  let leftAtomic = takenAtomic
  for (const { id, backAtomic } of untaken) {
    const atomic = least(backAtomic, leftAtomic)
    leftAtomic -= atomic
    if (atomic === 0n) continue
    await tx.query('UPDATE ended_hold SET taken_atomic = taken_atomic + $2 WHERE id = $1', [
      id,
      atomic,
    ])
  }
}

/**
 * Records what was taken of the rest and what is still waited for; what was on hold, in all, and what of
 * that is owed where nothing is waited for.
 */
export async function takeOfRest(
  tx: PluginTx,
  { provider, kind, id }: ReversalName,
  { takenAtomic, rest }: { takenAtomic: bigint; rest: Rest },
): Promise<{ heldAtomic: bigint; heldTakenAtomic: bigint; owedAtomic: bigint }> {
  const [row] = await tx.query<{
    heldAtomic: bigint
    heldTakenAtomic: bigint
    owedAtomic: bigint
  }>(
    `UPDATE reversal SET taken_atomic = taken_atomic + $4, held_taken_atomic = held_taken_atomic + $4,
       rest_atomic = $5, rest_holds = $6::uuid[], rest_due_at = CASE WHEN $5 > 0 THEN rest_due_at END
     WHERE provider = $1 AND kind = $2 AND id = $3
     RETURNING held_atomic AS "heldAtomic", held_taken_atomic AS "heldTakenAtomic",
       LEAST(held_atomic - held_taken_atomic, amount_atomic - taken_atomic) AS "owedAtomic"`,
    [provider, kind, id, takenAtomic, rest.atomic, [...rest.holds]],
  )
  return row!
}

/** Rests that are due, claimed for one look: each second at first, less often the longer they wait. */
export function claimRests(db: PluginTx, limit: number): Promise<OwedReversal[]> {
  return db.query<OwedReversal>(
    `UPDATE reversal SET rest_due_at = now()
       + LEAST(interval '1 minute', GREATEST(interval '1 second', (now() - at) / 16))
     WHERE (provider, kind, id) IN (
       SELECT provider, kind, id FROM reversal WHERE rest_due_at <= now()
       ORDER BY rest_due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING provider, kind, id, reference`,
    [limit],
  )
}

export async function isAnyRestWaiting(db: PluginTx): Promise<boolean> {
  const rows = await db.query('SELECT FROM reversal WHERE rest_due_at IS NOT NULL LIMIT 1')
  return rows.length > 0
}

/** Marks what was taken as given back. */
export async function returnReversal(
  tx: PluginTx,
  { provider, kind, id }: ReversalName,
): Promise<void> {
  await tx.query(
    `UPDATE reversal SET state = 'returned', return_due_at = NULL, ${NO_REST}
     WHERE provider = $1 AND kind = $2 AND id = $3`,
    [provider, kind, id],
  )
}

/** Marks what was taken as owed: giving it back is tried again in an hour. */
export async function oweReversal(
  tx: PluginTx,
  { provider, kind, id }: ReversalName,
): Promise<void> {
  await tx.query(
    `UPDATE reversal SET return_due_at = now() + ${RETRY}, ${NO_REST}
     WHERE provider = $1 AND kind = $2 AND id = $3`,
    [provider, kind, id],
  )
}

/** What is owed and due, claimed for one attempt. */
export function claimOwed(db: PluginTx, limit: number): Promise<OwedReversal[]> {
  return db.query<OwedReversal>(
    `UPDATE reversal SET return_due_at = now() + ${RETRY} WHERE (provider, kind, id) IN (
       SELECT provider, kind, id FROM reversal WHERE ${IS_OWED} AND return_due_at < now()
       ORDER BY return_due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING provider, kind, id, reference`,
    [limit],
  )
}

/** Those that took something and ended in the merchant's favour, oldest first. */
export function endedReversals(db: PluginTx): Promise<Unreturned[]> {
  return db.query<Unreturned>(
    `SELECT r.provider, r.kind, r.id, r.reference, i.key_id AS "keyId",
       r.taken_atomic AS "takenAtomic", r.at, ${IS_OWED} AS "isRetried"
     FROM reversal r JOIN intent i USING (reference)
     WHERE r.taken_atomic > 0 AND (r.state = 'returned' OR ${IS_OWED}) ORDER BY r.at`,
  )
}
