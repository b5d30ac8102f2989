/** What was spent, by day, product, skill and key. */
import { numberText } from '../../../shared/pages/amount.ts'
import { h } from '../../../shared/pages/dom.ts'
import { filters } from '../../../shared/pages/filters.ts'
import { identifier, section } from '../../../shared/pages/parts.ts'
import { table } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { askApi } from '../client.ts'
import { credits, fileLink } from '../pieces.ts'

interface Sum {
  name: string
  calls: number
  credits: number
}
interface Usage {
  days: number
  byDay: Sum[]
  bySkill: Sum[]
  byKey: Sum[]
  /** Of the keys these are those that spent most. */
  keysAreMore: boolean
}

/** Sums in ten-thousandths of a credit, the unit of the ledger: floats would drift. */
const UNITS = 10_000

/** Those of the skills of each product, the largest first. */
export function productsOf(skills: readonly Sum[]): Sum[] {
  const groups = Map.groupBy(skills, ({ name }) => name.split('.')[0]!)
  const sums = [...groups].map(([name, group]) => ({
    name,
    calls: group.reduce((sum, { calls }) => sum + calls, 0),
    credits: group.reduce((sum, { credits }) => sum + Math.round(credits * UNITS), 0) / UNITS,
  }))
  return sums.sort((a, b) => b.credits - a.credits)
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
    show: ({ byDay, bySkill, byKey, keysAreMore }) => [
      sums(
        'By day',
        'Day',
        byDay.toSorted((a, b) => b.name.localeCompare(a.name)),
      ),
      sums('By product', 'Product', productsOf(bySkill)),
      sums('By skill', 'Skill', bySkill),
      sums('By key and app', 'Key or app', byKey, true),
      keysAreMore &&
        h(
          'p',
          { class: 'hint' },
          `These ${numberText(byKey.length)} spent most. The CSV file has all keys and apps.`,
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
