/** Texts of errors of the node and of facilitators. */

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

/** Why a request to a facilitator got no answer within its limit. */
export function noAnswerText(error: unknown, timeoutMs: number): string {
  const { code, name, message } = error as Error & { code?: string }
  return name === 'TimeoutError' ? `no answer within ${timeoutMs} ms` : (code ?? message)
}
