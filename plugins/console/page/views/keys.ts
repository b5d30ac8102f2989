/** API keys, newest first, and the making of one. */
import { ask } from '../api.ts'
import { keyFinder } from '../../../shared/pages/finder.ts'
import { atomicOfCredits } from '../../../shared/pages/amount.ts'
import { append, button, h } from '../../../shared/pages/dom.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { amount, go } from '../../../shared/pages/parts.ts'
import { keyBadge, termFields, termsOf } from '../../../shared/pages/key-terms.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { Key } from '../wire/accounts.ts'
import { BUDGET_FIELDS, budgetsCell, budgetsOf, productsOf, PRODUCTS_FIELD } from './budgets.ts'
import { LIMIT_FIELDS, limitsOf, limitsText } from './key-limits.ts'
import { showSecret } from '../../../shared/pages/key-secret.ts'

interface Page {
  keys: Key[]
  nextCursor: string | null
}

/** The shown start of a key; a grant has none. */
export function keyStart({ prefix, madeBy }: Key): HTMLElement {
  return prefix === null ? h('span', {}, `grant of ${madeBy}`) : h('code', {}, `${prefix}…`)
}

/** What a list tells of each key. */
export const keyColumns: readonly Column<Key>[] = [
  { name: 'Name', show: ({ name, id }) => go(name, ['keys', id]) },
  { name: 'State', show: keyBadge },
  { name: 'Key', show: keyStart },
  { name: 'Mode', show: ({ mode }) => mode },
  { name: 'Balance', isNumber: true, show: ({ balance }) => amount(balance.usdcAtomic) },
  {
    name: 'Spent today',
    isNumber: true,
    show: ({ spentTodayCredits }) => amount(atomicOfCredits(spentTodayCredits)),
  },
  { name: 'Budgets', show: budgetsCell },
  { name: 'Limits', show: limitsText },
  { name: 'Ends', show: ({ expiresAt }) => moment(expiresAt) },
  { name: 'Made', show: ({ createdAt }) => moment(createdAt) },
]

export const keysView: MakeView = (shell) => {
  const { place } = shell
  return view<Page>({
    title: 'Keys',
    isLive: place.query['cursor'] === undefined,
    controls: [
      h(
        'p',
        { class: 'buttons' },
        button('New key …', () => create(shell), { class: 'main' }),
        keyFinder(place),
      ),
    ],
    load: (signal) => ask<Page>('/v1/keys', { query: { limit: 50, ...place.query }, signal }),
    show(page) {
      const shown = h('div', {})
      append(shown, [
        table(
          keyColumns,
          page.keys,
          place.query['find'] ? 'No key is found by this.' : 'There is no API key yet.',
        ),
        pages(place, page.nextCursor),
      ])
      return shown
    },
  })
}

function create(shell: Shell): void {
  askFor({
    title: 'New API key',
    fields: [
      { name: 'name', label: 'Name', required: true, hint: 'Who or what will use it' },
      { name: 'mode', label: 'Mode', options: ['default of the gateway', 'live', 'test'] },
      ...BUDGET_FIELDS,
      PRODUCTS_FIELD,
      ...LIMIT_FIELDS,
      ...termFields(),
    ],
    action: 'Make the key',
    async submit({ name, mode }, typed) {
      const made = await ask<Key & { key: string }>('/v1/keys', {
        method: 'POST',
        body: {
          name,
          ...(mode !== 'default of the gateway' && { mode }),
          budgets: budgetsOf(typed),
          ...productsOf(typed),
          ...limitsOf(typed),
          ...termsOf(typed),
        },
      })
      showSecret(`Key ${made.name} is made`, made.key)
      shell.refresh()
    },
  })
}
