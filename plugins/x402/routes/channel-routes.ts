/** GET /v1/x402/channels: with whom a channel is opened, and refunds of what is left in one. */
import { Type } from 'typebox'
import {
  fail,
  newId,
  notFound,
  privateJson,
  type Failure,
  type Route,
  type RouteRequest,
} from '#kernel'
import type { ChannelEntry } from '../channels/entry.ts'
import { decodePayment } from '../payment/decode.ts'
import { paymentFailed, type ChannelState } from '../payment/problem.ts'
import {
  encodeHeader,
  PAYMENT_REQUIRED,
  PAYMENT_RESPONSE,
  PAYMENT_SIGNATURE,
  type PaymentRequired,
} from '../payment/wire.ts'
import type { X402Rail } from '../rail.ts'
import { REASONS } from '../reasons.ts'

const PATH = '/v1/x402/channels'
const OFFERED_S = 300

const RefundOutput = Type.Object({
  refunded: Type.String({ description: 'Units of the token that went back to the payer' }),
  transaction: Type.String(),
})

/** 404 while no network has channels. */
export function channelRoutes({ rail, publicUrl }: { rail: X402Rail; publicUrl: string }): Route[] {
  return [
    {
      method: 'GET',
      path: PATH,
      auth: 'public',
      rateLimited: true,
      tag: 'x402',
      summary: 'Take back what is left in a payment channel',
      description:
        'Without PAYMENT-SIGNATURE it answers 402 with the channels that are taken here (scheme `batch-settlement`); with a refund for one of them, the rest of that channel goes back to its payer.',
      output: RefundOutput,
      statuses: [402, 404, 503],
      handler: (request) => answer(rail, `${publicUrl}${PATH}`, request),
    },
  ]
}

async function answer(
  rail: X402Rail,
  url: string,
  { request }: RouteRequest,
): Promise<Response | Failure> {
  const { core } = rail
  if (!core || core.channels.length === 0) return notFound('No payment channels are taken here')
  const header = request.headers.get(PAYMENT_SIGNATURE)
  if (header === null) {
    const open = fail('PAYMENT_REQUIRED', 'Send a refund of scheme batch-settlement', {
      headers: { 'cache-control': 'no-store' },
    })
    return withOffers(open, core.channels, url)
  }
  const decoded = decodePayment(PAYMENT_SIGNATURE, header)
  if (!decoded.ok) return withOffers(paymentFailed(decoded.problem), core.channels, url)
  const { payment } = decoded
  const entry = core.entryFor(payment)
  if (payment.method !== 'channel' || !core.channels.includes(entry as ChannelEntry)) {
    const problem = { reason: REASONS.unsupported_scheme, message: 'only refunds are taken here' }
    return withOffers(paymentFailed(problem), core.channels, url)
  }
  const refunded = await (entry as ChannelEntry).refunds.refund(payment, newId())
  if (!refunded.ok) return withOffers(refunded, core.channels, url)
  const { response } = refunded
  const body = { refunded: response.amount ?? '0', transaction: response.transaction }
  const answered = privateJson(body)
  answered.headers.set(PAYMENT_RESPONSE, encodeHeader(response))
  return answered
}

/** The failure with the challenge that clients of channels read: its error is the bare code. */
function withOffers(failure: Failure, channels: readonly ChannelEntry[], url: string): Failure {
  if (failure.code !== 'PAYMENT_FAILED' && failure.code !== 'PAYMENT_REQUIRED') return failure
  const { reason, channel } = failure.details ?? {}
  const required: PaymentRequired = {
    x402Version: 2,
    error: typeof reason === 'string' ? reason : 'Payment required',
    resource: { url, description: 'Refunds of payment channels', mimeType: 'application/json' },
    accepts: channels.map(({ offers }) => {
      const offer = offers.ofRefund(OFFERED_S)
      return { ...offer, extra: { ...offer.extra, ...(channel as ChannelState | undefined) } }
    }),
  }
  const headers = { ...failure.headers, [PAYMENT_REQUIRED]: encodeHeader(required) }
  return { ...failure, headers }
}
