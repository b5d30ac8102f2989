/** One product: its spec as it was written, what is wrong with it, its revisions and the way back. */
import { ask } from '../api.ts'
import { button, h } from '../../../shared/pages/dom.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { goTo } from '../../../shared/pages/place.ts'
import { badge, facts, go, section } from '../../../shared/pages/parts.ts'
import { table } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { PriceRow, Prices, ProductDetail, ProductVersion } from '../wire.ts'
import { productEditor } from './product-editor.ts'
import { priceTable } from './prices.ts'
import { driftOf, problemOf, servingOf } from './products.ts'

interface Data {
  product: ProductDetail
  versions: ProductVersion[]
  prices: PriceRow[]
}

export const productView =
  (id: string): MakeView =>
  (shell) => {
    if (shell.place.query['edit']) return productEditor(id)
    const path = `/v1/admin/products/${encodeURIComponent(id)}`
    return view<Data>({
      title: 'Product',
      isLive: true,
      async load(signal) {
        const [product, { versions }, { skills }] = await Promise.all([
          ask<ProductDetail>(path, { signal }),
          ask<{ versions: ProductVersion[] }>(`${path}/versions`, { query: { limit: 50 }, signal }),
          ask<Prices>('/v1/prices', { signal }),
        ])
        return { product, versions, prices: skills.filter((row) => row.product === id) }
      },
      show: ({ product, versions, prices }) => [
        product.problems.map(problemOf),
        facts(
          ['Product', `${product.title} (${product.product_id})`],
          ['Path', product.base_path === null ? '–' : h('code', {}, product.base_path)],
          ['Plugin', product.plugin ?? '–'],
          ['Revision', [String(product.version), ' ', servingOf(product)]],
          ['Written', moment(product.createdAt)],
          ['From', [product.file ?? product.source ?? '–', ' ', driftOf(product)]],
        ),
        h(
          'p',
          { class: 'buttons' },
          go('Edit', ['products', id], { edit: '1' }),
          button('Take out of service …', () => remove(product, path), { class: 'danger' }),
        ),
        prices.length > 0 && section('Prices', priceTable(prices, 'Nothing of it is for sale.')),
        section('Spec', h('pre', { tabindex: 0 }, product.text)),
        section(
          'Revisions',
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
        ),
      ],
    })
  }

function remove(product: ProductDetail, path: string): void {
  askFor({
    title: `Take ${product.product_id} out of service`,
    text: 'Calls under way end; after that nothing answers at its paths. Its revisions stay: put one into service again, or change its file.',
    action: 'Take out of service',
    isDangerous: true,
    async submit() {
      await ask(path, { method: 'DELETE', headers: { 'if-match': `"${product.version}"` } })
      goTo(['products'], { removed: product.product_id })
    },
  })
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
