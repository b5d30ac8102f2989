/**
 * An answer as an SSE stream: what is said on the way, then the result. A client that closes the
 * stream cancels the call (2026-07-28: MUST), which gives its hold back.
 */
import { MAX_WAITING, type Talk } from './talk.ts'

/** Proxies close streams that are silent for longer. */
const KEEP_ALIVE_MS = 15_000

/** Streams `talk` and then `last`, the message with the result; `cancel` runs when the client leaves. */
export function sseResponse(talk: Talk, last: Promise<string>, cancel: () => void): Response {
  const encoder = new TextEncoder()
  let keepAlive: ReturnType<typeof setInterval> | undefined
  let isOpen = true
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string): void => {
        if (!isOpen) return
        try {
          controller.enqueue(encoder.encode(text))
        } catch {
          // The connection ended without a cancel of the stream.
          isOpen = false
          cancel()
        }
      }
      keepAlive = setInterval(() => write(': still working\n\n'), KEEP_ALIVE_MS)
      talk.connect((message, mayBeLost) => {
        const waiting = 1 - (controller.desiredSize ?? 1)
        if (!mayBeLost || waiting < MAX_WAITING) write(event(message))
      })
      const finish = async (): Promise<void> => {
        write(event(await last))
        clearInterval(keepAlive)
        if (isOpen) controller.close()
        isOpen = false
      }
      void finish()
    },
    cancel() {
      isOpen = false
      clearInterval(keepAlive)
      cancel()
    },
  })
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}

function event(json: string): string {
  return `event: message\ndata: ${json}\n\n`
}

/** Whether the client reads event streams. */
export function acceptsEvents(headers: Headers): boolean {
  return headers.get('accept')?.includes('text/event-stream') ?? false
}
