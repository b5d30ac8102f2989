/** Every request that was answered, refused ones too, newest first. */
import { ask } from '../api.ts'
import { append, h, type Child } from '../../../shared/pages/dom.ts'
import { filters } from '../../../shared/pages/filters.ts'
import { badge, go, identifier, note } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { Answered } from '../wire/calls.ts'
import { durationText } from './figures.ts'

export interface RequestsPage {
  requests: Answered[]
  nextCursor: string | null
  lookedBackTo: string | null
}

const columns: readonly Column<Answered>[] = [
  {
    name: 'Time',
    show: ({ at, requestId }) => h('a', { href: requestHref(requestId) }, moment(at)),
  },
  { name: 'Status', show: ({ status }) => statusBadge(status) },
  {
    name: 'What',
    show: ({ skill, method, path }) =>
      h('span', { title: `${method} ${path}` }, skill ?? `${method} ${path}`),
  },
  {
    name: 'Why',
    show: ({ reason, code, outcome, message }) => why(reason, code, outcome, message),
  },
  { name: 'Who', show: whoOf },
  { name: 'Took', isNumber: true, show: ({ ms }) => durationText(ms) },
  {
    name: 'Request',
    show: ({ requestId }) => identifier(requestId, ['requests', requestId]),
  },
]

export const requestsView: MakeView = ({ place }) => {
  const form = filters(place, [
    { name: 'requestId', label: 'Request id' },
    { name: 'key', label: 'Key name or id' },
    { name: 'address', label: 'Address or wallet' },
    { name: 'skill', label: 'Skill', placeholder: 'demo.hash' },
    { name: 'code', label: 'Code or reason', placeholder: 'RATE_LIMITED' },
    {
      name: 'status',
      label: 'Status',
      options: ['2xx', '4xx', '5xx', '400', '401', '402', '403', '404', '429', '503'],
    },
  ])
  return view<RequestsPage>({
    title: 'Requests',
    isLive: place.query['cursor'] === undefined,
    controls: [
      form,
      h(
        'p',
        { class: 'hint' },
        'Every call of a skill, every refusal and every change, as far as one status has not too many a second; ',
        go('Figures', ['figures']),
        ' count the rest. What was paid stands in ',
        go('Calls', ['calls']),
        ' for good.',
      ),
    ],
    load: (signal) =>
      ask<RequestsPage>('/v1/admin/requests', { query: { limit: 50, ...place.query }, signal }),
    show(page) {
      const isFiltered = Object.keys(place.query).some((name) => name !== 'cursor')
      const shown = h('div', {})
      append(shown, [
        table(
          columns,
          page.requests,
          isFiltered ? 'No request matches these filters.' : 'Nobody has asked for anything yet.',
        ),
        page.lookedBackTo !== null &&
          note(
            'quiet',
            'Looked through the requests back to ',
            moment(page.lookedBackTo),
            '. There may be more before that.',
          ),
        pages(place, page.nextCursor, { next: page.lookedBackTo ? 'Look further back' : 'Older' }),
      ])
      return shown
    },
  })
}

function requestHref(requestId: string): string {
  return `#/requests/${encodeURIComponent(requestId)}`
}

export function statusBadge(status: number): HTMLElement {
  const made = badge(String(status))
  made.className = `badge ${status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}`
  return made
}

function why(
  reason: string | null,
  code: string | null,
  outcome: string | null,
  message: string | null,
): Child {
  const word = reason ?? code ?? outcome
  return word === null ? '–' : h('span', { title: message }, word)
}

/** The key by its name, else the wallet, the operator or the address. */
export function whoOf(row: Answered): Child {
  const { apiKeyId, apiKeyName, payer, operator, address } = row
  if (apiKeyId !== null) return go(apiKeyName ?? apiKeyId, ['keys', apiKeyId])
  if (payer !== null) return identifier(payer)
  return operator ?? address
}
