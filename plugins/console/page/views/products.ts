/** What is mounted and for sale, and which specs were refused, with the reason. */
import { ask } from '../api.ts'
import { button, h } from '../../../shared/pages/dom.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { filters } from '../../../shared/pages/filters.ts'
import { goTo } from '../../../shared/pages/place.ts'
import { badge, go, note, section } from '../../../shared/pages/parts.ts'
import { table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { productEditor } from './product-editor.ts'
import { productImport } from './product-import.ts'
import { priceTable } from './prices.ts'
import type { Prices, Product, ProductProblem, ProductVersion, Registry } from '../wire/products.ts'

interface Data {
  registry: Registry
  prices: Prices
}

const columns: readonly Column<Product>[] = [
  { name: 'Product', show: ({ title, product_id: id }) => go(title, ['products', id]) },
  { name: 'Path', show: ({ base_path: path }) => (path === null ? '–' : h('code', {}, path)) },
  { name: 'Plugin', show: ({ plugin }) => plugin ?? '–' },
  { name: 'Skills', isNumber: true, show: ({ skills }) => skills },
  {
    name: 'Metered',
    show: ({ metered }) => (metered === null ? '–' : metered ? 'yes' : 'no'),
  },
  { name: 'Revision', isNumber: true, show: ({ version }) => version },
  { name: 'Serving', show: servingOf },
  {
    name: 'From',
    show: (product) => [product.file ?? product.source ?? '–', ' ', driftOf(product)],
  },
]

const removedColumns: readonly Column<Registry['removed'][number]>[] = [
  { name: 'Product', show: ({ product_id: id }) => id },
  {
    name: 'File',
    show: ({ file }) => (file === null ? '–' : [file, ' ', badge('not served', FILE_STAYS_OUT)]),
  },
  {
    name: 'Way back',
    show: ({ product_id: id }) => button('Put it back …', () => putBack(id)),
  },
]
const FILE_STAYS_OUT =
  'It was taken out of service over HTTP. The next change of the file brings it back.'

/** Says that a product's file has other words than the revision in service. */
export function driftOf({ drift, file }: Pick<Product, 'drift' | 'file'>): HTMLElement | null {
  return drift
    ? badge(
        'differs',
        `${file} says other than the active revision: it was rolled back or replaced over HTTP. The next change of the file takes over.`,
      )
    : null
}

export function servingOf({ serving, version }: Pick<Product, 'serving' | 'version'>): HTMLElement {
  if (serving === null) return badge('down', 'This instance serves no revision of it')
  if (serving === version) return badge('ok')
  return badge('degraded', `This instance still serves revision ${serving}`)
}

export function problemOf({ product_id, file, stage, since, serving, issues }: ProductProblem) {
  const place = [product_id, file].filter((part) => part !== null).join(' in ') || 'A spec'
  return note(
    'bad',
    h('strong', {}, `${place} was refused (${stage}) `),
    moment(since),
    serving === null ? '; nothing of it is served.' : `; revision ${serving} goes on serving.`,
    h(
      'ul',
      {},
      issues.map(({ path, message, line, column, got }) =>
        h(
          'li',
          {},
          line !== undefined && `line ${line}, column ${column}: `,
          path !== '' && h('code', {}, path),
          ` ${message}`,
          got !== undefined && ` (got ${got})`,
        ),
      ),
    ),
  )
}

export const productsView: MakeView = (shell) => {
  if (shell.place.query['new']) return productEditor(null)
  if (shell.place.query['import']) return productImport
  const { find = '' } = shell.place.query
  return view<Data>({
    title: 'Products',
    isLive: true,
    controls: [
      h(
        'p',
        { class: 'buttons' },
        go('New product', ['products'], { new: '1' }),
        go('Import an OpenAPI document', ['products'], { import: '1' }),
      ),
      filters(shell.place, [{ name: 'find', label: 'Title, id, path or skill' }]),
    ],
    async load(signal) {
      const [registry, prices] = await Promise.all([
        ask<Registry>('/v1/admin/products', { signal }),
        ask<Prices>('/v1/prices', { signal }),
      ])
      return { registry, prices }
    },
    show: ({ registry: { products, removed, problems, plugins }, prices }) => [
      problems.map(problemOf),
      table(
        columns,
        products.filter(({ title, product_id: id, base_path: path }) => has(find, title, id, path)),
        find
          ? 'No product is found by this.'
          : 'No product is registered: put a YAML file into PRODUCTS_DIR.',
      ),
      removed.length > 0 &&
        section(
          'Out of service',
          table(
            removedColumns,
            removed.filter(({ product_id: id }) => has(find, id)),
            'None is found by this.',
          ),
        ),
      section(
        'Prices',
        h(
          'p',
          { class: 'hint' },
          `Version ${prices.version}, in force since `,
          moment(prices.effectiveAt),
        ),
        priceTable(
          prices.skills.filter(({ skill, path, tools }) => has(find, skill, path, ...tools)),
          find ? 'No skill is found by this.' : 'Nothing is for sale.',
        ),
      ),
      section(
        'Plugins',
        table(
          [
            { name: 'Plugin', show: ({ id }) => id },
            { name: 'Version', show: ({ version }) => version },
            { name: 'From', show: ({ origin }) => origin },
            { name: 'Kernel services', show: ({ requires }) => requires.join(', ') || 'none' },
          ],
          plugins,
          'No plugin is loaded.',
        ),
      ),
    ],
  })
}

/** Whether one of the words has the text in it, in letters of any case. */
function has(text: string | null, ...words: readonly (string | null)[]): boolean {
  const wanted = (text ?? '').toLowerCase()
  return words.some((word) => word?.toLowerCase().includes(wanted))
}

/** Puts the newest revision of a product that was taken out into service again. */
function putBack(id: string): void {
  const path = `/v1/admin/products/${encodeURIComponent(id)}`
  askFor({
    title: `Put ${id} back into service`,
    text: 'Its newest revision is checked and started as it was.',
    action: 'Put back',
    async submit() {
      const { versions } = await ask<{ versions: ProductVersion[] }>(`${path}/versions`, {
        query: { limit: 1 },
      })
      await ask(`${path}/rollback`, { method: 'POST', body: { version: versions[0]?.version } })
      goTo(['products', id])
    },
  })
}
