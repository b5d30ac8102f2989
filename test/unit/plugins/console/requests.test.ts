/** What is taken down of requests: counts of all, rows as far as there are not too many. */
import { describe, expect, it, vi } from 'vitest'
import { fail, type Issue } from '../../../../kernel/errors.ts'
import { differences } from '../../../../plugins/console/operators/changes.ts'
import { Recorder } from '../../../../plugins/console/requests/recorder.ts'
import { percentile, stepOf, STEPS } from '../../../../plugins/console/requests/durations.ts'
import { withoutCredentials } from '../../../../plugins/shared/inline-secrets.ts'
import type { StoredRequest, TallyRow } from '../../../../plugins/console/requests/store.ts'
import { textOf } from '../../../../plugins/console/routes/queries.ts'
import { csvLine } from '../../../../plugins/shared/csv.ts'
import { silentLog } from '../../../support/log.ts'
import type { EndedRequest } from '../../../../kernel/plugins/observers.ts'

const request = (rest: Partial<EndedRequest> = {}): EndedRequest => ({
  requestId: 'r',
  method: 'POST',
  route: '/v1/paid/hash',
  path: '/v1/paid/hash',
  clientAddress: '192.0.2.1',
  product: 'demo',
  skillId: 'demo.hash',
  status: 402,
  outcome: 'PAYMENT_REQUIRED',
  failure: null,
  upstreamStatus: null,
  identity: null,
  payer: null,
  operator: null,
  isForOperators: false,
  rail: null,
  chargedAtomic: 0n,
  durationMs: 3,
  requestBytes: 2,
  responseBytes: 10,
  ...rest,
})

function recording(perSecond: number) {
  const rows: StoredRequest[] = []
  const tallies: TallyRow[] = []
  let isAway = false
  const take = async <T>(to: T[], some: readonly T[]): Promise<void> => {
    if (isAway) throw new Error('away')
    to.push(...some)
  }
  const store = {
    write: (some: readonly StoredRequest[]) => take(rows, some),
    count: (some: readonly TallyRow[]) => take(tallies, some),
  }
  const recorder = new Recorder({
    store,
    perSecond,
    sandbox: true,
    log: silentLog,
    hide: withoutCredentials,
  })
  return { recorder, rows, tallies, away: (is: boolean) => (isAway = is) }
}
const sum = (tallies: readonly TallyRow[], of: 'calls' | 'kept') =>
  tallies.reduce((total, tally) => total + tally[of], 0)

