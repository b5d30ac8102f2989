/** Paid calls, newest first. */
import { h } from '../../../shared/pages/dom.ts'
import { filters } from '../../../shared/pages/filters.ts'
import { badge, go, identifier } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { askApi } from '../client.ts'
import { credits, fileLink } from '../pieces.ts'
import type { Call } from '../wire.ts'

interface Page {
  calls: Call[]
  nextCursor: string | null
}

const COLUMNS: readonly Column<Call>[] = [
  { name: 'Time', show: ({ at, id }) => go(moment(at), ['calls', id]) },
  { name: 'Skill', show: ({ skill, path }) => h('span', { title: path }, skill) },
  { name: 'Outcome', show: ({ outcome }) => badge(outcome) },
  { name: 'Charged', isNumber: true, show: ({ charged }) => credits(charged) },
  { name: 'By', show: ({ rail }) => rail },
  { name: 'Key or app', show: ({ keyId }) => identifier(keyId) },
  { name: 'Request', show: ({ requestId, id }) => identifier(requestId, ['calls', id]) },
]

export const callsView: MakeView = ({ place }) => {
  const { cursor, ...filter } = place.query
  return view<Page>({
    title: 'Calls',
    isLive: cursor === undefined,
    controls: [
      filters(place, [
        { name: 'key', label: 'Key id', placeholder: 'key_…' },
        { name: 'app', label: 'App id', placeholder: 'key_…' },
        { name: 'skill', label: 'Skill', placeholder: 'demo.hash' },
        {
          name: 'outcome',
          label: 'Outcome',
          options: ['open', 'charged', 'uncharged', 'refunded'],
        },
      ]),
      h(
        'p',
        { class: 'buttons' },
        fileLink('Export as CSV', `/api/calls.csv?${new URLSearchParams(filter)}`),
      ),
    ],
    load: (signal) => askApi('/calls', { query: place.query, signal }),
    show: (page) => [
      table(
        COLUMNS,
        page.calls,
        Object.keys(filter).length > 0
          ? 'No call matches these filters.'
          : 'Nothing has been called yet.',
      ),
      pages(place, page.nextCursor),
    ],
  })
}
