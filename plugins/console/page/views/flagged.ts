/** Top-ups that were paid or told of and not credited, or taken back, with the reason. */
import { ask } from '../api.ts'
import { ApiError } from '../../../shared/pages/api.ts'
import { h } from '../../../shared/pages/dom.ts'
import { note } from '../../../shared/pages/parts.ts'
import { pages, table } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { Flagged } from '../wire/calls.ts'

interface Page {
  rows: Flagged[]
  nextCursor: string | null
}

export const flaggedView: MakeView = ({ place }) =>
  view<Page | null>({
    title: 'Top-ups not credited',
    isLive: place.query['cursor'] === undefined,
    load: (signal) =>
      ask<Page>('/v1/admin/topup/flagged', { query: { limit: 50, ...place.query }, signal }).catch(
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 404) return null
          throw error
        },
      ),
    show(data) {
      if (data === null) return note('quiet', 'The topup product is not mounted.')
      return [
        h(
          'p',
          { class: 'hint' },
          'Callbacks and purchases that were not credited, refunds and disputes; newest first.',
        ),
        table(
          [
            { name: 'Time', show: ({ at }) => moment(at) },
            { name: 'Provider', show: ({ provider }) => provider },
            { name: 'Reference', show: ({ reference }) => reference ?? '–' },
            { name: 'Reason', show: ({ reason }) => reason },
            { name: 'Detail', show: ({ detail }) => detail },
            { name: 'Credited later', show: ({ creditedAt }) => moment(creditedAt) },
            { name: 'Credits still owed', show: ({ owedCredits }) => String(owedCredits ?? '–') },
          ],
          data.rows,
          'None: everything that was paid was credited.',
        ),
        pages(place, data.nextCursor),
      ]
    },
  })
