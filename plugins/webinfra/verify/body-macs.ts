/** Schemes that sign the body alone: GitHub, Shopify, Paystack and a configurable HMAC. */
import { decodeBase64, decodeHex, equalMacs, mac } from './compare.ts'
import { refused, VERIFIED, type Algorithm, type Scheme, type SignedRequest } from './contract.ts'

function verifyBody(
  request: SignedRequest,
  given: Buffer | null,
  algorithm: Algorithm,
  header: string,
) {
  if (given === null) return refused(`${header} is malformed`)
  const matches = request.secrets.some((secret) =>
    equalMacs(given, mac(algorithm, secret, request.body)),
  )
  return matches ? VERIFIED : refused(`${header} does not match the body`)
}

function headerOf(request: SignedRequest, header: string): string {
  return request.headers.get(header) ?? ''
}

/** `X-Hub-Signature-256: sha256=<hex>` (docs.github.com, validating webhook deliveries). */
export const github: Scheme = {
  signatureHeaders: () => ['x-hub-signature-256', 'x-hub-signature'],
  verify(request) {
    const header = 'x-hub-signature-256'
    const [, hex = ''] = /^sha256=(.*)$/.exec(headerOf(request, header)) ?? []
    return verifyBody(request, decodeHex(hex, 'sha256'), 'sha256', header)
  },
}

/** `X-Shopify-Hmac-SHA256: <base64>` (shopify.dev, verify webhook deliveries). */
export const shopify: Scheme = {
  signatureHeaders: () => ['x-shopify-hmac-sha256'],
  verify(request) {
    const header = 'x-shopify-hmac-sha256'
    return verifyBody(request, decodeBase64(headerOf(request, header), 'sha256'), 'sha256', header)
  },
}

/** `x-paystack-signature: <hex of SHA-512>` (paystack.com/docs, webhooks). */
export const paystack: Scheme = {
  signatureHeaders: () => ['x-paystack-signature'],
  verify(request) {
    const header = 'x-paystack-signature'
    return verifyBody(request, decodeHex(headerOf(request, header), 'sha512'), 'sha512', header)
  },
}

/** A configured header with the hex or base64 MAC of the body, alone or after `<algorithm>=`. */
export const hmac: Scheme = {
  signatureHeaders: (configured) => [configured],
  verify(request) {
    const { algorithm, header } = request
    const text = headerOf(request, header)
    const bare = text.startsWith(`${algorithm}=`) ? text.slice(algorithm.length + 1) : text
    const given = decodeHex(bare, algorithm) ?? decodeBase64(bare, algorithm)
    return verifyBody(request, given, algorithm, header)
  },
}
