/**
 * The MPP rail: challenges of its own, and payments in the hands of x402. A charge is the EIP-3009
 * transfer that an x402 payment is as well, so its claim is x402's, and one signature buys once in
 * whichever dialect it comes.
 */
import type {
  AccountCharge,
  Authorization,
  AuthorizeOutcome,
  CaptureOutcome,
  CredentialSource,
  EarlyRailCall,
  Failure,
  InspectOutcome,
  Offer,
  PrecheckOutcome,
  Quote,
  Rail,
  RailDocuments,
  RailCall,
  RailCalls,
  Receipt,
  SignCharge,
  StoredAnswer,
} from '#kernel'
import type { Payments } from '../shared/payments/contract.ts'
import type { Challenges } from './challenges.ts'
import type { ChargeMethod } from './charge/method.ts'
import { documentsOf, mppShown } from './documents.ts'
import { judge, notIssued, otherBody, type Charge, type Judged } from './judge.ts'
import { chargeNetwork, listedCharges, Offers } from './offers.ts'
import { translated, unavailable } from './problems.ts'
import { receiptOf } from './receipts.ts'
import { isForBody } from './wire/binding.ts'
import { bringsCredential } from './wire/credential.ts'

export const RAIL_ID = 'mpp'

export interface MppOptions {
  /** That are sold, the preferred one first. */
  methods: readonly ChargeMethod[]
  /** Whether a challenge is for one body, too. */
  bindsBody?: boolean
  /** Made when it is first asked for: the public URL and the secret exist once the gateway runs. */
  challenges: () => Challenges
  /** Those of x402; null while it is not mounted. */
  payments: () => Payments | null
}

/** The rail's part of an Authorization. */
interface State {
  /** The x402 that claimed the payment: a reload may have replaced it since. */
  payments: Payments
  claimed: Authorization
  charge: Charge
}

/** A credential as it was judged, and by whose payments. */
interface Seen {
  payments: Payments
  judged: Judged
}

export class MppRail implements Rail {
  readonly id = RAIL_ID
  /** After x402: where both are presented, that one counts. */
  readonly precedence = 20
  readonly keepsAnswers = true
  readonly title = mppShown.title
  readonly requestHeaders = mppShown.requestHeaders
  readonly answerHeaders = mppShown.answerHeaders
  readonly bindsBody: boolean
  readonly documents: () => RailDocuments
  readonly #options: MppOptions
  readonly #offers: Offers
  /** Judged once per call: prechecking, inspecting and authorizing see the same. */
  readonly #seen = new WeakMap<CredentialSource, Seen>()

  constructor(options: MppOptions) {
    this.#options = options
    this.bindsBody = options.bindsBody === true
    this.#offers = new Offers(options.challenges, options.methods)
    const shown: RailDocuments = {
      ...documentsOf(options.methods),
      paymentOffers: ({ amountAtomic, isCeiling }) =>
        isCeiling ? [] : listedCharges(amountAtomic, options.methods, options.payments()),
    }
    this.documents = () => shown
  }

  get calls(): RailCalls | undefined {
    return this.#options.payments()?.callsOf(RAIL_ID)
  }

  available(): { ok: true } | { ok: false; reason: string } {
    const payments = this.#options.payments()
    if (!payments) return { ok: false, reason: 'MPP settles by x402, which is not mounted' }
    const { methods } = this.#options
    // A network may be open that x402 does not offer.
    return methods.some((charge) => chargeNetwork(charge, payments))
      ? { ok: true }
      : { ok: false, reason: this.closedMethods().join('; ') }
  }

  /** Why methods are not offered now. */
  closedMethods(): string[] {
    const payments = this.#options.payments()
    return this.#options.methods
      .filter((charge) => !payments || !chargeNetwork(charge, payments))
      .map((charge) => {
        const network = payments?.networks().find((one) => charge.isOn(one))
        const reason = network && payments?.closedBy(network)
        return `${charge.name}: ${reason ?? 'no network for it is configured'}`
      })
  }

  presented(source: CredentialSource): boolean {
    return bringsCredential(source)
  }

  offer(quote: Quote): Offer | null {
    const payments = this.#options.payments()
    return payments && this.#offers.of(quote, payments)
  }

  async precheck(call: EarlyRailCall, source: CredentialSource): Promise<PrecheckOutcome> {
    const seen = this.#judged(call, source)
    if (!seen) return closed()
    const { payments, judged } = seen
    if (judged.outcome === 'refused') return judged
    const checked = await payments.precheck(call, judged.payment)
    if (checked.outcome === 'refused') return { ...checked, failure: translated(checked.failure) }
    const { rest } = checked
    if (!judged.isIssued) return { ...checked, rest: () => this.#inspected(call, payments, judged) }
    return { ...checked, rest: rest && (async () => inspectedBy(await rest())) }
  }

  async inspect(call: RailCall, source: CredentialSource): Promise<InspectOutcome> {
    const seen = this.#judged(call, source)
    if (!seen) return closed()
    const { payments, judged } = seen
    if (judged.outcome === 'refused') return judged
    if (!isForBody(judged.challenge, call.place)) return otherBody()
    return this.#inspected(call, payments, judged)
  }

  async #inspected(
    call: EarlyRailCall,
    payments: Payments,
    charge: Charge,
  ): Promise<InspectOutcome> {
    if (!charge.isIssued && !(await payments.isClaimed(call, charge.payment))) return notIssued()
    return inspectedBy(await payments.inspect(call, charge.payment))
  }

