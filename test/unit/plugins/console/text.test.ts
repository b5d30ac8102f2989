/** What the page makes of numbers, times and places before any element is made. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  atomicOf,
  atomicOfCredits,
  creditsText,
  numberText,
  parseCredits,
  usdText,
} from '../../../../plugins/shared/pages/amount.ts'
import { hashOf, placeOf } from '../../../../plugins/shared/pages/place.ts'
import { viewAt } from '../../../../plugins/console/page/views.ts'
import {
  budgetsOf,
  budgetState,
  budgetsText,
  productsOf,
} from '../../../../plugins/console/page/views/budgets.ts'
import { limitsOf, limitsText } from '../../../../plugins/console/page/views/key-limits.ts'
import { OutcomeRates } from '../../../../plugins/console/page/views/outcome-rates.ts'
import { sumsOf, totalOf } from '../../../../plugins/console/page/views/revenue.ts'
import { ageText } from '../../../../plugins/shared/pages/when.ts'
import { ENTRY_KINDS } from '../../../../plugins/console/page/wire/calls.ts'
import { ENTRY_KINDS as LEDGER_KINDS } from '../../../../kernel/ledger/contract.ts'

describe('amounts', () => {
  it.each([
    [0n, '0 credits', '$0.00'],
    [1n, '0.0001 credits', '$0.000001'],
    [10_000n, '1 credit', '$0.01'],
    [31_234n, '3.1234 credits', '$0.031234'],
    [12_345_678_900n, '1,234,567.89 credits', '$12,345.6789'],
    [-2500n, '-0.25 credits', '-$0.0025'],
    [999_999_999_999_999_999n, '99,999,999,999,999.9999 credits', '$999,999,999,999.999999'],
  ])('%s is %s, %s', (atomic, credits, usd) => {
    expect(creditsText(atomic)).toBe(credits)
    expect(usdText(atomic)).toBe(usd)
  })

  it('refuses a number that JSON could not carry exactly', () => {
    expect(atomicOf('9007199254740993')).toBe(9007199254740993n)
    expect(() => atomicOf(2 ** 53)).toThrow(RangeError)
    expect(() => atomicOf(0.5)).toThrow(RangeError)
  })

  it('reads credits of the API without a rest', () => {
    for (const atomic of [1n, 29n, 1_000_001n, 891_806_600n, 100_000_000_000_001n]) {
      expect(atomicOfCredits(Number(atomic) / 10_000)).toBe(atomic)
    }
  })

  it('takes typed credits with at most four decimals', () => {
    expect(parseCredits(' 1,000.5 ')).toEqual({ ok: true, credits: 1000.5 })
    expect(parseCredits('1,234,567')).toEqual({ ok: true, credits: 1_234_567 })
    for (const bad of [
      '',
      '0',
      '-1',
      '12,5',
      '1,0000',
      '1,23,456',
      '1e3',
      '0.00001',
      'ten',
      '1.',
      '9999999999',
    ]) {
      expect(parseCredits(bad).ok, bad).toBe(false)
    }
  })
})

describe('numbers', () => {
  it('are written in one way beside credits, whatever the browser speaks', () => {
    expect([numberText(1234.5), numberText(0.0001), numberText(12_345_678)]).toEqual([
      '1,234.5',
      '0.0001',
      '12,345,678',
    ])
    const left = new Bun.Glob('plugins/*/page/**/*.ts').scanSync('.')
    const local = [...left].filter((file) =>
      /(?<!Date\([\w.]+\))\.toLocaleString\(\)/.test(readFileSync(file, 'utf8')),
    )
    expect(local).toEqual([])
  })

  it('that were typed with a decimal comma are not read as thousands', () => {
    expect(budgetsOf({ day: '1,250', month: '', call: '12.5' })).toEqual({
      day: 1250,
      month: null,
      call: 12.5,
    })
    expect(() => budgetsOf({ day: '12,5' })).toThrow('must be a number of credits')
    expect(() => limitsOf({ rpmLimit: '1,5' })).toThrow('must be a whole number')
  })
})

describe('places', () => {
  it('keeps path and query through the address, whatever they hold', () => {
    const query = { requestId: 'a b&c=d#e?f/g', cursor: '12.end' }
    const path = ['keys', 'key_<img src=x>/..']
    expect(placeOf(hashOf(path, query))).toEqual({ path, query })
    expect(hashOf(['calls'], { skill: '', rail: null })).toBe('#/calls')
    expect(placeOf('')).toEqual({ path: [], query: {} })
    expect(placeOf('#/%E0%A4%A')).toEqual({ path: ['%E0%A4%A'], query: {} })
  })

  it('has no view at a place that nobody made', () => {
    expect(viewAt([])).not.toBeNull()
    expect(viewAt(['calls', 'x'])).not.toBeNull()
    for (const path of [['no'], ['calls', 'x', 'y'], ['constructor'], ['__proto__', 'x']]) {
      expect(viewAt(path)).toBeNull()
    }
  })
})

