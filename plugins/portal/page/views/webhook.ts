/** One webhook endpoint: its secret, its destinations, and what came in. */
import { numberText } from '../../../shared/pages/amount.ts'
import { button, h } from '../../../shared/pages/dom.ts'
import { badge, copyable, facts, go, identifier, section } from '../../../shared/pages/parts.ts'
import {
  addDestination,
  destinationColumns,
  endpointButtons,
  pauseHint,
} from '../../../shared/pages/relay-changes.ts'
import { secretCell, type RelayDelivery, type RelayEndpoint } from '../../../shared/pages/relay.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { askApi } from '../client.ts'
import type { Me } from '../wire.ts'

interface Seen {
  endpoint: RelayEndpoint
  deliveries: RelayDelivery[]
  nextCursor: string | null
  isOwner: boolean
}

const DELIVERIES: readonly Column<RelayDelivery>[] = [
  { name: 'Delivery', show: ({ id }) => identifier(id, ['deliveries', id]) },
  { name: 'Came in', show: ({ createdAt }) => moment(createdAt) },
  { name: 'State', show: ({ status }) => badge(status) },
  { name: 'Event', show: ({ event }) => event ?? '–' },
  { name: 'Bytes', isNumber: true, show: ({ sizeBytes }) => numberText(sizeBytes) },
]

export const webhookView =
  (id: string): MakeView =>
  (shell) => {
    const path = `/relay/endpoints/${encodeURIComponent(id)}`
    const desk = { ask: askApi, path, by: 'owner', shell } as const
    const cursor = shell.place.query['cursor']
    return view<Seen>({
      title: 'Webhook endpoint',
      isLive: cursor === undefined,
      async load(signal) {
        const [endpoint, list, me] = await Promise.all([
          askApi<RelayEndpoint>(path, { signal }),
          askApi<Pick<Seen, 'deliveries' | 'nextCursor'>>(`${path}/deliveries`, {
            query: { cursor },
            signal,
          }),
          askApi<Me>('/me', { signal }),
        ])
        return { endpoint, ...list, isOwner: me.role === 'owner' }
      },
      show: ({ endpoint, deliveries, nextCursor, isOwner }) => [
        facts(
          ['Name', endpoint.name],
          ['State', h('span', {}, badge(endpoint.status), pausedNote(endpoint.disabledBy))],
          ['Senders post to', copyable(endpoint.ingressUrl)],
          ['Senders sign by', endpoint.verification.scheme],
          endpoint.verification.header === undefined
            ? null
            : ['In the header', h('code', {}, endpoint.verification.header)],
          ['Secret', secretCell(endpoint.verification.secrets)],
          ['Paid by', identifier(endpoint.apiKeyId, ['keys', endpoint.apiKeyId ?? ''])],
          ['Attempts at most', String(endpoint.maxAttempts)],
          ['Made', moment(endpoint.createdAt)],
        ),
        pauseHint(endpoint),
        isOwner && endpointButtons(endpoint, desk),
        section(
          'Destinations',
          table(
            destinationColumns(isOwner ? desk : null),
            endpoint.destinations,
            'Nothing is forwarded yet.',
          ),
          isOwner &&
            h(
              'p',
              { class: 'buttons' },
              button('Add a destination …', () => addDestination(desk)),
            ),
        ),
        section(
          'Deliveries',
          table(DELIVERIES, deliveries, 'No webhook has come in yet.'),
          pages(shell.place, nextCursor),
        ),
        h('p', {}, go('All endpoints', ['webhooks'])),
      ],
    })
  }

/** Whose pause it is, where the customer cannot end it. */
function pausedNote(by: RelayEndpoint['disabledBy']): string {
  return by === 'operator' ? ' by the operator, who alone can enable it' : ''
}
