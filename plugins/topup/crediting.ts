/**
 * Turns a paid checkout into credits: only a stored intent, only what the provider itself confirms,
 * only the exact currency and amount, and once however often it is told. A callback alone is never
 * believed, and its metadata never names the key.
 */
import type { Funds, Logger, PluginDb } from '#kernel'
import { type Intent, TopupStore } from './store.ts'
import type { Paid, Provider } from './providers/contract.ts'

export type Outcome =
  | { outcome: 'credited'; ledgerId: string }
  | { outcome: 'already' }
  /** Nothing was credited; an operator sees why. */
  | { outcome: 'flagged'; reason: string }
  | { outcome: 'unpaid' }
  /** The provider cannot be asked now: try again later. */
  | { outcome: 'unreachable' }

export interface CreditingDeps {
  db: PluginDb
  store: TopupStore
  funds: Funds
  log: Logger
  sandbox: boolean
  /** Looks at refunds and disputes that wait for credits on hold, without waiting for it. */
  lookAtRests(): void
}

const UNIQUE_VIOLATION = '23505'

/** The shape of references made here. */
export const REFERENCE = /^topup_[0-9a-f]{32}$/

/**
 * Asks the provider about `reference` and credits its intent when everything agrees. 'told': a
 * callback says that it was paid; 'asked': the background round looks, and that the provider has
 * not heard of it is no news.
 */
export async function settle(
  deps: CreditingDeps,
  provider: Provider,
  reference: string,
  why: 'told' | 'asked' = 'told',
): Promise<Outcome> {
  const intent = REFERENCE.test(reference) ? await deps.store.intent(provider.id, reference) : null
  if (!intent)
    return flag(
      deps,
      provider.id,
      reference,
      'unknown_reference',
      'no top-up with this reference was started here',
    )
  if (intent.creditedAt !== null) return { outcome: 'already' }
  const found = await provider.lookUp(reference)
  if (!found.ok) {
    if (found.reason === 'unreachable') {
      deps.log.warn(
        { provider: provider.id, reference, reason: found.message },
        'top-up cannot be verified yet',
      )
      return { outcome: 'unreachable' }
    }
    if (why === 'asked') return { outcome: 'unpaid' }
    return flag(deps, provider.id, reference, 'not_confirmed', found.message)
  }
  if (found.paid.status !== 'paid') return { outcome: 'unpaid' }
  const wrong = disagreement(intent, found.paid, deps.sandbox)
  if (wrong) return flag(deps, provider.id, reference, wrong.reason, wrong.detail)
  return credit(deps, intent, found.paid)
}

function disagreement(
  intent: Intent,
  paid: Paid,
  sandbox: boolean,
): { reason: string; detail: string } | null {
  if (paid.reference !== intent.reference) {
    return { reason: 'wrong_reference', detail: `the provider speaks of ${paid.reference}` }
  }
  if (paid.currency !== intent.currency) {
    return { reason: 'wrong_currency', detail: `${paid.currency} instead of ${intent.currency}` }
  }
  if (paid.amountMinor !== intent.amountMinor) {
    return {
      reason: 'wrong_amount',
      detail: `${paid.amountMinor} instead of ${intent.amountMinor} cents`,
    }
  }
  if (paid.mode === 'test' && !sandbox) {
    return { reason: 'test_domain', detail: 'a test charge on a live gateway' }
  }
  if (paid.mode === 'live' && sandbox) {
    return { reason: 'live_domain', detail: 'a live charge on a sandbox, which sells test credits' }
  }
  return null
}

async function credit(deps: CreditingDeps, intent: Intent, paid: Paid): Promise<Outcome> {
  const { reference, provider, keyId, amountAtomic } = intent
  const result = await deps.db
    .transaction(async (tx) => {
      const marked = await tx.query(
        `UPDATE intent SET credited_at = now(), charge_id = $2 WHERE reference = $1 AND credited_at IS NULL
       AND NOT EXISTS (SELECT FROM intent other WHERE other.provider = intent.provider AND other.charge_id = $2)
       RETURNING 1`,
        [reference, paid.chargeId],
      )
      if (marked.length === 0) return null
      const credited = await deps.funds.credit(
        {
          keyId,
          amountAtomic,
          source: `topup:${provider}`,
          reference: `${provider}:${reference}`,
          note: `charge ${paid.chargeId}`,
        },
        tx,
      )
      // A refusal must leave the intent open, so that it can be credited once its cause is gone.
      if (!credited.ok) throw new CreditRefused(credited.reason)
      return credited
    })
    .catch((error: unknown) => {
      if (error instanceof CreditRefused) return error
      // Two top-ups took one charge in the same moment: the other one has it.
      if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return null
      throw error
    })
  if (result instanceof CreditRefused)
    return flag(deps, provider, reference, result.reason, `key ${keyId}`)
  if (result === null) {
    const now = await deps.store.intent(intent.provider, reference)
    if (now?.creditedAt) return { outcome: 'already' }
    return flag(
      deps,
      provider,
      reference,
      'charge_used_before',
      `charge ${paid.chargeId} credited another top-up`,
    )
  }
  deps.log.info({ provider, reference, keyId, ledgerId: result.ledgerId }, 'top-up credited')
  return { outcome: 'credited', ledgerId: result.ledgerId }
}

class CreditRefused extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

async function flag(
  deps: CreditingDeps,
  provider: string,
  reference: string | null,
  reason: string,
  detail: string,
): Promise<Outcome> {
  if (await deps.store.flag({ provider, reference, reason, detail })) {
    deps.log.warn({ provider, reference, reason, detail }, 'top-up flagged: nothing was credited')
  }
  return { outcome: 'flagged', reason }
}
