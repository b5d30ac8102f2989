/**
 * Provider A, with the API of Paystack: amounts in subunits, `x-paystack-signature` = hex
 * HMAC-SHA512 of the raw body under the API secret key, `GET /transaction/verify/:reference`.
 */
import { parseJson, type GuardedFetch } from '#kernel'
import type {
  Callback,
  Lookup,
  Paid,
  Provider,
  Reversal,
  ReversalLookup,
  ReversalNotice,
} from './contract.ts'
import { callApi, member, rowsOf, startedBy, textOf } from './http.ts'
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
      return startedBy(answer, (json) => member(json, 'data', 'authorization_url'))
    },
    isSigned: (body, headers) =>
      secret !== undefined &&
      isMac('sha512', secret, body, headers.get('x-paystack-signature'), 'hex'),
    read(body): Callback {
      const parsed = parseJson(body)
      const event = parsed.ok ? textOf(member(parsed.value, 'event')) : null
      if (!parsed.ok || event === null) return { kind: 'unreadable' }
      const notice = noticeOf(event, member(parsed.value, 'data'))
      if (notice === 'unreadable') return { kind: 'unreadable' }
      if (notice !== null) return { kind: 'reversal', event, notice }
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
      return {
        ok: true,
        paid: {
          reference: textOf(member(data, 'reference')) ?? '',
          currency: textOf(member(data, 'currency')) ?? '',
          amountMinor: BigInt(amount as number),
          chargeId: id,
          status: member(data, 'status') === 'success' ? 'paid' : 'unpaid',
          mode: modeOf(data),
        },
      }
    },
    async lookUpReversals(notice, charge): Promise<ReversalLookup> {
      const path =
        notice.kind === 'refund'
          ? `/refund?${new URLSearchParams({ transaction: charge.chargeId, perPage: '100' })}`
          : `/dispute/${encodeURIComponent(notice.id ?? '')}`
      const answer = await callApi(fetch, `${url}${path}`, secret!)
      if (!answer.ok) return answer
      const reversals = rowsOf(answer.status < 400 ? member(answer.json, 'data') : null)
        .filter((row) => isOf(row, charge))
        .map(notice.kind === 'refund' ? refundOf : disputeOf)
        .filter((reversal) => reversal !== null)
      return { ok: true, reversals }
    },
  }
}

/** What a refund or dispute event is about; null for every other event. */
function noticeOf(event: string, data: unknown): ReversalNotice | 'unreadable' | null {
  const kind = event.startsWith('refund.')
    ? 'refund'
    : event.startsWith('charge.dispute.')
      ? 'dispute'
      : null
  if (kind === null) return null
  const id = textOf(member(data, 'id'))
  const transaction = member(data, 'transaction')
  const reference =
    textOf(member(data, 'transaction_reference')) ?? textOf(member(transaction, 'reference'))
  const chargeId = textOf(member(transaction, 'id')) ?? textOf(transaction)
  const isKnown = (reference ?? chargeId) !== null && (kind === 'refund' || id !== null)
  return isKnown ? { kind, id, reference, chargeId } : 'unreadable'
}

/** Whether a refund or dispute is of this charge, which it names by id or as a whole. */
function isOf(row: unknown, charge: { reference: string; chargeId: string }): boolean {
  const transaction = member(row, 'transaction')
  const id = textOf(transaction) ?? textOf(member(transaction, 'id'))
  if (id !== null) return id === charge.chargeId
  const reference =
    textOf(member(transaction, 'reference')) ?? textOf(member(row, 'transaction_reference'))
  return reference === charge.reference
}

function refundOf(row: unknown): Reversal | null {
  const status = textOf(member(row, 'status'))
  const state = status === 'processed' ? 'gone' : status === 'failed' ? 'kept' : 'pending'
  const dispute = member(row, 'dispute')
  const disputeId = textOf(dispute) ?? textOf(member(dispute, 'id'))
  return reversalOf(row, 'refund', member(row, 'amount'), state, disputeId)
}

/** While a dispute runs the provider holds its amount back; only a claim that was declined ends that. */
function disputeOf(row: unknown): Reversal | null {
  const isWon = textOf(member(row, 'resolution')) === 'declined'
  const isOver = textOf(member(row, 'status')) === 'resolved'
  const amount = member(row, 'refund_amount') ?? member(row, 'transaction', 'amount')
  return reversalOf(row, 'dispute', amount, isOver && isWon ? 'kept' : 'gone', null)
}

function reversalOf(
  row: unknown,
  kind: Reversal['kind'],
  amount: unknown,
  state: Reversal['state'],
  disputeId: string | null,
): Reversal | null {
  const id = textOf(member(row, 'id'))
  const minor = textOf(amount)
  if (id === null || minor === null || !/^\d{1,15}$/.test(minor)) return null
  const currency = textOf(member(row, 'currency'))
  return { kind, id, currency, amountMinor: BigInt(minor), state, disputeId, mode: modeOf(row) }
}

function modeOf(data: unknown): Paid['mode'] {
  const domain = member(data, 'domain')
  return domain === 'live' || domain === 'test' ? domain : 'unknown'
}
