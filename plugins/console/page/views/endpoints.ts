/** Webhook endpoints with where they send to. */
import { ask } from '../api.ts'
import { append, h } from '../../../shared/pages/dom.ts'
import { badge, copyable, go, identifier } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { Endpoint } from '../wire.ts'
import { notMounted, orNotMounted } from './relay.ts'

interface Page {
  endpoints: Endpoint[]
  nextCursor: string | null
}

const columns: readonly Column<Endpoint>[] = [
  { name: 'Name', show: ({ name }) => name },
  { name: 'State', show: ({ status }) => badge(status) },
  { name: 'Id', show: ({ id }) => copyable(id) },
  { name: 'Verifies', show: ({ verification }) => verification.scheme },
  {
    name: 'Owner',
    show: ({ apiKeyId }) => (apiKeyId === null ? '–' : identifier(apiKeyId, ['keys', apiKeyId])),
  },
  {
    name: 'Sends to',
    show: ({ destinations }) =>
      destinations.length === 0
        ? 'nowhere'
        : h(
            'ul',
            {},
            destinations.map(({ url, status, disabledReason, failingSince }) =>
              h(
                'li',
                {},
                h('code', {}, url),
                status === 'enabled'
                  ? null
                  : [' ', badge(`disabled: ${disabledReason ?? 'unknown'}`)],
                failingSince === null ? null : [' failing since ', moment(failingSince)],
              ),
            ),
          ),
  },
  { name: 'Made', show: ({ createdAt }) => moment(createdAt) },
  { name: 'Deliveries', show: ({ id }) => go('show', ['webhooks'], { endpointId: id }) },
]

export const endpointsView: MakeView = ({ place }) =>
  view<Page | null>({
    title: 'Webhook endpoints',
    isLive: place.query['cursor'] === undefined,
    controls: h('p', { class: 'buttons' }, go('Deliveries', ['webhooks'])),
    load: (signal) =>
      orNotMounted(
        ask<Page>('/v1/admin/webinfra/endpoints', { query: { limit: 50, ...place.query }, signal }),
      ),
    show(page) {
      if (page === null) return notMounted()
      const shown = h('div', {})
      append(shown, [
        table(columns, page.endpoints, 'There is no webhook endpoint yet.'),
        pages(place, page.nextCursor),
      ])
      return shown
    },
  })
