import { describe, expect, it } from 'vitest'
import type { Plan } from '../../../plugins/plans/config.ts'
import {
  endOf,
  firstPeriod,
  monthPrice,
  nextPeriod,
  retryAt,
  type Subscription,
} from '../../../plugins/plans/subscription.ts'

const START = new Date('2026-01-31T12:00:00Z')
const plan: Plan = {
  id: 'pro',
  title: 'Pro',
  description: '',
  priceAtomic: 500n,
  monthlyAtomic: 600n,
  rollsOver: false,
  graceDays: 3,
  limits: null,
  free: new Map(),
  prices: new Map(),
}
const subscription = (changes: Partial<Subscription> = {}): Subscription => ({
  id: 's',
  accountId: 'a',
  keyId: 'k',
  planId: 'pro',
  state: 'active',
  agreedAtomic: 500n,
  ...firstPeriod(START),
  lapsingAtomic: 600n,
  endsAtPeriodEnd: false,
  turn: 1,
  dueAt: START,
  createdAt: START,
  endedAt: null,
  endedReason: null,
  ...changes,
})
const at = (text: string): Date => new Date(text)
const END = at('2026-02-28T12:00:00Z')

describe('whether a subscription ends at its turn', () => {
  it.each([
    ['it goes on', {}, plan, END, null],
    ['it was ended', { endsAtPeriodEnd: true }, plan, END, 'cancelled'],
    ['its plan is gone', {}, null, END, 'plan_gone'],
    [
      'it is past due within its grace',
      { state: 'past_due' },
      plan,
      at('2026-03-03T11:59:59Z'),
      null,
    ],
    ['its grace is over', { state: 'past_due' }, plan, at('2026-03-03T12:00:00Z'), 'unpaid'],
    ['it has no grace', { state: 'past_due' }, { ...plan, graceDays: 0 }, END, 'unpaid'],
    [
      'it missed its turn for long and is paid until then',
      {},
      plan,
      at('2026-09-01T00:00:00Z'),
      null,
    ],
  ] as const)('%s', (_, changes, of, now, reason) => {
    expect(endOf(subscription(changes), of, now)).toBe(reason)
  })
})

describe('what a month costs', () => {
  it.each([
    ['what was agreed', 500n, 500n, 500n],
    ['never more, when the plan became dearer', 500n, 900n, 500n],
    ['less, when it became cheaper', 500n, 300n, 300n],
    ['what was agreed, when it cannot be bought any more', 500n, null, 500n],
    ['nothing, when it was given', null, 500n, 0n],
  ])('%s', (_, agreedAtomic, priceAtomic, costs) => {
    expect(monthPrice({ agreedAtomic }, { ...plan, priceAtomic })).toBe(costs)
  })
})

describe('the month that is paid', () => {
  it('follows the one before, to the second', () => {
    expect(nextPeriod(subscription(), at('2026-02-28T12:00:07Z'))).toMatchObject({
      month: 1,
      periodStart: END,
      periodEnd: at('2026-03-31T12:00:00Z'),
    })
  })

  it('skips months in which no gateway ran', () => {
    expect(nextPeriod(subscription(), at('2026-06-15T00:00:00Z'))).toMatchObject({
      month: 4,
      periodStart: at('2026-05-31T12:00:00Z'),
    })
  })

  it('begins with the payment after days without', () => {
    const now = at('2026-03-02T00:00:00Z')
    expect(nextPeriod(subscription({ state: 'past_due' }), now)).toEqual({
      anchorAt: now,
      month: 0,
      periodStart: now,
      periodEnd: at('2026-04-02T00:00:00Z'),
    })
  })
})

it.each([
  ['in an hour', '2026-03-01T00:00:00Z', '2026-03-01T01:00:00Z'],
  ['when its grace ends', '2026-03-03T11:30:00Z', '2026-03-03T12:00:00Z'],
  ['at once when that has passed', '2026-03-05T00:00:00Z', '2026-03-05T00:00:00Z'],
])('an unpaid month is tried again %s', (_, now, next) => {
  expect(retryAt(subscription(), plan, at(now))).toEqual(at(next))
})
