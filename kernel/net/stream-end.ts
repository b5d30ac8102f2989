/** Answers that are streamed: someone must know when the last byte went out, or that none will. */
import { CallerEnded } from '../errors.ts'
import { ReaderPace } from './reader-pace.ts'

/**
 * 'complete' after the last byte; 'cancelled' when the caller went away; 'given_up' when the source
 * failed because of its caller; 'broken' when its upstream broke it off. Only a broken stream was
 * not delivered: of every other one the caller had what it took, and its charge stands.
 */
export type StreamEnd = 'complete' | 'cancelled' | 'given_up' | 'broken'

/** The end of a stream whose source failed with `error`. */
export function endOfFailure(error: unknown, wasReaderTooSlow: boolean): StreamEnd {
  if (error instanceof StreamFailure) return error.end
  return error instanceof CallerEnded || wasReaderTooSlow ? 'given_up' : 'broken'
}

/** How a `followed` stream ended, for whoever reads it. */
class StreamFailure extends Error {
  readonly end: StreamEnd
  constructor(end: StreamEnd, cause: unknown) {
    super('The stream ended early', { cause })
    this.end = end
  }
}

type OnEnd = (end: StreamEnd, error?: unknown) => void

/**
 * The same bytes at the reader's pace. `onEnd` is called once. A failing source cuts the caller's
 * connection; its error goes to `onEnd` only, because Bun prints the error of a rejected body.
 */
export function watched(
  body: ReadableStream<Uint8Array>,
  onEnd: OnEnd,
  nowMs: () => number = () => performance.now(),
): ReadableStream<Uint8Array> {
  return through(body, onEnd, nowMs, () => undefined)
}

/** Like `watched`, for a stream that is watched once more: both come to the same end. */
export function followed(
  body: ReadableStream<Uint8Array>,
  onEnd: OnEnd,
): ReadableStream<Uint8Array> {
  return through(
    body,
    onEnd,
    () => performance.now(),
    (end, error) => new StreamFailure(end, error),
  )
}

function through(
  body: ReadableStream<Uint8Array>,
  onEnd: OnEnd,
  nowMs: () => number,
  rejectionOf: (end: StreamEnd, error: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const pace = new ReaderPace()
  let isOver = false
  const finish = (end: StreamEnd, error?: unknown): void => {
    if (!isOver) onEnd(end, error)
    isOver = true
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pace.asked(nowMs())
        try {
          const { done, value } = await reader.read()
          if (!done) {
            pace.gave(value.byteLength, nowMs())
            return controller.enqueue(value)
          }
          finish('complete')
          controller.close()
        } catch (error) {
          const end = endOfFailure(error, pace.wasTooSlow)
          finish(end, error instanceof StreamFailure ? error.cause : error)
          controller.error(rejectionOf(end, error))
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
