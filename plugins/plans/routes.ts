/** What holders of keys and the operator ask about plans. */
import { Type } from 'typebox'
import {
  keyIdSchema,
  keyMissing,
  notFound,
  nullable,
  privateJson,
  queryInteger,
  readInput,
  httpSource,
  invalid,
  isUuid,
  type Caller,
  type Failure,
  type Issue,
  type Route,
  type RouteRequest,
  type OneOffSales,
} from '#kernel'
import { digestOfPayment } from '../shared/payments/payment-digest.ts'
import type { Plan } from './config.ts'
import { sell } from './purchase.ts'
import {
  begin,
  cancel,
  cancelOwn,
  forSale,
  monthsOf,
  planOf,
  refusal,
  subscribe,
  type Subscribed,
  type SubscribingDeps,
} from './subscribing.ts'
import type { Subscription } from './subscription.ts'
import { PlanView, planView, SubscriptionView, subscriptionView, turnView } from './views.ts'

export interface PlanRouteDeps extends SubscribingDeps {
  sales: OneOffSales
  calls: Pick<Caller, 'identify'>
  sandbox: boolean
}

const TAG = 'Plans'
const BASE = '/v1/plans'
const SELL_PATH = `${BASE}/x402`
const ADMIN = '/v1/admin/plans'
const PAGE = { min: 1, max: 200, fallback: 50 }
const planId = Type.String({ minLength: 1, maxLength: 40 })
const SubscribeInput = Type.Object({ plan: planId }, { additionalProperties: false })
const BuyInput = Type.Object(
  { plan: planId, apiKeyId: keyIdSchema() },
  { additionalProperties: false },
)
const GiveInput = Type.Object(
  {
    plan: planId,
    apiKeyId: keyIdSchema('Any key of the account'),
    charge: Type.Optional(
      Type.Boolean({ description: 'Months are charged as if it was bought; default false' }),
    ),
  },
  { additionalProperties: false },
)
const Turns = Type.Array(
  Type.Object({
    number: Type.Integer(),
    at: Type.String({ format: 'date-time' }),
    outcome: Type.Enum(['started', 'renewed', 'unpaid', 'ended']),
    chargedCredits: Type.Number(),
    grantedCredits: Type.Number(),
    lapsedCredits: Type.Number(),
  }),
)

export function planRoutes(deps: PlanRouteDeps): Route[] {
  return [...publicRoutes(deps), ...ownRoutes(deps), ...adminRoutes(deps)]
}

function publicRoutes(deps: PlanRouteDeps): Route[] {
  return [
    {
      method: 'GET',
      path: BASE,
      auth: 'public',
      tag: TAG,
      summary: 'The plans that there are',
      output: Type.Object({ plans: Type.Array(PlanView) }),
      handler: () => Response.json({ plans: [...deps.plans.values()].map(planView) }),
    },
    {
      method: 'POST',
      path: SELL_PATH,
      auth: 'public',
      rail: 'x402',
      rateLimited: true,
      tag: TAG,
      summary: 'Buy a plan for your account with one payment for its first month',
      description:
        'Needs an API key of the account (`X-Api-Key`) beside the payment: nobody else decides which plan it has. Where the budgets of that key cover a month the plan is renewed from the balance; else it ends with the month that was paid.',
      input: BuyInput,
      statuses: [401, 402, 403, 404, 409, 503],
      handler: (request) => buy(deps, request),
    },
  ]
}