  async authorize(call: RailCall, source: CredentialSource): Promise<AuthorizeOutcome> {
    const seen = this.#judged(call, source)
    if (!seen) return closed()
    const { payments, judged } = seen
    if (judged.outcome === 'refused') return judged
    if (!isForBody(judged.challenge, call.place)) return otherBody()
    if (!judged.isIssued && !(await payments.isClaimed(call, judged.payment))) return notIssued()
    const outcome = await payments.authorize(call, judged.payment, RAIL_ID)
    switch (outcome.outcome) {
      case 'refused':
        return { ...outcome, failure: translated(outcome.failure) }
      case 'replay': {
        const { answer, bought } = outcome
        return {
          ...outcome,
          receipt: receiptIn(outcome.receipt, judged, answer),
          ...(bought && { bought: authorizationOf(payments, bought, judged) }),
        }
      }
      case 'authorized': {
        const authorization = authorizationOf(payments, outcome.authorization, judged)
        return { outcome: 'authorized', authorization }
      }
    }
  }

  async capture(
    authorization: Authorization,
    amountAtomic: bigint,
    answer: StoredAnswer | null,
    account?: AccountCharge,
    sign?: SignCharge,
  ): Promise<CaptureOutcome> {
    const { payments, claimed, charge } = authorization.state as State
    const told = (receipt: Receipt) => receiptIn(receipt, charge, answer)
    const signed = sign && ((receipt: Receipt) => sign(told(receipt)))
    const outcome = await payments.rail.capture(claimed, amountAtomic, answer, account, signed)
    return outcome.outcome === 'captured'
      ? { ...outcome, receipt: told(outcome.receipt) }
      : { ...outcome, failure: translated(outcome.failure) }
  }

  async keepReceipt(
    authorization: Authorization,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { payments, claimed } = authorization.state as State
    await payments.rail.keepReceipt?.(claimed, headers)
  }

  async undo(authorization: Authorization, reason: string): Promise<void> {
    const { payments, claimed } = authorization.state as State
    await payments.rail.undo?.(claimed, reason)
  }

  async delivered(authorization: Authorization): Promise<void> {
    const { payments, claimed } = authorization.state as State
    await payments.rail.delivered?.(claimed)
  }

  async release(authorization: Authorization, reason: string): Promise<void> {
    const { payments, claimed } = authorization.state as State
    await payments.rail.release(claimed, reason)
  }

  /** 'open' while x402 is not mounted: only it knows, and the work must not run again. */
  async stateOf(holdId: string): Promise<'captured' | 'open' | 'none'> {
    return (await this.#options.payments()?.rail.stateOf(holdId)) ?? 'open'
  }

  /** Null while x402 is not mounted. */
  #judged(call: EarlyRailCall, source: CredentialSource): Seen | null {
    const known = this.#seen.get(source)
    if (known) return known
    const payments = this.#options.payments()
    if (!payments) return null
    const { methods } = this.#options
    const challenges = this.#options.challenges()
    const seen = { payments, judged: judge(source, call.place, { challenges, methods, payments }) }
    this.#seen.set(source, seen)
    return seen
  }
}

function authorizationOf(
  payments: Payments,
  claimed: Authorization,
  charge: Charge,
): Authorization {
  const state: State = { payments, claimed, charge }
  const { receipt } = claimed
  return {
    ...claimed,
    railId: RAIL_ID,
    state,
    ...(receipt && { receipt: withoutReceipt(receipt) }),
  }
}

function inspectedBy(outcome: InspectOutcome): InspectOutcome {
  return outcome.outcome === 'refused'
    ? { ...outcome, failure: translated(outcome.failure) }
    : outcome
}

/** Of failed work: this scheme has receipts on success alone. */
function withoutReceipt(receipt: Receipt): Receipt {
  return { ...receipt, rail: RAIL_ID, headers: {}, meta: {} }
}

function receiptIn(receipt: Receipt, charge: Charge, answer: StoredAnswer | null): Receipt {
  return { ...receipt, rail: RAIL_ID, ...receiptOf(receipt, charge, answer) }
}

function closed(): { outcome: 'refused'; failure: Failure; offer: false } {
  const failure = unavailable('x402 is not mounted')
  return { outcome: 'refused', failure, offer: false }
}
