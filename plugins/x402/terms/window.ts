/** How long a payer's signature must be good. */

/** Kept free between the skill's deadline and the end of the authorization, for the settlement. */
export const SETTLE_MARGIN_S = 20
/** What a payer may take between the challenge and its paid request. */
const PAYER_SLACK_S = 40

/** Seconds for the skill, the settlement and the payer's own delays. */
export function maxTimeoutSeconds(timeoutMs: number): number {
  return Math.max(60, Math.ceil(timeoutMs / 1000) + SETTLE_MARGIN_S + PAYER_SLACK_S)
}
