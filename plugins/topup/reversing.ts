/**
 * Refunds and disputes of paid checkouts: takes back what is left of the credits, once for each, and
 * gives it back when the merchant keeps the money after all. A callback alone is never believed: the
 * provider itself is asked, and only a charge that credited a top-up here counts.
 */
import { atomicToCredits, type PluginTx } from '#kernel'
import { settle, type CreditingDeps } from './crediting.ts'
import { ATOMIC_PER_CENT } from './order.ts'
import type { Provider, Reversal, ReversalNotice } from './providers/contract.ts'
import {
  addReversal,
  knownReversal,
  lockIntent,
  refundedOfDisputeAtomic,
  reversedAtomic,
  wantLess,
} from './reversals.ts'
import { giveBack, giveBackPart, type GivenBack } from './returning.ts'
import { NO_REST, stillOwed, takeOf } from './taking.ts'
import type { Flag, Intent } from './store.ts'

export type Reversed =
  /** 'owed': what is to be given back could not be, and is tried again. */
  | { outcome: 'taken' | 'returned' | 'owed' | 'already' | 'pending' }
  /** Nothing was taken or given back; an operator sees why. */
  | { outcome: 'flagged'; reason: string }
  /** The provider cannot be asked now: try again later. */
  | { outcome: 'unreachable' }

const DID: ReadonlySet<Reversed['outcome']> = new Set(['taken', 'returned', 'owed'])
const TAKEN = { refund: 'refunded', dispute: 'disputed' } as const

/** Asks the provider about a refund or dispute and does what follows from it. */
export async function reverse(
  deps: CreditingDeps,
  provider: Provider,
  notice: ReversalNotice,
): Promise<Reversed> {
  const intent = await creditedIntent(deps, provider, notice)
  if ('outcome' in intent) return intent
  const { reference, chargeId } = intent
  const found = await provider.lookUpReversals(notice, { reference, chargeId })
  if (!found.ok) {
    deps.log.warn(
      { provider: provider.id, reference, reason: found.message },
      `a ${notice.kind} cannot be verified yet`,
    )
    return { outcome: 'unreachable' }
  }
  let last: Reversed | null = null
  for (const reversal of found.reversals) {
    const done = await apply(deps, intent, reversal)
    // Of several refunds of one charge the one that did something is what the callback was about.
    if (last === null || DID.has(done.outcome)) last = done
  }
  if (last !== null) return last
  const detail = `the provider does not tell of it`
  return flagged(deps, flagOf(provider, notice, reference, 'not_confirmed', detail))
}

/** The top-up with its charge once it was credited; one that was not has nothing to take back. */
async function creditedIntent(
  deps: CreditingDeps,
  provider: Provider,
  notice: ReversalNotice,
): Promise<(Intent & { chargeId: string }) | Reversed> {
  const { store } = deps
  const found = await intentOf(deps, provider, notice)
  if (!found.ok) return { outcome: 'unreachable' }
  const { intent } = found
  if (!intent) {
    const detail = 'no top-up with this reference or charge was started here'
    return flagged(deps, flagOf(provider, notice, notice.reference, 'unknown_reference', detail))
  }
  if (intent.creditedAt === null) {
    // A part of it may have been refunded before its own callback came.
    const settled = await settle(deps, provider, intent.reference, 'asked')
    if (settled.outcome === 'unreachable') return settled
  }
  const now = await store.intentOfCharge(provider.id, { ...notice, reference: intent.reference })
  if (now?.creditedAt && now.chargeId !== null) return { ...now, chargeId: now.chargeId }
  const detail = 'this top-up was never credited, so nothing is taken back'
  return flagged(deps, flagOf(provider, notice, intent.reference, 'not_credited', detail))
}

/**
 * The top-up that a callback is about. A charge becomes known here when it is credited: of one that was
 * not, and whose callback names no reference, the provider is asked what it paid for.
 */
