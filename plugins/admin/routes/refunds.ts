/**
 * POST /v1/credits/refund: what a key paid goes back to its balance; a payment that another rail
 * settled cannot be sent back by the gateway, so it becomes credits of a key.
 */
import {
  atomicToCredits,
  fail,
  type Books,
  type Failure,
  type Funds,
  GOODS_PREFIX,
  invalid,
  keyIdSchema,
  type LedgerDesk,
  type LedgerRow,
  notFound,
  privateJson,
  readInput,
  KERNEL_REASONS,
  refundReference,
  type Route,
  type RouteRequest,
} from '#kernel'
import { Type, type Static } from 'typebox'
import {
  CREDITS_SKILL,
  PLAN_SKILL,
  PURCHASE_SOURCE,
  purchaseReference,
} from '../../shared/topup/purchases.ts'
import { Ended, RequestId, transitionAnswer } from './holds.ts'

export interface RefundDeps {
  ledger: Pick<LedgerDesk, 'refund' | 'rows' | 'credit'>
  keys: Pick<Books['keys'], 'accountOf'>
  funds: Pick<Funds, 'credited'>
  sandbox: boolean
}

const RefundInput = Type.Object(
  {
    requestId: RequestId,
    note: Type.Optional(Type.String({ maxLength: 500, pattern: '^[^\\x00]*$' })),
    apiKeyId: Type.Optional(
      keyIdSchema('The key that paid; for a settled payment the key that gets the credits'),
    ),
    authorizationId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    ledgerId: Type.Optional(
      Type.String({
        pattern: '^([1-9][0-9]{0,17}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$',
        description: 'The ledger row of a settlement, when several share the requestId',
      }),
    ),
  },
  { additionalProperties: false },
)
type Order = Static<typeof RefundInput>
const Refunded = Type.Object({
  requestId: Type.String(),
  state: Type.Literal('refunded'),
  rail: Type.String({ description: 'The rail that settled the payment' }),
  apiKeyId: Type.String(),
  amountCredits: Type.Number(),
  amountUsdcAtomic: Type.Integer(),
  ledgerId: Type.String(),
  settlementLedgerId: Type.String(),
  transaction: Type.Union([Type.String(), Type.Null()]),
})
/** The debited account: what was settled is owed to the key from now on. */
const SOURCE = 'settlement'
/** Of other goods nobody here knows how they are handed over. */
const OF_PURCHASES: ReadonlySet<string> = new Set([CREDITS_SKILL, PLAN_SKILL])
const ROWS_MAX = 100
const NO_KEY = 'No API key has this id'

export function refundRoute(deps: RefundDeps): Route {
  return {
    method: 'POST',
    path: '/v1/credits/refund',
    auth: 'admin',
    tag: 'Credits',
    summary:
      'Give a charged call back, once: to the balance of its key, or for a settled payment as credits of apiKeyId',
    input: RefundInput,
    output: Type.Union([Ended, Refunded]),
    statuses: [404, 409],
    handler: (request) => refund(deps, request),
  }
}

async function refund(deps: RefundDeps, request: RouteRequest): Promise<Response | Failure> {
  const input = await readInput(request, RefundInput)
  if (!input.ok) return input
  const { requestId, note, apiKeyId: keyId, authorizationId: holdId, ledgerId } = input.value
  if (ledgerId !== undefined) return refundSettlement(deps, input.value)
  const result = await deps.ledger.refund({ requestId, note, keyId, holdId })
  if (result.outcome === 'ambiguous') {
    return fail('INVALID_INPUT', 'Several charged calls have this requestId', {
      status: 409,
      details: {
        issues: [{ path: '/authorizationId', message: 'must say which call is refunded' }],
        authorizationIds: result.holds.map((hold) => hold.id),
      },
    })
  }
  if (result.outcome === 'not_found' && holdId === undefined)
    return refundSettlement(deps, input.value)
  return transitionAnswer(result)
}

