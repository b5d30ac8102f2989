import type { OperatorFacts } from '#kernel'

/** A gateway whose operator has said nothing of itself. */
export const NO_OPERATOR: OperatorFacts = {
  name: null,
  logoUrl: null,
  termsUrl: null,
  privacyUrl: null,
  supportUrl: null,
}
