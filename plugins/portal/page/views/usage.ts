/** What was spent, by day, product, skill and key. */
import { numberText } from '../../../shared/pages/amount.ts'
import { h } from '../../../shared/pages/dom.ts'
import { filters } from '../../../shared/pages/filters.ts'
import { identifier, section } from '../../../shared/pages/parts.ts'
import { table } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { askApi } from '../client.ts'
import { credits, fileLink } from '../pieces.ts'
import type { UsageRow } from '../wire.ts'

interface Usage {
  days: number
  rows: UsageRow[]
}
interface Sum {
  name: string
  calls: number
  credits: number
}

/** Sums in ten-thousandths of a credit, the unit of the ledger: floats would drift. */
const UNITS = 10_000

/** Charged less refunded by what `nameOf` says, largest first or as they come. */
export function sumsOf(
  rows: readonly UsageRow[],
  nameOf: (row: UsageRow) => string,
  order: 'size' | 'name',
): Sum[] {
  const groups = Map.groupBy(rows, nameOf)
  const sums = [...groups].map(([name, group]) => ({
    name,
    calls: group.reduce((sum, { calls }) => sum + calls, 0),
    credits:
      group.reduce(
        (sum, row) => sum + Math.round(row.charged * UNITS) - Math.round(row.refunded * UNITS),
        0,
      ) / UNITS,
  }))
  return sums.sort((a, b) =>
    order === 'size' ? b.credits - a.credits : b.name.localeCompare(a.name),
  )
}

export const usageView: MakeView = ({ place }) => {
  const days = place.query['days'] ?? '30'
  return view<Usage>({
    title: 'Usage',
    isLive: false,
    controls: [
      filters({ ...place, query: { days } }, [
        {
          name: 'days',
          label: 'Last days (UTC)',
          options: ['7', '30', '90', '366'],
          isChoice: true,
        },
      ]),
      h(
        'p',
        { class: 'buttons' },
        fileLink('Export as CSV', `/api/usage.csv?days=${Number(days) || 30}`),
      ),
    ],
    load: (signal) => askApi('/usage', { query: { days }, signal }),
    show: ({ rows }) => [
      sums(
        'By day',
        'Day',
        sumsOf(rows, ({ day }) => day, 'name'),
      ),
      sums(
        'By product',
        'Product',
        sumsOf(rows, ({ skill }) => skill.split('.')[0]!, 'size'),
      ),
      sums(
        'By skill',
        'Skill',
        sumsOf(rows, ({ skill }) => skill, 'size'),
      ),
      sums(
        'By key and app',
        'Key or app',
        sumsOf(rows, ({ keyId }) => keyId, 'size'),
        true,
      ),
    ],
  })
}

function sums(title: string, heading: string, list: readonly Sum[], areIds = false): HTMLElement {
  return section(
    title,
    table(
      [
        {
          name: heading,
          show: ({ name }) => (areIds ? identifier(name, ['calls'], { key: name }) : name),
        },
        { name: 'Calls', isNumber: true, show: ({ calls }) => numberText(calls) },
        { name: 'Spent', isNumber: true, show: (row) => credits(row.credits) },
      ],
      list,
      'Nothing was spent in this time.',
    ),
  )
}
