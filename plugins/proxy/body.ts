/** Bodies through the proxy, both ways, no faster than the receiving side takes them. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Handover } from './handover.ts'
import type { Silence } from './silence.ts'

/** Bytes read ahead of the caller. */
const READ_AHEAD_BYTES = 65_536

/** Sends the body and ends the request; throws what reading the body throws. */
export async function sendBody(
  request: ClientRequest,
  body: ReadableStream<Uint8Array> | Uint8Array | null,
  handover: Handover,
): Promise<void> {
  if (body === null || body instanceof Uint8Array) {
    request.end(body ?? undefined)
    handover.whole()
    return
  }
  const reader = body.getReader()
  const stop = (): void => void reader.cancel().catch(() => {})
  request.once('close', stop)
  try {
    for (;;) {
      handover.waitForCaller()
      const { done, value } = await reader.read()
      handover.gotPart()
      if (done || request.destroyed) break
      if (!request.write(value)) await drained(request)
    }
    request.end()
    handover.whole()
  } finally {
    request.off('close', stop)
    reader.releaseLock()
  }
}

function drained(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      request.off('drain', done)
      request.off('close', done)
      resolve()
    }
    request.on('drain', done)
    request.on('close', done)
  })
}

/** How the body of an answer ended: null after its last byte, 'cancelled' by the caller, or an error. */
export type BodyEnd = Error | 'cancelled' | null

/**
 * The answer's bytes as they come, still encoded. Errors when the upstream breaks off before the
 * end that it announced, with what `blame` makes of it. `onEnd` is called once.
 */
export function bodyStream(
  message: IncomingMessage,
  silence: Silence,
  blame: (problem: Error) => Error,
  onEnd: (end: BodyEnd) => void,
): { stream: ReadableStream<Uint8Array>; fail(error: Error): void } {
  let controller: ReadableStreamDefaultController<Uint8Array>
  let isOver = false
  const finish = (end: BodyEnd): void => {
    if (isOver) return
    isOver = true
    silence.end()
    if (end === null) controller.close()
    else if (end !== 'cancelled') controller.error(end)
    onEnd(end)
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own
        message.on('data', (chunk: Uint8Array) => {
          if (isOver) return
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) > 0) silence.wait()
          else {
            message.pause()
            silence.rest()
          }
        })
        message.on('end', () => finish(message.complete ? null : blame(brokenOff())))
        message.on('error', (error) => finish(blame(error)))
        message.on('close', () => finish(blame(brokenOff())))
        message.pause()
        silence.rest()
      },
      pull() {
        if (isOver) return
        silence.wait()
        message.resume()
      },
      cancel() {
        finish('cancelled')
        message.destroy()
      },
    },
    { highWaterMark: READ_AHEAD_BYTES, size: (chunk) => chunk!.byteLength },
  )
  return {
    stream,
    fail(error) {
      finish(error)
      message.destroy()
    },
  }
}

function brokenOff(): Error {
  return new Error('The upstream broke its answer off')
}

/** The whole body, or null once it is longer than `limitBytes`; throws when the stream does. */
export async function readWhole(
  stream: ReadableStream<Uint8Array>,
  limitBytes: number,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    sizeBytes += value.byteLength
    if (sizeBytes > limitBytes) {
      await reader.cancel()
      return null
    }
    chunks.push(value)
  }
  return chunks.length === 1 ? chunks[0]! : new Uint8Array(Buffer.concat(chunks))
}
