/**
 * Gives back what a refund or dispute took once it ended in the merchant's favour, once for each,
 * whoever asks for it: the callback, the background round, or an operator by name. All of them credit
 * under one reference of the ledger. A credit that is refused leaves the reversal owed: the round tries
 * it again, and an operator sees it.
 */
import { atomicToCredits, type Funds, type PluginTx } from '#kernel'
import type { CreditingDeps } from './crediting.ts'
import type { ReversalKind } from './providers/contract.ts'
import {
  claimLess,
  claimMore,
  displacedOf,
  endedReversals,
  knownReversal,
  lockIntent,
  oweReversal,
  returnReversal,
  reversedAtomic,
  type KnownReversal,
  type OwedReversal,
  type ReversalName,
  type Unreturned,
} from './reversals.ts'
import type { Flag } from './store.ts'
import { sourceOf, stillOwed, takeOf, type Owner } from './taking.ts'

/** 'owed': it is tried again. */
export type GivenBack =
  | { outcome: 'returned' | 'owed'; flag: Flag }
  /** It was given back before. */
  | { outcome: 'already' }

const KEPT = { refund: 'refund_failed', dispute: 'dispute_won' } as const

/** Gives back what a known reversal took, in the transaction that holds the lock of its top-up. */
export async function giveBack(
  { store, funds }: Pick<CreditingDeps, 'store' | 'funds'>,
  tx: PluginTx,
  owner: Owner,
  name: ReversalName,
  known: KnownReversal,
): Promise<GivenBack> {
  if (known.state === 'returned') return { outcome: 'already' }
  const credited =
    known.takenAtomic > 0n ? await creditBack(funds, tx, owner, name, known) : { ok: true as const }
  const isLate = known.isOwed
  const { kind } = name
  if (credited.ok) await returnReversal(tx, name)
  else await oweReversal(tx, name)
  const flag = credited.ok
    ? flagOf(owner, name, isLate ? `${kind}_returned` : KEPT[kind], gave(owner, known))
    : flagOf(
        owner,
        name,
        `${kind}_not_returned`,
        `${atomicToCredits(known.takenAtomic)} credits could not be given back to key ${owner.keyId} (${credited.reason}), and are tried again`,
      )
  await store.flag(flag, tx)
  if (credited.ok) await takeDisplaced({ store, funds }, tx, owner, name)
  return { outcome: credited.ok ? 'returned' : 'owed', flag }
}

/**
 * Lowers the claim of a reversal that is about less by now: a merchant accepts a part of a dispute. What
 * it took beyond that goes back.
 */
export async function giveBackPart(
  { store, funds }: Pick<CreditingDeps, 'store' | 'funds'>,
  tx: PluginTx,
  owner: Owner,
  name: ReversalName,
  known: KnownReversal,
  amountAtomic: bigint,
): Promise<GivenBack> {
  const { kind } = name
  const left = { ...known, takenAtomic: positive(known.takenAtomic - amountAtomic) }
  const after = `:${amountAtomic}`
  if (left.takenAtomic > 0n && !(await creditBack(funds, tx, owner, name, left, after)).ok) {
    const detail = `${atomicToCredits(left.takenAtomic)} credits could not be given back to key ${owner.keyId}, and are not tried again`
    const flag = flagOf(owner, name, `${kind}_part_not_returned`, detail)
    await store.flag(flag, tx)
    return { outcome: 'already' }
  }
  await claimLess(tx, name, amountAtomic)
  const owed = positive(amountAtomic - known.takenAtomic)
  const detail = `is of ${atomicToCredits(amountAtomic)} credits by now: ${gave(owner, left)}, ${atomicToCredits(owed)} were not taken`
  const flag = flagOf(owner, name, `${kind}_reduced`, detail)
  await store.flag(flag, tx)
  await takeDisplaced({ store, funds }, tx, owner, name)
  return { outcome: 'returned', flag }
}

/**
 * What `ended` has given back may be claimed by another: a merchant refunds a charge while its dispute
 * holds the whole amount, and wins the dispute by that. The money is gone once, and so are the credits.
 */
async function takeDisplaced(
  { store, funds }: Pick<CreditingDeps, 'store' | 'funds'>,
  tx: PluginTx,
  owner: Owner,
  ended: ReversalName,
): Promise<void> {
  for (const { missingAtomic, ...name } of await displacedOf(tx, owner.reference)) {
    const left = owner.amountAtomic - (await reversedAtomic(tx, owner.reference))
    const amountAtomic = missingAtomic < left ? missingAtomic : left
    if (amountAtomic <= 0n) return
    // A dispute that shrinks ends in several steps, and each take has a name of its own.
    const after = `:after:${ended.kind}:${ended.id}:${missingAtomic}`
    const { takenAtomic, rest } = await takeOf(funds, tx, owner, name, amountAtomic, after)
    await claimMore(tx, name, { amountAtomic, takenAtomic, rest })
    const owedAtomic = amountAtomic - takenAtomic - rest.atomic
    const detail = `took back ${atomicToCredits(takenAtomic)} credits of key ${owner.keyId} that ${ended.kind} ${ended.id} had taken, ${stillOwed(owedAtomic, rest)}`
    await store.flag(
      { ...flagOf(owner, name, `${name.kind}_after_${ended.kind}`, detail), owedAtomic },
      tx,
    )
  }
}

