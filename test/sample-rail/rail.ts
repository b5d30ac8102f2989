/** The members of a rail in the order of a call: presented → checked → claimed → (work) → captured. */
import {
  fail,
  type Authorization,
  type AuthorizeOutcome,
  type CaptureOutcome,
  type CredentialSource,
  type Failure,
  type InspectOutcome,
  type Logger,
  type Offer,
  type PrecheckOutcome,
  type Quote,
  type Rail,
  type RailCall,
  type RailCalls,
  type Receipt,
  type StoredAnswer,
} from '@coinop/gateway'
import type { Claim, Claims } from './claims.ts'
import {
  answerHeaders,
  documents,
  META,
  offerOf,
  RAIL_ID,
  REASONS,
  requestHeaders,
} from './shown.ts'
import { readVoucher, type Voucher } from './voucher.ts'

/** The rail's own part of an Authorization. */
interface State {
  call: RailCall
  voucher: Voucher
}

export class VoucherRail implements Rail {
  readonly id = RAIL_ID
  readonly title = 'voucher'
  readonly precedence = 20
  readonly keepsAnswers = true
  readonly requestHeaders = requestHeaders
  readonly answerHeaders = answerHeaders
  readonly documents = () => documents
  readonly calls: RailCalls
  readonly #secret: string | null
  readonly #claims: Claims
  readonly #log: Logger
  readonly #offers = new WeakMap<Quote, Offer>()

  constructor(options: { secret: string | null; claims: Claims; calls: RailCalls; log: Logger }) {
    this.#secret = options.secret
    this.#claims = options.claims
    this.calls = options.calls
    this.#log = options.log
  }

  available(): { ok: true } | { ok: false; reason: string } {
    return this.#secret ? { ok: true } : { ok: false, reason: 'VOUCHER_SECRET is not set' }
  }

  offer(quote: Quote): Offer | null {
    const offer = this.#offers.get(quote) ?? offerOf(quote)
    this.#offers.set(quote, offer)
    return offer
  }

  presented(source: CredentialSource): boolean {
    return textIn(source) !== null
  }

  /** The signature proves by itself who pays: the voucher. */
  async precheck(call: { quote: Quote }, source: CredentialSource): Promise<PrecheckOutcome> {
    const read = this.#read(source, call.quote)
    if ('ok' in read) return { outcome: 'refused', failure: read, offer: true }
    return { outcome: 'ok', payer: payerOf(read), rest: null }
  }

  /**
   * Who pays is the scope of an Idempotency-Key; without this, all callers without a key share one.
   * A caller with a key has the key's scope, so that a retry by another rail finds the same key.
   */
  async inspect(call: RailCall, source: CredentialSource): Promise<InspectOutcome> {
    const read = this.#read(source, call.quote)
    if ('ok' in read) return { outcome: 'refused', failure: read, offer: true }
    const payer = call.identity ? `key:${call.identity.keyId}` : payerOf(read)
    return { outcome: 'ok', payer, idempotencyKey: null }
  }

  async authorize(call: RailCall, source: CredentialSource): Promise<AuthorizeOutcome> {
    const voucher = this.#read(source, call.quote)
    if ('ok' in voucher) return { outcome: 'refused', failure: voucher, offer: true }
    const { isMine, claim } = await this.#claims.claim(call, voucher)
    if (!isMine) return this.#again(call, claim, voucher)
    if (claim.ledgerId !== null && (await this.#claims.isRefunded(claim.ledgerId))) {
      await this.#claims.release(claim.id)
      return { outcome: 'refused', failure: used(), offer: true }
    }
    const state: State = { call, voucher }
    const { amountAtomic } = call.quote
    return { outcome: 'authorized', authorization: { railId: RAIL_ID, amountAtomic, state } }
  }

  /** The same voucher once more. */
  #again(call: RailCall, claim: Claim, voucher: Voucher): AuthorizeOutcome {
    if (claim.fingerprint !== call.fingerprint) {
      return { outcome: 'refused', failure: used(), offer: true }
    }
    const { state, answer, ledgerId } = claim
    if (state === 'captured' && answer) {
      return { outcome: 'replay', answer, receipt: receiptOf(voucher, 0n, ledgerId) }
    }
    const failure = state === 'captured' ? answerGone() : inFlight()
    return { outcome: 'refused', failure, offer: false }
  }

