/**
 * What a forward costs: a hold before the request, captured in the transaction that marks the
 * forward succeeded, released otherwise. Each claim has a hold of its own, so a late worker ends
 * only its own.
 */
import type { Billing, PluginTx } from '#kernel'
import type { Claimed } from './store/claimed.ts'

export const INGRESS_SKILL = 'webinfra.webhook_ingress'
export const REPLAY_SKILL = 'webinfra.webhook_replay'

export type Hold =
  | { kind: 'held'; holdId: string; amountAtomic: bigint }
  /** The product sells it unmetered, or the payment of the call is for it. */
  | { kind: 'none' }
  | { kind: 'refused'; reason: 'insufficient' | 'ceiling' | 'revoked' | 'no_payer' }
  /** The product is not mounted at this moment (a reload): nothing may go out unpriced. */
  | { kind: 'unpriced' }

/** Beyond the lease, so that a worker that holds the lease can always capture. */
const TTL_MARGIN_MS = 60_000

/** Takes a hold for one attempt. `again` makes another one when the first ended before its capture. */
export async function hold(
  billing: Billing,
  claimed: Claimed,
  leaseMs: number,
  again = false,
): Promise<Hold> {
  const skillId = claimed.cycle === 0 ? INGRESS_SKILL : REPLAY_SKILL
  const price = billing.price(skillId)
  if (price === null) return { kind: 'unpriced' }
  if (price.amountAtomic === 0n) return { kind: 'none' }
  if (claimed.payerKeyId === null) return { kind: 'refused', reason: 'no_payer' }
  const authorized = await billing.authorize({
    keyId: claimed.payerKeyId,
    requestId: `${claimed.forwardId}.${claimed.leaseToken}${again ? '.again' : ''}`,
    skillId,
    path: `webhook:${claimed.deliveryId}`,
    amountAtomic: price.amountAtomic,
    ttlMs: leaseMs + TTL_MARGIN_MS,
  })
  if (authorized.ok) {
    return { kind: 'held', holdId: authorized.holdId, amountAtomic: price.amountAtomic }
  }
  // A price that changed between two tries of one claim; the next claim asks anew.
  if (authorized.reason === 'conflict') return { kind: 'unpriced' }
  return { kind: 'refused', reason: authorized.reason }
}

/**
 * Captures in `tx`; the ledger row of it, or null when the hold had ended (expired while the
 * database was away).
 */
export async function captured(
  billing: Billing,
  tx: PluginTx,
  holdId: string,
): Promise<string | null> {
  const outcome = await billing.capture(tx, holdId)
  return outcome.ok ? outcome.ledgerId : null
}
