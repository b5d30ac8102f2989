/** /v1/sandbox/topup and fixtures: play money for test keys, and what the providers' callbacks look like. */
import { Type } from 'typebox'
import {
  atomicToCredits,
  creditsToAtomic,
  fail,
  invalid,
  isAccountId,
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
const NO_ACCOUNT = 'No account has this id'
const GrantInput = Type.Object(
  {
    apiKeyId: Type.Optional(keyIdSchema('Noted on the ledger row; its account gets the credits')),
    accountId: Type.Optional(
      Type.String({ maxLength: 36, description: 'Instead of apiKeyId: the account itself' }),
    ),
    amount: Type.Number({ description: 'Credits, at most 4 decimals' }),
    provider: Type.Optional(
      Type.Enum(['provider_a', 'provider_b', 'sandbox', 'admin'], { default: 'sandbox' }),
    ),
  },
  { additionalProperties: false },
)
const GrantOutput = Type.Object({
  ledgerId: Type.String(),
  apiKeyId: Type.Optional(Type.String()),
  accountId: Type.Optional(Type.String({ description: 'Where the request named the account' })),
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
      summary: 'Grant credits to a test key or account; an Idempotency-Key makes a retry safe',
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
  const { apiKeyId: keyId, accountId, amount, provider = 'sandbox' } = input.value
  if ((keyId === undefined) === (accountId === undefined)) {
    return invalid([{ path: '', message: 'needs exactly one of `apiKeyId` and `accountId`' }])
  }
  if (accountId !== undefined && !isAccountId(accountId)) return notFound(NO_ACCOUNT)
  const parsed = creditsToAtomic(amount)
  if (!parsed.ok) return invalid([{ path: '/amount', message: parsed.message }])
  const { amountAtomic } = parsed
  if (amountAtomic === 0n) return invalid([{ path: '/amount', message: 'must be more than zero' }])
  const retryKey = request.request.headers.get('idempotency-key')
  if (retryKey !== null && !/^[\x20-\x7e]{1,200}$/.test(retryKey)) {
    return fail('INVALID_INPUT', 'Idempotency-Key must have 1 to 200 printable characters')
  }
  const receiver = keyId === undefined ? { accountId: accountId! } : { keyId }
  const granted = await deps.funds.grant({
    ...receiver,
    amountAtomic,
    reference: retryKey === null ? newId() : `idempotency-key:${retryKey}`,
    // Granted credits never touch a provider's account, whichever provider is named.
    note: `sandbox top-up as ${provider}`,
  })
  if (!granted.ok) return refusalOf(granted.reason, keyId === undefined ? 'account' : 'key')
  const { ledgerId, duplicate, availableAtomic, heldAtomic } = granted
  return privateJson({
    ledgerId,
    ...(keyId === undefined ? { accountId } : { apiKeyId: keyId }),
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

function refusalOf(reason: Refused['reason'], receiver: 'key' | 'account'): Failure {
  const isKey = receiver === 'key'
  switch (reason) {
    case 'unknown_key':
      return notFound(isKey ? 'No API key has this id' : NO_ACCOUNT)
    case 'revoked':
      return isKey
        ? stateConflict('The API key was revoked', 'revoked')
        : stateConflict('The account is closed', 'closed')
    case 'mode_mismatch':
      return invalid([
        isKey
          ? { path: '/apiKeyId', message: 'is a live key; sandbox credits fund test keys only' }
          : { path: '/accountId', message: 'has live money; sandbox credits fund test money only' },
      ])
    case 'other_grant':
      return fail('INVALID_INPUT', 'This Idempotency-Key was used with another body', {
        status: 409,
      })
  }
}
