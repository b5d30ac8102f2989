/** Paid calls, newest first. */
import { ask } from '../api.ts'
import { append, h, type Child } from '../../../shared/pages/dom.ts'
import { filters, offer } from '../../../shared/pages/filters.ts'
import { amount, badge, go, identifier, note } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { Call } from '../wire/calls.ts'

interface Page {
  calls: Call[]
  nextCursor: string | null
  lookedBackTo: string | null
  /** The rails that calls can be listed of. */
  rails: string[]
}

const callColumns: readonly Column<Call>[] = [
  { name: 'Time', show: ({ at, id }) => h('a', { href: `#/calls/${id}` }, moment(at)) },
  { name: 'Skill', show: ({ skill, path }) => h('span', { title: path }, skill) },
  { name: 'Rail', show: ({ rail }) => rail },
  { name: 'Outcome', show: ({ outcome, state }) => badge(outcome, `state: ${state}`) },
  { name: 'Charged', isNumber: true, show: ({ chargedUsdcAtomic }) => amount(chargedUsdcAtomic) },
  { name: 'Payer', show: payerOf },
  { name: 'Request', show: ({ requestId, id }) => identifier(requestId, ['calls', id]) },
]

export function payerOf({ apiKeyId, payer }: Pick<Call, 'apiKeyId' | 'payer'>): Child {
  return apiKeyId === null ? identifier(payer) : identifier(apiKeyId, ['keys', apiKeyId])
}

export const callsView: MakeView = ({ place }) => {
  const form = filters(place, [
    { name: 'requestId', label: 'Request id' },
    { name: 'apiKeyId', label: 'Key id', placeholder: 'key_…' },
    { name: 'skill', label: 'Skill', placeholder: 'demo.hash' },
    // The gateway says which rails there are, with each page of calls.
    { name: 'rail', label: 'Rail', options: [] },
    { name: 'outcome', label: 'Outcome', options: ['open', 'charged', 'uncharged', 'refunded'] },
  ])
  return view<Page>({
    title: 'Calls',
    isLive: place.query['cursor'] === undefined,
    controls: [
      form,
      h(
        'p',
        { class: 'hint' },
        'Every call that reached a hold or presented a payment. Calls refused before that (no payment, bad input, rate limit) are among the ',
        go('Requests', ['requests']),
        '.',
      ),
    ],
    load: (signal) =>
      ask<Page>('/v1/admin/calls', { query: { limit: 50, ...place.query }, signal }),
    show(page) {
      offer(form, 'rail', page.rails)
      const isFiltered = Object.keys(place.query).some((name) => name !== 'cursor')
      const shown = h('div', {})
      append(shown, [
        table(
          callColumns,
          page.calls,
          isFiltered ? 'No call matches these filters.' : 'Nobody has bought a call yet.',
        ),
        page.lookedBackTo !== null &&
          note(
            'quiet',
            'Looked through the calls back to ',
            moment(page.lookedBackTo),
            '. There may be more before that.',
          ),
        pages(place, page.nextCursor, { next: page.lookedBackTo ? 'Look further back' : 'Older' }),
      ])
      return shown
    },
  })
}
