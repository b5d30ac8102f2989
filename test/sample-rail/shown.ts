/** How documents name the rail, what it offers, and why it refuses. */
import { defineReasons, type Offer, type Quote, type RailDocuments } from '@coinop/gateway'

export const RAIL_ID = 'vouchers'
/** Where the credential of an MCP tool call stands in `_meta`, and its receipt and its offer. */
export const META = {
  voucher: 'vouchers/voucher',
  receipt: 'vouchers/receipt',
  offer: 'vouchers/offer',
  place: 'vouchers/place',
}

export const requestHeaders = [
  { name: 'Voucher-Authorization', description: 'A voucher that pays this call' },
]
export const answerHeaders = [
  { name: 'Voucher-Required', description: 'The least worth, in atomic units', isOffer: true },
  { name: 'WWW-Authenticate', description: 'The scheme Voucher, for this request', isOffer: true },
  { name: 'Voucher-Receipt', description: 'Id of the voucher that paid' },
]

export const documents: RailDocuments = {
  summary: 'a voucher (Voucher-Authorization)',
  guidance: 'send Voucher-Authorization',
  howToPay: 'A voucher (from the operator): send it as `Voucher-Authorization`; it pays one call.',
  securitySchemes: {
    voucher: { type: 'apiKey', in: 'header', name: 'Voucher-Authorization' },
  },
  offerProperties: { voucher: { type: 'object' } },
  protocol: { voucher: {} },
  mcpInstructions: `send a voucher as _meta["${META.voucher}"]`,
  mcpUnpaid: { type: 'object', properties: { voucher: { type: 'object' } }, required: ['voucher'] },
}

export function offerOf({ amountAtomic }: Quote): Offer {
  const voucher = { header: 'Voucher-Authorization', amountAtomic: amountAtomic.toString() }
  return {
    headers: { 'voucher-required': amountAtomic.toString() },
    body: { voucher },
    challenge: { voucher },
    challengeKey: META.offer,
    advice: `With a voucher: send it as _meta["${META.voucher}"].`,
    fresh: ({ method, target }) => ({
      headers: [['www-authenticate', `Voucher for=${JSON.stringify(`${method} ${target}`)}`]],
      meta: { [META.place]: target },
    }),
  }
}

export const REASONS = defineReasons({
  bad_voucher: {
    code: 'PAYMENT_FAILED',
    meaning: 'The gateway did not issue this voucher, or its time is over.',
    fix: 'Send another voucher.',
  },
  voucher_too_small: {
    code: 'PAYMENT_FAILED',
    meaning: 'The call costs more than the voucher is worth.',
    fix: 'Send a voucher that is worth the price.',
  },
  voucher_used: {
    code: 'PAYMENT_FAILED',
    meaning: 'The voucher has paid another request, or was given back as credits.',
    fix: 'Send another voucher.',
  },
  voucher_in_flight: {
    code: 'INVALID_INPUT',
    status: 409,
    retryable: true,
    meaning: 'The same request with the same voucher is running now.',
    fix: 'Send the same voucher again after `Retry-After`.',
  },
  voucher_answer_gone: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning: 'The voucher has paid this request, but its answer was too long to keep.',
    fix: 'Send another voucher.',
  },
  voucher_unconfirmed: {
    code: 'UPSTREAM_FAILURE',
    meaning: 'The database did not confirm that the voucher was taken.',
    fix: 'Send the same voucher again after `Retry-After`.',
  },
})
