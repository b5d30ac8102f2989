/** Pieces of the account pages: credits, budgets, files to keep. */
import { InputError } from '../../shared/pages/api.ts'
import { atomicOfCredits, parseCredits, numberText } from '../../shared/pages/amount.ts'
import { givenIn, type Field } from '../../shared/pages/dialog.ts'
import { h, type Child } from '../../shared/pages/dom.ts'
import { listIn } from '../../shared/pages/key-terms.ts'
import { amount } from '../../shared/pages/parts.ts'
import { home } from './client.ts'
import type { Spend } from './wire.ts'

/** Credits with dollars below; '–' for null. */
export function credits(value: number | null): HTMLElement {
  return amount(value === null ? null : atomicOfCredits(value))
}

export const BUDGET_FIELDS: readonly Field[] = [
  { name: 'day', label: 'Credits a day', hint: 'UTC; empty: no limit of this kind' },
  { name: 'month', label: 'Credits a month', hint: 'UTC; empty: no limit of this kind' },
  { name: 'call', label: 'Credits for one call', hint: 'Empty: no limit of this kind' },
]
export const PRODUCTS_FIELD: Field = {
  name: 'products',
  label: 'Products',
  hint: 'Ids with commas between; empty: all',
}

/** The fields with what is set now. */
export function budgetFields(spend: Spend): Field[] {
  const now = { day: spend.day, month: spend.month, call: spend.call }
  return [
    ...BUDGET_FIELDS.map((field) => ({
      ...field,
      value: String(now[field.name as keyof typeof now] ?? ''),
    })),
    { ...PRODUCTS_FIELD, value: spend.products?.join(', ') ?? '' },
  ]
}

/**
 * The members of a body, of those fields that were changed. Throws an InputError for a text that is no
 * amount.
 */
export function budgetOf(changed: Readonly<Record<string, string>>): object {
  const { products } = changed
  return {
    ...givenIn(BUDGET_FIELDS, changed, limitOf),
    ...(products !== undefined && { products: listIn(products) }),
  }
}

function limitOf(typed: string, label: string): number | null {
  if (typed === '') return null
  if (typed === '0') return 0
  const parsed = parseCredits(typed)
  if (!parsed.ok) throw new InputError(`${label} ${parsed.why}.`)
  return parsed.credits
}

/** '12 of 200 a day', one line for each limit. */
export function budgetCell({ day, month, call, spentToday, spentMonth }: Spend): Child {
  const lines = [
    day !== null && meter(spentToday, day, 'a day'),
    month !== null && meter(spentMonth, month, 'a month'),
    call !== null && h('li', {}, `${call} a call`),
  ].filter((line) => line !== false)
  return lines.length === 0 ? 'none' : h('ul', {}, lines)
}

function meter(spent: number, limit: number, per: string): HTMLElement {
  const text = `${numberText(spent)} of ${numberText(limit)} ${per}`
  return h(
    'li',
    {},
    text,
    h('meter', { min: 0, max: limit, value: Math.min(spent, limit), 'aria-label': text }),
  )
}

/** A link to a file or page below the account's path, which is no place of the script. */
export function fileLink(text: string, path: string, isDownload = true): HTMLElement {
  return h('a', { href: home() + path, download: isDownload ? '' : null }, text)
}
