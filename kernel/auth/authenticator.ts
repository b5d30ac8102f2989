/**
 * Identifies callers: by an API key, a JWT made from one, a first-party service acting for one, or
 * a plugin's credential that stands for one. The usual call costs a hash and a map look-up; all
 * presented credentials must belong to the same key.
 */
import { fail, unavailable, type Failure } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import { Seldom } from '../log/seldom.ts'
import type {
  Authenticator,
  CallPlace,
  CredentialSource,
  Identity,
  Identifier,
  IdentityRefusal,
} from './contract.ts'
import type { TokenService } from './token-service.ts'
import { parseKey, secretMatches } from './key-format.ts'
import type { KeyRow, KeyRows } from './key-rows.ts'
import { Operators } from './operators.ts'
import { bearerOf, isOfKeys, looksLikeJwt, secretTester } from './tokens.ts'
import { REASONS } from '../reasons.ts'
import { unauthorized } from './unauthorized.ts'
import { withholdHeaders } from '../net/reserved-headers.ts'
import { isSameList } from '../work/same-list.ts'

type Via = Identity['via']
type Found = { ok: true; identity: Identity } | Failure
/** Where a request came from, and what for. */
type Origin = Pick<CredentialSource, 'clientAddress' | 'endsHold'>

export interface AuthenticatorDeps {
  keys: KeyRows
  tokens: TokenService
  adminToken: string | null
  /** SERVICE_TOKEN, any of several; nothing disables service calls. */
  serviceToken: string | readonly string[] | null
  /** Absent: only keys identify callers. */
  identifiers?: Identifiers
  log: Logger
}

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const isService = secretTester(deps.serviceToken)
  const { identifiers } = deps
  const unread = new Seldom(1000)

  const identify: Authenticator['identify'] = async (source, place) => {
    const apiKey = source.header('x-api-key')
    const authorization = source.header('authorization')?.trim() ?? null
    const bearer = authorization === null ? null : bearerOf(authorization)
    const serviceToken = source.header('x-kernel-service-token')
    // A key has precedence, and a plugin's credential beside it is ignored.
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
      // The service token comes last, so that its call is reported as a service's.
      const attempts = [
        apiKey !== null && (() => byText(apiKey.trim(), source)),
        // Beside a key, one that stands without `Bearer` is passed over, as it always was.
        bearer !== null && !(isKeyed && isOfKeys(authorization!)) && (() => byText(bearer, source)),
        serviceToken !== null && (() => byService(serviceToken, source)),
      ]
      for (const attempt of attempts) {
        // One after the other: nobody would await an attempt that came after a refused one.
        if (!attempt) continue
        const outcome = await attempt()
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
      const count = unread.note()
      if (count !== null) deps.log.error({ err: error, count }, 'API keys cannot be read')
      return unavailable('API keys cannot be checked at this moment')
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
    if (row === null || !secretMatches(parsed.secret, row.secretHash) || row.mode !== parsed.mode)
      return unauthorized('The API key is unknown or has expired', { problem: 'unknown' })
    return identityFrom(row, 'key', source)
  }

  async function byToken(text: string, source: CredentialSource): Promise<Found> {
    const verified = await deps.tokens.verify(text)
    if (!verified.ok) return unauthorized(verified.message, { problem: 'token' })
    return byKeyId(verified.keyId, 'jwt', source)
  }

  async function byService(token: string, source: CredentialSource): Promise<Found> {
    if (!isService(token))
      return unauthorized('The service token is wrong', { problem: 'service_token' })
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
    operators: new Operators(deps.adminToken, deps.log),
  }
}

/** `source` is null if the gateway itself acts for the key, without an address. */
function identityFrom(row: KeyRow, via: Via, source: Origin | null): Found {
  if (row.kind === 'grant' && via === 'jwt')
    return unauthorized('No token can stand for this key', { problem: 'token' })
  // A holder who ends the key while a service works for it still owes for that work.
  const refused = via === 'service' && source?.endsHold ? null : refusalOf(row, source)
  if (refused) return refused
  const { keyId, accountId, name, mode, rpmLimit, burstLimit, products } = row
  const identity: Identity = { keyId, accountId, name, mode, rpmLimit, burstLimit, products, via }
  if (row.isPayersOwn) identity.isPayersOwn = true
  if (row.skills !== null) identity.skills = row.skills
  return { ok: true, identity }
}

