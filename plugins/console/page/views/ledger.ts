/** The ledger's rows, and the check of all of them. */
import { numberText } from '../../../shared/pages/amount.ts'
import { ask } from '../api.ts'
import { append, h, type Child } from '../../../shared/pages/dom.ts'
import { filters } from '../../../shared/pages/filters.ts'
import { action, amount, go, identifier, note } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { ENTRY_KINDS, type Entry, type Verified } from '../wire/calls.ts'

export const entryColumns: readonly Column<Entry>[] = [
  { name: 'Row', show: ({ id }) => identifier(id) },
  { name: 'Time', show: ({ at }) => moment(at) },
  { name: 'Kind', show: ({ kind }) => kind },
  { name: 'Amount', isNumber: true, show: ({ amountUsdcAtomic }) => amount(amountUsdcAtomic) },
  { name: 'From', show: ({ debit }) => account(debit) },
  { name: 'To', show: ({ credit }) => account(credit) },
  { name: 'Skill', show: ({ skill }) => skill ?? '–' },
  {
    name: 'Request',
    show: ({ requestId }) => identifier(requestId, ['calls'], { requestId }),
  },
  {
    name: 'Note',
    show: ({ note, transaction }) => (transaction ? identifier(transaction) : (note ?? '–')),
  },
]

/** '<account id>:held' with a link to the account; system accounts as they are. */
function account(name: string): Child {
  const [id = '', balance] = name.split(':')
  if (balance !== 'available' && balance !== 'held') return name
  return h('span', {}, identifier(id, ['accounts', id]), ` ${balance}`)
}

interface Page {
  rows: Entry[]
  nextBefore: string | null
}

export const ledgerView: MakeView = ({ place }) => {
  const verdict = h('div', { 'aria-live': 'polite' })
  return view<Page>({
    title: 'Ledger',
    isLive: place.query['cursor'] === undefined,
    controls: [
      h(
        'p',
        { class: 'buttons' },
        action('Verify the ledger', async () => {
          verdict.replaceChildren(note('quiet', 'Reading every row in one snapshot …'))
          try {
            verdict.replaceChildren(verdictOf(await verify()))
          } catch (error) {
            verdict.replaceChildren()
            throw error
          }
        }),
        go('Open calls', ['calls'], { outcome: 'open' }),
        go('Top-ups not credited', ['ledger', 'flagged']),
      ),
      verdict,
      filters(place, [
        { name: 'requestId', label: 'Request id' },
        { name: 'accountId', label: 'Account id' },
        { name: 'apiKeyId', label: 'Key id', placeholder: 'key_…' },
        { name: 'kind', label: 'Kind', options: ENTRY_KINDS },
      ]),
    ],
    load(signal) {
      const { cursor: before, ...query } = place.query
      return ask<Page>('/v1/ledger', { query: { limit: 50, ...query, before }, signal })
    },
    show(page) {
      const shown = h('div', {})
      append(shown, [
        table(entryColumns, page.rows, 'The ledger has no such rows.'),
        pages(place, page.nextBefore),
      ])
      return shown
    },
  })
}

const verify = (): Promise<Verified> => ask<Verified>('/v1/admin/ledger/verify', { method: 'POST' })

function verdictOf({ ok, at, ms, checked, violations }: Verified): HTMLElement {
  const { accounts, holds, entries } = checked
  const counted = `${numberText(entries)} rows, ${numberText(holds)} holds and ${numberText(accounts)} accounts in ${numberText(ms)} ms`
  if (ok) return note('good', `Every invariant holds: ${counted}, `, moment(at), '.')
  return h(
    'div',
    {},
    note('bad', `The ledger is broken: ${violations.length} violations in ${counted}.`),
    table(
      [
        { name: 'Invariant', show: ({ invariant }) => invariant },
        { name: 'Subject', show: ({ subject }) => subject },
        { name: 'What disagrees', show: ({ message }) => message },
      ],
      violations,
      '',
    ),
  )
}
