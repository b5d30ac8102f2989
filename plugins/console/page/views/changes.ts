/** The audit log: what operators changed, newest first. */
import { ask } from '../api.ts'
import { append, h, type Child } from '../../../shared/pages/dom.ts'
import { filters } from '../../../shared/pages/filters.ts'
import { go, identifier } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { ChangeRow } from '../wire/operators.ts'
import { differenceList } from './difference-list.ts'

interface Page {
  changes: ChangeRow[]
  nextCursor: string | null
}

const SHOWN = 3

const columns: readonly Column<ChangeRow>[] = [
  { name: 'Time', show: ({ at }) => moment(at) },
  { name: 'Who', show: ({ operator, role }) => h('span', { title: `role: ${role}` }, operator) },
  {
    name: 'What',
    show: ({ method, path, status }) =>
      h('span', {}, h('code', {}, `${method} ${path}`), status > 0 && ` → ${status}`),
  },
  { name: 'Change', show: whatChanged },
  {
    name: 'Request',
    show: ({ requestId }) => identifier(requestId, ['requests', requestId]),
  },
]

export function changeTable(changes: readonly ChangeRow[], empty = 'Nothing yet.'): HTMLElement {
  return table(columns, changes, empty)
}

export const changesView: MakeView = ({ place }) =>
  view<Page>({
    title: 'Audit log',
    isLive: place.query['cursor'] === undefined,
    controls: [
      filters(place, [
        { name: 'operator', label: 'Who' },
        { name: 'path', label: 'Part of the path', placeholder: '/v1/keys' },
        { name: 'requestId', label: 'Request id' },
      ]),
      h('p', { class: 'hint' }, go('Operators', ['operators'])),
    ],
    load: (signal) =>
      ask<Page>('/v1/admin/changes', { query: { limit: 50, ...place.query }, signal }),
    show(page) {
      const shown = h('div', {})
      append(shown, [
        changeTable(page.changes, 'No operator has changed anything that matches.'),
        pages(place, page.nextCursor),
      ])
      return shown
    },
  })

/** What differs before and after; where nothing tells that, what was asked. */
function whatChanged({ differences, input }: ChangeRow): Child {
  if (differences.length === 0)
    return input === null || input === undefined ? '–' : h('code', {}, JSON.stringify(input))
  const shown = differences.slice(0, SHOWN)
  const rest = differences.slice(SHOWN)
  return h(
    'div',
    { class: 'differences' },
    differenceList(shown),
    rest.length > 0 &&
      h('details', {}, h('summary', {}, `${rest.length} more`), differenceList(rest)),
  )
}