describe('the recorder', () => {
  it('counts a flood, writes down a part of it, and does not lose another status in it', async () => {
    const { recorder, rows, tallies } = recording(2)
    for (let i = 0; i < 3000; i++) recorder.ended(request())
    recorder.ended(request({ status: 503 }))
    await recorder.flush()
    expect(sum(tallies, 'calls')).toBe(3001)
    expect(sum(tallies, 'kept')).toBe(rows.length)
    // Ten seconds' worth at once; the loop may take a moment of its own.
    expect(rows.length).toBeGreaterThanOrEqual(21)
    expect(rows.length).toBeLessThan(200)
    expect(rows.filter(({ status }) => status === 503)).toHaveLength(1)
  })

  it('writes rows down as before when the clock is set back', async () => {
    const { recorder, rows } = recording(2)
    recorder.ended(request())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
    try {
      for (let n = 0; n < 5; n++) recorder.ended(request())
      await recorder.flush()
    } finally {
      vi.useRealTimers()
    }
    expect(rows).toHaveLength(6)
  })

  it('keeps counts for a database that is away, and never holds more rows than its queue', async () => {
    const { recorder, rows, tallies, away } = recording(10_000)
    away(true)
    for (let i = 0; i < 6000; i++) recorder.ended(request())
    await expect(recorder.flush()).rejects.toThrow('away')
    away(false)
    await recorder.flush()
    expect(sum(tallies, 'calls')).toBe(6000)
    expect(rows).toHaveLength(5000)
  })

  it('writes down no credential that a caller put into a path', async () => {
    const { recorder, rows } = recording(50)
    const secret = 'B1'.repeat(24)
    const failure = fail('INVALID_INPUT', `/ck_test_${'a'.repeat(12)}_${secret}x is not known`)
    recorder.ended(request({ path: `/v1/keys/ck_test_${'a'.repeat(12)}_${secret}x`, failure }))
    await recorder.flush()
    expect(rows.map(({ path }) => path)).toEqual([`/v1/keys/ck_test_${'a'.repeat(12)}_[hidden]`])
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('shows no row that it has not counted', async () => {
    const { recorder, rows, tallies } = recording(50)
    recorder.ended(request())
    const flushed = recorder.flush()
    recorder.ended(request({ status: 200 }))
    await flushed
    expect([rows.length, sum(tallies, 'kept')]).toEqual([1, 1])
    await recorder.flush()
    expect([rows.length, sum(tallies, 'kept')]).toEqual([2, 2])
  })

  it('does not write down what the console shows itself, nor documents that are read', async () => {
    const { recorder, rows, tallies } = recording(50)
    recorder.ended(request({ isForOperators: true, status: 200 }))
    const document = { skillId: null, product: null, method: 'GET', status: 200 }
    recorder.ended(request({ ...document, path: '/openapi.json' }))
    recorder.ended(request({ ...document, status: 404, path: '/nothing\0' }))
    await recorder.flush()
    expect(rows.map(({ path, status }) => [path, status])).toEqual([['/nothing', 404]])
    expect(sum(tallies, 'calls')).toBe(2)
  })

  it('cuts no character in half, which the database would refuse with the whole batch', async () => {
    const { recorder, rows } = recording(50)
    const message = `${'x'.repeat(299)}😀`
    recorder.ended(request({ failure: fail('INVALID_INPUT', message) }))
    await recorder.flush()
    expect(rows[0]!.message).toBe(`${'x'.repeat(299)}\ufffd`)
  })
})

it('percentiles are at most a step of √2 off', () => {
  const counts = Array.from({ length: STEPS }, () => 0)
  for (let ms = 1; ms <= 1000; ms++) counts[stepOf(ms)]! += 1
  for (const [share, exact] of [
    [0.5, 500],
    [0.95, 950],
  ] as const) {
    const found = percentile(counts, share)!
    expect(found / exact).toBeGreaterThan(1 / Math.SQRT2)
    expect(found / exact).toBeLessThan(Math.SQRT2)
  }
  expect(percentile([], 0.5)).toBeNull()
  expect(stepOf(1e9)).toBe(STEPS - 1)
})

describe('what is kept of a change', () => {
  it('names the members that differ, without secrets', () => {
    const before = { name: 'a', budgets: { day: 1, month: null }, secret: 'x' }
    const after = { name: 'b', budgets: { day: 1, month: 5 }, secret: 'y' }
    expect(differences(before, after)).toEqual([
      { path: '/name', before: 'a', after: 'b' },
      { path: '/budgets/month', after: 5 },
      { path: '/secret', before: '[hidden]', after: '[hidden]' },
    ])
    expect(differences(null, null)).toEqual([])
  })

  it('hides the values of headers and keys, and whatever stands below a secret', () => {
    const value = (one: string) => ({
      headers: { 'x-auth': one },
      api_key: one,
      credentials: { user: one },
      upstream: { responseHeaders: ['x-name'], publicKey: one },
    })
    const hidden = { before: '[hidden]', after: '[hidden]' }
    expect(differences(value('a'), value('b'))).toEqual([
      { path: '/headers/x-auth', ...hidden },
      { path: '/api_key', ...hidden },
      { path: '/credentials/user', ...hidden },
      { path: '/upstream/publicKey', before: 'a', after: 'b' },
    ])
    expect(differences({}, { to: [value('c')] })).toEqual([
      {
        path: '/to',
        after: [
          {
            headers: { 'x-auth': '[hidden]' },
            api_key: '[hidden]',
            credentials: '[hidden]',
            upstream: { responseHeaders: ['x-name'], publicKey: 'c' },
          },
        ],
      },
    ])
  })

  it('of the parts of one thing, each that came, went or changed', () => {
    const spec = (credits: number) => ({
      spec: {
        skills: [{ id: 'a' }, { id: 'b', price: { credits }, headers: { 'x-auth': credits } }],
      },
    })
    expect(differences(spec(1), spec(77))).toEqual([
      { path: '/spec/skills/b/price', before: { credits: 1 }, after: { credits: 77 } },
      {
        path: '/spec/skills/b/headers',
        before: { 'x-auth': '[hidden]' },
        after: { 'x-auth': '[hidden]' },
      },
    ])
    const endpoint = (...urls: string[]) => ({
      id: 'ep',
      destinations: urls.map((url, at) => ({ id: `dst${at}`, url })),
    })
    expect(differences(endpoint('good'), endpoint('evil', 'one', 'two'))).toEqual([
      { path: '/destinations/dst0/url', before: 'good', after: 'evil' },
      { path: '/destinations/dst1', after: { id: 'dst1', url: 'one' } },
      { path: '/destinations/dst2', after: { id: 'dst2', url: 'two' } },
    ])
  })

  it('says how many more differ than are kept', () => {
    const members = (value: number) =>
      Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`m${at}`, value]))
    const found = differences(members(1), members(2))
    expect(found.length).toBe(31)
    expect(found.at(-1)).toEqual({ path: '/…', after: '3 more members' })
  })

  it('of a list of many things, what came and what went', () => {
    const keys = (...ids: string[]) => ({ keys: ids.map((id) => ({ id, token: 'hidden' })) })
    expect(differences(keys('a'), keys('b', 'a'))).toEqual([
      { path: '/keys/b', after: { id: 'b', token: '[hidden]' } },
    ])
    expect(differences(keys('a', 'b'), keys('b'))).toEqual([
      { path: '/keys/a', before: { id: 'a', token: '[hidden]' } },
    ])
    const spent = (credits: number) => ({ keys: [{ id: 'a', credits }] })
    expect(differences(spent(1), spent(2))).toEqual([])
  })
})

it('CSV quotes what it must, and a formula of a caller stays a text', () => {
  expect(
    [
      ['name', 'n'],
      ['=HYPERLINK("x")', 2],
      ['a,b', null],
      ['＝1+1', 3],
    ]
      .map(csvLine)
      .join(''),
  ).toBe(`name,n\r\n"'=HYPERLINK(""x"")",2\r\n"a,b",\r\n'＝1+1,3\r\n`)
})

it('a filter takes every text that a name can be, and no control character', () => {
  const issues: Issue[] = []
  const read = (key: string) => textOf(new URLSearchParams({ key }), 'key', issues)
  const names = ['shop 7', '🎉'.repeat(200), '東京（本番）']
  expect(names.map(read)).toEqual(names)
  expect(issues).toEqual([])
  expect(['', 'a\0', 'a\n', 'x'.repeat(201)].map(read)).toEqual(Array(4).fill(undefined))
  expect(issues).toHaveLength(4)
})