async function intentOf(
  { store, log }: CreditingDeps,
  provider: Provider,
  { kind, reference, chargeId }: ReversalNotice,
): Promise<{ ok: true; intent: Intent | null } | { ok: false }> {
  const intent = await store.intentOfCharge(provider.id, { reference, chargeId })
  if (intent || reference !== null || chargeId === null || !provider.referenceOf) {
    return { ok: true, intent }
  }
  const told = await provider.referenceOf(chargeId)
  if (!told.ok) {
    log.warn(
      { provider: provider.id, chargeId, reason: told.message },
      `the charge of a ${kind} cannot be looked up yet`,
    )
    return { ok: false }
  }
  return {
    ok: true,
    intent: await store.intentOfCharge(provider.id, { reference: told.reference, chargeId: null }),
  }
}

async function apply(deps: CreditingDeps, intent: Intent, reversal: Reversal): Promise<Reversed> {
  if (reversal.state === 'pending') return { outcome: 'pending' }
  const wrong = disagreement(deps, intent, reversal)
  if (wrong) {
    const { provider, reference } = intent
    const { reason, detail } = wrong
    return flagged(deps, { provider, reference, reason, detail, eventId: eventId(reversal) })
  }
  const done = await deps.db.transaction(async (tx): Promise<Taken | GivenBack> => {
    await lockIntent(tx, intent.reference)
    return reversal.state === 'gone'
      ? takeBack(deps, tx, intent, reversal)
      : keep(deps, tx, intent, reversal)
  })
  const { provider, reference, keyId } = intent
  if ('flag' in done && done.flag) {
    const { reason, detail } = done.flag
    deps.log.warn({ provider, reference, keyId, reason, detail }, 'top-up reversed')
  }
  deps.lookAtRests()
  return { outcome: done.outcome }
}

type Taken =
  | { outcome: 'taken'; flag: Flag }
  /** With a flag, what an operator should look at though nothing was taken. */
  | { outcome: 'already'; flag?: Flag }

async function takeBack(
  { store, funds }: CreditingDeps,
  tx: PluginTx,
  intent: Intent,
  reversal: Reversal,
): Promise<Taken | GivenBack> {
  const { provider, reference, keyId } = intent
  const { kind, id, disputeId } = reversal
  const known = await knownReversal(tx, { provider, kind, id })
  if (known?.state === 'returned' || known?.isOwed) return openedAgain(store, tx, intent, reversal)
  // Where the callback of a refund that settles the dispute came first, it has taken its part.
  const refunded = kind === 'dispute' ? await refundedOfDisputeAtomic(tx, provider, id) : 0n
  const beyond = reversal.amountMinor * ATOMIC_PER_CENT - refunded
  const asked = beyond > 0n ? beyond : 0n
  if (known) {
    if (asked >= known.wantedAtomic) return { outcome: 'already' }
    const name = { provider, kind, id }
    if (asked < known.amountAtomic)
      return giveBackPart({ store, funds }, tx, intent, name, known, asked)
    await wantLess(tx, name, asked)
    return { outcome: 'already' }
  }
  // The refund that settles a dispute is the money that the dispute has taken.
  const settled =
    disputeId === null
      ? null
      : await knownReversal(tx, { provider, kind: 'dispute', id: disputeId })
  if (settled) return { outcome: 'already' }
  if (asked === 0n) return { outcome: 'already' }
  const left = intent.amountAtomic - (await reversedAtomic(tx, reference))
  const amountAtomic = asked < left ? asked : left
  const { takenAtomic, rest } = await takeOf(
    funds,
    tx,
    intent,
    { provider, kind, id },
    amountAtomic,
  )
  const state = 'taken' as const
  const wantedAtomic = asked < intent.amountAtomic ? asked : intent.amountAtomic
  const sums = { amountAtomic, takenAtomic, wantedAtomic }
  await addReversal(tx, { provider, kind, id, reference, ...sums, rest, state, disputeId })
  const owedAtomic = amountAtomic - takenAtomic - rest.atomic
  const flag: Flag = {
    provider,
    reference,
    reason: TAKEN[kind],
    detail: `${kind} ${id} of ${usd(reversal.amountMinor)}: took back ${atomicToCredits(takenAtomic)} credits of key ${keyId}, ${stillOwed(owedAtomic, rest)}`,
    eventId: eventId(reversal),
    owedAtomic,
  }
  await store.flag(flag, tx)
  return { outcome: 'taken', flag }
}

