/** One guarded request as a stream: what proxies and webhook delivery are built on. */
import type { GuardedExchange, GuardedRefusal, GuardedRequest } from '#kernel'
import type { IncomingMessage } from 'node:http'
import { startDeadline, type Deadline } from './deadline.ts'
import { exchange } from './exchange.ts'
import type { NetOptions } from './options.ts'
import { refusalOf } from './refusal.ts'
import { checkTarget, targetPolicy } from './target.ts'

const HEADERS_TIMEOUT_MS = 15_000

function headerPairs(message: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2)
    pairs.push([message.rawHeaders[index]!, message.rawHeaders[index + 1]!])
  return pairs
}

function streamOf(
  message: IncomingMessage,
  host: string,
  total: Deadline,
): Pick<GuardedExchange, 'body' | 'ended' | 'cancel'> {
  let end!: (refusal: GuardedRefusal | null) => void
  const ended = new Promise<GuardedRefusal | null>((resolve) => {
    end = (refusal) => {
      total.clear()
      resolve(refusal)
    }
  })
  const cancel = (): void => {
    message.destroy()
    end(null)
  }
  const chunks = message[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next()
          if (!next.done) return controller.enqueue(next.value as Uint8Array)
          const refusal = total.refusal()
          end(refusal)
          // Dropping the connection looks like the proper end of a body that has no length.
          if (refusal === null) controller.close()
          else controller.error(new Error(refusal.message))
        } catch (error) {
          const refusal = total.refusal() ?? refusalOf(error, host)
          end(refusal)
          controller.error(new Error(refusal.message, { cause: error }))
        }
      },
      cancel,
    },
    { highWaterMark: 0 },
  )
  // A body that nobody reads must not keep its connection open past the deadline.
  total.signal.addEventListener('abort', () => {
    message.destroy()
    end(total.refusal())
  })
  return { body, ended, cancel }
}

/**
 * The streaming outbound call: target checked and pinned, raw bytes both ways,
 * redirects and content encodings left to the caller.
 */
export function createGuardedRequest(options: NetOptions): GuardedRequest {
  return async (url, init = {}) => {
    const total = startDeadline(init.timeoutMs, init.signal)
    const head = startDeadline(init.headersTimeoutMs ?? HEADERS_TIMEOUT_MS, total.signal)
    const refused = (refusal: GuardedRefusal): GuardedRefusal => {
      total.clear()
      head.clear()
      return total.refusal() ?? head.refusal() ?? refusal
    }
    const { allowPrivate, anyPort } = init
    const policy = targetPolicy(options, { allowPrivate, anyPort, signal: head.signal })
    const target = await checkTarget(url, policy)
    if (!target.ok) return refused(target)
    // The connection outlives `head`, so its signal may only reach this far.
    const line = new AbortController()
    const cut = (): void => line.abort()
    head.signal.addEventListener('abort', cut)
    total.signal.addEventListener('abort', cut)
    if (head.signal.aborted) cut()
    const answer = await exchange(
      target,
      {
        method: (init.method ?? 'GET').toUpperCase(),
        headers: init.headers ?? {},
        body: init.body,
        userAgent: options.userAgent,
        ca: options.ca,
      },
      line.signal,
    )
    if (!answer.ok) return refused(answer)
    head.clear()
    const { message } = answer
    return {
      ok: true,
      status: message.statusCode ?? 0,
      statusText: message.statusMessage ?? '',
      headers: headerPairs(message),
      ...streamOf(message, target.host, total),
    }
  }
}
