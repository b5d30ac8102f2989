/** Card and mobile top-ups: starting a checkout, the providers' callbacks, the return page. */
import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import {
  atomicToCredits,
  fail,
  invalid,
  type Failure,
  type KeyDirectory,
  type RouteRequest,
} from '#kernel'
import type { LimitedWarning } from './limited-warnings.ts'
import { settle, type CreditingDeps } from './crediting.ts'
import { ATOMIC_PER_CENT, checkAmount, isKeyId, refusalOfKey } from './order.ts'
import type { Provider, ProviderId } from './providers/contract.ts'
import { reverse } from './reversing.ts'
import { REASONS } from './reasons.ts'

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/

export const InitializeInput = Type.Object({
  apiKeyId: Type.String(),
  amountUsd: Type.Number(),
  provider: Type.Optional(Type.Enum(['provider_a', 'provider_b'])),
  email: Type.Optional(Type.String()),
  callbackUrl: Type.Optional(Type.String()),
})

export interface CheckoutDeps extends CreditingDeps {
  providers: Readonly<Record<ProviderId, Provider>>
  keys: KeyDirectory
  /** PREPAID_FIAT. */
  isOpen: boolean
  minimumAtomic: bigint
  publicUrl: string
  /** Anybody can post to the webhook routes. */
  warnOfUnsigned: LimitedWarning
}

/** POST /v1/credits/topup/initialize. */
export async function initialize(
  deps: CheckoutDeps,
  request: RouteRequest,
): Promise<Response | Failure> {
  const read = await request.json()
  if (!read.ok) return read
  if (!deps.isOpen) {
    return fail(
      'INVALID_INPUT',
      'Card and mobile top-ups are closed here (PREPAID_FIAT): buy credits with x402 at POST /v1/credits/topup/x402',
      { status: 403, details: { reason: REASONS.prepaid_fiat_closed } },
    )
  }
  const started = await startCheckout(deps, read.value)
  return started.ok ? Response.json(started.checkout) : started
}

/** A started checkout as the answer of initialize tells it. */
export interface Checkout {
  reference: string
  provider: ProviderId
  authorizationUrl: string
  amountUsd: number
  credits: number
}

/**
 * Notes what is to be bought and starts it at the provider; `body` is that of initialize. The note
 * comes first: a callback must find it, also when the provider's answer was lost.
 */
export async function startCheckout(
  deps: CheckoutDeps,
  body: unknown,
): Promise<{ ok: true; checkout: Checkout } | Failure> {
  const order = checkOrder(deps, body)
  if (!order.ok) return order
  const { provider, apiKeyId, amountAtomic } = order
  if (!provider.configured) {
    return fail('PROCESSING_FAILURE', `${provider.id} is not configured`, {
      status: 503,
      details: { provider: provider.id },
    })
  }
  const refusal = await refusalOfKey(deps.keys, apiKeyId, deps.sandbox)
  if (refusal) return refusal
  const reference = `topup_${randomUUID().replaceAll('-', '')}`
  const amountMinor = amountAtomic / ATOMIC_PER_CENT
  await deps.store.addIntent({
    reference,
    provider: provider.id,
    keyId: apiKeyId,
    currency: 'USD',
    amountMinor,
    amountAtomic,
  })
  const started = await provider.initialize({
    reference,
    amountMinor,
    currency: 'USD',
    email: order.email,
    callbackUrl: order.callbackUrl,
  })
  if (!started.ok) {
    deps.log.warn(
      { provider: provider.id, reference, reason: started.message },
      'top-up not started by its provider',
    )
    return fail('UPSTREAM_FAILURE', `${provider.id} did not start the top-up; nothing was paid`, {
      status: 503,
    })
  }
  return {
    ok: true,
    checkout: {
      reference,
      provider: provider.id,
      authorizationUrl: started.authorizationUrl,
      amountUsd: Number(amountMinor) / 100,
      credits: atomicToCredits(amountAtomic),
    },
  }
}

