/**
 * Provider B, with the API of Flutterwave: amounts in major units; callbacks carry either
 * `verif-hash` (a static secret, which binds no bytes) or `flutterwave-signature` = base64
 * HMAC-SHA256 of the raw body; `GET /v3/transactions/verify_by_reference`.
 */
import { parseJson, usdToAtomic, type GuardedFetch } from '#kernel'
import type {
  Callback,
  Lookup,
  Provider,
  ReferenceLookup,
  Reversal,
  ReversalKind,
  ReversalLookup,
  ReversalNotice,
} from './contract.ts'
import { ATOMIC_PER_CENT } from '../order.ts'
import { callApi, member, rowsOf, startedBy, textOf } from './http.ts'
import { isMac, isSecret } from './signature.ts'

export const PROVIDER_B_URL = 'https://api.flutterwave.com'

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
      return startedBy(answer, (json) => member(json, 'data', 'link'))
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
      const notice = noticeOf(event, member(parsed.value, 'data'))
      if (notice === 'unreadable') return { kind: 'unreadable' }
      if (notice !== null) return { kind: 'reversal', event, notice }
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
          mode: modeOf(secret!),
        },
      }
    },
    async referenceOf(chargeId): Promise<ReferenceLookup> {
      const path = `/v3/transactions/${encodeURIComponent(chargeId)}/verify`
      const answer = await callApi(fetch, `${url}${path}`, secret!)
      if (!answer.ok) return answer
      const data = answer.status < 400 ? member(answer.json, 'data') : null
      const isThis = textOf(member(data, 'id')) === chargeId
      return { ok: true, reference: isThis ? textOf(member(data, 'tx_ref')) : null }
    },
    async lookUpReversals(notice, charge): Promise<ReversalLookup> {
      const id = notice.id ?? ''
      const path =
        notice.kind === 'refund'
          ? `/v3/refunds/${encodeURIComponent(id)}`
          : `/v3/chargebacks?${new URLSearchParams({ id })}`
      const answer = await callApi(fetch, `${url}${path}`, secret!)
      if (!answer.ok) return answer
      const reversals = rowsOf(answer.status < 400 ? member(answer.json, 'data') : null)
        .filter((row) => textOf(member(row, 'id')) === id && chargeOf(row) === charge.chargeId)
        .map((row) => reversalOf(row, notice.kind, modeOf(secret!)))
        .filter((reversal) => reversal !== null)
      return { ok: true, reversals }
    },
  }
}

/** What a refund or chargeback event is about; null for every other event. */
function noticeOf(event: string, data: unknown): ReversalNotice | 'unreadable' | null {
  const kind = /^refund(\.|$)/.test(event)
    ? 'refund'
    : /^chargeback(\.|$)/.test(event)
      ? 'dispute'
      : null
  if (kind === null) return null
  const id = textOf(member(data, 'id'))
  const reference =
    textOf(member(data, 'tx_ref')) ??
    textOf(member(data, 'reference')) ??
    textOf(member(data, 'meta', 'reference'))
  const chargeId = chargeOf(data)
  const isKnown = id !== null && (reference ?? chargeId) !== null
  return isKnown ? { kind, id, reference, chargeId } : 'unreadable'
}

/** The charge that a refund or chargeback names, under any of its names. */
function chargeOf(row: unknown): string | null {
  const named = ['tx_id', 'transaction_id', 'charge_id'].map((name) => textOf(member(row, name)))
  return named.find((id) => id !== null) ?? null
}

/** While a chargeback runs the provider holds its amount back; only one that was won ends that. */
const KEPT: Readonly<Record<ReversalKind, readonly string[]>> = {
  refund: ['failed', 'cancelled'],
  dispute: ['won'],
}

function reversalOf(row: unknown, kind: ReversalKind, mode: Reversal['mode']): Reversal | null {
  const id = textOf(member(row, 'id'))
  const amount = usdToAtomic(member(row, 'amount_refunded') ?? member(row, 'amount'))
  if (id === null || !amount.ok || amount.amountAtomic % ATOMIC_PER_CENT !== 0n) return null
  const status = textOf(member(row, 'status')) ?? ''
  const isDone = kind === 'dispute' || status.startsWith('completed') || status === 'succeeded'
  return {
    kind,
    id,
    currency: textOf(member(row, 'currency')),
    amountMinor: amount.amountAtomic / ATOMIC_PER_CENT,
    state: KEPT[kind].includes(status) ? 'kept' : isDone ? 'gone' : 'pending',
    disputeId: null,
    mode,
  }
}

/** Its answers do not tell; its test keys do. */
const modeOf = (secret: string): Reversal['mode'] =>
  secret.startsWith('FLWSECK_TEST') ? 'test' : 'unknown'
