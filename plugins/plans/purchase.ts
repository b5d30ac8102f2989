/**
 * A plan for one payment by another rail: the payment buys credits of exactly the first month's price,
 * and the plan begins with them, in one transaction. Only whoever shows a key of the account may buy one
 * for it. Should the plan not begin any more (the account has another by then), the credits stay:
 * nothing that was paid is lost.
 */
import { Type } from 'typebox'
import {
  atomicToCredits,
  fail,
  KERNEL_REASONS,
  type Failure,
  type PluginDb,
  type PluginTx,
  type RouteRequest,
  type OneOffSales,
} from '#kernel'
import { PLAN_SKILL, PURCHASE_SOURCE, purchaseReference } from '../shared/topup/purchases.ts'
import type { Plan } from './config.ts'
import type { Members } from './members.ts'
import { REASONS } from './reasons.ts'
import type { Purchase } from './store.ts'
import { start, startedOf, type Started, type TurnDeps } from './turns.ts'

const RAIL = 'x402'

const Sold = Type.Object({ requestId: Type.String(), plan: Type.String(), apiKeyId: Type.String() })

export interface PurchaseDeps extends TurnDeps {
  db: PluginDb
  plans: ReadonlyMap<string, Plan>
  members: Members
}

export interface SellOrder {
  plan: Plan & { priceAtomic: bigint }
  keyId: string
  /** Whether the balance pays the months after the first. */
  renews: boolean
  /** Digest of the payment that came with the request; null: none did. */
  paidWith: string | null
  /** Not null: only a payment or Idempotency-Key that bought a plan before gets its answer, others this. */
  refusal: Failure | null
  path: string
}

/** The 402 with its offer, then the plan for the payment. */
export async function sell(
  deps: PurchaseDeps & { sales: OneOffSales },
  request: RouteRequest,
  order: SellOrder,
): Promise<Response | Failure> {
  const { plan, keyId, renews, paidWith, refusal, path } = order
  const amountAtomic = plan.priceAtomic
  const sale = await deps.sales.sell({
    skillId: PLAN_SKILL,
    title: `Plan ${plan.title}`,
    description: `The first month of the plan ${plan.title}, ${atomicToCredits(amountAtomic)} credits`,
    path,
    rails: [RAIL],
    amountAtomic,
    output: Sold,
    request,
    idempotencyKey: request.request.headers.get('idempotency-key'),
    input: { plan: plan.id, apiKeyId: keyId },
    async work(requestId) {
      if (refusal !== null) return refusal
      const noted = { requestId, keyId, planId: plan.id, amountAtomic, renews, paidWith }
      await deps.store.addPurchase(noted)
      return { ok: true, output: { requestId, plan: plan.id, apiKeyId: keyId } }
    },
  })
  if (sale.outcome === 'unsold') return sale.response
  const { requestId } = (await sale.response.clone().json()) as { requestId: string }
  const bought = await fulfil(deps, requestId).catch((error: unknown) => {
    deps.log.error({ err: error, requestId }, 'a paid plan waits for its beginning')
    return null
  })
  if (bought === null) {
    return fail(
      'INTERNAL_ERROR',
      'The payment has settled and the plan could not begin yet; it follows without another payment',
      { status: 503, details: { purchaseId: requestId, paid: true } },
    )
  }
  if (bought.refusedBecause !== null) {
    const [message, reason] = REFUSALS[bought.refusedBecause]
    return fail('INVALID_INPUT', message, {
      status: 409,
      details: { reason, purchaseId: requestId, paid: true },
    })
  }
  const headers = new Headers(sale.response.headers)
  headers.delete('content-length')
  headers.set('cache-control', 'no-store')
  const { keyId: apiKeyId, planId, subscriptionId } = bought
  return Response.json(
    {
      requestId,
      apiKeyId,
      plan: planId,
      subscriptionId,
      renews: bought.renews,
      ...(subscriptionId === null && {
        note: 'The account has a plan already: the payment became credits of the account',
      }),
    },
    { status: sale.response.status, headers },
  )
}

/** What the payer of a purchase is told that ended without anything. */
const REFUSALS = {
  closed: [
    'The payment has settled, but the account was closed meanwhile: ask the operator, who was told, to give it back',
    KERNEL_REASONS.account_closed,
  ],
  given_by_hand: [
    'The payment has settled, and the operator has given its credits by hand: the plan did not begin',
    REASONS.plan_given_by_hand,
  ],
} as const