it('tells an age in its two largest units', () => {
  const from = '2026-01-01T00:00:00.000Z'
  const age = (ms: number): string => ageText(from, new Date(Date.parse(from) + ms))
  expect(age(0)).toBe('0 s')
  expect(age(-5)).toBe('0 s')
  expect(age(61_000)).toBe('1 min 1 s')
  expect(age(2 * 86_400_000 + 3_600_000 + 60_000)).toBe('2 days 1 h')
})

it('reads limits, and says which one is no number', () => {
  expect(limitsOf({ burstLimit: '1,000', rpmLimit: '' })).toEqual({
    rpmLimit: null,
    burstLimit: 1000,
  })
  expect(() => limitsOf({ burstLimit: 'many' })).toThrow('Calls at once must be a whole number.')
  expect(limitsText({ rpmLimit: null, burstLimit: null })).toBe('default')
})

it('reads budgets and products, and says which one is no number', () => {
  expect(budgetsOf({ call: '0.5', day: '1,000', month: '' })).toEqual({
    call: 0.5,
    day: 1000,
    month: null,
  })
  for (const bad of ['many', '1e3', '0.00001', '-1']) {
    expect(() => budgetsOf({ day: bad })).toThrow('Credits a day (UTC) must be a number')
  }
  expect(budgetsText({ call: 1, day: 2.5, month: null })).toBe('1 credit a call, 2.5 credits a day')
  expect(productsOf({ products: ' utils, docintel ,' })).toEqual({
    products: ['utils', 'docintel'],
  })
  expect(productsOf({ products: '  ' })).toEqual({ products: null })
})

it('says nothing of fields that are not given: a key that may buy nothing stays so', () => {
  expect({ ...budgetsOf({}), ...productsOf({}), ...limitsOf({}) }).toEqual({})
  expect(budgetsOf({ month: '' })).toEqual({ month: null })
  expect(limitsOf({ rpmLimit: '60' })).toEqual({ rpmLimit: 60 })
})

it('calls a budget near from 80 % on, and used up at its end', () => {
  const state = (day: number | null, month: number | null, spent: number) =>
    budgetState({ call: null, day, month }, { spentTodayCredits: spent, spentMonthCredits: spent })
  expect(state(null, null, 1e9)).toBe('ok')
  expect([79, 80, 99, 100, 200].map((spent) => state(100, null, spent))).toEqual([
    'ok',
    'near',
    'near',
    'used_up',
    'used_up',
  ])
  expect(state(1000, 100, 90)).toBe('near')
  expect(state(0, null, 0)).toBe('used_up')
})

it('counts outcomes per minute between two looks, and begins anew after a restart', () => {
  const rates = new OutcomeRates()
  const metric = (charged: number, failed: number) => ({
    values: [
      { labels: { skill: 'a', outcome: 'charged' }, value: charged },
      { labels: { skill: 'b', outcome: 'charged' }, value: 0 },
      { labels: { skill: 'a', outcome: 'TIMEOUT' }, value: failed },
    ],
  })
  expect(rates.next(metric(10, 0), 0)).toEqual([
    { outcome: 'charged', count: 10, perMinute: null },
    { outcome: 'TIMEOUT', count: 0, perMinute: null },
  ])
  expect(rates.next(metric(15, 1), 10_000)).toMatchObject([{ perMinute: 30 }, { perMinute: 6 }])
  expect(rates.next(metric(1, 0), 20_000)[0]).toMatchObject({ perMinute: null })
  expect(rates.next(undefined, 30_000)).toEqual([])
})

it('sums revenue by skill and rail, less refunds in the total', () => {
  const row = (skill: string, rail: string, usdcAtomic: string, refundedUsdcAtomic = '0') => ({
    skill,
    rail,
    calls: 1,
    usdcAtomic,
    refundedUsdcAtomic,
  })
  const days = [
    { day: '2026-01-02', rows: [row('a.b', 'credits', '100'), row('a.b', 'x402', '1')] },
    { day: '2026-01-01', rows: [row('a.b', 'credits', '9007199254740993', '3')] },
  ]
  expect(totalOf(days)).toBe(9007199254741091n)
  expect(sumsOf(days)).toMatchObject([
    { rail: 'credits', todayAtomic: 100n, todayCalls: 1, weekCalls: 2, refundedAtomic: 3n },
    { rail: 'x402', weekAtomic: 1n },
  ])
})

it('filters the ledger by every kind of row that there is', () => {
  expect(ENTRY_KINDS).toEqual(LEDGER_KINDS)
})
