/**
 * A plan for one payment by another rail: the payment buys credits of exactly the first month's price,
 * and the plan begins with them, in one transaction. Anybody may pay for the account of a key; months
 * after the first are for whoever shows a key of that account. Should the plan not begin any more (the account
 * has another by then), the credits stay: nothing that was paid is lost.
 */
import { Type } from 'typebox'
import {
  atomicToCredits,
  fail,
  type Failure,
  type PluginDb,
  type RouteRequest,
  type OneOffSales,
} from '#kernel'
import type { Plan } from './config.ts'
import type { Members } from './members.ts'
import type { Purchase } from './store.ts'
import { start, startedOf, type Started, type TurnDeps } from './turns.ts'

/** It sells credits, as the ledger sees it. */
export const PURCHASE_SKILL = 'topup.plan'
const RAIL = 'x402'

const Sold = Type.Object({ requestId: Type.String(), plan: Type.String(), apiKeyId: Type.String() })

export interface PurchaseDeps extends TurnDeps {
  db: PluginDb
  plans: ReadonlyMap<string, Plan>
  members: Members
  now(): Date
}

/** The 402 with its offer, then the plan for the payment. */
export async function sell(
  deps: PurchaseDeps & { sales: OneOffSales },
  request: RouteRequest,
  order: { plan: Plan & { priceAtomic: bigint }; keyId: string; renews: boolean; path: string },
): Promise<Response | Failure> {
  const { plan, keyId, renews, path } = order
  const amountAtomic = plan.priceAtomic
  const sale = await deps.sales.sell({
    skillId: PURCHASE_SKILL,
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
      await deps.store.addPurchase({ requestId, keyId, planId: plan.id, amountAtomic, renews })
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

/**
 * Gives what a settled purchase bought, once. The purchase as it stands then; null when it is unknown.
 * Call it only for a purchase whose payment has settled.
 */
export async function fulfil(deps: PurchaseDeps, requestId: string): Promise<Purchase | null> {
  const { store, db, members } = deps
  const begun = await startedOf(
    db.transaction(async (tx) => {
      const purchase = await store.lockPurchase(tx, requestId)
      const plan = purchase && deps.plans.get(purchase.planId)
      if (!purchase || purchase.endedAt !== null || !plan) return { outcome: 'exists' } as Started
      const accountId = await accountOf(deps, purchase)
      // What was paid is what a month costs, whatever the plan costs by now.
      const bought = { ...plan, priceAtomic: purchase.amountAtomic }
      const { keyId, renews } = purchase
      const prepay = () => credit(deps, purchase, tx)
      const order = { accountId, keyId, plan: bought, isGiven: false, isOneMonth: !renews, prepay }
      const started = await start(deps, tx, order, deps.now())
      await store.endPurchase(tx, requestId, started.subscription.id, deps.now())
      return started
    }),
  )
  if (begun.outcome === 'started') await members.changed()
  // It cannot begin: what was paid becomes credits, by themselves.
  return db.transaction(async (tx) => {
    const purchase = await store.lockPurchase(tx, requestId)
    if (!purchase || purchase.endedAt !== null) return purchase
    await credit(deps, purchase, tx)
    await store.endPurchase(tx, requestId, null, deps.now())
    return { ...purchase, endedAt: deps.now() }
  })
}

async function accountOf({ accounts }: PurchaseDeps, { keyId }: Purchase): Promise<string> {
  const accountId = await accounts.ofKey(keyId)
  if (accountId === null) throw new Error(`key ${keyId} is gone`)
  return accountId
}

/** The payment as credits of the account; rejects where the account cannot have them. */
async function credit(
  deps: PurchaseDeps,
  purchase: Purchase,
  tx: Parameters<typeof start>[1],
): Promise<void> {
  const { requestId, amountAtomic } = purchase
  const credited = await deps.accounts.credit(
    {
      accountId: await accountOf(deps, purchase),
      amountAtomic,
      source: `topup:${RAIL}`,
      reference: `${RAIL}:${requestId}`,
      note: `settled request ${requestId}`,
    },
    tx,
  )
  if (!credited.ok) throw new Error(`credits of purchase ${requestId} refused: ${credited.reason}`)
}
