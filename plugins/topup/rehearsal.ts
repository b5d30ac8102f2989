/**
 * POST /v1/sandbox/trigger: a whole card top-up, or what becomes of a paid one (a refund, a dispute),
 * without a buyer or an account at a provider. The
 * event is signed and goes through the same code as a real callback.
 */
import { Type } from 'typebox'
import { fail, invalid, readInput, type Failure, type RouteRequest } from '#kernel'
import { callback, startCheckout, type CheckoutDeps } from './checkout.ts'
import type { Provider } from './providers/contract.ts'
import { REASONS } from './reasons.ts'
import type { SimulatedProvider } from './providers/simulated.ts'

/** Each event with the provider that sends it, and what it does to a paid checkout. */
export const EVENTS = {
  'charge.success': { provider: 'provider_a', reversal: null },
  'refund.processed': { provider: 'provider_a', reversal: 'refund' },
  'charge.dispute.create': { provider: 'provider_a', reversal: 'dispute' },
  'charge.dispute.resolve': { provider: 'provider_a', reversal: 'won' },
  'charge.completed': { provider: 'provider_b', reversal: null },
  'refund.completed': { provider: 'provider_b', reversal: 'refund' },
  'chargeback.created': { provider: 'provider_b', reversal: 'dispute' },
  'chargeback.updated': { provider: 'provider_b', reversal: 'won' },
} as const
type RehearsedEvent = keyof typeof EVENTS

export const RehearseInput = Type.Object(
  {
    event: Type.Enum(Object.keys(EVENTS) as RehearsedEvent[]),
    reference: Type.Optional(
      Type.String({ description: 'A started simulated top-up; absent: one is started' }),
    ),
    apiKeyId: Type.Optional(Type.String({ description: 'The key of a top-up started here' })),
    amountUsd: Type.Optional(Type.Number({ description: 'Its US dollars, whole cents' })),
  },
  { additionalProperties: false },
)

/**
 * The callback's answer with the reference it was about. Works with PREPAID_FIAT off too: an
 * operator rehearses before opening. 403 outside of a sandbox, 409 when real secrets are set.
 */
export async function rehearse(
  deps: CheckoutDeps,
  request: RouteRequest,
): Promise<Response | Failure> {
  if (!deps.sandbox)
    return fail('INVALID_INPUT', 'There is nothing to rehearse outside of a sandbox', {
      status: 403,
      details: { reason: REASONS.sandbox_disabled },
    })
  const input = await readInput(request, RehearseInput)
  if (!input.ok) return input
  const { event, apiKeyId, amountUsd } = input.value
  const { provider: providerId, reversal } = EVENTS[event]
  const provider = deps.providers[providerId]
  if (!isSimulated(provider))
    return fail(
      'INVALID_INPUT',
      `The secrets of ${provider.id} are set: pay a checkout there in test mode, which sends a real event`,
      { status: 409, details: { provider: provider.id } },
    )
  let { reference } = input.value
  if (reference === undefined) {
    if (apiKeyId === undefined)
      return invalid([{ path: '/apiKeyId', message: 'is required unless a reference is given' }])
    const minimumUsd = Number(deps.minimumAtomic) / 1_000_000
    const order = { apiKeyId, amountUsd: amountUsd ?? minimumUsd, provider: provider.id }
    const started = await startCheckout(deps, order)
    if (!started.ok) return started
    reference = started.checkout.reference
  }
  // What is refunded or disputed was paid before; a checkout that was just started is paid first.
  const paid = provider.pay(reference)
  if (!paid) return fail('INVALID_INPUT', 'No simulated top-up has this reference', { status: 404 })
  let answer = await callback(deps, provider, paid.body, paid.headers)
  if (reversal !== null) {
    const reversed = provider.reverse(reference, event, reversal)
    if (!reversed)
      return fail('INVALID_INPUT', 'No dispute of this simulated top-up is open', { status: 404 })
    answer = await callback(deps, provider, reversed.body, reversed.headers)
  }
  if (!(answer instanceof Response)) return answer
  const intent = await deps.store.intent(provider.id, reference)
  return Response.json({
    ...((await answer.json()) as object),
    event,
    reference,
    ...(intent && { apiKeyId: intent.keyId, amountUsdcAtomic: Number(intent.amountAtomic) }),
  })
}

function isSimulated(provider: Provider): provider is SimulatedProvider {
  return 'pay' in provider
}
