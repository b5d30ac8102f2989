/** Errors of the node: texts to show, and what a refused transaction means. Nodes give no codes. */

/** The short text of a viem error; its long one repeats the node's URL, which may hold a key. */
export function messageOf(error: unknown): string {
  const { shortMessage, message } = error as { shortMessage?: string; message?: string }
  return (shortMessage ?? message ?? 'unknown error').split('\n')[0]!.slice(0, 200)
}

/** All texts of an error and its causes, for matching; never shown. */
export function fullMessageOf(error: unknown): string {
  const texts: string[] = []
  for (let at: unknown = error; at instanceof Error && texts.length < 8; at = at.cause) {
    texts.push(at.message, String((at as { details?: unknown }).details ?? ''))
  }
  return texts.join('\n')
}

/** A contract that was called reverted. */
export const isRevert = (text: string): boolean => /revert/i.test(text)

/** The same, or it wanted more gas than the call has. */
export const isFailure = (text: string): boolean =>
  isRevert(text) || /out ?of ?gas|gas required|intrinsic gas/i.test(text)

/** The node's answer was lost: the transaction may have been accepted. */
export const isAnswerLost = (text: string): boolean =>
  /timed? ?out|took too long|fetch failed|HTTP request failed|socket|closed|reset/i.test(text)

/** The node has this very transaction already. */
export const isKnown = (text: string): boolean => /already known|already imported/i.test(text)

/** Another transaction has the nonce, and this one does not offer enough to replace it. */
export const isUnderpriced = (text: string): boolean => /underpriced/i.test(text)

/** The nonce is not the account's next. */
export const isAboutNonce = (text: string): boolean => /nonce/i.test(text)

/** A transaction with this nonce is mined. */
export const isNonceTooLow = (text: string): boolean => /nonce too low/i.test(text)

/** The account cannot pay the gas. */
export const isAboutGas = (text: string): boolean =>
  /insufficient funds|gas required|intrinsic gas/i.test(text)
