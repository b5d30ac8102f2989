/**
 * Who calls: an API key, a JWT made from one, a first-party service acting for one, or a credential of
 * a plugin that stands for one. The usual call costs a hash and a map look-up; everything presented
 * must name the same key.
 */
import { fail, type Failure } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import type { Authenticator, CallPlace, CredentialSource, Identity } from './contract.ts'
import { adminGate } from './admin.ts'
import type { Identifiers } from './identifiers.ts'
import type { TokenService } from './jwt.ts'
import { parseKey, secretMatches } from './key-format.ts'
import type { KeyRow, KeyRows } from './key-rows.ts'
import { Operators } from './operators.ts'
import { bearerOf, isOfKeys, looksLikeJwt, secretTester } from './tokens.ts'
import { REASONS } from '../reasons.ts'
import { unauthorized } from './unauthorized.ts'

type Via = Identity['via']
type Found = { ok: true; identity: Identity } | Failure
/** Where a request came from. */
type Origin = Pick<CredentialSource, 'clientAddress'>

export interface AuthenticatorDeps {
  keys: KeyRows
  tokens: TokenService
  adminToken: string | null
  /** SERVICE_TOKEN; null or '' closes that way in. */
  serviceToken: string | null
  /** Absent: keys are the only way in. */
  identifiers?: Identifiers
  log: Logger
}

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const isService = secretTester(deps.serviceToken)
  const { identifiers } = deps
  const gate = adminGate(deps.adminToken)

  async function identify(
    source: CredentialSource,
    place?: CallPlace,
  ): ReturnType<Authenticator['identify']> {
    const apiKey = source.header('x-api-key')
    const authorization = source.header('authorization')
    const bearer = authorization === null ? null : bearerOf(authorization)
    const serviceToken = source.header('x-kernel-service-token')
    // A key counts, and another credential beside it is left as it is.
    const isKeyed =
      apiKey !== null || serviceToken !== null || (bearer !== null && isOfKeys(bearer))
    const isOther = !isKeyed && identifiers?.presents(source) === true
    if (!isKeyed && bearer === null && !isOther) return { ok: true, identity: null }
    try {
      if (isOther) {
        if (place === undefined) return { ok: true, identity: null }
        const outcome = await byIdentifier(source, place)
        if (!outcome.ok || outcome.identity || bearer === null) return outcome
      }
      const found: Identity[] = []
      // The service token comes last, so that a service's call is shown as such.
      const attempts = [
        apiKey === null ? null : byText(apiKey.trim(), source),
        bearer === null ? null : byText(bearer, source),
        serviceToken === null ? null : byService(serviceToken, source),
      ]
      for (const attempt of attempts) {
        if (attempt === null) continue
        const outcome = await attempt
        if (!outcome.ok) return outcome
        found.push(outcome.identity)
      }
      const identity = found.at(-1)!
      if (found.some((other) => other.keyId !== identity.keyId)) {
        return unauthorized('The credentials of this request belong to different API keys', {
          problem: 'different_keys',
        })
      }
      return { ok: true, identity }
    } catch (error) {
      deps.log.error({ err: error }, 'API keys cannot be read')
      return fail('INTERNAL_ERROR', 'API keys cannot be checked at this moment', {
        status: 503,
        headers: { 'retry-after': '1' },
      })
    }
  }

  async function byIdentifier(
    source: CredentialSource,
    place: CallPlace,
  ): ReturnType<Authenticator['identify']> {
    const outcome = await identifiers!.identify(source, place)
    if (!outcome.ok) return outcome
    if (outcome.found === null) return { ok: true, identity: null }
    const { keyId, via, takeOnce } = outcome.found
    const byKey = await byKeyId(keyId, via, source)
    if (!byKey.ok || !takeOnce) return byKey
    return { ok: true, identity: { ...byKey.identity, takeOnce } }
  }

  /** An API key or a JWT made from one. */
  async function byText(text: string, source: CredentialSource): Promise<Found> {
    const parsed = parseKey(text)
    if (!parsed.ok) {
      if (looksLikeJwt(text)) return byToken(text, source)
      return unauthorized(parsed.message, { problem: parsed.reason })
    }
    const pending = deps.keys.byPublicId(parsed.publicId)
    const row = pending instanceof Promise ? await pending : pending
    if (row === null || !secretMatches(parsed.secret, row.secretHash) || row.mode !== parsed.mode) {
      return unauthorized('The API key is unknown or has expired', { problem: 'unknown' })
    }
    return identityFrom(row, 'key', source)
  }

  async function byToken(text: string, source: CredentialSource): Promise<Found> {
    const verified = await deps.tokens.verify(text)
    if (!verified.ok) return unauthorized(verified.message, { problem: 'token' })
    return byKeyId(verified.keyId, 'jwt', source)
  }

  async function byService(token: string, source: CredentialSource): Promise<Found> {
    if (!isService(token)) {
      return unauthorized('The service token is wrong', { problem: 'service_token' })
    }
    const keyId = source.header('x-kernel-api-key-id')
    if (!keyId) {
      return unauthorized('X-Kernel-Api-Key-Id must name the API key the service acts for', {
        problem: 'missing_key_id',
      })
    }
    return byKeyId(keyId.trim(), 'service', source)
  }

  async function byKeyId(keyId: string, via: Via, source: Origin | null): Promise<Found> {
    const pending = deps.keys.byKeyId(keyId)
    const row = pending instanceof Promise ? await pending : pending
    if (row === null) return unauthorized('The API key is unknown', { problem: 'unknown' })
    return identityFrom(row, via, source)
  }

  function presents(source: CredentialSource): boolean {
    const authorization = source.header('authorization')
    return (
      source.header('x-api-key') !== null ||
      (authorization !== null && bearerOf(authorization) !== null) ||
      source.header('x-kernel-service-token') !== null ||
      identifiers?.presents(source) === true
    )
  }

  return {
    identify,
    presents,
    async identityOf(keyId, via) {
      const found = await byKeyId(keyId, via, null)
      return found.ok ? found.identity : null
    },
    identifyAs: (keyId, via, clientAddress) =>
      byKeyId(keyId, via, clientAddress === null ? null : { clientAddress }),
    operators: new Operators(gate, deps.log),
  }
}

/** `source` null: the gateway itself acts for the key, from no address. */
function identityFrom(row: KeyRow, via: Via, source: Origin | null): Found {
  if (row.kind === 'grant' && via === 'jwt') {
    return unauthorized('No token can stand for this key', { problem: 'token' })
  }
  if (row.revoked) return unauthorized('The API key was revoked', { problem: 'revoked' })
  if (row.expiresAtMs !== null && performance.now() >= row.expiresAtMs) {
    return unauthorized('The API key has expired', { reason: REASONS.key_expired })
  }
  if (row.isFrom !== null && source !== null) {
    const { clientAddress } = source
    if (clientAddress === undefined || !row.isFrom(clientAddress)) return notFrom(clientAddress)
  }
  const { keyId, accountId, name, mode, rpmLimit, burstLimit, products } = row
  const identity: Identity = { keyId, accountId, name, mode, rpmLimit, burstLimit, products, via }
  if (row.isPayersOwn) identity.isPayersOwn = true
  return { ok: true, identity }
}

/** 403 that names the address as the gateway sees it, and not the networks: whoever stole the key may ask. */
function notFrom(clientAddress = 'an unknown address'): Failure {
  return fail('INVALID_INPUT', `This API key may not be used from ${clientAddress}`, {
    status: 403,
    details: { reason: REASONS.origin_not_allowed, clientAddress },
  })
}
