/** What a node means by refusing a transaction. Nodes word it differently and give no codes. */

/** It ended without the node's answer: the transaction may be out. */
export const isAnswerLost = (detail: string): boolean =>
  /timed? ?out|took too long|fetch failed|HTTP request failed|socket|closed|reset/i.test(detail)

/** The node has this very transaction. */
export const isKnown = (detail: string): boolean => /already known|already imported/i.test(detail)

/** In its place waits another, which offers so much that this one does not replace it. */
export const isUnderpriced = (detail: string): boolean => /underpriced/i.test(detail)

/** Its place is not the account's next. */
export const isAboutNonce = (detail: string): boolean => /nonce/i.test(detail)

/** Something is mined in its place. */
export const isNonceTooLow = (detail: string): boolean => /nonce too low/i.test(detail)

/** The account has not enough for the gas. */
export const isAboutGas = (detail: string): boolean =>
  /insufficient funds|gas required|intrinsic gas/i.test(detail)