function ownRoutes(deps: PlanRouteDeps): Route[] {
  const path = `${BASE}/subscription`
  return [
    {
      method: 'GET',
      path,
      auth: 'key',
      rateLimited: true,
      tag: TAG,
      summary: "The plan of the key's account",
      output: Type.Object({
        subscription: Type.Unsafe({ anyOf: [SubscriptionView, { type: 'null' }] }),
      }),
      handler: async (request) => {
        const own = await ownOf(deps, request)
        return privateJson({ subscription: own && subscriptionView(own) })
      },
    },
    {
      method: 'POST',
      path,
      auth: 'key',
      rateLimited: true,
      tag: TAG,
      summary: 'Begin a plan; its first month is taken from the balance',
      description:
        'The plan of the account that was to end with its month goes on instead, for what it costs now; nothing is taken before that month is over.',
      input: SubscribeInput,
      output: SubscriptionView,
      statuses: [201, 402, 403, 404, 409],
      handler: (request) => subscribeOwn(deps, request),
    },
    {
      method: 'DELETE',
      path,
      auth: 'key',
      rateLimited: true,
      tag: TAG,
      summary: 'End the plan with its month',
      output: SubscriptionView,
      statuses: [403, 404],
      handler: async ({ keyId }) => {
        const cancelled = await cancelOwn(deps, keyId!)
        return cancelled.ok ? privateJson(subscriptionView(cancelled.subscription)) : cancelled
      },
    },
  ]
}

function adminRoutes(deps: PlanRouteDeps): Route[] {
  const path = `${ADMIN}/subscriptions`
  return [
    {
      method: 'GET',
      path,
      auth: 'admin',
      tag: TAG,
      summary: 'Who has which plan, newest first',
      query: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: PAGE.min, maximum: PAGE.max })),
        before: Type.Optional(Type.String({ description: 'The last id of the page before' })),
      }),
      output: Type.Object({
        subscriptions: Type.Array(SubscriptionView),
        next: nullable('string'),
      }),
      handler: (request) => list(deps, request),
    },
    {
      method: 'GET',
      path: `${path}/{id}`,
      auth: 'admin',
      tag: TAG,
      summary: 'One subscription with its months',
      output: Type.Object({ ...SubscriptionView.properties, turns: Turns }),
      handler: async ({ params }) => {
        const found = isUuid(params['id']!) ? await deps.store.find(params['id']!) : null
        if (!found) return notFound('No subscription has this id')
        const turns = await deps.store.turns(found.id, PAGE.max)
        return privateJson({ ...subscriptionView(found), turns: turns.map(turnView) })
      },
    },
    {
      method: 'POST',
      path,
      auth: 'admin',
      tag: TAG,
      summary: 'Give a plan to the account of a key, or have it charged',
      input: GiveInput,
      output: SubscriptionView,
      statuses: [201, 402, 404, 409],
      handler: (request) => give(deps, request),
    },
    {
      method: 'DELETE',
      path: `${path}/{id}`,
      auth: 'admin',
      tag: TAG,
      summary: 'End a plan with its month',
      output: SubscriptionView,
      handler: ({ params }) =>
        isUuid(params['id']!)
          ? ended(deps, params['id']!)
          : notFound('No subscription has this id'),
    },
  ]
}

async function ownOf(deps: PlanRouteDeps, { keyId }: RouteRequest): Promise<Subscription | null> {
  const accountId = await deps.accounts.ofKey(keyId!)
  return accountId === null ? null : deps.store.ofAccount(accountId)
}

async function subscribeOwn(
  deps: PlanRouteDeps,
  request: RouteRequest,
): Promise<Response | Failure> {
  const read = await readInput(request, SubscribeInput)
  if (!read.ok) return read
  return created(await subscribe(deps, read.value.plan, request.keyId!))
}

function created(begun: Subscribed): Response | Failure {
  return begun.ok ? privateJson(subscriptionView(begun.subscription), 201) : begun
}

async function give(deps: PlanRouteDeps, request: RouteRequest): Promise<Response | Failure> {
  const read = await readInput(request, GiveInput)
  if (!read.ok) return read
  const { apiKeyId, charge = false } = read.value
  const plan = charge ? forSale(deps, read.value.plan) : planOf(deps, read.value.plan)
  return 'ok' in plan ? plan : created(await begin(deps, plan, apiKeyId, !charge))
}

async function buy(deps: PlanRouteDeps, request: RouteRequest): Promise<Response | Failure> {
  const read = await readInput(request, BuyInput)
  if (!read.ok) return read
  const plan = forSale(deps, read.value.plan)
  if ('ok' in plan) return plan
  const { apiKeyId: keyId } = read.value
  const paidWith = digestOfPayment(request.request.headers)
  const sold = await orderOf(deps, request, { plan, keyId, isPaid: paidWith !== null })
  if ('renews' in sold)
    return sell(deps, request, { plan, keyId, paidWith, path: SELL_PATH, ...sold })
  // A payment that was taken before gets its answer, whatever became of its key and account since.
  const isTaken = paidWith !== null && (await deps.store.wasPaidWith(paidWith))
  if (!isTaken) return sold
  const order = { plan, keyId, paidWith, path: SELL_PATH, renews: false, refusal: sold }
  return sell(deps, withoutKey(request), order)
}

