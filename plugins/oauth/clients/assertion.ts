/** `private_key_jwt` (RFC 7523): a client proves itself by a JWT that its published key signed. */
import { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import { ASSERTION_ALGORITHMS } from '../documents.ts'
import { digestOf } from '../secrets.ts'
import type { Places } from '../places.ts'
import type { Client } from './client.ts'
import type { KeySets } from './key-sets.ts'
import type { ClientStore } from './store.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const ASSERTION_MAX = 8192
const JTI_MAX = 500
const SKEW_S = 30
/** An assertion is made for one request; a longer life would only have to be remembered. */
const AGE_MAX_S = 600
const LIFE_MAX_S = 3600

export interface AssertionDeps {
  places: Places
  keySets: KeySets
  store: ClientStore
}

/** Null when the assertion is the client's and new; else what is wrong with it. */
export async function assertionProblem(
  deps: AssertionDeps,
  client: Client,
  assertion: string,
): Promise<string | null> {
  if (client.jwks === null && client.jwksUri === null) return 'The client has published no keys'
  if (assertion.length > ASSERTION_MAX) return 'The client_assertion is too long'
  try {
    const { kid } = decodeProtectedHeader(assertion)
    const set = await deps.keySets.of(client, kid)
    if (set === null) return 'The keys of the client cannot be had'
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(set), {
      algorithms: ASSERTION_ALGORITHMS,
      issuer: client.id,
      subject: client.id,
      audience: [deps.places.issuer, deps.places.token],
      requiredClaims: ['exp', 'jti'],
      clockTolerance: SKEW_S,
    })
    const nowS = Date.now() / 1000
    const { jti, iat, exp } = payload
    if (typeof jti !== 'string' || jti === '' || jti.length > JTI_MAX || exp === undefined)
      return 'The client_assertion has no jti'
    if (iat !== undefined && Math.abs(nowS - iat) > AGE_MAX_S)
      return 'The client_assertion was not made just now'
    if (exp > nowS + LIFE_MAX_S) return 'The client_assertion lives too long'
    const endsAt = new Date((exp + SKEW_S) * 1000)
    const isNew = await deps.store.takeAssertion(client.id, digestOf(jti), endsAt)
    return isNew ? null : 'The client_assertion was used before'
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      return 'The client_assertion is not valid'
    throw error
  }
}
