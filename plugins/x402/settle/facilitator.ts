/**
 * A remote facilitator (x402 v2 §7): POST /verify and /settle. Not the client of @x402/core, because a
 * failure must tell "did not act" from "may have acted".
 */
import { LRUCache } from 'lru-cache'
import { isObject, parseJson } from '#kernel'
import { acceptedOf, payerOf, type SignedPayment } from '../payment/payload.ts'
import { isSameAddress, isTransaction } from '../payment/wire.ts'
import type { CheckOutcome, SettleOutcome, Settler } from './contract.ts'
import type { FacilitatorAuth } from './facilitator-auth.ts'
import { directFetch, limitedText, noAnswerText } from './endpoint-fetch.ts'
import { isNamed, readableReason, reasonKind } from '../payment/reason-kinds.ts'

export interface FacilitatorOptions {
  url: string
  /** Its credential; null where it wants none. */
  auth?: FacilitatorAuth | null
  /** A settlement waits for a block; after this its outcome counts as unknown. */
  settleTimeoutMs?: number
  verifyTimeoutMs?: number
  /** Whether it settles such a payment, as far as is known; default: it does. */
  supports?: (payment: SignedPayment) => boolean
}

const SETTLE_TIMEOUT_MS = 30_000
const VERIFY_TIMEOUT_MS = 10_000
/** The reference facilitator forgets a verification after five minutes. */
const VERIFIED_MS = 240_000
/** The connection was never made, so the request never arrived. */
const NOT_SENT = new Set([
  'ConnectionRefused',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'FailedToOpenSocket',
])

type Exchange =
  | { kind: 'answer'; status: number; body: Record<string, unknown> }
  | { kind: 'not_sent'; detail: string }
  | { kind: 'lost'; detail: string }

export class Facilitator implements Settler {
  readonly name: string
  readonly isRemote = true
  /** Hashes of the payloads that passed its /verify and were not settled yet. */
  readonly #verified = new LRUCache<number | bigint, true>({ max: 20_000, ttl: VERIFIED_MS })
  readonly #base: string
  readonly #auth: FacilitatorAuth | null
  readonly #supports: (payment: SignedPayment) => boolean
  readonly #settleTimeoutMs: number
  readonly #verifyTimeoutMs: number

  constructor(options: FacilitatorOptions) {
    this.#base = options.url.replace(/\/+$/, '')
    this.#auth = options.auth ?? null
    this.name = new URL(options.url).host
    this.#supports = options.supports ?? (() => true)
    this.#settleTimeoutMs = options.settleTimeoutMs ?? SETTLE_TIMEOUT_MS
    this.#verifyTimeoutMs = options.verifyTimeoutMs ?? VERIFY_TIMEOUT_MS
  }

  takes(payment: SignedPayment): boolean {
    return this.#supports(payment)
  }

  hasVerified(payment: SignedPayment): boolean {
    return this.#verified.has(Bun.hash(payloadTextOf(payment)))
  }

  /**
   * Settles after a verification, because facilitators may refuse what they have not verified. With
   * `isAgain` it settles whatever the verification says: only the settlement tells how the earlier
   * attempt ended.
   */
  async settle(payment: SignedPayment, isAgain = false): Promise<SettleOutcome> {
    const isVerified = !isAgain && this.hasVerified(payment)
    const before = isVerified ? null : await this.check(payment)
    if (before && before.outcome !== 'payable' && !isAgain) return settlementOf(before)
    const settled = await this.#settle(payment)
    if (settled.outcome !== 'refused' || isNamed(settled.reason)) return settled
    if (isAgain) return before?.outcome === 'refused' ? settlementOf(before) : settled
    // A reason of no known name: it may have restarted since it verified this payment, or have
    // settled it all the same. A second verification tells.
    const after = await this.check(payment)
    if (after.outcome === 'refused') return doubting(settled, settlementOf(after))
    const isForgotten = isVerified && after.outcome === 'payable'
    return isForgotten ? doubting(settled, await this.#settle(payment)) : settled
  }

  async #settle(payment: SignedPayment): Promise<SettleOutcome> {
    const exchange = await this.#post('settle', payment, this.#settleTimeoutMs)
    // Facilitators forget a verification once they have settled by it.
    this.#verified.delete(Bun.hash(payloadTextOf(payment)))
    if (exchange.kind !== 'answer') {
      const outcome = exchange.kind === 'lost' ? 'unknown' : 'unavailable'
      return { outcome, detail: exchange.detail }
    }
    const { status, body } = exchange
    const transaction = typeof body['transaction'] === 'string' ? body['transaction'] : ''
    if (status === 200 && body['success'] === true) {
      const mismatch = mismatchIn(body, transaction, payment)
      return mismatch === null
        ? { outcome: 'settled', transaction }
        : { outcome: 'unknown', detail: `${this.name} settled, but ${mismatch}` }
    }
    const reason = readableReason(body['errorReason']) ?? readableReason(body['errorMessage'])
    if (body['success'] === false && reason !== null) {
      const isSent = isTransaction(payment.requirements.network, transaction)
      return settleRefusal(reason, textOf(body['errorMessage']), isSent ? transaction : null)
    }
    const detail = `${this.name} answered ${status} without a settlement result`
    // A 4xx refuses the request as such (credentials, rate limit, path); a 5xx may have acted first.
    const untouched = status >= 400 && status < 500 && status !== 408
    return { outcome: untouched ? 'unavailable' : 'unknown', detail }
  }

