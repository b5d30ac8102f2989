/** /v1/sandbox/topup: play money for test keys. */
import { Type } from 'typebox'
import { fail, invalid, type Failure } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { Ledger } from '../../ledger/contract.ts'
import { atomicToCredits, creditsToAtomic } from '../../money.ts'
import type { Route, RouteRequest } from '../../plugins/contract.ts'
import { keyIdSchema, notFound, privateJson, readInput, stateConflict } from '../json.ts'
import { BALANCE, balanceToJson } from './key-views.ts'
import { REASONS } from '../../reasons.ts'

export interface SandboxRouteDeps {
  ledger: Pick<Ledger, 'credit' | 'balance' | 'rows'>
  sandbox: boolean
}

const TAG = 'Sandbox'
const SANDBOX_ACCOUNT = 'sandbox'
const TopupInput = Type.Object(
  {
    apiKeyId: keyIdSchema(),
    amount: Type.Number({ description: 'Credits, at most 4 decimals' }),
    provider: Type.Optional(
      Type.Enum(['provider_a', 'provider_b', 'sandbox', 'admin'], { default: 'sandbox' }),
    ),
  },
  { additionalProperties: false },
)
const TopupOutput = Type.Object({
  ledgerId: Type.String(),
  apiKeyId: Type.String(),
  provider: Type.String(),
  amountCredits: Type.Number(),
  amountUsdcAtomic: Type.Integer(),
  duplicate: Type.Boolean(),
  balance: Type.Object(BALANCE),
})

export function sandboxRoutes(deps: SandboxRouteDeps): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/sandbox/topup',
      auth: 'admin',
      tag: TAG,
      summary: 'Grant credits to a test key; an Idempotency-Key makes a retry safe',
      input: TopupInput,
      output: TopupOutput,
      statuses: [403, 404, 409],
      handler: (request) => topup(deps, request),
    },
  ]
}

async function topup(deps: SandboxRouteDeps, request: RouteRequest): Promise<Response | Failure> {
  if (!deps.sandbox) {
    return fail('INVALID_INPUT', 'Sandbox top-ups are disabled: this gateway has SANDBOX=false', {
      status: 403,
      details: { reason: REASONS.sandbox_disabled },
    })
  }
  const input = await readInput(request, TopupInput)
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
  const reference = retryKey === null ? newId() : `idempotency-key:${retryKey}`
  const result = await deps.ledger.credit({
    keyId,
    amountAtomic,
    // Sandbox credits never touch a provider's account, whichever provider is named.
    source: SANDBOX_ACCOUNT,
    reference,
    kind: 'grant',
    mode: 'test',
    requestId: reference,
    note: `sandbox top-up as ${provider}`,
  })
  switch (result.outcome) {
    case 'unknown_key':
      return notFound('No API key has this id')
    case 'revoked':
      return stateConflict('The API key was revoked', 'revoked')
    case 'mode_mismatch':
      return invalid([
        { path: '/apiKeyId', message: 'is a live key; sandbox credits fund test keys only' },
      ])
    case 'credited': {
      if (result.duplicate && !(await isSameGrant(deps.ledger, reference, keyId, amountAtomic))) {
        return fail('INVALID_INPUT', 'This Idempotency-Key was used with another body', {
          status: 409,
        })
      }
      return privateJson({
        ledgerId: result.ledgerId,
        apiKeyId: keyId,
        provider,
        amountCredits: atomicToCredits(amountAtomic),
        amountUsdcAtomic: Number(amountAtomic),
        duplicate: result.duplicate,
        balance: balanceToJson(await deps.ledger.balance(keyId)),
      })
    }
  }
}

async function isSameGrant(
  ledger: SandboxRouteDeps['ledger'],
  reference: string,
  keyId: string,
  amountAtomic: bigint,
): Promise<boolean> {
  const rows = await ledger.rows({ requestId: reference, kind: 'grant', limit: 10 })
  return rows.some((row) => row.keyId === keyId && row.amountAtomic === amountAtomic)
}
