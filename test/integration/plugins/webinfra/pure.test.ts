/** The small decisions: when to retry, what a status is, what a payload says of itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  eventName,
  jsonObjectOf,
  keptHeaders,
  wants,
} from '../../../../plugins/webinfra/payload.ts'
import { nextDelayMs } from '../../../../plugins/webinfra/schedule.ts'
import {
  deliveryStatus,
  statusSql,
  type ForwardState,
} from '../../../../plugins/webinfra/status.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'

describe('the schedule', () => {
  const plan = { scheduleMs: [5000, 30_000, 300_000], maxAttempts: 6 }

  it('takes one step per attempt made, repeats the last, and ends', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7].map((made) => nextDelayMs(plan, made, null, 0.5))
    expect(delays).toEqual([5000, 30_000, 300_000, 300_000, 300_000, null, null])
  })

  it('jitters by a fifth either way', () => {
    expect(nextDelayMs(plan, 1, null, 0)).toBe(4000)
    expect(nextDelayMs(plan, 1, null, 0.999_999_9)).toBe(6000)
  })

  it('is lengthened by a Retry-After, and never shortened', () => {
    expect(nextDelayMs(plan, 1, 60_000, 0.5)).toBe(60_000)
    expect(nextDelayMs(plan, 2, 1000, 0.5)).toBe(30_000)
    const slow = { scheduleMs: [36_000_000], maxAttempts: 2 }
    expect(nextDelayMs(slow, 1, 3_600_000, 0.5)).toBe(36_000_000)
  })
})

describe('the status of a delivery', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.close())

  const states: ForwardState[] = [
    'pending',
    'in_flight',
    'succeeded',
    'retrying',
    'dead',
    'cancelled',
    'blocked_destination',
    'awaiting_funds',
  ]
  const combinations = [
    [],
    ...states.map((state) => [state]),
    ...states.flatMap((one) => states.map((two) => [one, two])),
    ...states.flatMap((one) => states.map((two) => ['succeeded' as const, one, two])),
  ]

  it('is the same in SQL and in code for every combination', async () => {
    for (const combination of combinations) {
      const [row] = await database.db.sql.unsafe<{ status: string }[]>(
        `SELECT ${statusSql('(SELECT unnest($1::text[]) AS state)')} AS status`,
        [`{${combination.join(',')}}`],
      )
      expect([combination, row!.status]).toEqual([combination, deliveryStatus(combination)])
    }
  })

  it.each<[string, ForwardState[]]>([
    ['accepted', []],
    ['accepted', ['succeeded', 'pending']],
    ['accepted', ['awaiting_funds']],
    ['retrying', ['succeeded', 'pending', 'retrying']],
    ['forwarded', ['succeeded', 'succeeded']],
    ['partial', ['succeeded', 'dead']],
    ['failed', ['dead', 'cancelled', 'blocked_destination']],
  ])('%s', (status, of) => {
    expect(deliveryStatus(of)).toBe(status)
  })
})

describe('a payload', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)

  it('is read as a JSON object or not at all', () => {
    expect(jsonObjectOf(bytes(' \n{"a":1}'))).toEqual({ a: 1 })
    for (const text of ['[1]', 'null', '"{"', '{"a"', '', '\u00ff']) {
      expect(jsonObjectOf(bytes(text))).toBeNull()
    }
    expect(jsonObjectOf(Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBeNull()
  })

  it.each<[string | null, Record<string, string>, unknown]>([
    ['push', { 'x-github-event': 'push' }, { type: 'other' }],
    ['orders/create', { 'x-shopify-topic': 'orders/create' }, {}],
    ['charge.succeeded', {}, { object: 'event', type: 'charge.succeeded' }],
    ['charge.success', {}, { event: 'charge.success' }],
    ['message', {}, { type: 'event_callback', event: { type: 'message' } }],
    [null, {}, { type: 7 }],
    [null, {}, {}],
  ])('is of event %j', (name, headers, json) => {
    expect(eventName(new Headers(headers), json as Record<string, unknown>)).toBe(name)
  })

  it('is wanted by name, by prefix, or always', () => {
    expect(wants(null, null)).toBe(true)
    expect(wants(['order.*'], 'order.paid')).toBe(true)
    expect(wants(['order.paid'], 'order.paid')).toBe(true)
    expect(wants(['order.paid'], 'order.paid.twice')).toBe(false)
    expect(wants(['*'], null)).toBe(false)
  })

  it('keeps no header that is long or not on the list', () => {
    const headers = { 'content-type': 'a/b', 'x-secret': '1', traceparent: 'x'.repeat(5000) }
    expect(keptHeaders(new Headers(headers))).toEqual({ 'content-type': 'a/b' })
  })
})
