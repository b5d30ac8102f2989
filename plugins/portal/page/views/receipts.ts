/** What was bought, and months to print. */
import { h } from '../../../shared/pages/dom.ts'
import { identifier, section } from '../../../shared/pages/parts.ts'
import { pages, table } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { askApi } from '../client.ts'
import { credits, fileLink } from '../pieces.ts'
import { sourceName } from '../providers.ts'
import type { Receipt } from '../wire.ts'

interface Page {
  receipts: Receipt[]
  nextCursor: string | null
}

const MONTHS = 12

export const receiptsView: MakeView = ({ place }) => {
  const cursor = place.query['cursor']
  return view<Page>({
    title: 'Receipts',
    isLive: cursor === undefined,
    controls: h('p', { class: 'buttons' }, fileLink('Export as CSV', '/api/receipts.csv')),
    load: (signal) => askApi('/receipts', { query: { cursor }, signal }),
    show: (page) => [
      section(
        'Purchases',
        table(
          [
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
          ],
          page.receipts,
          'Nothing has been bought yet.',
        ),
        pages(place, page.nextCursor),
      ),
      section('Months (UTC)', months()),
    ],
  })
}

function months(): HTMLElement {
  const now = new Date()
  const list = Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
  return table(
    [
      { name: 'Month', show: (month) => month },
      { name: 'Statement', show: (month) => fileLink('Print', `/receipts/month/${month}`, false) },
      {
        name: 'Purchases',
        show: (month) => fileLink('CSV', `/api/receipts.csv?month=${month}`),
      },
    ],
    list,
    '',
  )
}
