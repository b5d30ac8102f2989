/** A bar for each minute of the last hour: charged calls, and on top those that failed uncharged. */
import { numberText } from '../../../shared/pages/amount.ts'
import { h } from '../../../shared/pages/dom.ts'
import type { Overview } from '../wire/overview.ts'
import { shape } from './bars.ts'

type Minutes = NonNullable<Overview['minutes']>

const BAR = 10
const HEIGHT = 100

export function minutesChart(minutes: Minutes): HTMLElement {
  const highest = Math.max(1, ...minutes.map(({ charged, uncharged }) => charged + uncharged))
  const svg = shape('svg', {
    viewBox: `0 0 ${minutes.length * BAR} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  })
  for (const [index, { at, charged, uncharged }] of minutes.entries()) {
    const top = ((charged + uncharged) / highest) * HEIGHT
    const low = (charged / highest) * HEIGHT
    const x = index * BAR
    const group = shape('g', {})
    const title = shape('title', {})
    title.textContent = `${new Date(at).toLocaleTimeString()}: ${charged} charged, ${uncharged} uncharged`
    group.append(
      title,
      shape('rect', { x, y: 0, width: BAR - 1, height: HEIGHT, class: 'back' }),
      shape('rect', { x, y: HEIGHT - low, width: BAR - 1, height: low, class: 'charged' }),
      shape('rect', { x, y: HEIGHT - top, width: BAR - 1, height: top - low, class: 'uncharged' }),
    )
    svg.append(group)
  }
  const sum = (of: 'charged' | 'uncharged'): number =>
    minutes.reduce((total, minute) => total + minute[of], 0)
  const last = minutes.at(-2)
  return h(
    'figure',
    { class: 'chart' },
    svg,
    h(
      'figcaption',
      {},
      h('span', { class: 'key charged' }, `${numberText(sum('charged'))} charged`),
      h(
        'span',
        { class: 'key uncharged' },
        `${numberText(sum('uncharged'))} failed and not charged`,
      ),
      `at most ${numberText(highest)} a minute`,
      last && `; ${last.charged} and ${last.uncharged} in the last whole minute`,
    ),
  )
}
