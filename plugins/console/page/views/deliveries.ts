/** Webhook deliveries, newest first. */
import { numberText } from '../../../shared/pages/amount.ts'
import { ask } from '../api.ts'
import { append, button, h } from '../../../shared/pages/dom.ts'
import { InputError } from '../../../shared/pages/api.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { filters } from '../../../shared/pages/filters.ts'
import { badge, go, identifier, messageOf } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { Delivery } from '../wire/webhooks.ts'
import { sendAgain } from './delivery.ts'
import { onceName } from './once.ts'
import { notMounted, orNotMounted, RELAY } from './relay.ts'

interface Page {
  deliveries: Delivery[]
  nextCursor: string | null
}

const columns: readonly Column<Delivery>[] = [
  { name: 'Received', show: ({ createdAt, id }) => go(moment(createdAt), ['webhooks', id]) },
  { name: 'Status', show: ({ status }) => badge(status) },
  { name: 'Event', show: ({ event }) => event ?? '–' },
  {
    name: 'Endpoint',
    show: ({ endpointId }) => identifier(endpointId, ['webhooks', 'endpoints', endpointId]),
  },
  { name: 'Sender’s id', show: ({ deliveryId }) => identifier(deliveryId) },
  {
    name: 'Size',
    isNumber: true,
    show: ({ sizeBytes, purged }) => `${numberText(sizeBytes)} B${purged ? ', purged' : ''}`,
  },
  {
    name: 'Payer',
    show: ({ apiKeyId }) => (apiKeyId === null ? 'x402' : identifier(apiKeyId, ['keys', apiKeyId])),
  },
]

export const deliveriesView: MakeView = (shell) => {
  const { place } = shell
  return view<Page | null>({
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
        ask<Page>(`${RELAY}/deliveries`, {
          query: { limit: 50, ...place.query },
          signal,
        }),
      ),
    show(page) {
      if (page === null) return notMounted()
      const isFiltered = Object.keys(place.query).some((name) => name !== 'cursor')
      const shown = h('div', {})
      const failed = page.deliveries.filter(
        ({ status, purged }) => (status === 'failed' || status === 'partial') && !purged,
      )
      append(shown, [
        failed.length > 0 &&
          h(
            'p',
            { class: 'buttons' },
            button(`Send ${failed.length} failed again …`, () => sendAllAgain(failed, shell)),
          ),
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
}

/** One after the other, so that no key pays for more than it watches; what fails is told at the end. */
function sendAllAgain(failed: readonly Delivery[], shell: Shell): void {
  const once = onceName()
  askFor({
    title: `Send ${failed.length} deliveries again`,
    text: 'Those of this page that failed: one attempt each to every enabled destination. The key that paid for one, or owns its endpoint, pays the price of a replay for each destination that takes it; failures are free.',
    action: 'Send again',
    isDangerous: true,
    async submit() {
      const problems: string[] = []
      for (const delivery of failed) {
        await sendAgain(delivery, once).catch((error: unknown) =>
          problems.push(`${delivery.id}: ${messageOf(error)}`),
        )
      }
      shell.refresh()
      if (problems.length > 0)
        throw new InputError(
          `${failed.length - problems.length} were sent, ${problems.length} were not. ${problems.slice(0, 5).join(' ')}`,
        )
    },
  })
}
