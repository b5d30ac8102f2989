/**
 * Takes back the credits of a refund or dispute: at most what is available, never below zero. What
 * calls under way hold is taken as soon as they give it back. What they spend stays owed, and later
 * money of the account is its own.
 */
import { atomicToCredits, least, type Funds, type OpenHold, type PluginTx } from '#kernel'
import type { CreditingDeps } from './crediting.ts'
import type { ProviderId } from './providers/contract.ts'
import {
  awaitedOf,
  lockIntent,
  restOf,
  takeOfEnded,
  takeOfRest,
  untakenOf,
  type OwedReversal,
  type Rest,
  type ReversalName,
} from './reversals.ts'
import type { Intent } from './store.ts'

/** Whose credits they were, and of which top-up of how many. */
export type Owner = Pick<Intent, 'provider' | 'reference' | 'keyId' | 'amountAtomic'>

export const NO_REST: Rest = { atomic: 0n, holds: [] }

export const sourceOf = (provider: ProviderId): string => `topup:${provider}`

/** Takes what is left of the amount; how much that was, and what of the others is on hold. */
export async function takeOf(
  funds: Funds,
  tx: PluginTx,
  owner: Owner,
  name: ReversalName,
  amountAtomic: bigint,
  after = '',
): Promise<{ takenAtomic: bigint; rest: Rest }> {
  const { takenAtomic, holds } = await take(funds, tx, owner, name, amountAtomic, after)
  if (holds.length === 0) return { takenAtomic, rest: NO_REST }
  const ids = idsOf(holds)
  const atomic = least(amountAtomic - takenAtomic, sumOf(holds) - (await awaitedOf(tx, ids)))
  return { takenAtomic, rest: atomic > 0n ? { atomic, holds: ids } : NO_REST }
}

/** Takes what ended holds have given back of what a reversal waits for; flags it when nothing is left. */
export async function takeRest(
  { db, store, funds, log }: CreditingDeps,
  name: OwedReversal,
): Promise<void> {
  const { provider, kind, id, reference } = name
  const intent = await store.intent(provider, reference)
  if (!intent) return
  await db.transaction(async (tx) => {
    await lockIntent(tx, reference)
    const waiting = await restOf(tx, name)
    if (!waiting) return
    const { open, ended } = await funds.givenBack(waiting.holds, tx)
    const untaken = await untakenOf(tx, ended)
    const backAtomic = untaken.reduce((sum, hold) => sum + hold.backAtomic, 0n)
    const dueAtomic = least(waiting.atomic, backAtomic)
    const after = `:rest:${waiting.takenAtomic}`
    const { takenAtomic, holds } = await take(funds, tx, intent, name, dueAtomic, after)
    await takeOfEnded(tx, untaken, takenAtomic)
    // What was given back and is held by other calls by now is waited for again.
    const others = holds.filter((hold) => !waiting.holds.includes(hold.id))
    const againAtomic = least(dueAtomic - takenAtomic, sumOf(others))
    const atomic = least(waiting.atomic - takenAtomic, sumOf(open) + againAtomic)
    const rest = atomic > 0n ? { atomic, holds: idsOf([...open, ...others]) } : NO_REST
    const held = await takeOfRest(tx, name, { takenAtomic, rest })
    if (atomic > 0n) return
    const { heldAtomic, heldTakenAtomic, owedAtomic } = held
    const reason = `${kind}_rest_taken`
    const detail = `${kind} ${id}: took back ${atomicToCredits(heldTakenAtomic)} of the ${atomicToCredits(heldAtomic)} credits of key ${intent.keyId} that had been on hold, ${atomicToCredits(owedAtomic)} were spent and are still owed`
    const eventId = `${kind}:${id}:${heldAtomic}`
    await store.flag({ provider, reference, reason, detail, eventId, owedAtomic }, tx)
    log.warn({ provider, reference, keyId: intent.keyId, reason, detail }, 'top-up reversed')
  })
}

/** What a flag says of the credits that a reversal could not take. */
export function stillOwed(owedAtomic: bigint, rest: Rest): string {
  const owed = `${atomicToCredits(owedAtomic)} still owed`
  if (rest.atomic === 0n) return owed
  return `${atomicToCredits(rest.atomic)} on hold for calls under way are taken once they are free, ${owed}`
}

async function take(
  funds: Funds,
  tx: PluginTx,
  { keyId, reference }: Owner,
  { provider, kind, id }: ReversalName,
  amountAtomic: bigint,
  after: string,
): Promise<{ takenAtomic: bigint; holds: readonly OpenHold[] }> {
  const order = {
    keyId,
    amountAtomic,
    to: sourceOf(provider),
    reference: `${provider}:${kind}:${id}${after}`,
    note: `${kind} ${id} of ${reference}`,
  }
  const taken = amountAtomic > 0n ? await funds.take(order, tx) : null
  return taken?.ok ? taken : { takenAtomic: 0n, holds: [] }
}

const idsOf = (holds: readonly OpenHold[]): string[] => holds.map(({ id }) => id)
const sumOf = (holds: readonly OpenHold[]): bigint =>
  holds.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n)
