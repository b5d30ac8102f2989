/**
 * An entry: one token on one network that the operator takes, with all that reads, verifies and
 * settles payments in it. A payment belongs to one entry from its offer to its end, and is never
 * tried on a second one.
 */
import type { Failure, Quote, StoredAnswer } from '#kernel'
import type { Availability } from '../availability.ts'
import type { Claim, PaymentKey, SettleOrder } from '../claims/claim.ts'
import type { AcceptedPrice } from '../terms/prices.ts'
import type { SignedPayment } from '../payment/payload.ts'
import type { Sponsoring } from '../payment/sponsoring.ts'
import type { ShownInChallenge } from '../payment/sent-text.ts'
import type { Examined, Verified } from '../payment/verified.ts'
import type { Payment, PaymentRequirements } from '../payment/wire.ts'
import type { Problem } from '../payment/problem.ts'
import type { CheckOptions, CheckOutcome } from '../settle/contract.ts'
import type { Settled, SettleOptions } from '../settle/settle-claim.ts'
import type { SettlerState } from '../settle/settlers.ts'
import type { Token } from '../terms/token.ts'

/** What it offers. */
export interface EntryOffers {
  readonly token: Token
  /** Whether a client of x402 version 1 can pay the first of its offers. */
  readonly speaksV1: boolean
  /** Approvals that somebody brings to the chain with a payment by Permit2; absent: none. */
  readonly sponsorings?: readonly Sponsoring[]
  /**
   * The ways to pay this quote, the preferred one first; none where no way suits. The same array for
   * the same quote until `changed` of its parts was called. Its amounts are units of the token.
   */
  of(quote: Quote): readonly PaymentRequirements[]
}

export interface Entry {
  readonly token: Token
  /** For logs and /ready: 'eip155:8453 0x8335…'. */
  readonly name: string
  /** Mark of a sandbox chain (`SandboxChain.ref`); null on real networks. */
  readonly chainRef: string | null
  /** Payment channels beside another entry of the same token. */
  readonly isChannels?: true
  readonly offers: EntryOffers

  /** Whether it may take money now; while it may not it is not offered. Must be cheap. */
  available(): Availability
  settlerStates(): SettlerState[]
  /** What is not as it should be while it is open, for /ready. */
  troubles(): string[]

  /** Who pays, as far as the payment says so; null where that cannot be read. */
  payerOf(payment: Payment): string | null
  /** What identifies a payment that was examined among all claims, for ever. */
  keyOf(payment: Payment): PaymentKey
  /** When it can no longer be settled, in seconds since 1970. */
  validBefore(payment: Payment): bigint
  /**
   * Why it is not valid until the work is done and settled; null when it is. `deadline` and `now` are by
   * the database's clock, as in `examine`.
   */
  windowProblem(payment: Payment, deadline: Date, now: Date): Problem | null
  /** Judges it by itself: no database, no network. Work must be over by `deadline`. */
  examine(payment: Payment, quote: Quote, deadline: Date, now: Date): Promise<Examined>
  /** Whether a payment that was examined pays `quote`; may ask the node and the price registry. */
  verify(payment: Payment, quote: Quote, examined: Examined): Promise<Verified>
  /**
   * The form in which it is stored with its claim and settled, at the price it was signed for;
   * `shown` gives what the quote's challenge says beside its offers.
   */
  signed(
    payment: Payment,
    quote: Quote,
    price: AcceptedPrice,
    shown: () => ShownInChallenge,
  ): SignedPayment

  /** Whether it would settle now, asked before any work; nothing is sent. */
  check(payment: SignedPayment, options?: CheckOptions): Promise<CheckOutcome>
  /**
   * Makes sure of what is paid at the end of its answer, before any work; asked after `check`. Absent:
   * `balanceOf` tells.
   */
  secure?(payment: SignedPayment): Promise<CheckOutcome>
  /**
   * Units of the token that a payer has; null without a node, throws when it does not answer. Absent:
   * nothing here is settled later than its answer begins, or `secure` is there.
   */
  balanceOf?(payer: string): Promise<bigint | null>
  /**
   * Stores the answer with the claim and settles. 'lost': another call holds the payment by now, and
   * nothing was done.
   */
  settle(
    order: SettleOrder,
    answer: StoredAnswer | null,
    options?: SettleOptions,
  ): Promise<Settled | { state: 'lost' }>
  /**
   * Why a payment buys nothing whose claim another request has; absent: it was used, which is all
   * there is to say.
   */
  taken?(claim: Claim): Promise<Failure>
  /** Looks at one claim that is settling now, for a caller that came back with its payment. */
  resolve(claimId: string): Promise<void>

  /** Checks its settings against the network and starts its background work; never throws. */
  start(): Promise<void>
  stop(): Promise<void>
}
