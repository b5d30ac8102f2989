/**
 * Short-lived service-account tokens: an API key exchanged for a JWT (EdDSA, 15 minutes) that is
 * accepted wherever the key is and dies with it.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createLocalJWKSet, errors, jwtVerify, SignJWT, type JSONWebKeySet } from 'jose'
import { LRUCache } from 'lru-cache'
import type { TokenService } from '#kernel/host'
import { JWT_ALGORITHM, type SigningKey } from './signing-key.ts'

export const JWT_LIFETIME_S = 900
const AUDIENCE = 'coinop'
/** How long after its end a token still counts: the clocks of instances may differ. */
const CLOCK_TOLERANCE_S = 5
const VERIFIED_MAX = 20_000
const TOKEN_LENGTH_MAX = 2048

/**
 * Issues and verifies tokens of `issuer`. Verified ones are remembered by their hash until they
 * end, so that a busy token costs a hash and not a signature check.
 */
export function createTokenService(
  key: SigningKey,
  issuer: string,
  nowMs: () => number = Date.now,
): TokenService {
  const jwks: JSONWebKeySet = { keys: key.publicJwks }
  const findKey = createLocalJWKSet(jwks)
  const verified = new LRUCache<string, { keyId: string; endsAtMs: number }>({ max: VERIFIED_MAX })
  return {
    lifetimeS: JWT_LIFETIME_S,
    async issue(keyId) {
      const issuedAtS = Math.floor(nowMs() / 1000)
      const endsAtS = issuedAtS + JWT_LIFETIME_S
      const token = await new SignJWT()
        .setProtectedHeader({ alg: JWT_ALGORITHM, kid: key.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(keyId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAtS)
        .setExpirationTime(endsAtS)
        .sign(key.privateKey)
      return { token, expiresAt: new Date(endsAtS * 1000) }
    },
    async verify(token) {
      if (token.length > TOKEN_LENGTH_MAX) return { ok: false, message: 'The token is too long' }
      const digest = createHash('sha256').update(token).digest('base64')
      const known = verified.get(digest)
      if (known && nowMs() < known.endsAtMs) return { ok: true, keyId: known.keyId }
      try {
        const { payload } = await jwtVerify(token, findKey, {
          algorithms: [JWT_ALGORITHM],
          issuer,
          audience: AUDIENCE,
          typ: 'JWT',
          requiredClaims: ['sub', 'jti', 'iat', 'exp'],
          clockTolerance: CLOCK_TOLERANCE_S,
          currentDate: new Date(nowMs()),
        })
        const keyId = payload.sub!
        const unlike = DATES.find((name) => !isDate(payload[name]))
        if (unlike) return { ok: false, message: `The token's claim ${unlike} is not a date` }
        const nowS = nowMs() / 1000
        // The clock of the instance that made it may be minutes ahead: that takes nobody's token away.
        if (payload.iat! > nowS + JWT_LIFETIME_S) return { ok: false, message: notAccepted('iat') }
        // Whichever comes first ends it; both are whole numbers here.
        const endsAtS = Math.min(payload.exp!, payload.iat! + JWT_LIFETIME_S)
        if (endsAtS + CLOCK_TOLERANCE_S <= nowS) return { ok: false, message: EXPIRED }
        verified.set(digest, { keyId, endsAtMs: endsAtS * 1000 })
        return { ok: true, keyId }
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error
        return { ok: false, message: explain(error) }
      }
    },
    jwks: () => jwks,
  }
}

const DATES = ['exp', 'iat', 'nbf'] as const

/** A whole number of seconds: JSON's 1e400 is read as infinite, and infinite never ends. */
function isDate(claim: unknown): boolean {
  return claim === undefined || Number.isSafeInteger(claim)
}

const EXPIRED = 'The token has expired'
const notAccepted = (claim: string): string => `The token's claim ${claim} is not accepted here`

function explain(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return EXPIRED
  if (error instanceof errors.JWTClaimValidationFailed) return notAccepted(error.claim)
  if (error instanceof errors.JWKSNoMatchingKey) return 'The token names an unknown signing key'
  if (error instanceof errors.JOSEAlgNotAllowed) return "The token's algorithm is not accepted"
  return 'The token is malformed or its signature is wrong'
}
