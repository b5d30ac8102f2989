/** `private_key_jwt` (RFC 7523): a client proves itself by a JWT that its published key signed. */
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import type { JSONWebKeySet, JWTPayload } from 'jose'
import { ASSERTION_ALGORITHMS } from '../documents.ts'
import { digestOf } from '../secrets.ts'
import type { Places } from '../places.ts'
import type { Client } from './client.ts'
import type { KeySets } from './key-sets.ts'
import type { Rates } from '../rates.ts'
import type { ClientStore } from './store.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const ASSERTION_MAX = 8192
const JTI_MAX = 500
const SKEW_S = 30
/** An assertion is made for one request; a longer life would only have to be remembered. */
const AGE_MAX_S = 600
const LIFE_MAX_S = 3600
/** Assertions of all clients with documents at one host. */
const HOST_RATE = { burst: 1200, perMinute: 1200 }

export interface AssertionDeps {
  places: Places
  keySets: KeySets
  store: ClientStore
  rates: Rates
}

/** Null when the assertion is the client's and new; else what is wrong with it. */
export async function assertionProblem(
  deps: AssertionDeps,
  client: Client,
  assertion: string,
): Promise<string | null> {
  if (client.jwks === null && client.jwksUri === null) return 'The client has published no keys'
  if (assertion.length > ASSERTION_MAX) return 'The client_assertion is too long'
  const kid = keyIdIn(assertion)
  if (kid === null) return NOT_VALID
  const set = await deps.keySets.of(client, kid.id)
  if (set === null) return 'The keys of the client cannot be had'
  const now = await deps.store.clock()
  const payload = await verified(assertion, set, { clientId: client.id, now }, deps.places)
  if (payload === null) return NOT_VALID
  const nowS = now.getTime() / 1000
  const { jti, iat, exp } = payload
  if (typeof jti !== 'string' || jti === '' || jti.length > JTI_MAX || exp === undefined)
    return 'The client_assertion has no jti'
  if (iat !== undefined && Math.abs(nowS - iat) > AGE_MAX_S)
    return 'The client_assertion was not made just now'
  if (exp > nowS + LIFE_MAX_S) return 'The client_assertion lives too long'
  // Each one is remembered until it ends, and a client can sign as many as it likes.
  const waitS = await deps.rates.take(`assertion:${new URL(client.id).host}`, HOST_RATE)
  if (waitS !== null) return 'The client sends too many assertions'
  const endsAt = new Date((exp + SKEW_S) * 1000)
  const isNew = await deps.store.takeAssertion(client.id, digestOf(jti), endsAt)
  return isNew ? null : 'The client_assertion was used before'
}

const NOT_VALID = 'The client_assertion is not valid'

/** The `kid` of an assertion, which may have none; null: it is no JWT. */
function keyIdIn(assertion: string): { id: string | undefined } | null {
  try {
    return { id: decodeProtectedHeader(assertion).kid }
  } catch {
    return null
  }
}

/** What the client says, if one of its keys signed it and it is meant for this issuer; else null. */
async function verified(
  assertion: string,
  set: JSONWebKeySet,
  { clientId, now }: { clientId: string; now: Date },
  { issuer, token }: Places,
): Promise<JWTPayload | null> {
  try {
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(set), {
      algorithms: ASSERTION_ALGORITHMS,
      issuer: clientId,
      subject: clientId,
      audience: [issuer, token],
      requiredClaims: ['exp', 'jti'],
      clockTolerance: SKEW_S,
      currentDate: now,
    })
    return payload
  } catch {
    // Beside jose's errors those of the runtime, for a published key that is none: all are the client's.
    return null
  }
}
