/**
 * Provider B, with the API of Flutterwave: amounts in major units; callbacks carry either
 * `verif-hash` (a static secret, which binds no bytes) or `flutterwave-signature` = base64
 * HMAC-SHA256 of the raw body; `GET /v3/transactions/verify_by_reference`.
 */
import { parseJson, usdToAtomic, type GuardedFetch } from '#kernel'
import type { Callback, Lookup, Provider } from './contract.ts'
import { callApi, member, notStarted, textOf } from './http.ts'
import { isMac, isSecret } from './signature.ts'

export const PROVIDER_B_URL = 'https://api.flutterwave.com'
const ATOMIC_PER_CENT = 10_000n

export function providerB(options: {
  secret: string | undefined
  webhookHash: string | undefined
  url: string
  fetch: GuardedFetch
}): Provider {
  const { secret, webhookHash, fetch } = options
  const url = options.url.replace(/\/+$/, '')
  return {
    id: 'provider_b',
    configured: secret !== undefined && webhookHash !== undefined,
    async initialize(order) {
      const answer = await callApi(fetch, `${url}/v3/payments`, secret!, {
        tx_ref: order.reference,
        amount: Number(order.amountMinor) / 100,
        currency: order.currency,
        redirect_url: order.callbackUrl,
        customer: { email: order.email, name: order.email },
        meta: { reference: order.reference },
      })
      const link = answer.ok ? member(answer.json, 'data', 'link') : null
      return typeof link === 'string'
        ? { ok: true, authorizationUrl: link }
        : notStarted('Provider B')
    },
    isSigned(body, headers) {
      if (webhookHash === undefined) return false
      const signature = headers.get('flutterwave-signature')
      // A literal secret in the signature header proves nothing about the bytes: only the MAC counts.
      if (signature !== null) return isMac('sha256', webhookHash, body, signature, 'base64')
      return isSecret(webhookHash, headers.get('verif-hash'))
    },
    read(body): Callback {
      const parsed = parseJson(body)
      if (!parsed.ok) return { kind: 'unreadable' }
      const event = textOf(member(parsed.value, 'event')) ?? textOf(member(parsed.value, 'type'))
      if (event === null) return { kind: 'unreadable' }
      if (event !== 'charge.completed') return { kind: 'other', event }
      const data = member(parsed.value, 'data')
      const reference = textOf(member(data, 'tx_ref')) ?? textOf(member(data, 'reference'))
      return reference === null ? { kind: 'unreadable' } : { kind: 'charge', event, reference }
    },
    async lookUp(reference): Promise<Lookup> {
      const query = new URLSearchParams({ tx_ref: reference })
      const answer = await callApi(
        fetch,
        `${url}/v3/transactions/verify_by_reference?${query}`,
        secret!,
      )
      if (!answer.ok) return { ok: false, reason: 'unreachable', message: answer.message }
      const data = member(answer.json, 'data')
      const amount = usdToAtomic(member(data, 'amount'))
      const id = textOf(member(data, 'id'))
      if (
        answer.status >= 400 ||
        !amount.ok ||
        amount.amountAtomic % ATOMIC_PER_CENT !== 0n ||
        id === null
      ) {
        return { ok: false, reason: 'unknown', message: 'the provider does not know the reference' }
      }
      const status = member(data, 'status')
      return {
        ok: true,
        paid: {
          reference: textOf(member(data, 'tx_ref')) ?? textOf(member(data, 'reference')) ?? '',
          currency: textOf(member(data, 'currency')) ?? '',
          amountMinor: amount.amountAtomic / ATOMIC_PER_CENT,
          chargeId: id,
          status: status === 'successful' || status === 'succeeded' ? 'paid' : 'unpaid',
          // Its answers do not tell; its test keys do.
          mode: secret!.startsWith('FLWSECK_TEST') ? 'test' : 'unknown',
        },
      }
    },
  }
}