/** One more attempt at what is owed; nothing happens where it was given back meanwhile. */
export async function retryReturn(deps: CreditingDeps, name: OwedReversal): Promise<void> {
  const intent = await deps.store.intent(name.provider, name.reference)
  if (!intent) return
  await deps.db.transaction(async (tx) => {
    await lockIntent(tx, name.reference)
    const known = await knownReversal(tx, name)
    if (known?.isOwed) await giveBack(deps, tx, intent, name, known)
  })
}

/** What became of an operator's wish. */
export type ReturnedByName =
  | { outcome: 'returned' | 'already'; keyId: string; amountAtomic: bigint }
  | { outcome: 'unknown' }
  /** The provider has not said that it ended in the merchant's favour. */
  | { outcome: 'not_over' }
  | { outcome: 'refused'; reason: string }

/**
 * Gives back what one reversal took that ended in the merchant's favour. The ledger's reference is that
 * of every other way, so a second wish, and one beside the round, credits nothing. What an operator
 * gave back by other means is not known here.
 */
export async function returnByName(
  deps: CreditingDeps,
  name: ReversalName,
): Promise<ReturnedByName> {
  const { db, store, funds } = deps
  const reversal = await knownReversal(db, name)
  const intent = reversal && (await store.intent(name.provider, reversal.reference))
  if (!intent) return { outcome: 'unknown' }
  return db.transaction(async (tx): Promise<ReturnedByName> => {
    await lockIntent(tx, intent.reference)
    const known = (await knownReversal(tx, name))!
    const { takenAtomic: amountAtomic } = known
    if (known.state === 'taken' && !known.isOwed) return { outcome: 'not_over' }
    const { keyId } = intent
    if (amountAtomic === 0n) return { outcome: 'already', keyId, amountAtomic }
    const credited = await creditBack(funds, tx, intent, name, known)
    if (!credited.ok) return { outcome: 'refused', reason: credited.reason }
    await returnReversal(tx, name)
    if (credited.duplicate) return { outcome: 'already', keyId, amountAtomic }
    await store.flag(flagOf(intent, name, `${name.kind}_returned`, gave(intent, known)), tx)
    await takeDisplaced({ store, funds }, tx, intent, name)
    return { outcome: 'returned', keyId, amountAtomic }
  })
}

/**
 * The reversals that ended in the merchant's favour and whose credits the ledger does not show as given
 * back, oldest first.
 */
export async function unreturned({
  db,
  funds,
}: Pick<CreditingDeps, 'db' | 'funds'>): Promise<Unreturned[]> {
  const ended = await endedReversals(db)
  const given = new Set<string>()
  for (const provider of new Set(ended.map((one) => one.provider))) {
    const references = ended.filter((one) => one.provider === provider).map(ledgerReference)
    for (const one of await funds.credited(sourceOf(provider), references)) given.add(one)
  }
  return ended.filter((one) => !given.has(ledgerReference(one)))
}

async function creditBack(
  funds: Funds,
  tx: PluginTx,
  { provider, reference, keyId }: Owner,
  name: ReversalName,
  { takenAtomic }: KnownReversal,
  after = '',
): ReturnType<Funds['credit']> {
  const order = {
    keyId,
    amountAtomic: takenAtomic,
    source: sourceOf(provider),
    reference: ledgerReference(name) + after,
    note: `${name.kind} ${name.id} of ${reference} ended in the merchant's favour`,
    isReturn: true,
  }
  return funds.credit(order, tx)
}

const positive = (atomic: bigint): bigint => (atomic > 0n ? atomic : 0n)

const ledgerReference = ({ provider, kind, id }: ReversalName): string =>
  `${provider}:${kind}:${id}:returned`

function gave({ keyId }: Owner, { takenAtomic }: KnownReversal): string {
  return `gave ${atomicToCredits(takenAtomic)} credits back to key ${keyId}`
}

function flagOf(
  { provider, reference }: Owner,
  { kind, id }: { kind: ReversalKind; id: string },
  reason: string,
  detail: string,
): Flag {
  const eventId = `${kind}:${id}`
  return {
    provider,
    reference,
    reason,
    detail: `${kind} ${id}: ${detail}`,
    eventId,
    owedAtomic: 0n,
  }
}
