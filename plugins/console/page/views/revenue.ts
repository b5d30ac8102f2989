/** Revenue by skill and rail: today and over seven days. Sold credits count when they are spent. */
import { numberText } from '../../../shared/pages/amount.ts'
import { h } from '../../../shared/pages/dom.ts'
import { amount, note } from '../../../shared/pages/parts.ts'
import { table } from '../../../shared/pages/table.ts'
import type { Overview } from '../wire/overview.ts'

type Days = NonNullable<Overview['revenue']>

interface Sum {
  skill: string
  rail: string
  todayAtomic: bigint
  todayCalls: number
  weekAtomic: bigint
  weekCalls: number
  refundedAtomic: bigint
}

/** Charged less refunded, in atomic units. */
export function totalOf(days: Days): bigint {
  let totalAtomic = 0n
  for (const { rows } of days) {
    for (const row of rows) totalAtomic += BigInt(row.usdcAtomic) - BigInt(row.refundedUsdcAtomic)
  }
  return totalAtomic
}

/** One row for each skill on each rail, the largest of the week first. */
export function sumsOf(days: Days): Sum[] {
  const sums = new Map<string, Sum>()
  for (const [back, { rows }] of days.entries()) {
    for (const { skill, rail, calls, usdcAtomic, refundedUsdcAtomic } of rows) {
      const place = `${skill} ${rail}`
      const sum = sums.get(place) ?? {
        skill,
        rail,
        todayAtomic: 0n,
        todayCalls: 0,
        weekAtomic: 0n,
        weekCalls: 0,
        refundedAtomic: 0n,
      }
      sums.set(place, sum)
      sum.weekAtomic += BigInt(usdcAtomic)
      sum.weekCalls += calls
      sum.refundedAtomic += BigInt(refundedUsdcAtomic)
      if (back > 0) continue
      sum.todayAtomic += BigInt(usdcAtomic)
      sum.todayCalls += calls
    }
  }
  return [...sums.values()].sort((a, b) => (b.weekAtomic > a.weekAtomic ? 1 : -1))
}

export function revenueTable(days: Overview['revenue']): HTMLElement {
  if (days === null) {
    return note(
      'warn',
      'The ledger is large and still being summed; a later look will have it. When it never has, one day takes the database over 8 seconds: the counters at /metrics go on in any case.',
    )
  }
  return h(
    'div',
    {},
    h(
      'p',
      { class: 'hint' },
      'Charged calls by UTC day. Credits that were sold count when they are spent.',
    ),
    table(
      [
        { name: 'Skill', show: ({ skill }) => skill },
        { name: 'Rail', show: ({ rail }) => rail },
        { name: 'Today', isNumber: true, show: ({ todayAtomic }) => amount(todayAtomic) },
        {
          name: 'Calls today',
          isNumber: true,
          show: ({ todayCalls }) => numberText(todayCalls),
        },
        { name: '7 days', isNumber: true, show: ({ weekAtomic }) => amount(weekAtomic) },
        {
          name: 'Calls, 7 days',
          isNumber: true,
          show: ({ weekCalls }) => numberText(weekCalls),
        },
        {
          name: 'Refunded, 7 days',
          isNumber: true,
          show: ({ refundedAtomic }) => amount(refundedAtomic),
        },
      ],
      sumsOf(days),
      'Nothing was charged in the last seven days.',
    ),
  )
}