  /** Metering sends nothing before this resolves; a throw would leave the caller in doubt. */
  async capture(
    authorization: Authorization,
    amountAtomic: bigint,
    answer: StoredAnswer | null,
  ): Promise<CaptureOutcome> {
    const { call, voucher } = authorization.state as State
    try {
      const captured = await this.#claims.capture(call, voucher.id, amountAtomic, answer)
      if (!captured) return { outcome: 'failed', failure: inFlight(), offer: false }
      return { outcome: 'captured', receipt: receiptOf(voucher, amountAtomic, captured.ledgerId) }
    } catch (error) {
      this.#log.warn({ err: error, requestId: call.requestId }, 'a voucher may have been taken')
      return { outcome: 'failed', failure: unconfirmed(), offer: false, pending: true }
    }
  }

  async keepReceipt(
    authorization: Authorization,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.#claims.keepReceipt((authorization.state as State).call.holdId, headers)
  }

  // What these three cannot write now, the end of the lease does.
  async release(authorization: Authorization): Promise<void> {
    await this.#tried(this.#claims.release((authorization.state as State).call.holdId))
  }

  async undo(authorization: Authorization): Promise<void> {
    await this.#tried(this.#claims.interrupted((authorization.state as State).call.holdId))
  }

  async delivered(authorization: Authorization): Promise<void> {
    await this.#tried(this.#claims.delivered((authorization.state as State).call.holdId))
  }

  async stateOf(holdId: string): Promise<'captured' | 'open' | 'none'> {
    await this.#claims.endAbandoned()
    const state = (await this.#claims.byId(holdId))?.state
    if (state === 'captured' || state === 'streaming') return 'captured'
    return state === 'claimed' ? 'open' : 'none'
  }

  #read(source: CredentialSource, quote: Quote): Voucher | Failure {
    const voucher = readVoucher(this.#secret ?? '', textIn(source) ?? '')
    if (!this.#secret || !voucher || voucher.endsAt <= new Date()) {
      return refusal('This is no voucher of this gateway, or its time is over', REASONS.bad_voucher)
    }
    if (voucher.amountAtomic >= quote.amountAtomic) return voucher
    return refusal('The voucher is worth less than the call costs', REASONS.voucher_too_small)
  }

  async #tried(writing: Promise<void>): Promise<void> {
    await writing.catch((error: unknown) => this.#log.warn({ err: error }, 'left to the lease'))
  }
}

function textIn(source: CredentialSource): string | null {
  const text = source.meta?.[META.voucher] ?? source.header('voucher-authorization')
  return typeof text === 'string' ? text : null
}

const payerOf = ({ id }: Voucher): string => `voucher:${id}`

function receiptOf({ id }: Voucher, chargedAtomic: bigint, ledgerId: string | null): Receipt {
  return {
    rail: RAIL_ID,
    chargedAtomic,
    ledgerId,
    headers: { 'voucher-receipt': id },
    meta: { [META.receipt]: { voucher: id } },
    transaction: id,
  }
}

type Refusal =
  | typeof REASONS.bad_voucher
  | typeof REASONS.voucher_too_small
  | typeof REASONS.voucher_used
const refusal = (message: string, reason: Refusal): Failure =>
  fail('PAYMENT_FAILED', message, { details: { reason } })
const used = (): Failure => refusal('The voucher has paid another request', REASONS.voucher_used)
const inFlight = (): Failure =>
  fail('INVALID_INPUT', 'The voucher pays the same request right now: send it again shortly', {
    status: 409,
    retryable: true,
    details: { reason: REASONS.voucher_in_flight },
    headers: { 'retry-after': '1' },
  })
const answerGone = (): Failure =>
  fail('INVALID_INPUT', 'The voucher has paid this request; its answer was too long to keep', {
    status: 409,
    details: { reason: REASONS.voucher_answer_gone },
  })
const unconfirmed = (): Failure =>
  fail('UPSTREAM_FAILURE', 'It is not confirmed that the voucher was taken: send it again', {
    details: { reason: REASONS.voucher_unconfirmed },
    headers: { 'retry-after': '1' },
  })
