/**
 * Streamed answers that must be kept (for an Idempotency-Key, or a rail that gives answers again)
 * or measured. They are read up to a limit before the money moves; a longer answer stays a stream
 * and cannot be replayed.
 */
import { fail, type Failure } from '../errors.ts'
import { resumed, type Reader, type Reading } from '../net/resumed-stream.ts'
import { within } from '../work/timeout.ts'
import { framingOf } from './measure.ts'
import type { Worked } from './skill-runner.ts'

/** The longest streamed answer that is kept. */
const KEPT_BYTES = 4 * 1024 * 1024

/**
 * The same result, with a stream that ended within the limit and before `deadline` turned into an
 * answer in memory; UPSTREAM_FAILURE when the stream broke off. Server-sent events are never kept:
 * their reader waits for the first one, not for the last.
 */
export async function keepIfSmall(
  result: Worked,
  deadline: Date,
  limitBytes = KEPT_BYTES,
): Promise<Worked | Failure> {
  if (result.kind !== 'stream' || framingOf(result.response.headers) === 'events') return result
  const { response } = result
  const reader: Reader = (response.body ?? new Blob().stream()).getReader()
  const chunks: Uint8Array[] = []
  const stillStream = (reading?: Reading): Worked => ({
    ok: true,
    kind: 'stream',
    response: new Response(resumed(chunks, reader, reading), response),
    bill: result.bill,
  })
  let sizeBytes = 0
  try {
    for (;;) {
      const reading = reader.read()
      const leftMs = deadline.getTime() - Date.now()
      const next = await within(reading, leftMs, () => 'late' as const)
      if (next === 'late') return stillStream(reading)
      if (next.done) break
      chunks.push(next.value)
      sizeBytes += next.value.byteLength
      if (sizeBytes > limitBytes) return stillStream()
    }
  } catch {
    return fail('UPSTREAM_FAILURE', 'The upstream broke its answer off; nothing was charged')
  }
  const cookies = response.headers.getSetCookie()
  const answer = {
    status: response.status,
    headers: {
      ...Object.fromEntries(response.headers),
      ...(cookies.length > 0 && { 'set-cookie': cookies.join('\n') }),
    },
    body: new Uint8Array(Buffer.concat(chunks)),
  }
  return { ok: true, kind: 'answer', answer, bill: result.bill }
}
