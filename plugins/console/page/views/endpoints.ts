/** Webhook endpoints with where they send to. */
import { ask } from '../api.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { append, button, h } from '../../../shared/pages/dom.ts'
import { badge, copyable, go, identifier } from '../../../shared/pages/parts.ts'
import { endpointFields, endpointOf, tellMade } from '../../../shared/pages/relay-changes.ts'
import type { RelayEndpoint } from '../../../shared/pages/relay.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { notMounted, orNotMounted, RELAY } from './relay.ts'

interface Page {
  endpoints: RelayEndpoint[]
  nextCursor: string | null
}

const columns: readonly Column<RelayEndpoint>[] = [
  { name: 'Name', show: ({ name, id }) => go(name, ['webhooks', 'endpoints', id]) },
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

export const endpointsView: MakeView = (shell) => {
  const { place } = shell
  return view<Page | null>({
    title: 'Webhook endpoints',
    isLive: place.query['cursor'] === undefined,
    controls: h(
      'p',
      { class: 'buttons' },
      button('New endpoint …', () => make(shell), { class: 'main' }),
      go('Deliveries', ['webhooks']),
    ),
    load: (signal) =>
      orNotMounted(
        ask<Page>(`${RELAY}/endpoints`, { query: { limit: 50, ...place.query }, signal }),
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
}

function make(shell: Shell): void {
  askFor({
    title: 'New endpoint',
    fields: endpointFields({
      name: 'key',
      label: 'Key that pays',
      hint: 'Its id, key_…; empty: nobody owns it, and who calls pays',
    }),
    action: 'Make the endpoint',
    async submit({ key, ...values }) {
      const made = await ask<RelayEndpoint>(`${RELAY}/endpoints`, {
        method: 'POST',
        body: endpointOf(values, key || null),
      })
      tellMade(made)
      shell.refresh()
    },
  })
}
