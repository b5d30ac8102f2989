/** The limits of a key in JSON, with what is left of each; in credits, with at most four decimals. */
import { atomicToCredits, leftOf, type KeySpend, nullable } from '#kernel'
import { Type, type Static } from 'typebox'

/** One limit of a key and what is left of it. */
export const BudgetLimit = Type.Object({
  limit: Type.Enum([
    'key_call',
    'key_day',
    'key_month',
    'product_call',
    'product_day',
    'product_month',
  ]),
  product: nullable('string'),
  capCredits: Type.Number(),
  spentCredits: nullable('number', { description: 'null for a limit of one call' }),
  leftCredits: Type.Number(),
  endsAt: nullable('string', { format: 'date-time' }),
})

/** Every limit of a key's rows with what is left of it at `now`. */
export function budgetLimits(rows: readonly KeySpend[], now: Date): Static<typeof BudgetLimit>[] {
  return rows.flatMap((row) => {
    const product = row.scope === '*' ? null : row.scope
    const of = product === null ? 'key' : 'product'
    const limit = (
      name: 'call' | 'day' | 'month',
      capAtomic: bigint | null,
      spentAtomic: bigint | null,
      endsAt: Date | null,
    ) => {
      if (capAtomic === null) return []
      return {
        limit: `${of}_${name}` as const,
        product,
        capCredits: atomicToCredits(capAtomic),
        spentCredits: spentAtomic === null ? null : atomicToCredits(spentAtomic),
        leftCredits: atomicToCredits(leftOf(capAtomic, spentAtomic ?? 0n)),
        endsAt: endsAt && endsAt.toISOString(),
      }
    }
    return [
      limit('call', row.callCapAtomic, null, null),
      limit('day', row.dayCapAtomic, row.spentTodayAtomic, nextDayUtc(now)),
      limit('month', row.monthCapAtomic, row.spentMonthAtomic, nextMonthUtc(now)),
    ].flat()
  })
}

function nextDayUtc(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
}

function nextMonthUtc(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
}
