/** Streams whose beginning was read already, by somebody who had to look at it. */

export type Reader = ReadableStreamDefaultReader<Uint8Array>
export type Reading = ReturnType<Reader['read']>

/** What was read so far, then the rest; `reading` is a read that is under way. */
export function resumed(
  chunks: readonly Uint8Array[],
  reader: Reader,
  reading?: Reading,
): ReadableStream<Uint8Array> {
  const waiting = [...chunks]
  let begun = reading
  return new ReadableStream({
    async pull(controller) {
      const next = waiting.shift()
      if (next) return controller.enqueue(next)
      const { done, value } = await (begun ?? reader.read())
      begun = undefined
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