/** Thrown to roll back a beginning whose payment the account cannot have. */
class CreditRefused extends Error {}

/**
 * Gives what a settled purchase bought, once. The purchase as it stands then; null when it is unknown.
 * Where the account was closed since it was sold, nobody gets anything, and the operator is told;
 * whether they have given its credits by hand since then is looked up each time. Call it only for a purchase
 * whose payment has settled.
 */
export async function fulfil(deps: PurchaseDeps, requestId: string): Promise<Purchase | null> {
  const { store, db, members } = deps
  const now = await store.clock()
  const begun = await startedOf(
    db.transaction(async (tx) => {
      const purchase = await store.lockPurchase(tx, requestId)
      const plan = purchase && deps.plans.get(purchase.planId)
      if (!purchase || purchase.endedAt !== null || !plan) return { outcome: 'exists' } as Started
      const accountId = await accountOf(deps, purchase)
      // What was paid is what a month costs, whatever the plan costs by now.
      const bought = { ...plan, priceAtomic: purchase.amountAtomic }
      const { keyId, renews } = purchase
      const prepay = async () => {
        if ((await credit(deps, purchase, tx)) !== 'credited') throw new CreditRefused()
      }
      const order = { accountId, keyId, plan: bought, isGiven: false, isOneMonth: !renews, prepay }
      const started = await start(deps, tx, order, now)
      await store.endPurchase(tx, requestId, started.subscription.id, now)
      return started
    }),
  ).catch((error: unknown): Started => {
    if (error instanceof CreditRefused) return { outcome: 'closed' }
    throw error
  })
  if (begun.outcome === 'started') await members.changed()
  // It cannot begin: what was paid becomes credits, by themselves.
  return db.transaction(async (tx) => {
    const purchase = await store.lockPurchase(tx, requestId)
    const wasClosed = purchase?.refusedBecause === 'closed'
    if (!purchase || (purchase.endedAt !== null && !wasClosed)) return purchase
    const outcome = await credit(deps, purchase, tx)
    if (outcome === 'closed') return wasClosed ? purchase : refuse(deps, purchase, tx, now)
    if (outcome === 'given_by_hand') {
      await store.refusePurchase(tx, requestId, outcome, now)
      return { ...purchase, endedAt: now, refusedBecause: outcome }
    }
    await store.endPurchase(tx, requestId, null, now)
    return { ...purchase, endedAt: now }
  })
}

/** Ends a purchase for an account that is closed, and tells the operator who has to give it back. */
async function refuse(
  deps: PurchaseDeps,
  purchase: Purchase,
  tx: PluginTx,
  endedAt: Date,
): Promise<Purchase> {
  const { store, accounts, log } = deps
  const { requestId, keyId, planId: plan, amountAtomic } = purchase
  const accountId = await accountOf(deps, purchase)
  const reason = 'closed'
  const paidCredits = atomicToCredits(amountAtomic)
  await store.refusePurchase(tx, requestId, reason, endedAt)
  await accounts.tell(
    {
      accountId,
      type: 'plan.not_credited',
      data: { requestId, apiKeyId: keyId, plan, paidCredits, reason },
    },
    tx,
  )
  log.error({ requestId, accountId, plan, paidCredits, reason }, 'a paid plan cannot be credited')
  return { ...purchase, endedAt, refusedBecause: reason }
}

async function accountOf({ accounts }: PurchaseDeps, { keyId }: Purchase): Promise<string> {
  const accountId = await accounts.ofKey(keyId)
  if (accountId === null) throw new Error(`key ${keyId} is gone`)
  return accountId
}

/**
 * The payment as credits of the account; 'closed': it cannot have them. What is in the ledger under this
 * name, and was not given here, is what an operator gave, to whichever account.
 */
async function credit(
  deps: PurchaseDeps,
  purchase: Purchase,
  tx: PluginTx,
): Promise<'credited' | NonNullable<Purchase['refusedBecause']>> {
  const { requestId, amountAtomic } = purchase
  const credited = await deps.accounts.credit(
    {
      accountId: await accountOf(deps, purchase),
      amountAtomic,
      source: PURCHASE_SOURCE,
      reference: purchaseReference(requestId),
      note: `settled request ${requestId}`,
    },
    tx,
  )
  if (credited.ok) return credited.duplicate ? 'given_by_hand' : 'credited'
  if (credited.reason === 'closed') return 'closed'
  throw new Error(`credits of purchase ${requestId} refused: ${credited.reason}`)
}
