/** Apps that may spend of the account, and one of them. */
import { button, h, type Child } from '../../../shared/pages/dom.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { badge, facts, go, note } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { askApi } from '../client.ts'
import { budgetCell, budgetFields, budgetOf, credits } from '../pieces.ts'
import type { Grant } from '../wire.ts'

interface Page {
  grants: Grant[]
  nextCursor: string | null
}

const COLUMNS: readonly Column<Grant>[] = [
  { name: 'App', show: ({ clientName, id }) => go(clientName, ['apps', id]) },
  { name: 'Known by', show: knownBy },
  { name: 'State', show: ({ revokedAt }) => badge(revokedAt === null ? 'active' : 'revoked') },
  { name: 'Sent to', show: ({ redirectHost }) => redirectHost ?? '–' },
  { name: 'May', show: ({ scopes }) => scopes.join(', ') || '–' },
  { name: 'Budget', show: budgetCell },
  { name: 'Last call', show: ({ lastUsedAt }) => moment(lastUsedAt) },
]

/** A name proves nothing by itself; the host of its document does a little. */
function knownBy({ clientId, documentHost }: Grant): Child {
  if (clientId === null) return '–'
  return documentHost ?? 'registered itself'
}

export const appsView: MakeView = ({ place }) => {
  const cursor = place.query['cursor']
  return view<Page>({
    title: 'Apps',
    isLive: cursor === undefined,
    load: (signal) => askApi('/grants', { query: { cursor }, signal }),
    show: (page) => [
      h(
        'p',
        { class: 'hint' },
        'Assistants and other apps that you let spend your credits, each inside a budget. Names are what the apps call themselves. Budgets of API keys are among your ',
        go('Keys', ['keys']),
        '.',
      ),
      table(COLUMNS, page.grants, 'No app may spend anything.'),
      pages(place, page.nextCursor),
    ],
  })
}

export const appView =
  (id: string): MakeView =>
  (shell) => {
    const path = `/grants/${encodeURIComponent(id)}`
    return view<Grant>({
      title: 'App',
      isLive: true,
      load: (signal) => askApi(path, { signal }),
      show: (grant) => [
        grant.revokedAt !== null && note('quiet', 'It may do nothing more.'),
        facts(
          ['App', grant.clientName],
          ['Known by', knownBy(grant)],
          ['Sent to', grant.redirectHost ?? '–'],
          ['May', grant.scopes.join(', ') || '–'],
          ['State', badge(grant.revokedAt === null ? 'active' : 'revoked')],
          ['Allowed', moment(grant.createdAt)],
          ['Last call', moment(grant.lastUsedAt)],
          ['Spent today (UTC)', credits(grant.spentToday)],
          ['Spent this month (UTC)', credits(grant.spentMonth)],
          ['Budget', budgetCell(grant)],
          ['Products', grant.products === null ? 'all' : grant.products.join(', ') || 'none'],
        ),
        grant.revokedAt === null &&
          h(
            'p',
            { class: 'buttons' },
            button('Change the budget …', () => change(grant, path, shell)),
            button('Take the permission away …', () => revoke(grant, path, shell), {
              class: 'danger',
            }),
          ),
        h('p', { class: 'buttons' }, go('Its calls', ['calls'], { app: grant.id })),
      ],
    })
  }

function change(grant: Grant, path: string, shell: Shell): void {
  askFor({
    title: `Budget of ${grant.clientName}`,
    text: 'A day or a month must be limited. 0 stops it.',
    fields: budgetFields(grant),
    action: 'Save',
    async submit(_, changed) {
      await askApi(path, { method: 'PATCH', body: budgetOf(changed) })
      shell.refresh()
    },
  })
}

function revoke(grant: Grant, path: string, shell: Shell): void {
  askFor({
    title: `Take the permission of ${grant.clientName} away`,
    text: 'For good, within a second. It can ask you again.',
    action: 'Take it away',
    isDangerous: true,
    async submit() {
      await askApi(path, { method: 'DELETE' })
      shell.refresh()
    },
  })
}