  async check(payment: SignedPayment): Promise<CheckOutcome> {
    const exchange = await this.#post('verify', payment, this.#verifyTimeoutMs)
    if (exchange.kind !== 'answer') {
      return { outcome: 'unavailable', detail: exchange.detail, isSilent: true }
    }
    const { status, body } = exchange
    if (status === 200 && body['isValid'] === true) {
      this.#verified.set(Bun.hash(payloadTextOf(payment)), true)
      return { outcome: 'payable' }
    }
    if (body['isValid'] === false) {
      const reason = readableReason(body['invalidReason']) ?? 'verification_failed'
      const detail = textOf(body['invalidMessage'])
      return {
        outcome: 'refused',
        reason,
        ...(detail !== undefined && { detail }),
        ...(reasonKind(reason) === 'unsupported' && { elsewhere: true }),
      }
    }
    return {
      outcome: 'unavailable',
      detail: `${this.name} answered ${status} without a verification result`,
      isSilent: status === 401 || status === 403,
    }
  }

  async #post(
    path: 'settle' | 'verify',
    payment: SignedPayment,
    timeoutMs: number,
  ): Promise<Exchange> {
    const url = `${this.#base}/${path}`
    let credential: Record<string, string> = {}
    try {
      if (this.#auth) credential = await this.#auth(new URL(url))
    } catch {
      return { kind: 'not_sent', detail: `${this.name} ${path}: the credential cannot be made` }
    }
    try {
      const response = await directFetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...credential,
        },
        body: requestBody(path, payment),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await limitedText(response)
      const parsed = text === null ? null : parseJson(text)
      const body = parsed?.ok && isObject(parsed.value) ? parsed.value : {}
      return { kind: 'answer', status: response.status, body }
    } catch (error) {
      const { code } = error as Error & { code?: string }
      const kind = code !== undefined && NOT_SENT.has(code) ? 'not_sent' : 'lost'
      return { kind, detail: `${this.name} ${path}: ${noAnswerText(error, timeoutMs)}` }
    }
  }
}

/**
 * x402 v2 §7.1 and §7.2. `paymentPayload` is the same text in both; the amount required is what the
 * payer permitted at verification, and at settlement what is to be taken.
 */
function requestBody(path: 'settle' | 'verify', payment: SignedPayment): string {
  const required = path === 'verify' ? acceptedOf(payment) : payment.requirements
  return (
    `{"x402Version":2,"paymentPayload":${payloadTextOf(payment)},` +
    `"paymentRequirements":${textOfShared(required)}}`
  )
}

function payloadTextOf(payment: SignedPayment): string {
  if (payment.sent !== undefined) return payment.sent
  const accepted = textOfShared(acceptedOf(payment))
  return `{"x402Version":2,"accepted":${accepted},"payload":${JSON.stringify(payment.payload)}}`
}

/** JSON texts of objects that challenges share and nobody changes. */
const sharedTexts = new WeakMap<object, string>()

function textOfShared(value: object): string {
  let text = sharedTexts.get(value)
  if (text === undefined) {
    text = JSON.stringify(value)
    sharedTexts.set(value, text)
  }
  return text
}

/** Why a success cannot be of this payment; null when all of it fits. */
function mismatchIn(
  body: Record<string, unknown>,
  transaction: string,
  payment: SignedPayment,
): string | null {
  const { requirements } = payment
  const { payer, network, amount } = body
  if (!isTransaction(requirements.network, transaction)) return 'names no transaction'
  if (typeof payer === 'string' && payer !== '' && !isSameAddress(payer, payerOf(payment))) {
    return 'names another payer'
  }
  if (typeof network === 'string' && network.includes(':') && network !== requirements.network) {
    return 'names another network'
  }
  const isOther = typeof amount === 'string' && amount !== '' && amount !== requirements.amount
  return isOther ? 'names another amount' : null
}

function settleRefusal(
  reason: string,
  detail: string | undefined,
  transaction: string | null,
): SettleOutcome {
  const refused = { outcome: 'refused', reason, ...(detail !== undefined && { detail }) } as const
  const kind = reasonKind(reason)
  if (kind === 'unsupported') return { ...refused, elsewhere: true }
  // A facilitator that names a transaction has sent one, whatever an unknown reason says about it.
  if (kind === 'final' && (transaction === null || isNamed(reason))) return refused
  return { outcome: 'unknown', detail: reason, ...(transaction !== null && { transaction }) }
}

/** The outcome of a settlement that was not asked for, because its verification did not pass. */
function settlementOf(checked: Exclude<CheckOutcome, { outcome: 'payable' }>): SettleOutcome {
  if (checked.outcome === 'unavailable') return { outcome: 'unavailable', detail: checked.detail }
  return reasonKind(checked.reason) === 'doubtful'
    ? { outcome: 'unknown', detail: checked.reason }
    : checked
}

/**
 * The outcome `next` of a second try, after a first refusal of no known name. An unknown outcome names
 * both: that the payment is used by now may come from the first try itself.
 */
function doubting(
  first: Extract<SettleOutcome, { outcome: 'refused' }>,
  next: SettleOutcome,
): SettleOutcome {
  if (next.outcome !== 'unknown') return next
  return { ...next, detail: `${first.reason}, then ${next.detail}`.slice(0, 300) }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 300) : undefined
}
