/** What the product of top-ups provides to other plugins: buying credits for an account. */
import type { Failure } from '#kernel'

/** The name under which it is provided. */
export const TOPUP_DESK = 'topup-desk'

export type CheckoutProvider = 'provider_a' | 'provider_b'

/** A card or mobile checkout that was begun. */
export interface StartedCheckout {
  reference: string
  amountUsd: number
  credits: number
  startedAt: Date
  creditedAt: Date | null
  /** When its buyer came back without having paid; null: not yet. It may be paid later. */
  cancelledAt: Date | null
  /** What refunds and disputes have claimed of the credits. */
  refundedCredits: number
  disputedCredits: number
  /** What of both calls under way hold: it is taken once they give it back. */
  heldBackCredits: number
}

export interface TopupDesk {
  /** Providers whose checkouts can be begun now, and the least amount in US dollars. */
  checkouts(): { providers: readonly CheckoutProvider[]; minimumUsd: number }
  /**
   * Begins a checkout whose credits go to the account of this key; the address is where the buyer
   * pays, who comes back to `callbackUrl`.
   */
  begin(order: {
    keyId: string
    amountUsd: number
    provider: CheckoutProvider
    email: string | null
    callbackUrl: string
  }): Promise<{ ok: true; reference: string; authorizationUrl: string } | Failure>
  /** The buyer of a checkout for this key came back without having paid. */
  cancel(keyId: string, reference: string): Promise<void>
  /** The newest 20 checkouts for this key. */
  begun(keyId: string): Promise<readonly StartedCheckout[]>
  /**
   * The 402 of POST /v1/credits/topup/x402 for such an order, with its header PAYMENT-REQUIRED; a
   * Failure for an order that cannot be sold.
   */
  offer(order: {
    accountId: string
    amountUsd: number
    requestId: string
    signal: AbortSignal
  }): Promise<{ ok: true; unpaid: Response; path: string; body: object } | Failure>
}
