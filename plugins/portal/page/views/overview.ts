/** The first look: what is there, what was spent, and what runs out. */
import { h, type Child } from '../../../shared/pages/dom.ts'
import { go, note, section } from '../../../shared/pages/parts.ts'
import { table } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { askApi } from '../client.ts'
import { budgetCell, credits } from '../pieces.ts'
import type { Overview } from '../wire.ts'

export const overviewView: MakeView = () =>
  view<Overview>({
    title: 'Overview',
    isLive: true,
    load: (signal) => askApi('/overview', { signal }),
    show: (one) => [
      one.isLow &&
        note(
          'warn',
          `The balance is below your limit of ${one.lowMarkCredits ?? 0} credits. `,
          go('Buy credits', ['buy']),
        ),
      one.role === 'limited' &&
        note(
          'quiet',
          'You signed in with a key that has a budget or was made for one purpose: you see its own calls only.',
        ),
      h(
        'div',
        { class: 'cards' },
        card('Balance', credits(one.balanceCredits), [
          one.heldCredits > 0 && `and ${one.heldCredits} held by calls under way. `,
          go('Buy', ['buy']),
        ]),
        card('Spent today (UTC)', credits(one.spentToday), go('By skill', ['usage'])),
        card('Spent this month (UTC)', credits(one.spentMonth), go('By day', ['usage'])),
        card(
          'Calls of the last hour',
          go(`${one.callsAreMore ? 'more than ' : ''}${one.callsLastHour}`, ['calls']),
          'paid ones',
        ),
      ),
      section(
        'Budgets near their end',
        table<Overview['near'][number]>(
          [
            {
              name: 'Name',
              show: ({ id, name, isApp }) => go(name, [isApp ? 'apps' : 'keys', id]),
            },
            { name: 'Kind', show: ({ isApp }) => (isApp ? 'app' : 'key') },
            { name: 'Budget', show: budgetCell },
            { name: 'Last used', show: ({ lastUsedAt }) => moment(lastUsedAt) },
          ],
          one.near,
          'No app or key has used up four fifths of its budget.',
        ),
        one.nearOf !== null &&
          h('p', { class: 'hint' }, `Looked for among the newest ${one.nearOf} keys and apps.`),
      ),
    ],
  })

function card(title: string, value: Child, more: Child): HTMLElement {
  return h(
    'div',
    { class: 'card' },
    h('h2', {}, title),
    h('p', { class: 'value' }, value),
    h('p', { class: 'more' }, more),
  )
}
