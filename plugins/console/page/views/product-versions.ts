/** The revisions of a product, the way back to each, and what any two of them say differently. */
import { ask } from '../api.ts'
import { button, h, listening } from '../../../shared/pages/dom.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { badge, note, section } from '../../../shared/pages/parts.ts'
import { goTo } from '../../../shared/pages/place.ts'
import { table } from '../../../shared/pages/table.ts'
import type { Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { Difference } from '../wire/operators.ts'
import type { ProductDetail, ProductVersion } from '../wire/products.ts'
import { differenceList } from './difference-list.ts'

/** What two revisions say differently. */
export interface Compared {
  from: number
  to: number
  changes: Difference[]
}

/** The comparison that the place asks for; null: none. */
export async function comparedAt(
  path: string,
  { from, to }: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Compared | null> {
  if (from === undefined || to === undefined) return null
  return ask<Compared>(`${path}/diff`, { query: { from, to }, signal })
}

export function versionsSection(
  product: ProductDetail,
  versions: readonly ProductVersion[],
  compared: Compared | null,
  path: string,
  shell: Shell,
): HTMLElement {
  return section(
    'Revisions',
    versions.length > 1 && chooser(product, versions, compared),
    compared && difference(compared),
    table(
      [
        { name: 'Revision', isNumber: true, show: ({ version }) => version },
        { name: 'Written', show: ({ createdAt }) => moment(createdAt) },
        { name: 'From', show: ({ file, source }) => file ?? source },
        { name: 'Hash', show: ({ hash }) => h('code', { title: hash }, hash.slice(0, 12)) },
        {
          name: 'State',
          show: ({ version, active }) =>
            active
              ? badge('active')
              : button('Roll back …', () => rollBack(product, version, path, shell)),
        },
      ],
      versions,
      'No revision is kept.',
    ),
  )
}

/** Chosen at first: the active revision, and the one before it. */
function chooser(
  { product_id: id, version: active }: ProductDetail,
  versions: readonly ProductVersion[],
  compared: Compared | null,
): HTMLElement {
  const numbers = versions.map(({ version }) => version)
  const before = numbers.find((version) => version < active) ?? numbers.at(-1)!
  const select = (label: string, chosen: number): HTMLSelectElement =>
    h(
      'select',
      { 'aria-label': label },
      numbers.map((version) =>
        h('option', { value: version, selected: version === chosen }, String(version)),
      ),
    )
  const from = select('Revision before', compared?.from ?? before)
  const to = select('Revision after', compared?.to ?? active)
  const form = h(
    'form',
    { class: 'inline' },
    h('span', {}, 'Compare revision'),
    from,
    h('span', {}, 'with'),
    to,
    h('button', { type: 'submit' }, 'Compare'),
  )
  return listening(form, {
    submit: (event) => {
      event.preventDefault()
      goTo(['products', id], { from: from.value, to: to.value })
    },
  })
}

function difference({ from, to, changes }: Compared): HTMLElement {
  if (changes.length === 0)
    return note('quiet', `Revisions ${from} and ${to} say the same, but for the way it is written.`)
  return h('div', {}, h('h3', {}, `From revision ${from} to ${to}`), differenceList(changes))
}

function rollBack(product: ProductDetail, version: number, path: string, shell: Shell): void {
  askFor({
    title: `Roll ${product.product_id} back to revision ${version}`,
    text: 'It is checked and started beside the one in service, then takes over. When it does not start, nothing changes.',
    action: 'Roll back',
    isDangerous: true,
    async submit() {
      await ask(`${path}/rollback`, {
        method: 'POST',
        headers: { 'if-match': `"${product.version}"` },
        body: { version },
      })
      shell.refresh()
    },
  })
}
