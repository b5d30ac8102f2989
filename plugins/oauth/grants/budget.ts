/** The limits that a person sets on the consent page: strict numbers, and never none at all. */
import {
  atomicToCredits,
  creditsToAtomic,
  leftOf,
  type AccountKey,
  type SpendLimits,
} from '#kernel'

/** Decimal credits; no sign, no exponent, at most four decimals. */
const CREDITS = /^\d{1,10}(?:\.\d{1,4})?$/
const CREDITS_MAX = 1_000_000_000
const KINDS = [
  { field: 'day', limit: 'dayAtomic', words: 'a day' },
  { field: 'month', limit: 'monthAtomic', words: 'a month' },
  { field: 'call', limit: 'callAtomic', words: 'a call' },
] as const

export interface Budget {
  limits: SpendLimits
  /** Ids of the products; null: all of them. */
  products: readonly string[] | null
}
export type ReadBudget = { ok: true; budget: Budget } | { ok: false; message: string }

/** What a grant may have at most, because of the key in whose session it is made. */
export interface Bounds {
  limits: SpendLimits
  products: readonly string[] | null
}

/**
 * The budget of a form. `bounds` null: the person may spend the whole balance. A limit that the form
 * leaves out is that of the bounds.
 */
export function budgetIn(
  form: URLSearchParams,
  sold: readonly string[],
  bounds: Bounds | null,
): ReadBudget {
  const limits: { -readonly [K in keyof SpendLimits]: SpendLimits[K] } = {
    callAtomic: null,
    dayAtomic: null,
    monthAtomic: null,
  }
  for (const { field, limit, words } of KINDS) {
    const most = bounds?.limits[limit] ?? null
    const text = form.get(field)?.trim() ?? ''
    if (text === '') {
      limits[limit] = most
      continue
    }
    const credits = Number(text)
    const amount = CREDITS.test(text) && credits <= CREDITS_MAX ? creditsToAtomic(credits) : null
    if (!amount?.ok)
      return refused(
        `Credits ${words} must be a number from 0 to ${CREDITS_MAX}, such as 200 or 0.5`,
      )
    if (most !== null && amount.amountAtomic > most)
      return refused(`At most ${atomicToCredits(most)} credits ${words}: the budget of your key`)
    limits[limit] = amount.amountAtomic
  }
  if (limits.dayAtomic === null && limits.monthAtomic === null)
    return refused('Say how much it may spend a day or a month')
  const products = productsIn(form, sold, bounds?.products ?? null)
  if (products !== null && products.length === 0)
    return refused('None of the chosen products can be bought here with your key')
  return { ok: true, budget: { limits, products } }
}

/**
 * What is left of a key's budget: a grant is taken out of it (`accountKeys.createGrant`).
 * Null: the key has neither budget nor list of products.
 */
export function boundsOf(key: AccountKey): Bounds | null {
  const { callAtomic, dayAtomic, monthAtomic } = key.limits
  const isFree = callAtomic === null && dayAtomic === null && monthAtomic === null
  if (isFree && key.products === null) return null
  return {
    limits: {
      callAtomic,
      dayAtomic: dayAtomic && leftOf(dayAtomic, key.spentTodayAtomic),
      monthAtomic: monthAtomic && leftOf(monthAtomic, key.spentMonthAtomic),
    },
    products: key.products,
  }
}

/** Nothing ticked means what the person has: all, or the products of the key. */
function productsIn(
  form: URLSearchParams,
  sold: readonly string[],
  own: readonly string[] | null,
): readonly string[] | null {
  const ticked = new Set(form.getAll('products'))
  if (ticked.size === 0) return own
  return sold.filter((id) => ticked.has(id) && (own === null || own.includes(id)))
}

function refused(message: string): { ok: false; message: string } {
  return { ok: false, message: `${message}.` }
}
