/** What skills cost: a flat price as its amount, any other rule in words with its maximum and an example. */
import { atomicOf, creditsText, usdText } from '../../../shared/pages/amount.ts'
import { h } from '../../../shared/pages/dom.ts'
import { amount } from '../../../shared/pages/parts.ts'
import { table } from '../../../shared/pages/table.ts'
import type { PriceRow } from '../wire/products.ts'

/** The skills with their places and prices. */
export function priceTable(rows: readonly PriceRow[], empty: string): HTMLElement {
  return table<PriceRow>(
    [
      { name: 'Skill', show: ({ skill }) => skill },
      {
        name: 'Route',
        show: ({ method, path }) =>
          path === null ? '–' : h('code', {}, `${method ?? ''} ${path}`),
      },
      { name: 'Tools', show: ({ tools }) => tools.join(', ') || '–' },
      { name: 'Price', isNumber: true, show: priceOf },
    ],
    rows,
    empty,
  )
}

function priceOf({ usdcAtomic, rule: { text, per, free, tiers, example } }: PriceRow): HTMLElement {
  if (per.length === 0 && tiers === null && free === null) return amount(usdcAtomic)
  const most = atomicOf(usdcAtomic)
  const measured = per.map(({ unit, from }) => `${unit} from ${from}`).join(', ')
  return h(
    'span',
    { class: 'amount rule' },
    text,
    h('small', {}, `at most ${creditsText(most)}, ${usdText(most)}`),
    example && h('small', {}, `for example ${example.text}`),
    measured !== '' && h('small', {}, `measured: ${measured}`),
  )
}
