/** /v1/credits: a key's balance, and holds placed, captured, released and refunded over HTTP. */
import {
  amountOf,
  invalid,
  notFound,
  privateJson,
  readInput,
  type Administration,
  type EndOrder,
  type Failure,
  type LedgerDesk,
  type Route,
  type RouteRequest,
  type TransitionResult,
} from '#kernel'
import { Type, type Static } from 'typebox'
import { BALANCE, balanceToJson } from './key-views.ts'
import { Authorized, Ended, holdToJson, NO_HOLD, RequestId, transitionAnswer } from './holds.ts'
import { grantRoute } from './grants.ts'
import { refundRoute, type RefundDeps } from './refunds.ts'

export interface CreditRouteDeps extends Pick<
  Administration,
  'accounts' | 'keys' | 'ledger' | 'placeHold'
> {
  sandbox: boolean
}

const TAG = 'Credits'
const AuthorizeInput = Type.Object(
  {
    requestId: RequestId,
    skill: Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x20-\\x7e]+$' }),
    path: Type.Optional(Type.String({ maxLength: 2048, pattern: '^[\\x20-\\x7e]*$' })),
    amountCredits: Type.Optional(Type.Number({ description: 'At most 4 decimals' })),
    amountUsdcAtomic: Type.Optional(Type.Integer({ description: '10,000 are one credit' })),
  },
  { additionalProperties: false },
)
const EndInput = Type.Object(
  {
    authorizationId: Type.String({ minLength: 1, maxLength: 128 }),
    requestId: Type.Optional(RequestId),
  },
  { additionalProperties: false },
)
const BalanceOutput = Type.Object({
  ...BALANCE,
  currency: Type.Literal('USDC'),
  apiKeyId: Type.String(),
})

export function creditRoutes(deps: CreditRouteDeps & RefundDeps): Route[] {
  const { ledger } = deps

  async function balance({ keyId, accountId }: RouteRequest): Promise<Response | Failure> {
    const found = await ledger.balance(accountId!)
    return privateJson({ ...balanceToJson(found), currency: 'USDC', apiKeyId: keyId })
  }

  async function authorize(request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, AuthorizeInput)
    if (!input.ok) return input
    const amount = amountOf(input.value)
    if (!amount.ok) return amount
    const placed = await deps.placeHold({
      accountId: request.accountId!,
      keyId: request.keyId!,
      requestId: input.value.requestId,
      skillId: input.value.skill,
      path: input.value.path ?? '',
      amountAtomic: amount.value,
      scope: request.isService ? 'service' : 'request',
    })
    return placed.ok ? privateJson(holdToJson(placed.hold)) : placed
  }

  /** The hold must be one that the caller may end, and of the request it names. */
  async function end(
    request: RouteRequest,
    move: (order: EndOrder) => Promise<TransitionResult>,
  ): Promise<Response | Failure> {
    const input = await readInput(request, EndInput)
    if (!input.ok) return input
    const order = {
      holdId: input.value.authorizationId,
      accountId: request.accountId!,
      keyId: request.keyId!,
    }
    const isService = request.isService === true
    const refused = await endRefusal(ledger, { ...order, isService }, input.value)
    return refused ?? transitionAnswer(await move(order))
  }

  return [
    {
      method: 'GET',
      path: '/v1/credits/balance',
      auth: 'key',
      rateLimited: true,
      tag: TAG,
      summary: 'Prepaid balance of the key',
      description:
        'What is available and what is held, in credits. Keys of one account share a balance.',
      output: BalanceOutput,
      handler: balance,
    },
    {
      method: 'POST',
      path: '/v1/credits/authorize',
      auth: 'key',
      rateLimited: true,
      tag: TAG,
      summary: 'Hold credits; the same requestId and body again return the same hold',
      description:
        'For work that a caller of yours does elsewhere: hold what it costs, then capture or release. A hold that nobody ends expires after HOLD_TTL and its credits come back.',
      input: AuthorizeInput,
      output: Authorized,
      statuses: [402, 409, 429],
      handler: authorize,
    },
    {
      method: 'POST',
      path: '/v1/credits/capture',
      auth: 'key',
      rateLimited: 'ends_hold',
      tag: TAG,
      summary: 'Charge a hold',
      description:
        'Takes what was held. A hold is captured once; asked again the answer is the same, and one that was released or expired is 409.',
      input: EndInput,
      output: Ended,
      statuses: [404, 409],
      handler: (request) => end(request, (order) => ledger.capture(order)),
    },
    {
      method: 'POST',
      path: '/v1/credits/release',
      auth: 'key',
      rateLimited: 'ends_hold',
      tag: TAG,
      summary: 'Give a hold back to the balance',
      description:
        'Nothing is charged. Asked again the answer is the same; a captured hold is 409.',
      input: EndInput,
      output: Ended,
      statuses: [404, 409],
      handler: (request) => end(request, (order) => ledger.release(order)),
    },
    refundRoute(deps),
    grantRoute(deps),
  ]
}

/**
 * Why the caller may not end the hold; null when it may, or when the ledger will say why not. The hold
 * of a metered call, which claims no request id, and that of a plugin's work, which has a price
 * version, are the gateway's alone, and that of a first-party service, whose claim is not the bare
 * request id, is the services': their ids can be read in the ledger while the work runs, and whoever
 * released one then would get work that nobody pays.
 */
async function endRefusal(
  ledger: Pick<LedgerDesk, 'hold'>,
  order: { holdId: string; keyId: string; isService: boolean },
  { requestId }: Static<typeof EndInput>,
): Promise<Failure | null> {
  const hold = await ledger.hold(order.holdId, order.keyId)
  if (hold === null) return null
  const isGateways = hold.claim === null || hold.priceVersion !== null
  const isServices = hold.claim !== hold.requestId
  const isOthers = isGateways || (isServices && !order.isService)
  if (isOthers && hold.state === 'authorized') return notFound(NO_HOLD)
  if (requestId === undefined || hold.requestId === requestId) return null
  return invalid([{ path: '/requestId', message: 'is not the request of this authorization' }])
}