/** Why the key may not be used now, or not from there. */
function refusalOf(row: KeyRow, source: Origin | null): Failure | null {
  if (row.revoked) return unauthorized('The API key was revoked', { problem: 'revoked' })
  if (row.expiresAtMs !== null && performance.now() >= row.expiresAtMs)
    return unauthorized('The API key has expired', { reason: REASONS.key_expired })
  if (row.isFrom === null || source === null) return null
  const { clientAddress } = source
  return clientAddress !== undefined && row.isFrom(clientAddress) ? null : notFrom(clientAddress)
}

/** 403 that names the caller's address, but not the networks, since the key may be stolen. */
function notFrom(clientAddress = 'an unknown address'): Failure {
  return fail('INVALID_INPUT', `This API key may not be used from ${clientAddress}`, {
    status: 403,
    details: { reason: REASONS.origin_not_allowed, clientAddress },
  })
}

/** The key that a credential stands for; `takeOnce` refuses with a 402. */
export interface FoundKey {
  keyId: string
  takeOnce?: Identity['takeOnce']
  via: Identity['via']
}

/** The identifiers of mounted plugins, which identify callers besides API keys. */
export class Identifiers {
  readonly #log: Pick<Logger, 'error'>
  #identifiers: readonly Identifier[] = []

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log
  }

  /** Replaces all of them in one step. The headers they read are never passed to skills again. */
  set(identifiers: readonly Identifier[]): void {
    if (isSameList(identifiers, this.#identifiers)) return
    for (const { requestHeaders = [] } of identifiers) {
      withholdHeaders(requestHeaders.map(({ name }) => name))
    }
    this.#identifiers = [...identifiers]
  }

  /** The mounted identifiers; the same array until one comes or goes. */
  list(): readonly Identifier[] {
    return this.#identifiers
  }

  /** Whether one of them finds a credential of its own in the request. */
  presents(source: CredentialSource): boolean {
    return this.#identifiers.some((one) => this.#isPresented(one, source))
  }

  /** The key that the request's first credential stands for; null if there is no credential. */
  async identify(
    source: CredentialSource,
    place: CallPlace,
  ): Promise<{ ok: true; found: FoundKey | null } | IdentityRefusal> {
    for (const identifier of this.#identifiers) {
      if (!this.#isPresented(identifier, source)) continue
      const outcome = await identifier.identify(source, place)
      if (!outcome.ok) return outcome.offer ? unpaid(outcome.failure) : outcome.failure
      if (outcome.found === null) continue
      const { keyId, takeOnce } = outcome.found
      const via = identifier.via ?? 'plugin'
      return { ok: true, found: { keyId, via, ...(takeOnce && { takeOnce }) } }
    }
    return { ok: true, found: null }
  }

  /** An identifier that throws counts as not presented: other credentials are still judged. */
  #isPresented(identifier: Identifier, source: CredentialSource): boolean {
    const { requestHeaders = [] } = identifier
    if (requestHeaders.length > 0 && !hasPlaceFor(requestHeaders, source)) return false
    try {
      return identifier.presents(source)
    } catch (error) {
      this.#log.error({ err: error }, 'an identifier failed when it looked for its credential')
      return false
    }
  }
}

/** Whether the request has one of the headers, or a place that may carry any credential. */
function hasPlaceFor(
  headers: NonNullable<Identifier['requestHeaders']>,
  source: CredentialSource,
): boolean {
  return (
    headers.some(({ name }) => source.header(name.toLowerCase()) !== null) ||
    source.header('authorization') !== null ||
    source.header('cookie') !== null ||
    (source.meta !== undefined && Object.keys(source.meta).length > 0)
  )
}

/**
 * Turns the refusal of a credential into a 402 that offers payment instead: clients that sign in
 * automatically pay on a 402, and pass any other status to their caller.
 */
export function unpaid(failure: Failure): IdentityRefusal {
  if (failure.code === 'PAYMENT_REQUIRED' || failure.code === 'PAYMENT_FAILED') {
    const { status: _, ...rest } = failure
    return { ...rest, offer: true }
  }
  const { message, details, headers } = failure
  const { 'www-authenticate': _, ...kept } = headers ?? {}
  return {
    ...fail('PAYMENT_REQUIRED', message, { headers: kept }),
    ...(details && { details }),
    offer: true,
  }
}
