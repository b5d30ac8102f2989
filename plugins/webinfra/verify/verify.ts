/** The table of schemes, and the check of one request against an endpoint's. */
import { equalTexts } from './compare.ts'
import { github, hmac, paystack, shopify } from './body-macs.ts'
import {
  refused,
  VERIFIED,
  type Algorithm,
  type Scheme,
  type SchemeName,
  type SignedRequest,
  type Verdict,
} from './contract.ts'
import { slack } from './slack.ts'
import { standardWebhooks } from './standard.ts'
import { stripe } from './stripe.ts'

/** The sender proves itself with the secret as it is; the header never leaves the relay. */
const sharedSecret: Scheme = {
  signatureHeaders: (configured) => [configured],
  verify({ headers, header, secrets }) {
    const given = headers.get(header) ?? ''
    // Every secret is compared, so that the time tells nothing about which one is current.
    const matches = secrets.map((secret) => secret !== '' && equalTexts(given, secret))
    return matches.includes(true) ? VERIFIED : refused(`${header} is wrong`)
  },
}

const TABLE: Readonly<Record<Exclude<SchemeName, 'none'>, Scheme>> = {
  'standard-webhooks': standardWebhooks,
  github,
  stripe,
  slack,
  shopify,
  paystack,
  hmac,
  'shared-secret': sharedSecret,
}

/** Default header of the schemes whose header is configured. */
const DEFAULT_HEADER: Readonly<Partial<Record<SchemeName, string>>> = {
  hmac: 'x-webhook-signature',
  'shared-secret': 'x-webhook-secret',
}

/** The header a scheme reads, lower case; '' where the provider fixes it. */
export function headerOf(scheme: SchemeName, configured: string | null): string {
  return (configured ?? DEFAULT_HEADER[scheme] ?? '').toLowerCase()
}

/** How an endpoint verifies, as its row says. */
export interface Verification {
  scheme: SchemeName
  header: string | null
  algorithm: Algorithm | null
}

/** Whether the request carries a signature of the endpoint's scheme at all, right or wrong. */
export function isSigned({ scheme, header }: Verification, headers: Headers): boolean {
  if (scheme === 'none') return false
  const names = TABLE[scheme].signatureHeaders(headerOf(scheme, header))
  return names.some((name) => headers.has(name))
}

/** Whether a signed request is genuine. Never throws for what a sender may send. */
export function verifySignature(
  { scheme, header, algorithm }: Verification,
  request: Omit<SignedRequest, 'header' | 'algorithm'>,
): Verdict {
  if (scheme === 'none') return refused('this endpoint verifies no signatures')
  if (request.secrets.length === 0) return refused('this endpoint has no secret')
  return TABLE[scheme].verify({
    ...request,
    header: headerOf(scheme, header),
    algorithm: algorithm ?? 'sha256',
  })
}
