/** How the gateway proves itself to a facilitator that wants a credential. Nothing here is logged. */
import { createPrivateKey } from 'node:crypto'
import { importJWK, importPKCS8, SignJWT, type CryptoKey } from 'jose'

/** The headers of a request to `url`; its method is POST unless told otherwise. */
export type FacilitatorAuth = (url: URL, method?: 'GET') => Promise<Record<string, string>>

const NONE = '-'
/** `Bearer abc` goes into Authorization; any other header is written with its name. */
const BEARER = /^Bearer [\x21-\x7e]+$/
const HEADER = /^([A-Za-z][A-Za-z0-9-]*): ([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/
/** A Coinbase API key: its id, and the secret in one of two forms. */
const CDP = /^cdp:([A-Za-z0-9/_-]+):([^]+)$/
/** Base64 of the Ed25519 seed with its public key. */
const CDP_ED25519 = /^[A-Za-z0-9+/]{86}==$/
/** What Coinbase takes; each request has a token of its own, as its nonce says it is used once. */
const CDP_LIFETIME_S = 120

/** Whether `text` is an entry of X402_FACILITATOR_AUTH. */
export function isFacilitatorAuth(text: string): boolean {
  if (text === NONE || BEARER.test(text)) return true
  const [, , secret] = CDP.exec(text) ?? []
  return secret === undefined ? HEADER.test(text) : isCdpSecret(secret)
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

function isCdpSecret(secret: string): boolean {
  return CDP_ED25519.test(secret) || pkcs8Of(secret) !== null
}

/** The PKCS #8 form of a P-256 key in PEM, whose line ends may be written as \n; null when it is none. */
function pkcs8Of(secret: string): string | null {
  try {
    const key = createPrivateKey(secret.replaceAll('\\n', '\n'))
    const isP256 =
      key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
    return isP256 ? key.export({ type: 'pkcs8', format: 'pem' }).toString() : null
  } catch {
    return null
  }
}

async function cdpKey(secret: string): Promise<{ alg: string; key: CryptoKey | Uint8Array }> {
  const pkcs8 = CDP_ED25519.test(secret) ? null : pkcs8Of(secret)
  if (pkcs8 !== null) return { alg: 'ES256', key: await importPKCS8(pkcs8, 'ES256') }
  const bytes = Buffer.from(secret, 'base64')
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: bytes.subarray(0, 32).toString('base64url'),
    x: bytes.subarray(32).toString('base64url'),
  }
  return { alg: 'EdDSA', key: await importJWK(jwk, 'EdDSA') }
}

/** A JWT for one request (coinbase/cdp-sdk `auth/utils/jwt.ts`). */
function cdpAuth(keyId: string, secret: string): FacilitatorAuth {
  const signing = cdpKey(secret)
  // A key that is none fails the requests that need it, not the process.
  signing.catch(() => {})
  return async (url, method) => {
    const { alg, key } = await signing
    const token = await new SignJWT({ uris: [`${method ?? 'POST'} ${url.host}${url.pathname}`] })
      .setProtectedHeader({
        alg,
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
      .sign(key)
    return { authorization: `Bearer ${token}` }
  }
}
