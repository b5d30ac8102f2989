/**
 * Standard Webhooks: `webhook-signature: v1,<base64> …` over `id.timestamp.body`
 * (github.com/standard-webhooks spec). Senders on Svix use the same under `svix-` names.
 */
import { verificationKeys } from '../secrets.ts'
import { decodeBase64, equalMacs, mac } from './compare.ts'
import { refused, VERIFIED, type Scheme } from './contract.ts'
import { isFresh } from './timestamp.ts'

const MAX_SIGNATURES = 20
const MAX_ID_CHARACTERS = 256

/** One of the three headers, under its standard name or Svix's. */
export function standardHeader(
  headers: Headers,
  name: 'id' | 'timestamp' | 'signature',
): string | null {
  return headers.get(`webhook-${name}`) ?? headers.get(`svix-${name}`)
}

export const standardWebhooks: Scheme = {
  signatureHeaders: () => ['webhook-signature', 'svix-signature'],
  verify({ headers, body, now, secrets }) {
    const id = standardHeader(headers, 'id') ?? ''
    const timestamp = standardHeader(headers, 'timestamp') ?? ''
    if (id === '' || id.length > MAX_ID_CHARACTERS) return refused('webhook-id is malformed')
    if (!isFresh(timestamp, now))
      return refused('webhook-timestamp is missing or has a time that is too far off')
    const signatures = (standardHeader(headers, 'signature') ?? '')
      .split(' ')
      .slice(0, MAX_SIGNATURES)
      .filter((signature) => signature.startsWith('v1,'))
      .map((signature) => decodeBase64(signature.slice(3), 'sha256'))
      .filter((given) => given !== null)
    if (signatures.length === 0) return refused('webhook-signature is malformed')
    for (const key of secrets.flatMap(verificationKeys)) {
      const expected = mac('sha256', key, `${id}.${timestamp}.`, body)
      if (signatures.some((given) => equalMacs(given, expected))) return VERIFIED
    }
    return refused('webhook-signature does not match the body')
  },
}
