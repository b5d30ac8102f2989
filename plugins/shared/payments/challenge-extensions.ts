/**
 * Extensions of x402's challenges that other plugins add: members of `extensions` in PAYMENT-REQUIRED
 * (x402 v2), made anew for each answer. The plugin x402 asks for each of them by its name; whoever
 * provides one knows nothing of x402.
 */
import type { CallPlace, Quote } from '#kernel'

/** The members that may be added; where not all of them have room, the first ones stay. */
export const CHALLENGE_EXTENSIONS = ['sign-in-with-x', 'offer-receipt'] as const
export type ChallengeExtensionKey = (typeof CHALLENGE_EXTENSIONS)[number]

/** The name under which the plugin that adds a member provides it. */
export function extensionName(key: ChallengeExtensionKey): string {
  return `x402-extension ${key}`
}

/** A way to pay that a challenge accepts (x402 v2, PaymentRequirements), as far as extensions read it. */
export interface AcceptedOffer {
  scheme: string
  network: string
  asset: string
  payTo: string
  amount: string
  maxTimeoutSeconds: number
}

export interface ChallengeExtension {
  /**
   * The member's value in the answer to an unpaid call, an object, as its JSON; null: not in this one.
   * It is asked for each 402, so it is cheap and writes nothing. One that makes the header too long is
   * left out: some 700 characters always have room. `accepts` is what the challenge accepts, the same
   * objects for as long as its quote is the same.
   */
  textFor(place: CallPlace, quote: Quote, accepts: readonly AcceptedOffer[]): string | null
}
