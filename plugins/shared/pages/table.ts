/** Tables that become cards on a narrow screen, and their pages. */
import { h, type Child } from './dom.ts'
import { hrefOf, type Place } from './place.ts'

export interface Column<T> {
  name: string
  show(row: T): Child
  /** Numbers stand on the right. */
  isNumber?: boolean
}

/** A table, or `empty` in words when there are no rows. */
export function table<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  empty: string,
): HTMLElement {
  if (rows.length === 0) return h('p', { class: 'empty' }, empty)
  const kind = ({ isNumber }: Column<T>): string | null => (isNumber ? 'n' : null)
  return h(
    'div',
    { class: 'table', tabindex: 0, role: 'group', 'aria-label': 'Table' },
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          columns.map((column) => h('th', { scope: 'col', class: kind(column) }, column.name)),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map((row) =>
          h(
            'tr',
            {},
            columns.map((column) =>
              h('td', { class: kind(column), 'data-name': column.name }, column.show(row)),
            ),
          ),
        ),
      ),
    ),
  )
}

/** Links to the first page and to the one behind this, whose cursor the place then holds. */
export function pages(
  place: Place,
  next: string | null,
  text: { next: string } = { next: 'Older' },
): HTMLElement | null {
  const { cursor, ...rest } = place.query
  if (cursor === undefined && next === null) return null
  return h(
    'nav',
    { class: 'pages', 'aria-label': 'Pages' },
    cursor !== undefined && h('a', { href: hrefOf(place.path, rest) }, '« Newest'),
    next !== null &&
      h('a', { href: hrefOf(place.path, { ...rest, cursor: next }) }, `${text.next} »`),
  )
}
