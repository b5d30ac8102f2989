/** Answers that are streamed: someone must know when the last byte went out, or that none will. */

/** 'complete' after the last byte, 'cancelled' when the caller went away, 'broken' by its source. */
export type StreamEnd = 'complete' | 'cancelled' | 'broken'

/**
 * The same bytes at the reader's pace. `onEnd` is called once. A source that fails cuts the caller's
 * connection; its error goes to `onEnd` alone, since Bun prints whatever a body rejects with.
 */
export function watched(
  body: ReadableStream<Uint8Array>,
  onEnd: (end: StreamEnd, error?: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let isOver = false
  const finish = (end: StreamEnd, error?: unknown): void => {
    if (!isOver) onEnd(end, error)
    isOver = true
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          finish('complete')
          controller.close()
        } catch (error) {
          finish('broken', error)
          controller.error(undefined)
        }
      },
      cancel(reason) {
        finish('cancelled')
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
