/** Events of accounts, newest first, and whether the operator's webhook got them. */
import { ask } from '../api.ts'
import { append, h, type Child } from '../../../shared/pages/dom.ts'
import { filters } from '../../../shared/pages/filters.ts'
import { badge, identifier } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { AccountEvent } from '../wire/accounts.ts'

interface Page {
  events: AccountEvent[]
  nextCursor: string | null
}

const columns: readonly Column<AccountEvent>[] = [
  { name: 'Time', show: ({ timestamp }) => moment(timestamp) },
  { name: 'Event', show: ({ type }) => type },
  {
    name: 'Account',
    show: ({ data }) => identifier(data.accountId, ['accounts', data.accountId]),
  },
  { name: 'What', show: what },
  { name: 'Webhook', show: ({ state, lastError }) => badge(state, lastError ?? undefined) },
  { name: 'Attempts', isNumber: true, show: ({ attempts }) => attempts },
]

function what({ type, data }: AccountEvent): Child {
  switch (type) {
    case 'account.low_balance':
      return `${data.balance?.credits ?? '?'} credits left, below the mark of ${data.lowMarkCredits ?? '?'}`
    case 'key.budget_near':
      return [
        data.apiKeyId !== undefined && identifier(data.apiKeyId, ['keys', data.apiKeyId]),
        ` ${data.limit ?? ''}${data.product == null ? '' : ` of ${data.product}`}: ${data.spentCredits ?? '?'} of ${data.capCredits ?? '?'} credits spent`,
      ]
    default:
      return JSON.stringify(data)
  }
}

export const eventsView: MakeView = ({ place }) =>
  view<Page>({
    title: 'Events of accounts',
    isLive: place.query['cursor'] === undefined,
    controls: filters(place, [{ name: 'accountId', label: 'Account id' }]),
    load: (signal) => ask<Page>('/v1/events', { query: { limit: 50, ...place.query }, signal }),
    show(page) {
      const shown = h('div', {})
      append(shown, [
        table(columns, page.events, 'No account has run low, and no budget is near its end.'),
        pages(place, page.nextCursor),
      ])
      return shown
    },
  })
