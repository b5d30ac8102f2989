/** One product: its spec as it was written, what is wrong with it, its revisions and the way back. */
import { ask } from '../api.ts'
import { button, h } from '../../../shared/pages/dom.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { goTo } from '../../../shared/pages/place.ts'
import { facts, go, note, section } from '../../../shared/pages/parts.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { PriceRow, Prices, ProductDetail, ProductVersion } from '../wire/products.ts'
import { productEditor } from './product-editor.ts'
import { priceTable } from './prices.ts'
import { comparedAt, versionsSection, type Compared } from './product-versions.ts'
import { driftOf, problemOf, servingOf } from './products.ts'

interface Data {
  product: ProductDetail
  versions: ProductVersion[]
  prices: PriceRow[]
  compared: Compared | null
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
        const [product, { versions }, { skills }, compared] = await Promise.all([
          ask<ProductDetail>(path, { signal }),
          ask<{ versions: ProductVersion[] }>(`${path}/versions`, { query: { limit: 50 }, signal }),
          ask<Prices>('/v1/prices', { signal }),
          comparedAt(path, shell.place.query, signal),
        ])
        return { product, versions, prices: skills.filter((row) => row.product === id), compared }
      },
      show: ({ product, versions, prices, compared }) => [
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
          !product.redacted && go('Edit', ['products', id], { edit: '1' }),
          button('Take out of service …', () => remove(product, path), { class: 'danger' }),
        ),
        prices.length > 0 && section('Prices', priceTable(prices, 'Nothing of it is for sale.')),
        section(
          'Spec',
          product.redacted && note('quiet', 'Your role sees it without its secrets and comments.'),
          h('pre', { tabindex: 0 }, product.text),
        ),
        versionsSection(product, versions, compared, path, shell),
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
      goTo(['products'])
    },
  })
}
