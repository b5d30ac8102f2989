/**
 * Provider A, with the API of Paystack: amounts in subunits, `x-paystack-signature` = hex
 * HMAC-SHA512 of the raw body under the API secret key, `GET /transaction/verify/:reference`.
 */
import { parseJson, type GuardedFetch } from '#kernel'
import type { Callback, Lookup, Provider } from './contract.ts'
import { callApi, member, notStarted, textOf } from './http.ts'
import { isMac } from './signature.ts'

export const PROVIDER_A_URL = 'https://api.paystack.co'

export function providerA(options: {
  secret: string | undefined
  url: string
  fetch: GuardedFetch
}): Provider {
  const { secret, fetch } = options
  const url = options.url.replace(/\/+$/, '')
  return {
    id: 'provider_a',
    configured: secret !== undefined,
    async initialize(order) {
      const answer = await callApi(fetch, `${url}/transaction/initialize`, secret!, {
        email: order.email,
        amount: Number(order.amountMinor),
        currency: order.currency,
        reference: order.reference,
        callback_url: order.callbackUrl,
        metadata: { reference: order.reference },
      })
      const authorizationUrl = answer.ok ? member(answer.json, 'data', 'authorization_url') : null
      return typeof authorizationUrl === 'string'
        ? { ok: true, authorizationUrl }
        : notStarted('Provider A')
    },
    isSigned: (body, headers) =>
      secret !== undefined &&
      isMac('sha512', secret, body, headers.get('x-paystack-signature'), 'hex'),
    read(body): Callback {
      const parsed = parseJson(body)
      const event = parsed.ok ? textOf(member(parsed.value, 'event')) : null
      if (!parsed.ok || event === null) return { kind: 'unreadable' }
      if (event !== 'charge.success') return { kind: 'other', event }
      const reference = textOf(member(parsed.value, 'data', 'reference'))
      return reference === null ? { kind: 'unreadable' } : { kind: 'charge', event, reference }
    },
    async lookUp(reference): Promise<Lookup> {
      const answer = await callApi(
        fetch,
        `${url}/transaction/verify/${encodeURIComponent(reference)}`,
        secret!,
      )
      if (!answer.ok) return { ok: false, reason: 'unreachable', message: answer.message }
      const data = member(answer.json, 'data')
      const amount = member(data, 'amount')
      const id = textOf(member(data, 'id'))
      if (answer.status >= 400 || !Number.isSafeInteger(amount) || id === null) {
        return { ok: false, reason: 'unknown', message: 'the provider does not know the reference' }
      }
      const domain = member(data, 'domain')
      return {
        ok: true,
        paid: {
          reference: textOf(member(data, 'reference')) ?? '',
          currency: textOf(member(data, 'currency')) ?? '',
          amountMinor: BigInt(amount as number),
          chargeId: id,
          status: member(data, 'status') === 'success' ? 'paid' : 'unpaid',
          mode: domain === 'live' || domain === 'test' ? domain : 'unknown',
        },
      }
    },
  }
}
