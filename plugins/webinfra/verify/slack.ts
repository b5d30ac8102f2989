/** `X-Slack-Signature: v0=<hex>` over `v0:timestamp:body` (docs.slack.dev, verifying requests). */
import { decodeHex, equalMacs, mac } from './compare.ts'
import { refused, VERIFIED, type Scheme } from './contract.ts'
import { isFresh } from './timestamp.ts'

const SIGNATURE = 'x-slack-signature'
const TIMESTAMP = 'x-slack-request-timestamp'

export const slack: Scheme = {
  signatureHeaders: () => [SIGNATURE],
  verify({ headers, body, now, secrets }) {
    const [, hex = ''] = /^v0=(.*)$/.exec(headers.get(SIGNATURE) ?? '') ?? []
    const given = decodeHex(hex, 'sha256')
    if (given === null) return refused(`${SIGNATURE} is malformed`)
    const timestamp = headers.get(TIMESTAMP) ?? ''
    if (!isFresh(timestamp, now))
      return refused(`${TIMESTAMP} is missing or has a time that is too far off`)
    const matches = secrets.some((secret) =>
      equalMacs(given, mac('sha256', secret, `v0:${timestamp}:`, body)),
    )
    return matches ? VERIFIED : refused(`${SIGNATURE} does not match the body`)
  },
}
