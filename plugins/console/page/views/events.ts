/** Events of accounts and of the gateway, newest first, and whether the operator's webhook got them. */
import { ask } from '../api.ts'
import { append, h, type Child } from '../../../shared/pages/dom.ts'
import { filters } from '../../../shared/pages/filters.ts'
import { badge, go, identifier } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { GatewayEvent } from '../wire/accounts.ts'

interface Page {
  events: GatewayEvent[]
  nextCursor: string | null
}

const columns: readonly Column<GatewayEvent>[] = [
  { name: 'Time', show: ({ timestamp }) => moment(timestamp) },
  { name: 'Event', show: ({ type }) => type },
  {
    name: 'Of',
    show: ({ data: { accountId } }) =>
      accountId === undefined ? 'the gateway' : identifier(accountId, ['accounts', accountId]),
  },
  { name: 'What', show: what },
  { name: 'Webhook', show: ({ state, lastError }) => badge(state, lastError ?? undefined) },
  { name: 'Attempts', isNumber: true, show: ({ attempts }) => attempts },
]

function what({ type, data }: GatewayEvent): Child {
  switch (type) {
    case 'account.low_balance':
      return `${data.balance?.credits ?? '?'} credits left, below the mark of ${data.lowMarkCredits ?? '?'}`
    case 'key.budget_near':
      return [
        data.apiKeyId !== undefined && identifier(data.apiKeyId, ['keys', data.apiKeyId]),
        ` ${data.limit ?? ''}${data.product == null ? '' : ` of ${data.product}`}: ${data.spentCredits ?? '?'} of ${data.capCredits ?? '?'} credits spent`,
      ]
    case 'upstream.down':
      return [
        data.product != null && go(data.product, ['products', data.product]),
        ': its upstream failed repeatedly, and calls are refused until it answers again',
      ]
    case 'skill.failing':
      return [
        data.skill !== undefined &&
          go(data.skill, ['requests'], { skill: data.skill, status: '5xx' }),
        `: ${data.failed ?? '?'} of ${data.calls ?? '?'} ${data.mode ?? ''} calls failed in ${data.minutes ?? '?'} minutes`,
      ]
    case 'settlement.stuck':
      return [
        go('payments without an outcome', ['calls'], { rail: 'x402', outcome: 'open' }),
        `: ${data.pending ?? '?'}, the oldest for ${data.oldestSeconds ?? '?'} s`,
      ]
    case 'topup.flagged':
      return [
        go('a top-up', ['ledger', 'flagged']),
        ` of ${data.provider ?? '?'}${data.reference == null ? '' : ` (${data.reference})`}: ${data.reason ?? '?'}, ${data.detail ?? ''}`,
      ]
    default:
      return JSON.stringify(data)
  }
}

export const eventsView: MakeView = ({ place }) =>
  view<Page>({
    title: 'Events',
    isLive: place.query['cursor'] === undefined,
    controls: filters(place, [
      { name: 'scope', label: 'Of', options: ['accounts', 'gateway'] },
      { name: 'accountId', label: 'Account id' },
    ]),
    load: (signal) => ask<Page>('/v1/events', { query: { limit: 50, ...place.query }, signal }),
    show(page) {
      const shown = h('div', {})
      append(shown, [
        table(
          columns,
          page.events,
          'Nothing to tell: no account has run low, no budget is near its end, and nothing fails.',
        ),
        pages(place, page.nextCursor),
      ])
      return shown
    },
  })
