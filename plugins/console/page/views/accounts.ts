/** Accounts, newest first, and the opening of one. */
import { ask } from '../api.ts'
import { finder } from '../../../shared/pages/finder.ts'
import { append, button, h } from '../../../shared/pages/dom.ts'
import { goTo } from '../../../shared/pages/place.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { amount, badge, go, identifier } from '../../../shared/pages/parts.ts'
import { atomicOfCredits } from '../../../shared/pages/amount.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { Account } from '../wire/accounts.ts'
import { markOf } from './low-mark.ts'

interface Page {
  accounts: Account[]
  nextCursor: string | null
}

/** One word for how an account stands. */
export function accountState({ closedAt, low }: Account): string {
  if (closedAt !== null) return 'closed'
  return low ? 'low' : 'active'
}

const columns: readonly Column<Account>[] = [
  { name: 'Name', show: ({ name, id }) => go(name ?? '(no name)', ['accounts', id]) },
  { name: 'Id', show: ({ id }) => identifier(id, ['accounts', id]) },
  { name: 'State', show: (account) => badge(accountState(account)) },
  { name: 'Mode', show: ({ mode }) => mode },
  { name: 'Balance', isNumber: true, show: ({ balance }) => amount(balance.usdcAtomic) },
  {
    name: 'Low mark',
    isNumber: true,
    show: ({ lowMarkCredits }) =>
      amount(lowMarkCredits === null ? null : atomicOfCredits(lowMarkCredits)),
  },
  { name: 'Made', show: ({ createdAt }) => moment(createdAt) },
]

export const accountsView: MakeView = (shell) => {
  const { place } = shell
  return view<Page>({
    title: 'Accounts',
    isLive: place.query['cursor'] === undefined,
    controls: [
      h(
        'p',
        { class: 'buttons' },
        button('New account …', () => create(shell), { class: 'main' }),
        finderOf(shell),
        place.query['low']
          ? go('All of them', ['accounts'])
          : go('Below their low mark', ['accounts'], { low: 'true' }),
        go('Events', ['accounts', 'events']),
      ),
    ],
    load: (signal) => ask<Page>('/v1/accounts', { query: { limit: 50, ...place.query }, signal }),
    show(page) {
      const shown = h('div', {})
      append(shown, [
        table(columns, page.accounts, emptyText(place.query)),
        pages(place, page.nextCursor),
      ])
      return shown
    },
  })
}

function emptyText({ find, low }: Readonly<Record<string, string>>): string {
  if (find) return 'No account is found by this.'
  return low ? 'No account is below its low mark.' : 'There is no account yet.'
}

const ACCOUNT_ID = /^[0-9a-f-]{36}$/

const finderOf = ({ place }: Shell): HTMLElement =>
  finder({
    label: 'Name, id, mailbox or wallet of an account',
    placeholder: 'name, id, mailbox, wallet',
    value: place.query['find'],
    find(typed) {
      if (ACCOUNT_ID.test(typed)) return goTo(['accounts', typed])
      goTo(['accounts'], { find: typed })
    },
  })

function create(shell: Shell): void {
  askFor({
    title: 'New account',
    text: 'Many keys can share its balance. A key that is made without one gets one of its own.',
    fields: [
      { name: 'name', label: 'Name', required: true, hint: 'Whose credits they are' },
      { name: 'mode', label: 'Mode', options: ['default of the gateway', 'live', 'test'] },
      { name: 'lowMark', label: 'Low mark', hint: 'Credits below which an event is sent' },
    ],
    action: 'Open the account',
    async submit({ name, mode, lowMark }) {
      const made = await ask<Account>('/v1/accounts', {
        method: 'POST',
        body: {
          name,
          ...(mode !== 'default of the gateway' && { mode }),
          lowMarkCredits: markOf(lowMark),
        },
      })
      goTo(['accounts', made.id])
      shell.refresh()
    },
  })
}