/** Credits of a key for a settled payment; the settlement itself stands. */
async function refundSettlement(deps: RefundDeps, order: Order): Promise<Response | Failure> {
  const { requestId, note } = order
  const settlement = await settlementOf(deps.ledger, order)
  if (!('id' in settlement)) return settlement
  const isPurchase = settlement.skillId?.startsWith(GOODS_PREFIX) === true
  if (isPurchase && !(await isUncredited(deps, settlement))) {
    return fail(
      'INVALID_INPUT',
      'This payment bought credits, which were given: nothing is owed. What was done with them is undone by other ways',
      {
        status: 409,
        details: { reason: KERNEL_REASONS.bought_credits },
      },
    )
  }
  const keyId = order.apiKeyId ?? settlement.keyId
  if (keyId === null) {
    return invalid([
      {
        path: '/apiKeyId',
        message: `must name the key that gets the credits: this call was paid by a wallet (${settlement.rail})`,
      },
    ])
  }
  const accountId = await deps.keys.accountOf(keyId)
  if (accountId === null) return notFound(NO_KEY)
  const credited = await deps.ledger.credit({
    accountId,
    keyId,
    amountAtomic: settlement.amountAtomic,
    ...(isPurchase ? givingOf(settlement) : refundOf(settlement)),
    mode: deps.sandbox ? 'test' : 'live',
    requestId,
    note: note ?? `refund of settlement ${settlement.id}`,
  })
  switch (credited.outcome) {
    case 'unknown_key':
      return notFound(NO_KEY)
    case 'mode_mismatch':
      return invalid([
        { path: '/apiKeyId', message: `must be a ${deps.sandbox ? 'test' : 'live'} key` },
      ])
    case 'revoked':
      return invalid([{ path: '/apiKeyId', message: 'is revoked' }])
    case 'closed':
      return invalid([{ path: '/apiKeyId', message: 'is of a closed account' }])
    case 'credited': {
      if (credited.duplicate && !(await wasFor(deps.ledger, credited.ledgerId, keyId))) {
        return fail('INVALID_INPUT', 'This payment was refunded to another API key', {
          status: 409,
          details: { ledgerId: credited.ledgerId },
        })
      }
      return privateJson({
        requestId,
        state: 'refunded',
        rail: settlement.rail,
        apiKeyId: keyId,
        amountCredits: atomicToCredits(settlement.amountAtomic),
        amountUsdcAtomic: Number(settlement.amountAtomic),
        ledgerId: credited.ledgerId,
        settlementLedgerId: settlement.id,
        transaction: settlement.transaction,
      })
    }
  }
}

const refundOf = (settlement: LedgerRow) => ({
  source: SOURCE,
  reference: refundReference(settlement),
  kind: 'refund' as const,
})

/** What the payment bought is given by the name under which its seller would, so that both never are. */
const givingOf = ({ requestId }: LedgerRow) => ({
  source: PURCHASE_SOURCE,
  reference: purchaseReference(requestId!),
  kind: 'topup' as const,
})

/** Whether a payment bought credits that nobody got: its key was revoked, or its account closed, before. */
async function isUncredited(
  { funds, ledger }: RefundDeps,
  { skillId, requestId }: LedgerRow,
): Promise<boolean> {
  if (requestId === null || skillId === null || !OF_PURCHASES.has(skillId)) return false
  const given = await funds.credited(PURCHASE_SOURCE, [purchaseReference(requestId)])
  if (given.length === 0) return true
  // Only what was given here names the request: it gets the same answer again.
  const rows = await ledger.rows({ requestId, kind: 'topup', limit: ROWS_MAX })
  return rows.some(({ debit }) => debit === PURCHASE_SOURCE)
}

/** The one settlement that is meant; callers may choose their request ids, so several can share one. */
async function settlementOf(
  ledger: RefundDeps['ledger'],
  order: Order,
): Promise<LedgerRow | Failure> {
  const all = await ledger.rows({
    requestId: order.requestId,
    kind: 'settlement',
    limit: ROWS_MAX,
  })
  const rows = all.filter(
    (row) =>
      (order.ledgerId === undefined ||
        row.id === order.ledgerId ||
        row.legacyId === order.ledgerId) &&
      (order.apiKeyId === undefined || row.keyId === null || row.keyId === order.apiKeyId),
  )
  const [row] = rows
  if (row === undefined) {
    return notFound(
      all.length > 0
        ? 'No charged call of this API key or ledger row has this requestId'
        : 'No charged call has this requestId; a payment that has not settled took nothing',
    )
  }
  if (rows.length === 1) return row
  return fail('INVALID_INPUT', 'Several payments have this requestId', {
    status: 409,
    details: {
      issues: [{ path: '/ledgerId', message: 'must say which payment is refunded' }],
      ledgerIds: rows.map(({ id }) => id),
    },
  })
}

async function wasFor(
  ledger: RefundDeps['ledger'],
  ledgerId: string,
  keyId: string,
): Promise<boolean> {
  const rows = await ledger.rows({ ids: [ledgerId], limit: 1 })
  return rows.some((row) => row.keyId === keyId)
}
