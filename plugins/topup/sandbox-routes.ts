/** /v1/sandbox/topup and fixtures: play money for test keys, and what the providers' callbacks look like. */
import { Type } from 'typebox'
import {
  atomicToCredits,
  creditsToAtomic,
  fail,
  invalid,
  keyIdSchema,
  newId,
  notFound,
  privateJson,
  readInput,
  stateConflict,
  type Failure,
  type Funds,
  type Route,
  type RouteRequest,
} from '#kernel'
import { providerFixtures } from './provider-fixtures.ts'
import { REASONS } from './reasons.ts'

export interface SandboxDeps {
  funds: Pick<Funds, 'grant'>
  sandbox: boolean
}

const TAG = 'Sandbox'
const GrantInput = Type.Object(
  {
    apiKeyId: keyIdSchema(),
    amount: Type.Number({ description: 'Credits, at most 4 decimals' }),
    provider: Type.Optional(
      Type.Enum(['provider_a', 'provider_b', 'sandbox', 'admin'], { default: 'sandbox' }),
    ),
  },
  { additionalProperties: false },
)
const GrantOutput = Type.Object({
  ledgerId: Type.String(),
  apiKeyId: Type.String(),
  provider: Type.String(),
  amountCredits: Type.Number(),
  amountUsdcAtomic: Type.Integer(),
  duplicate: Type.Boolean(),
  balance: Type.Object({
    credits: Type.Number(),
    heldCredits: Type.Number(),
    usdcAtomic: Type.Integer(),
  }),
})

export function sandboxRoutes(deps: SandboxDeps): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/sandbox/topup',
      auth: 'admin',
      tag: TAG,
      summary: 'Grant credits to a test key; an Idempotency-Key makes a retry safe',
      input: GrantInput,
      output: GrantOutput,
      statuses: [403, 404, 409],
      handler: (request) => grant(deps, request),
    },
    {
      method: 'GET',
      path: '/v1/sandbox/fixtures',
      auth: 'public',
      tag: TAG,
      summary: "Examples of the payment providers' callbacks, with headers",
      handler: () => Response.json({ fixtures: providerFixtures() }),
    },
  ]
}

async function grant(deps: SandboxDeps, request: RouteRequest): Promise<Response | Failure> {
  if (!deps.sandbox) {
    return fail('INVALID_INPUT', 'Sandbox top-ups are disabled: this gateway has SANDBOX=false', {
      status: 403,
      details: { reason: REASONS.sandbox_disabled },
    })
  }
  const input = await readInput(request, GrantInput)
  if (!input.ok) return input
  const { apiKeyId: keyId, amount, provider = 'sandbox' } = input.value
  const parsed = creditsToAtomic(amount)
  if (!parsed.ok) return invalid([{ path: '/amount', message: parsed.message }])
  const { amountAtomic } = parsed
  if (amountAtomic === 0n) return invalid([{ path: '/amount', message: 'must be more than zero' }])
  const retryKey = request.request.headers.get('idempotency-key')
  if (retryKey !== null && !/^[\x20-\x7e]{1,200}$/.test(retryKey)) {
    return fail('INVALID_INPUT', 'Idempotency-Key must have 1 to 200 printable characters')
  }
  const granted = await deps.funds.grant({
    keyId,
    amountAtomic,
    reference: retryKey === null ? newId() : `idempotency-key:${retryKey}`,
    // Granted credits never touch a provider's account, whichever provider is named.
    note: `sandbox top-up as ${provider}`,
  })
  if (!granted.ok) return refusalOf(granted.reason)
  const { ledgerId, duplicate, availableAtomic, heldAtomic } = granted
  return privateJson({
    ledgerId,
    apiKeyId: keyId,
    provider,
    amountCredits: atomicToCredits(amountAtomic),
    amountUsdcAtomic: Number(amountAtomic),
    duplicate,
    balance: {
      credits: atomicToCredits(availableAtomic),
      heldCredits: atomicToCredits(heldAtomic),
      usdcAtomic: Number(availableAtomic),
    },
  })
}

type Refused = Extract<Awaited<ReturnType<Funds['grant']>>, { ok: false }>

function refusalOf(reason: Refused['reason']): Failure {
  switch (reason) {
    case 'unknown_key':
      return notFound('No API key has this id')
    case 'revoked':
      return stateConflict('The API key was revoked', 'revoked')
    case 'mode_mismatch':
      return invalid([
        { path: '/apiKeyId', message: 'is a live key; sandbox credits fund test keys only' },
      ])
    case 'other_grant':
      return fail('INVALID_INPUT', 'This Idempotency-Key was used with another body', {
        status: 409,
      })
  }
}
