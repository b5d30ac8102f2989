/** Bodies that stop coming are ended with 408 wherever they are read: `test/unit/http/body.test.ts` has `BodyReader`. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readForward } from '../../../kernel/http/forward-body.ts'
import { HttpCall, type SkillMatch } from '../../../kernel/http/http-call.ts'
import { Incoming } from '../../../kernel/http/incoming.ts'
import type { MountedSkill } from '../../../kernel/plugins/catalog.ts'
import type { Quote } from '../../../kernel/rails/contract.ts'

const TOO_SLOW = { code: 'TIMEOUT', status: 408, details: { reason: 'slow_upload' } }
const mounted = {
  skill: { id: 't.forward' },
  limits: { bodyBytes: 8 * 1_048_576 },
  metered: true,
} as MountedSkill

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A request that sends four bytes and then nothing. */
function stalled(declaredBytes: number | null): Incoming {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"in')),
  })
  const headers = new Headers()
  if (declaredBytes !== null) headers.set('content-length', String(declaredBytes))
  const request = new Request('http://localhost/t', { method: 'POST', body, headers })
  return new Incoming(request, null, undefined, (address) => address)
}

/** What the work comes to in 31 seconds of silence. */
async function after31s(work: Promise<unknown>): Promise<unknown> {
  const ended = work.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(31_000)
  return Promise.race([ended, Promise.resolve('still waiting')])
}

it.each([
  ['a short one that is forwarded', 100, false],
  ['one of unknown length that identifies a retry', null, true],
  ['a long one that identifies a retry', 2 * 1_048_576, true],
])('%s', async (_, declaredBytes, isBound) => {
  const incoming = stalled(declaredBytes)
  const reading = readForward(mounted, incoming, { subPath: '/t', isBound, bytes: null })
  expect(await after31s(reading)).toMatchObject(TOO_SLOW)
})

it('one that is read for the digest that a challenge is bound to', async () => {
  const match = { mounted, params: {}, subPath: '/t' } as unknown as SkillMatch
  const call = new HttpCall(match, stalled(100), {} as Quote, null)
  expect(await after31s(call.digestBody())).toMatchObject({ failure: TOO_SLOW })
})
