/**
 * What came in at an endpoint, and whether its sender may send: a genuine signature, the owner's
 * own key, or an endpoint that verifies nothing. Kept beside the skill's input, because the raw
 * bytes are no part of it.
 */
import { fail, type Failure, type HttpParts, type Vault } from '#kernel'
import { openSecrets } from './secrets.ts'
import type { Endpoint } from './store/endpoints.ts'
import { isSigned, verifySignature } from './verify/verify.ts'
import { REASONS } from './reasons.ts'

export function endpointMissing(): Failure {
  return fail('INVALID_INPUT', 'No webhook endpoint has this id', { status: 404 })
}

export function endpointDisabled(): Failure {
  return fail('INVALID_INPUT', 'This webhook endpoint is disabled', {
    status: 409,
    details: { reason: REASONS.endpoint_disabled },
  })
}

function badSignature(message: string): Failure {
  return fail('INVALID_INPUT', `The webhook's signature was refused: ${message}`, {
    status: 401,
    details: { reason: REASONS.invalid_signature },
    headers: { 'www-authenticate': 'Signature realm="webhook"' },
  })
}

/** Null when the request carries no signature of the endpoint's scheme; 401 when it is not genuine. */
export async function checkSignature(
  vault: Vault,
  endpoint: Endpoint,
  parts: HttpParts,
  now: Date,
): Promise<'genuine' | null | Failure> {
  if (!isSigned(endpoint, parts.headers)) return null
  const verdict = verifySignature(endpoint, {
    headers: parts.headers,
    body: parts.body,
    now,
    secrets: await openSecrets(vault, endpoint.secrets, now),
  })
  return verdict.ok ? 'genuine' : badSignature(verdict.message)
}

/** Whether this caller may send what is not signed: the endpoint verifies nothing, or is the caller's. */
export function takesUnsigned(endpoint: Endpoint, callerKeyId: string | undefined): boolean {
  if (endpoint.scheme === 'none') return true
  return endpoint.ownerKeyId !== null && callerKeyId === endpoint.ownerKeyId
}

export function refuseUnsigned(
  endpoint: Endpoint,
  callerKeyId: string | undefined,
): Failure | null {
  if (takesUnsigned(endpoint, callerKeyId)) return null
  return badSignature(
    `this endpoint takes webhooks signed by the ${endpoint.scheme} scheme, or sent with its owner's API key`,
  )
}
