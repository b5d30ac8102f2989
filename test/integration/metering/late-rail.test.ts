/** A rail that never answers: its callers do not hang, and what it may have taken stays unknown. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fail } from '../../../kernel/errors.ts'
import type { AuthorizeOutcome, CaptureOutcome, Rail } from '../../../kernel/rails/contract.ts'
import type { ForwardRequest } from '../../../kernel/plugins/skill.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { meterOver, mount } from '../../support/metering.ts'
import { PATIENT } from '../../support/patience.ts'

/** What a rail is given, which here passes at once. */
const LIMIT_MS = 90_000

let database: TestDatabase
let world: Awaited<ReturnType<typeof meterOver>>
const realTimeout = globalThis.setTimeout
beforeAll(async () => {
  database = await testDatabase()
  world = await meterOver(database.db)
  world.rails.add(rail)
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    run: () => void,
    delayMs?: number,
    ...rest: unknown[]
  ) =>
    realTimeout(
      run,
      delayMs === LIMIT_MS ? 1 : delayMs,
      ...(rest as []),
    )) as typeof globalThis.setTimeout)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await world.close()
  await database.close()
})

const never = new Promise<never>(() => {})
const authorized: AuthorizeOutcome = {
  outcome: 'authorized',
  authorization: { railId: 'slow', amountAtomic: 10_000n, state: null },
}
const captured: CaptureOutcome = {
  outcome: 'captured',
  receipt: { rail: 'slow', chargedAtomic: 10_000n, ledgerId: null, headers: {} },
}

/** What the rail does in the test at hand. */
let does: {
  authorize: Promise<AuthorizeOutcome>
  capture: Promise<CaptureOutcome>
  release: Promise<void>
  state: 'captured' | 'open' | 'none'
}
let released: string[]
let undone: string[]
beforeEach(() => {
  released = []
  undone = []
  does = {
    authorize: Promise.resolve(authorized),
    capture: Promise.resolve(captured),
    release: Promise.resolve(),
    state: 'open',
  }
})
const rail: Rail = {
  id: 'slow',
  precedence: 5,
  available: () => ({ ok: true }),
  presented: (source) => source.header('x-slow') !== null,
  offer: () => null,
  authorize: () => does.authorize,
  capture: () => does.capture,
  release: (_, reason) => {
    released.push(reason)
    return does.release
  },
  undo: async (_, reason) => void undone.push(reason),
  stateOf: async () => does.state,
}

const works = mount(
  { handler: async () => ({ ok: true, output: { done: 1 } }) },
  { rails: ['slow'] },
)
const fails = mount(
  { handler: async () => fail('PROCESSING_FAILURE', 'cannot') },
  { rails: ['slow'] },
)
const streams = mount(
  {
    handler: async () => ({ ok: true, output: {} }),
    forward: async () => ({ ok: true, response: new Response('streamed') }),
  },
  { rails: ['slow'] },
)
const request = { method: 'POST', path: '/x' } as ForwardRequest
const source = { header: (name: string) => (name === 'x-slow' ? 'yes' : null) }

async function send(mounted = works, idempotencyKey: string | null = null) {
  const outcome = await world.meter.run(world.call(mounted, {}, { source, idempotencyKey }))
  if (outcome.kind !== 'failure') return { kind: outcome.kind }
  const { code, status } = outcome.failure
  return { code, status: status ?? null, pending: outcome.pending === true }
}

describe('a rail that does not answer', () => {
  it('while it charges: unknown, not failed, and the Idempotency-Key waits for what it says', async () => {
    does.capture = never
    expect(await send(works, 'k1')).toEqual({ code: 'INTERNAL_ERROR', status: 503, pending: true })
    expect(await send(works, 'k1')).toMatchObject({ status: 409 })
    // Nothing is charged again once the rail knows that it was.
    does.state = 'captured'
    does.capture = Promise.reject(new Error('a second charge'))
    does.capture.catch(() => {})
    expect(await send(works, 'k1')).toEqual({ kind: 'answer' })
  })

  it('while it charges for a stream, which is cut off: the late charge is made good', async () => {
    const { promise, resolve } = Promise.withResolvers<CaptureOutcome>()
    does.capture = promise
    const read = async () => ({ ok: true, forward: request, fingerprint: 'f' }) as const
    const outcome = await world.meter.run(world.call(streams, {}, { source, read }))
    expect(outcome).toMatchObject({ kind: 'failure', pending: true })
    expect(undone).toEqual([])
    resolve(captured)
    await vi.waitUntil(() => undone.length > 0, PATIENT)
  })

  it('while it authorizes: 503, and what it holds in the end is given back', async () => {
    const { promise, resolve } = Promise.withResolvers<AuthorizeOutcome>()
    does.authorize = promise
    expect(await send(works, 'k2')).toMatchObject({ status: 503, pending: false })
    expect(await send(works, 'k2')).toMatchObject({ status: 409 })
    resolve(authorized)
    await vi.waitUntil(() => released.length > 0, PATIENT)
    expect(released).toEqual(['late'])
    does.authorize = Promise.resolve(authorized)
    await vi.waitUntil(async () => (await send(works, 'k2')).kind === 'answer', PATIENT)
  })

  it('while it gives back: the caller has the failure of the work', async () => {
    does.release = never
    expect(await send(fails, 'k3')).toMatchObject({ code: 'PROCESSING_FAILURE' })
    expect(released).toEqual(['PROCESSING_FAILURE'])
    expect(await send(fails, 'k3')).toMatchObject({ status: 409 })
  })
})

describe('a rail that throws', () => {
  const broken = () => {
    const rejected = Promise.reject(new Error('its database is away'))
    // It is awaited only when the call has come to the rail.
    rejected.catch(() => {})
    return rejected
  }

  it('while it authorizes: the Idempotency-Key is as free as the rail says', async () => {
    does.state = 'none'
    does.authorize = broken()
    expect(await send(works, 'k4')).toMatchObject({ status: 503 })
    does.authorize = Promise.resolve(authorized)
    expect(await send(works, 'k4')).toEqual({ kind: 'answer' })

    does.state = 'open'
    does.authorize = broken()
    expect(await send(works, 'k5')).toMatchObject({ status: 503 })
    expect(await send(works, 'k5')).toMatchObject({ status: 409 })
  })

  it('while it gives back: the caller has the failure of the work', async () => {
    does.release = broken()
    expect(await send(fails, 'k6')).toMatchObject({ code: 'PROCESSING_FAILURE' })
    expect(await send(fails, 'k6')).toMatchObject({ status: 409 })
  })
})
