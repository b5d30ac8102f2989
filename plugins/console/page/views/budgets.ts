/** Budgets of a key: as text, as fields of a form, and from what was typed. */
import { atomicOfCredits, creditsText, plainNumber } from '../../../shared/pages/amount.ts'
import { InputError } from '../../../shared/pages/api.ts'
import { givenIn, type Field } from '../../../shared/pages/dialog.ts'
import { h, type Child } from '../../../shared/pages/dom.ts'
import { listIn } from '../../../shared/pages/key-terms.ts'
import { amount, badge } from '../../../shared/pages/parts.ts'
import { table } from '../../../shared/pages/table.ts'
import type { BudgetCaps, Key, ProductBudget } from '../wire/accounts.ts'

export const BUDGET_FIELDS: readonly Field[] = [
  { name: 'call', label: 'Credits a call', hint: 'Empty: no limit' },
  { name: 'day', label: 'Credits a day (UTC)', hint: 'Empty: no limit' },
  { name: 'month', label: 'Credits a month (UTC)', hint: 'Empty: no limit' },
]
export const PRODUCTS_FIELD: Field = {
  name: 'products',
  label: 'Products it may buy',
  hint: 'Ids with commas between; empty: all of them',
}

/** A budget counts as near its end from here on, as the events have it. */
const NEAR_SHARE = 0.8

type Spent = Pick<Key, 'spentTodayCredits' | 'spentMonthCredits'>

/** 'near' or 'used_up' for the worse of day and month; 'ok' where neither is. */
export function budgetState(caps: BudgetCaps, spent: Spent): 'ok' | 'near' | 'used_up' {
  const shares = [
    shareOf(spent.spentTodayCredits, caps.day),
    shareOf(spent.spentMonthCredits, caps.month),
  ]
  const worst = Math.max(...shares)
  return worst >= 1 ? 'used_up' : worst >= NEAR_SHARE ? 'near' : 'ok'
}

function shareOf(spent: number, cap: number | null): number {
  if (cap === null) return 0
  return cap === 0 ? 1 : spent / cap
}

/** '5 credits a call, 100 credits a day'; '' without any. */
export function budgetsText({ call, day, month }: BudgetCaps): string {
  const part = (credits: number | null, of: string): string | false =>
    credits !== null && `${creditsText(atomicOfCredits(credits))} a ${of}`
  return [part(call, 'call'), part(day, 'day'), part(month, 'month')].filter(Boolean).join(', ')
}

/** The caps and, when one is near its end, a badge. */
export function budgetsCell(key: Key): Child {
  const states = [
    budgetState(key.budgets, key),
    ...Object.values(key.productBudgets).map((one) => budgetState(one, one)),
  ]
  const state = states.includes('used_up') ? 'used_up' : states.includes('near') ? 'near' : null
  const text = budgetsText(key.budgets)
  const products = Object.keys(key.productBudgets).length
  const more = products > 0 && `${products} of single products`
  return [[text, more].filter(Boolean).join(', ') || '–', state !== null && [' ', badge(state)]]
}

/**
 * The body's budgets, of those fields that are given; the gateway says what is wrong with a number, we
 * only with what is none.
 */
export function budgetsOf(values: Readonly<Record<string, string>>): Partial<BudgetCaps> {
  return givenIn(BUDGET_FIELDS, values, capOf)
}

function capOf(text: string, label: string): number | null {
  const typed = plainNumber(text)
  if (typed === '') return null
  if (/^\d{1,12}(\.\d{1,4})?$/.test(typed)) return Number(typed)
  throw new InputError(`${label} must be a number of credits with at most 4 decimals.`)
}

/** The body's products, if the field is given. */
export function productsOf({ products }: Readonly<Record<string, string>>): {
  products?: string[] | null
} {
  return products === undefined ? {} : { products: listIn(products) }
}

/** The budgets of single products, with what was spent of each. */
export function productBudgetsTable(budgets: Readonly<Record<string, ProductBudget>>): HTMLElement {
  const rows = Object.entries(budgets).map(([product, budget]) => ({ product, ...budget }))
  const credits = (value: number | null): Child =>
    amount(value === null ? null : atomicOfCredits(value))
  return table(
    [
      { name: 'Product', show: ({ product }) => h('code', {}, product) },
      { name: 'State', show: (row) => badge(budgetState(row, row)) },
      { name: 'A call', isNumber: true, show: ({ call }) => credits(call) },
      { name: 'A day', isNumber: true, show: ({ day }) => credits(day) },
      {
        name: 'Spent today',
        isNumber: true,
        show: ({ spentTodayCredits }) => credits(spentTodayCredits),
      },
      { name: 'A month', isNumber: true, show: ({ month }) => credits(month) },
      {
        name: 'Spent this month',
        isNumber: true,
        show: ({ spentMonthCredits }) => credits(spentMonthCredits),
      },
    ],
    rows,
    'No product has a budget of its own.',
  )
}