/**
 * It had ended in the merchant's favour, and the provider says now that the money is gone: a bank may
 * dispute once more under the same id. An operator settles that, since a look-up that was slower than
 * the one by which it ended says the same.
 */
async function openedAgain(
  store: CreditingDeps['store'],
  tx: PluginTx,
  { provider, reference, keyId }: Intent,
  reversal: Reversal,
): Promise<Taken> {
  const { kind, id, amountMinor } = reversal
  const flag: Flag = {
    provider,
    reference,
    reason: `${kind}_opened_again`,
    detail: `${kind} ${id} of ${usd(amountMinor)} had ended in the merchant's favour and stands again: nothing was taken from key ${keyId}`,
    eventId: eventId(reversal),
  }
  return (await store.flag(flag, tx)) ? { outcome: 'already', flag } : { outcome: 'already' }
}

/** What was taken goes back; of one that nothing was heard of yet, nothing is taken any more. */
async function keep(
  deps: CreditingDeps,
  tx: PluginTx,
  intent: Intent,
  { kind, id, disputeId }: Reversal,
): Promise<GivenBack> {
  const { provider, reference } = intent
  const name = { provider, kind, id }
  const known = await knownReversal(tx, name)
  if (known !== null) return giveBack(deps, tx, intent, name, known)
  // An older callback about it may still be on its way: it must not take anything any more.
  const sums = { amountAtomic: 0n, takenAtomic: 0n, wantedAtomic: 0n }
  const nothing = { ...sums, rest: NO_REST, state: 'returned' as const }
  await addReversal(tx, { ...name, reference, ...nothing, disputeId })
  return { outcome: 'already' }
}

function disagreement(
  { sandbox }: CreditingDeps,
  intent: Intent,
  { kind, state, currency, amountMinor, mode }: Reversal,
): { reason: string; detail: string } | null {
  if (currency !== null && currency !== intent.currency)
    return { reason: `${kind}_wrong_currency`, detail: `${currency} instead of ${intent.currency}` }
  // What is given back is what was taken, whatever a dispute is of that the merchant won.
  if (state === 'gone' && (amountMinor <= 0n || amountMinor > intent.amountMinor)) {
    const detail = `${amountMinor} of ${intent.amountMinor} cents`
    return { reason: `${kind}_wrong_amount`, detail }
  }
  if (mode === (sandbox ? 'live' : 'test'))
    return { reason: `${kind}_wrong_domain`, detail: `a ${mode} ${kind} on a gateway of the other` }
  return null
}

function flagOf(
  provider: Provider,
  { kind, id }: ReversalNotice,
  reference: string | null,
  what: string,
  detail: string,
): Flag {
  const eventId = `${kind}:${id ?? ''}`
  return { provider: provider.id, reference, reason: `${kind}_${what}`, detail, eventId }
}

async function flagged(deps: CreditingDeps, flag: Flag): Promise<Reversed> {
  const { provider, reference, reason, detail } = flag
  if (await deps.store.flag(flag))
    deps.log.warn({ provider, reference, reason, detail }, 'top-up flagged: nothing was taken back')
  return { outcome: 'flagged', reason }
}

const eventId = ({ kind, id }: Reversal): string => `${kind}:${id}`
const usd = (minor: bigint): string => `${(Number(minor) / 100).toFixed(2)} USD`
