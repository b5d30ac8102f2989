/** What a delivery log keeps of a destination's answer. */
import type { GuardedExchange } from '#kernel'

/**
 * At most `limitBytes` of an answer's body as text, then the connection is dropped: what a delivery
 * log keeps. What arrived before an error or a deadline is kept too.
 */
export async function readExcerpt(answer: GuardedExchange, limitBytes: number): Promise<string> {
  const reader = answer.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    while (size < limitBytes) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value.subarray(0, limitBytes - size))
      size += chunks.at(-1)!.length
    }
  } catch {
    // `ended` says what cut it off.
  }
  answer.cancel()
  return new TextDecoder().decode(Buffer.concat(chunks))
}
