/** Reading an answer of a facilitator, which may be of any length. */

const MAX_ANSWER_BYTES = 65_536

/** The body as text; null when it is longer than 64 KiB. */
export async function limitedText(response: Response): Promise<string | null> {
  // Bun cuts a body at its declared length, so that a plain one needs no counting.
  const { headers } = response
  const declared = headers.get('content-encoding') ? null : headers.get('content-length')
  if (declared !== null && Number(declared) <= MAX_ANSWER_BYTES) return response.text()
  const reader = response.body?.getReader()
  if (!reader) return ''
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks).toString('utf8')
    sizeBytes += value.byteLength
    if (sizeBytes > MAX_ANSWER_BYTES) {
      await reader.cancel()
      return null
    }
    chunks.push(value)
  }
}