type Order = {
  ok: true
  provider: Provider
  apiKeyId: string
  amountAtomic: bigint
  email: string
  callbackUrl: string
}

function checkOrder(deps: CheckoutDeps, body: unknown): Order | Failure {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return invalid([{ path: '', message: 'must be a JSON object' }])
  const {
    apiKeyId,
    amountUsd,
    provider = 'provider_a',
    email = 'buyer@example.com',
    callbackUrl = `${deps.publicUrl}/v1/credits/topup/success`,
  } = body as Record<string, unknown>
  const issues = []
  if (!isKeyId(apiKeyId))
    issues.push({ path: '/apiKeyId', message: 'must be the id of an API key' })
  if (provider !== 'provider_a' && provider !== 'provider_b')
    issues.push({ path: '/provider', message: 'must be "provider_a" or "provider_b"' })
  if (typeof email !== 'string' || !EMAIL.test(email))
    issues.push({ path: '/email', message: 'must be an e-mail address' })
  if (
    typeof callbackUrl !== 'string' ||
    callbackUrl.length > 2000 ||
    !/^https?:\/\//.test(callbackUrl) ||
    !URL.canParse(callbackUrl)
  )
    issues.push({ path: '/callbackUrl', message: 'must be an http or https URL' })
  if (issues.length > 0) return invalid(issues)
  const amount = checkAmount(amountUsd, deps.minimumAtomic)
  if (!amount.ok) return amount
  return {
    ok: true,
    provider: deps.providers[provider as ProviderId],
    apiKeyId: apiKeyId as string,
    amountAtomic: amount.amountAtomic,
    email: email as string,
    callbackUrl: callbackUrl as string,
  }
}

/**
 * A provider's callback. 401 unless its raw bytes are signed; 200 for everything that is signed and
 * needs no second try, credited or flagged; 503 only while the provider itself cannot be asked.
 */
export async function callback(
  deps: CheckoutDeps,
  provider: Provider,
  body: Uint8Array,
  headers: Headers,
): Promise<Response | Failure> {
  if (!provider.configured || !provider.isSigned(body, headers)) {
    deps.warnOfUnsigned(
      provider.id,
      { provider: provider.id, configured: provider.configured },
      'callback without a valid signature refused',
    )
    return fail('INVALID_INPUT', 'The signature of this callback is missing or wrong', {
      status: 401,
      details: { reason: REASONS.invalid_signature },
      headers: { 'www-authenticate': 'Signature' },
    })
  }
  const event = provider.read(body)
  if (event.kind === 'unreadable') {
    await deps.store.flag({
      provider: provider.id,
      reference: null,
      reason: 'unreadable',
      detail: 'a signed callback without event or reference',
    })
    return Response.json({ received: true, credited: false, reason: 'unreadable' })
  }
  if (event.kind === 'other')
    return Response.json({ received: true, credited: false, reason: 'ignored_event' })
  if (event.kind === 'reversal') {
    const reversed = await reverse(deps, provider, event.notice)
    if (reversed.outcome === 'unreachable') return askLater()
    const reason = reversed.outcome === 'flagged' ? reversed.reason : reversed.outcome
    return Response.json({ received: true, credited: false, reason })
  }
  const outcome = await settle(deps, provider, event.reference)
  switch (outcome.outcome) {
    case 'credited':
      return Response.json({ received: true, credited: true })
    case 'already':
      return Response.json({ received: true, credited: false, reason: 'duplicate' })
    case 'unpaid':
      return Response.json({ received: true, credited: false, reason: 'not_paid' })
    case 'flagged':
      return Response.json({ received: true, credited: false, reason: outcome.reason })
    case 'unreachable':
      return askLater()
  }
}

function askLater(): Failure {
  return fail('UPSTREAM_FAILURE', 'This cannot be verified now; send the callback again', {
    status: 503,
    headers: { 'retry-after': '60' },
  })
}
