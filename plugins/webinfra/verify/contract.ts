/** What a verification scheme is given and answers. */

export const SCHEMES = [
  'standard-webhooks',
  'github',
  'stripe',
  'slack',
  'shopify',
  'paystack',
  'hmac',
  'shared-secret',
  'none',
] as const
export type SchemeName = (typeof SCHEMES)[number]

export const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

/** A request whose signature is to be checked; the body is the raw bytes. */
export interface SignedRequest {
  headers: Headers
  body: Uint8Array
  now: Date
  /** Any of them may have signed (rotation). */
  secrets: readonly string[]
  /** The configured header of `hmac` and `shared-secret`, lower case. */
  header: string
  algorithm: Algorithm
}

/** `message` is public: it says what is wrong with the signature, never what it should be. */
export type Verdict = { ok: true } | { ok: false; message: string }

export interface Scheme {
  /** Headers that carry the signature; a request with none of them is unsigned, not forged. */
  signatureHeaders(configured: string): readonly string[]
  verify(request: SignedRequest): Verdict
}

/** How far a signed timestamp may be off, both ways. */
export const TOLERANCE_S = 300

export const VERIFIED: Verdict = { ok: true }
export const refused = (message: string): Verdict => ({ ok: false, message })
