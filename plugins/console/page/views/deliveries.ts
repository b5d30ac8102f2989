/** Webhook deliveries, newest first. */
import { ask } from '../api.ts'
import { append, h } from '../../../shared/pages/dom.ts'
import { filters } from '../../../shared/pages/filters.ts'
import { badge, go, identifier } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { Delivery } from '../wire.ts'
import { notMounted, orNotMounted } from './relay.ts'

interface Page {
  deliveries: Delivery[]
  nextCursor: string | null
}

const columns: readonly Column<Delivery>[] = [
  { name: 'Received', show: ({ createdAt, id }) => go(moment(createdAt), ['webhooks', id]) },
  { name: 'Status', show: ({ status }) => badge(status) },
  { name: 'Event', show: ({ event }) => event ?? '–' },
  { name: 'Endpoint', show: ({ endpointId }) => identifier(endpointId) },
  { name: 'Sender’s id', show: ({ deliveryId }) => identifier(deliveryId) },
  {
    name: 'Size',
    isNumber: true,
    show: ({ sizeBytes, purged }) => `${sizeBytes.toLocaleString()} B${purged ? ', purged' : ''}`,
  },
  {
    name: 'Payer',
    show: ({ apiKeyId }) => (apiKeyId === null ? 'x402' : identifier(apiKeyId, ['keys', apiKeyId])),
  },
]

export const deliveriesView: MakeView = ({ place }) =>
  view<Page | null>({
    title: 'Webhook deliveries',
    isLive: place.query['cursor'] === undefined,
    controls: [
      h('p', { class: 'buttons' }, go('Endpoints', ['webhooks', 'endpoints'])),
      filters(place, [
        {
          name: 'status',
          label: 'Status',
          options: ['accepted', 'retrying', 'forwarded', 'partial', 'failed'],
        },
        { name: 'endpointId', label: 'Endpoint id', placeholder: 'ep_…' },
      ]),
    ],
    load: (signal) =>
      orNotMounted(
        ask<Page>('/v1/admin/webinfra/deliveries', {
          query: { limit: 50, ...place.query },
          signal,
        }),
      ),
    show(page) {
      if (page === null) return notMounted()
      const isFiltered = Object.keys(place.query).some((name) => name !== 'cursor')
      const shown = h('div', {})
      append(shown, [
        table(
          columns,
          page.deliveries,
          isFiltered ? 'No delivery matches these filters.' : 'No webhook has come in yet.',
        ),
        pages(place, page.nextCursor),
      ])
      return shown
    },
  })
