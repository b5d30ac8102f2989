/** Answers that are streamed: someone must know when the last byte went out, or that none will. */
import { CallerEnded } from '../errors.ts'
import { ReaderPace } from './reader-pace.ts'

/**
 * 'complete' after the last byte; 'cancelled' when the caller went away; 'given_up' when the source
 * failed because of its caller; 'broken' when its upstream or the end of the gateway broke it off. Only a
 * broken stream was not delivered: of every other one the caller had what it took, and its charge stands.
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

/** What cuts streams off: the gateway ends. */
interface Ending {
  ending?: AbortSignal
}

/** A promise that it returns is awaited before the reader sees the end. */
type OnEnd = (end: StreamEnd, error?: unknown) => unknown
type Bytes = ReadableStream<Uint8Array>
const monotonicMs = (): number => performance.now()
const failureOf = (end: StreamEnd, error: unknown): unknown => new StreamFailure(end, error)

/**
 * The same bytes at the reader's pace. `onEnd` is called once. A failing source cuts the caller's
 * connection; its error goes to `onEnd` only, because Bun prints the error of a rejected body.
 */
export function watched(
  body: Bytes,
  onEnd: OnEnd,
  { ending, nowMs }: Pick<Passing, 'ending' | 'nowMs'> = {},
): Bytes {
  return through(body, { onEnd, ending, nowMs, rejectionOf: () => undefined })
}

/** Like `watched`, for a stream that is watched once more: both come to the same end. */
export function followed(body: Bytes, onEnd: OnEnd, { ending }: Ending = {}): Bytes {
  return through(body, { onEnd, ending, rejectionOf: failureOf })
}

/**
 * Like `watched`, for a stream that is charged by what `seen` saw: `charge`, which must not reject,
 * is awaited before the reader sees the end. At the deadline, until which the hold or the payment is
 * valid, the stream is cut off.
 */
export function chargedStream(
  body: Bytes,
  parts: Ending & {
    deadline: Date
    seen(chunk: Uint8Array): void
    charge(end: StreamEnd): Promise<void>
  },
): Bytes {
  return through(body, { ...parts, onEnd: parts.charge, rejectionOf: (_end, error) => error })
}

interface Passing extends Ending {
  onEnd: OnEnd
  /** What the reader's read rejects with. */
  rejectionOf(end: StreamEnd, error: unknown): unknown
  nowMs?(): number
  seen?(chunk: Uint8Array): void
  deadline?: Date
}

function through(
  body: Bytes,
  { onEnd, rejectionOf, nowMs = monotonicMs, seen, deadline, ending }: Passing,
): Bytes {
  const reader = body.getReader()
  const pace = new ReaderPace()
  let isOver = false
  let ended: unknown
  const finish = (end: StreamEnd, error?: unknown): unknown => {
    clearTimeout(timer)
    ending?.removeEventListener('abort', cutOff)
    if (!isOver) {
      isOver = true
      ended = onEnd(end, error)
    }
    return ended
  }
  let isCut = false
  const cutOff = (): void => {
    isCut = true
    pace.asked(nowMs())
    void finish(pace.wasTooSlow ? 'given_up' : 'broken')
    void reader.cancel().catch(() => {})
  }
  const timer = deadline && setTimeout(cutOff, deadline.getTime() - Date.now())
  ending?.addEventListener('abort', cutOff, { once: true })
  // Not at once: who asks for the stream does not have it yet.
  if (ending?.aborted) queueMicrotask(cutOff)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pace.asked(nowMs())
        try {
          const { done, value } = await reader.read()
          if (isCut)
            throw new Error(
              'The stream was cut off: the time of its call was up, or the gateway ended',
            )
          if (!done) {
            pace.gave(value.byteLength, nowMs())
            seen?.(value)
            return controller.enqueue(value)
          }
          await finish('complete')
          controller.close()
        } catch (error) {
          const end = endOfFailure(error, pace.wasTooSlow)
          await finish(end, error instanceof StreamFailure ? error.cause : error)
          controller.error(rejectionOf(end, error))
        }
      },
      cancel(reason) {
        void finish('cancelled')
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
