/** Keys of the account, and one of them. */
import { button, h } from '../../../shared/pages/dom.ts'
import { keyFinder } from '../../../shared/pages/finder.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { copyable, facts, go } from '../../../shared/pages/parts.ts'
import { pages, table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { askApi, home } from '../client.ts'
import { keyBadge, termFacts, termFields, termsOf } from '../../../shared/pages/key-terms.ts'
import { askToRotate, showSecret } from '../../../shared/pages/key-secret.ts'
import {
  BUDGET_FIELDS,
  budgetCell,
  budgetFields,
  budgetOf,
  credits,
  fileLink,
  PRODUCTS_FIELD,
} from '../pieces.ts'
import type { Key, Me } from '../wire.ts'

/** The gateway's own page, as the browser sees it: these are one folder below. */
const frontPage = (): string => home().slice(0, home().lastIndexOf('/') + 1)

interface Page {
  keys: Key[]
  nextCursor: string | null
}
type Seen<T> = T & {
  isOwner: boolean
  /** The key by which alone its holder gets here; null: there are other ways. */
  onlyWay: string | null
}

const COLUMNS: readonly Column<Key>[] = [
  { name: 'Name', show: ({ name, id }) => go(name, ['keys', id]) },
  { name: 'State', show: keyBadge },
  { name: 'Key', show: ({ start }) => h('code', {}, `${start ?? ''}…`) },
  { name: 'Budget', show: budgetCell },
  { name: 'Spent today', isNumber: true, show: ({ spentToday }) => credits(spentToday) },
  { name: 'Last used', show: ({ lastUsedAt }) => moment(lastUsedAt) },
  { name: 'Ends', show: ({ expiresAt }) => moment(expiresAt) },
]

/** What is asked for, and whether an owner asks. */
async function seen<T extends object>(path: string, signal: AbortSignal): Promise<Seen<T>> {
  const [found, me] = await Promise.all([
    askApi<T>(path, { signal }),
    askApi<Me>('/me', { signal }),
  ])
  const onlyWay = me.signIns.length === 0 ? me.keyId : null
  return { ...found, isOwner: me.role === 'owner', onlyWay }
}

export const keysView: MakeView = (shell) => {
  const { place } = shell
  const { cursor, find } = place.query
  return view<Seen<Page>>({
    title: 'Keys',
    isLive: cursor === undefined,
    controls: h('p', { class: 'buttons' }, keyFinder(place)),
    load: (signal) =>
      seen(
        `/keys?${new URLSearchParams({ ...(cursor && { cursor }), ...(find && { find }) })}`,
        signal,
      ),
    show: (page) => [
      page.isOwner &&
        h(
          'p',
          { class: 'buttons' },
          button('New key …', () => make(shell), { class: 'main' }),
          fileLink('Export as CSV', '/api/keys.csv'),
        ),
      table(
        COLUMNS,
        page.keys,
        find
          ? 'No key is found by this.'
          : 'There is no key yet. Make one for each program that calls.',
      ),
      pages(place, page.nextCursor),
    ],
  })
}

export const keyView =
  (id: string): MakeView =>
  (shell) => {
    const path = `/keys/${encodeURIComponent(id)}`
    return view<Seen<Key>>({
      title: 'Key',
      isLive: true,
      load: (signal) => seen(path, signal),
      show: (key) => [
        facts(
          ['Name', key.name],
          ['Id', copyable(key.id)],
          ['Starts with', h('code', {}, `${key.start ?? ''}…`)],
          ['State', keyBadge(key)],
          ['Made by', key.madeBy],
          ['Made', moment(key.createdAt)],
          ['Last used', moment(key.lastUsedAt)],
          ['Spent today (UTC)', credits(key.spentToday)],
          ['Spent this month (UTC)', credits(key.spentMonth)],
          ['Budget', budgetCell(key)],
          ['Products', key.products === null ? 'all' : key.products.join(', ') || 'none'],
          ...termFacts(key),
        ),
        key.isOwner &&
          key.revokedAt === null &&
          h(
            'p',
            { class: 'buttons' },
            button('Change …', () => change(key, path, shell)),
            button('New credential …', () =>
              askToRotate(askApi, { name: key.name, path, stays: 'Budget and id' }, shell),
            ),
            button('Revoke …', () => revoke(key, path, shell), { class: 'danger' }),
          ),
        h('p', { class: 'buttons' }, go('Its calls', ['calls'], { key: key.id })),
      ],
    })
  }

function make(shell: Shell): void {
  askFor({
    title: 'New key',
    text: 'It spends your balance. A budget stops it however it is used.',
    fields: [
      { name: 'name', label: 'Name', required: true, hint: 'Who or what will use it' },
      ...BUDGET_FIELDS,
      PRODUCTS_FIELD,
      ...termFields(),
    ],
    action: 'Make the key',
    async submit({ name }, typed) {
      const body = { name, ...budgetOf(typed), ...termsOf(typed) }
      const made = await askApi<Key & { key: string }>('/keys', { method: 'POST', body })
      showSecret(`Key ${made.name} is made`, made.key, [
        'Programs send it as the header ',
        h('code', {}, 'X-Api-Key'),
        '. ',
        h(
          'a',
          { href: frontPage(), target: '_blank', rel: 'noopener' },
          'What it buys, with examples',
        ),
      ])
      shell.refresh()
    },
  })
}

function change(key: Key, path: string, shell: Shell): void {
  askFor({
    title: `Change ${key.name}`,
    fields: [
      { name: 'name', label: 'Name', value: key.name, required: true },
      ...budgetFields(key),
      ...termFields(key),
    ],
    action: 'Save',
    async submit({ name }, changed) {
      const body = { name, ...budgetOf(changed), ...termsOf(changed, key) }
      await askApi(path, { method: 'PATCH', body })
      shell.refresh()
    },
  })
}

function revoke(key: Seen<Key>, path: string, shell: Shell): void {
  const stays =
    key.onlyWay === key.id
      ? 'You signed in with this key, and the account has no other sign-in: without one, added in the settings first, only the operator can give you a way to its balance.'
      : 'The balance stays.'
  askFor({
    title: `Revoke ${key.name}`,
    text: `For good, within a second. Apps that were let in with this key end with it. ${stays}`,
    action: 'Revoke for good',
    isDangerous: true,
    async submit() {
      await askApi(path, { method: 'DELETE' })
      shell.refresh()
    },
  })
}
