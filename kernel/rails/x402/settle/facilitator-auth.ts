/** How the gateway proves itself to a facilitator that wants a credential. Nothing here is logged. */
import { importJWK, SignJWT } from 'jose'

/** The headers of a request to `url`; its method is POST unless told otherwise. */
export type FacilitatorAuth = (url: URL, method?: 'GET') => Promise<Record<string, string>>

const NONE = '-'
/** `Bearer abc` goes into Authorization; any other header is written with its name. */
const BEARER = /^Bearer [\x21-\x7e]+$/
const HEADER = /^([A-Za-z][A-Za-z0-9-]*): ([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/
/** A Coinbase API key: its id, and base64 of the Ed25519 seed with its public key. */
const CDP = /^cdp:([A-Za-z0-9/_-]+):([A-Za-z0-9+/]{86}==)$/
/** What Coinbase accepts; a token is made anew well before. */
const CDP_LIFETIME_S = 120
const CDP_USED_MS = 60_000

/** Whether `text` is an entry of X402_FACILITATOR_AUTH. */
export function isFacilitatorAuth(text: string): boolean {
  return text === NONE || [BEARER, HEADER, CDP].some((pattern) => pattern.test(text))
}

/** The credential of an entry that `isFacilitatorAuth` takes; null for '-'. */
export function facilitatorAuth(text: string): FacilitatorAuth | null {
  if (text === NONE) return null
  if (BEARER.test(text)) return async () => ({ authorization: text })
  const [, keyId, secret] = CDP.exec(text) ?? []
  if (keyId !== undefined && secret !== undefined) return cdpAuth(keyId, secret)
  const [, name, value] = HEADER.exec(text) ?? []
  if (name === undefined || value === undefined) throw new Error('not a facilitator credential')
  return async () => ({ [name.toLowerCase()]: value })
}

/** A JWT for one method and path (Coinbase developer platform, API key authentication). */
function cdpAuth(keyId: string, secret: string): FacilitatorAuth {
  const bytes = Buffer.from(secret, 'base64')
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: bytes.subarray(0, 32).toString('base64url'),
    x: bytes.subarray(32).toString('base64url'),
  }
  const key = importJWK(jwk, 'EdDSA')
  // A key that is none fails the requests that need it, not the process.
  key.catch(() => {})
  const made = new Map<string, { token: string; atMs: number }>()
  return async (url, method) => {
    const uri = `${method ?? 'POST'} ${url.host}${url.pathname}`
    let known = made.get(uri)
    if (!known || Date.now() - known.atMs > CDP_USED_MS) {
      const token = await new SignJWT({ uris: [uri] })
        .setProtectedHeader({
          alg: 'EdDSA',
          kid: keyId,
          typ: 'JWT',
          nonce: crypto.randomUUID().replaceAll('-', ''),
        })
        .setSubject(keyId)
        .setIssuer('cdp')
        .setAudience(['cdp_service'])
        .setIssuedAt()
        .setNotBefore('0 seconds')
        .setExpirationTime(`${CDP_LIFETIME_S} seconds`)
        .sign(await key)
      known = { token, atMs: Date.now() }
      made.set(uri, known)
    }
    return { authorization: `Bearer ${known.token}` }
  }
}
