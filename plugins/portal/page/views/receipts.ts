/** What was bought, and months to print. */
import { h } from '../../../shared/pages/dom.ts'
import { identifier, note, section } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { askApi } from '../client.ts'
import { credits, fileLink } from '../pieces.ts'
import { sourceName } from '../providers.ts'
import type { Me, Receipt } from '../wire.ts'

interface Page {
  receipts: Receipt[]
  nextCursor: string | null
}

interface Data extends Page {
  createdAt: string | null
}

/** The most months that are listed. */
const MONTHS = 12

const COLUMNS: readonly Column<Receipt>[] = [
  { name: 'Time', show: ({ at }) => moment(at) },
  { name: 'Credits', isNumber: true, show: (row) => credits(row.credits) },
  { name: 'By', show: ({ source }) => sourceName(source) },
  { name: 'Transaction', show: ({ transaction }) => identifier(transaction) },
  { name: 'Note', show: ({ note }) => note ?? '–' },
  {
    name: 'Receipt',
    show: ({ id }) => [
      fileLink('Print', `/receipts/${id}`, false),
      ' ',
      fileLink('JSON', `/api/receipts/${id}`),
    ],
  },
]

export const receiptsView: MakeView = ({ place }) => {
  const cursor = place.query['cursor']
  return view<Data | null>({
    title: 'Receipts',
    isLive: cursor === undefined,
    async load(signal) {
      const { role, createdAt } = await askApi<Me>('/me', { signal })
      if (role !== 'owner') return null
      return { ...(await askApi<Page>('/receipts', { query: { cursor }, signal })), createdAt }
    },
    show: (page) =>
      page === null
        ? note(
            'quiet',
            'This session’s key has a budget: an owner of the account sees its receipts.',
          )
        : [
            h('p', { class: 'buttons' }, fileLink('Export as CSV', '/api/receipts.csv')),
            section(
              'Purchases',
              table(COLUMNS, page.receipts, 'Nothing has been bought yet.'),
              pages(place, page.nextCursor),
            ),
            section('Months (UTC)', months(page.createdAt)),
          ],
  })
}

/** The months of the account's life, such as '2026-11', the newest first; null: all that are listed. */
export function monthsSince(createdAt: string | null, now: Date): string[] {
  const first = createdAt?.slice(0, 7) ?? ''
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  ).filter((month, back) => back === 0 || month >= first)
}

function months(createdAt: string | null): HTMLElement {
  return table(
    [
      { name: 'Month', show: (month) => month },
      { name: 'Statement', show: (month) => fileLink('Print', `/receipts/month/${month}`, false) },
      {
        name: 'Purchases',
        show: (month) => fileLink('CSV', `/api/receipts.csv?month=${month}`),
      },
    ],
    monthsSince(createdAt, new Date()),
    '',
  )
}
