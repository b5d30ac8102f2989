/**
 * A streamed answer whose units are known at its end. Its maximum is held before the first byte,
 * and what was seen is charged after the last one: also when the upstream breaks off, when the
 * reader leaves or stalls, and when the deadline passes.
 */
import { endOfFailure, type StreamEnd } from '../net/stream-end.ts'
import { ReaderPace } from '../net/reader-pace.ts'

export interface StreamCharge {
  /** When the stream is cut off: until then the hold and the payment are valid. */
  deadline: Date
  seen(chunk: Uint8Array): void
  /** Charges what was seen; called once. Never rejects. */
  charge(end: StreamEnd): Promise<void>
}

/** The same bytes at the reader's pace; the charge is made before the reader sees the end. */
export function meteredStream(
  body: ReadableStream<Uint8Array>,
  { deadline, seen, charge }: StreamCharge,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const pace = new ReaderPace()
  let ended: Promise<void> | null = null
  let isCut = false
  const end = (how: StreamEnd): Promise<void> => {
    clearTimeout(timer)
    ended ??= charge(how)
    return ended
  }
  const timer = setTimeout(() => {
    isCut = true
    pace.asked(performance.now())
    void end(pace.wasTooSlow ? 'given_up' : 'broken')
    void reader.cancel().catch(() => {})
  }, deadline.getTime() - Date.now())
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pace.asked(performance.now())
        try {
          const { done, value } = await reader.read()
          if (isCut) throw new Error('The stream was cut: the time of its call was up')
          if (!done) {
            pace.gave(value.byteLength, performance.now())
            seen(value)
            return controller.enqueue(value)
          }
          await end('complete')
          controller.close()
        } catch (error) {
          await end(endOfFailure(error, pace.wasTooSlow))
          controller.error(error)
        }
      },
      cancel(reason) {
        void end('cancelled')
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
