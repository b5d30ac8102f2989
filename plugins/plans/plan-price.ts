/** What a call costs an account with a plan: the list's rule with the plan's amounts in it. */
import type { FreeCalls, PriceRule } from '#kernel'
import type { Plan } from './config.ts'

/** The ledger holds no amount of zero but for a free call: a price of nothing is so many of them. */
const ALWAYS_FREE: FreeCalls = { calls: 999_999_999, period: 'month' }

/**
 * The rule of `list` with what the plan says about the skill; null: the plan says nothing. Where its
 * units are read stays as the list has it, and an amount of the plan takes the place of tiers. The
 * maximum is never below the base; a flat price is its own maximum, and one of zero makes every call
 * a free one.
 */
export function planPrice(plan: Plan, skillId: string, list: PriceRule): PriceRule | null {
  const own = plan.prices.get(skillId)
  const free = plan.free.get(skillId) ?? list.free
  if (own === undefined && free === list.free) return null
  const baseAtomic = own?.baseAtomic ?? list.baseAtomic
  const isOwnBase = own?.baseAtomic !== undefined && own.baseAtomic !== null
  const per = list.per.map((price) => {
    const unitAtomic = own?.unitAtomic.get(price.unit)
    return unitAtomic === undefined ? price : { ...price, unitAtomic, tiers: null }
  })
  const wantedAtomic = own?.maxAtomic ?? list.maxAtomic
  const maxAtomic =
    per.length === 0 ? baseAtomic : wantedAtomic > baseAtomic ? wantedAtomic : baseAtomic
  if (maxAtomic === 0n) return { ...list, free: ALWAYS_FREE }
  return {
    ...list,
    baseAtomic,
    baseTiers: isOwnBase ? null : list.baseTiers,
    per,
    maxAtomic,
    free,
  }
}