/** The request as it would be without the key that it shows, which may be revoked by now. */
function withoutKey(request: RouteRequest): RouteRequest {
  const { params, query, requestId, clientAddress, signal } = request
  const { url, method } = request.request
  const headers = new Headers(request.request.headers)
  headers.delete('x-api-key')
  if (!headers.get('authorization')?.toLowerCase().startsWith('payment '))
    headers.delete('authorization')
  return {
    params,
    query,
    requestId,
    clientAddress,
    signal,
    request: new Request(url, { method, headers }),
    bytes: () => request.bytes(),
    json: () => request.json(),
  }
}

/**
 * Whether the plan would be renewed for whoever asks; a Failure says why it is not sold to them. It is
 * asked before anybody pays. Only a key of the account that may have to do with plans begins one there.
 * With a `refusal` only a retry has its answer.
 */
async function orderOf(
  deps: PlanRouteDeps,
  request: RouteRequest,
  order: { plan: Plan & { priceAtomic: bigint }; keyId: string; isPaid: boolean },
): Promise<{ renews: boolean; refusal: Failure | null } | Failure> {
  const { plan, keyId, isPaid } = order
  const caller = await deps.calls.identify(httpSource(request.request.headers, request))
  if (!caller.ok) return caller
  if (caller.keyId === null) {
    return keyMissing('X-Api-Key must show a key of the account that is to have the plan')
  }
  const buyer = await deps.db.transaction((tx) => deps.accounts.buyer(keyId, tx))
  const ofCaller = await deps.accounts.ofKey(caller.keyId)
  if (buyer === null || buyer.accountId !== ofCaller)
    return notFound('The account of the key that was shown has no API key of this id')
  const uncreditable = uncreditableProblem(buyer, deps.sandbox)
  if (uncreditable !== null) return invalid([{ path: '/apiKeyId', message: uncreditable }])
  const terms = await monthsOf(deps, plan, caller.keyId)
  if ('ok' in terms) return terms
  const begun = await deps.store.ofAccount(buyer.accountId)
  const exists = begun && refusal({ outcome: 'exists' }, plan)
  // A retry that signs anew has its answer under its Idempotency-Key, whatever has begun meanwhile.
  const mayBeRetry = isPaid && request.request.headers.has('idempotency-key')
  if (exists && !mayBeRetry) return exists
  return { renews: terms.areInBudget, refusal: exists }
}

/** What keeps the payment from becoming credits of the account: it is asked before anybody pays. */
function uncreditableProblem(
  { mode, isOver }: { mode: 'live' | 'test'; isOver: boolean },
  sandbox: boolean,
): string | null {
  if (isOver) return 'is revoked, or its account is closed'
  if ((mode === 'test') === sandbox) return null
  return `is a ${mode} key; this gateway sells ${sandbox ? 'test' : 'live'} credits`
}

async function ended(deps: PlanRouteDeps, id: string): Promise<Response | Failure> {
  const cancelled = await cancel(deps, id)
  if (!cancelled) return notFound('No subscription that goes on has this id')
  return privateJson(subscriptionView(cancelled))
}

async function list(deps: PlanRouteDeps, { query }: RouteRequest): Promise<Response | Failure> {
  const issues: Issue[] = []
  const limit = queryInteger(query, 'limit', PAGE, issues)
  const before = query.get('before')
  if (before !== null && !isUuid(before))
    issues.push({ path: '/before', message: 'must be the id of a subscription' })
  if (issues.length > 0) return invalid(issues)
  const rows = await deps.store.list({ limit, before })
  return privateJson({
    subscriptions: rows.map(subscriptionView),
    next: rows.length < limit ? null : rows.at(-1)!.id,
  })
}
