/** One webhook endpoint: its secret, its destinations, and what came in. */
import { askFor } from '../../../shared/pages/dialog.ts'
import { button, h } from '../../../shared/pages/dom.ts'
import {
  action,
  badge,
  copyable,
  facts,
  go,
  identifier,
  section,
} from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { askApi } from '../client.ts'
import {
  endpointPath,
  ROTATE_FIELDS,
  rotationOf,
  secretCell,
  tellSecrets,
  type RelayDelivery,
  type RelayDestination,
  type RelayEndpoint,
} from '../relay.ts'
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
  { name: 'Bytes', isNumber: true, show: ({ sizeBytes }) => sizeBytes.toLocaleString() },
]

export const webhookView =
  (id: string): MakeView =>
  (shell) => {
    const path = endpointPath(id)
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
          ['Paid by', identifier(endpoint.apiKeyId, ['keys', endpoint.apiKeyId])],
          ['Attempts at most', String(endpoint.maxAttempts)],
          ['Made', moment(endpoint.createdAt)],
        ),
        isOwner && endpointButtons(endpoint, path, shell),
        section(
          'Destinations',
          table(
            destinationColumns(path, isOwner, shell),
            endpoint.destinations,
            'Nothing is forwarded yet.',
          ),
          isOwner &&
            h(
              'p',
              { class: 'buttons' },
              button('Add a destination …', () => add(path, shell)),
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

function endpointButtons(endpoint: RelayEndpoint, path: string, shell: Shell): HTMLElement {
  return h(
    'p',
    { class: 'buttons' },
    endpoint.verification.scheme !== 'none' &&
      button('New secret …', () =>
        rotate(`New secret for senders to ${endpoint.name}`, path, shell),
      ),
    endpoint.disabledBy !== 'operator' && pauseButton(endpoint.status, path, shell),
    button(
      'Delete …',
      () =>
        askFor({
          title: `Delete ${endpoint.name}`,
          text: 'For good: senders are refused, and what waits is not forwarded.',
          action: 'Delete for good',
          isDangerous: true,
          async submit() {
            await askApi(path, { method: 'DELETE' })
            shell.refresh()
          },
        }),
      { class: 'danger' },
    ),
  )
}

function destinationColumns(
  path: string,
  isOwner: boolean,
  shell: Shell,
): Column<RelayDestination>[] {
  const own = ({ id }: RelayDestination) => `${path}/destinations/${encodeURIComponent(id)}`
  return [
    { name: 'URL', show: ({ url }) => url },
    {
      name: 'State',
      show: ({ status, disabledReason }) => [
        badge(status, disabledReason ?? undefined),
        disabledReason !== null && h('small', {}, ` by ${disabledReason.replaceAll('_', ' ')}`),
      ],
    },
    { name: 'Failing since', show: ({ failingSince }) => moment(failingSince) },
    { name: 'Secret', show: ({ secrets }) => secretCell(secrets) },
    ...(isOwner
      ? [
          {
            name: 'Change',
            show: (one: RelayDestination) =>
              h(
                'span',
                {},
                button('New secret …', () => rotate(`New secret for ${one.url}`, own(one), shell)),
                ' ',
                one.disabledReason !== 'operator' && pauseButton(one.status, own(one), shell),
                ' ',
                button('Remove …', () => remove(one, own(one), shell), { class: 'danger' }),
              ),
          },
        ]
      : []),
  ]
}

/** Whose pause it is, where the customer cannot end it. */
function pausedNote(by: RelayEndpoint['disabledBy']): string {
  return by === 'operator' ? ' by the operator, who alone can enable it' : ''
}

function pauseButton(status: 'enabled' | 'disabled', path: string, shell: Shell): HTMLElement {
  const next = status === 'enabled' ? 'disabled' : 'enabled'
  return action(next === 'disabled' ? 'Pause' : 'Enable', async () => {
    await askApi(path, { method: 'PATCH', body: { status: next } })
    shell.refresh()
  })
}

function rotate(title: string, path: string, shell: Shell): void {
  askFor({
    title,
    fields: ROTATE_FIELDS,
    action: 'Change the secret',
    async submit(values) {
      const changed = await askApi<Partial<RelayEndpoint> & { secret?: string }>(`${path}/rotate`, {
        method: 'POST',
        body: rotationOf(values),
      })
      tellSecrets(title, [['The new one', changed.secret ?? changed.verification?.secret]])
      shell.refresh()
    },
  })
}

function add(path: string, shell: Shell): void {
  askFor({
    title: 'Add a destination',
    fields: [
      { name: 'url', label: 'URL', required: true },
      {
        name: 'events',
        label: 'Events',
        hint: 'Names with commas between, order.* is a prefix; empty: all',
      },
    ],
    action: 'Add it',
    async submit({ url, events = '' }) {
      const names = events
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
      const made = await askApi<RelayDestination>(`${path}/destinations`, {
        method: 'POST',
        body: { url, ...(names.length > 0 && { events: names }) },
      })
      tellSecrets(`${made.url} is added`, [['What is sent there is signed with', made.secret]])
      shell.refresh()
    },
  })
}

function remove(destination: RelayDestination, path: string, shell: Shell): void {
  askFor({
    title: `Remove ${destination.url}`,
    text: 'What waits for it is not sent any more.',
    action: 'Remove it',
    isDangerous: true,
    async submit() {
      await askApi(path, { method: 'DELETE' })
      shell.refresh()
    },
  })
}
