/** `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=…]` over `t.body` (docs.stripe.com/webhooks). */
import { decodeHex, equalMacs, mac } from './compare.ts'
import { refused, VERIFIED, type Scheme } from './contract.ts'
import { isFresh } from './timestamp.ts'

const HEADER = 'stripe-signature'
const MAX_PARTS = 20

export const stripe: Scheme = {
  signatureHeaders: () => [HEADER],
  verify({ headers, body, now, secrets }) {
    const parts = (headers.get(HEADER) ?? '').split(',').slice(0, MAX_PARTS)
    const fields = parts.map((part) => part.trim().split('='))
    const timestamp = fields.find(([name]) => name === 't')?.[1]
    const signatures = fields
      .filter(([name]) => name === 'v1')
      .map(([, hex = '']) => decodeHex(hex, 'sha256'))
      .filter((given) => given !== null)
    if (timestamp === undefined || signatures.length === 0)
      return refused(`${HEADER} is malformed: it needs t= and v1=`)
    if (!isFresh(timestamp, now)) return refused(`${HEADER} has a time that is too far off`)
    for (const secret of secrets) {
      const expected = mac('sha256', secret, `${timestamp}.`, body)
      if (signatures.some((given) => equalMacs(given, expected))) return VERIFIED
    }
    return refused(`${HEADER} does not match the body`)
  },
}
