/**
 * Orders in templates of Vue: the component vue-invoice, which is rendered as its maker built it and knows
 * English alone, and the invoice that vue-document-editor comes with, whose text its users type over.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cut, escapeHtml, fill, putRows } from '../fifth/templates.ts'
import { addressOf, placeOf, plain, round } from '../fourth/sales.ts'
import { withSums, type Order } from '../sixth/orders.ts'
import { digitsOf, headingOf, type Paper } from './sales.ts'

/** The component cuts the cents of prices off, so they have none. */
export function inWholeUnits(made: Order): Order {
  const goods = made.goods.map((good) => {
    const price = Math.max(1, Math.round(good.price))
    return { ...good, price, amount: price * good.quantity }
  })
  return withSums(made.sale, goods)
}

/** Its tax is the sum of the taxes of all rows, rounded once. */
export function componentTruth({ truth, goods }: Order): { vat: number; total: number } {
  const sum = goods.reduce((all, good) => all + (good.rate / 100) * good.amount, 0)
  const vat = Number(sum.toFixed(2))
  return { vat, total: round(truth.net + vat) }
}

/** What the component is given, and the day due, which it prints as the day of its rendering. */
export function componentData({ truth, goods, sale, manner, at }: Paper): string {
  return JSON.stringify({
    due: truth.due,
    props: {
      company: { name: truth.seller, address: addressOf(sale).join(', ') },
      customer: {
        name: truth.buyer,
        description: `${plain(sale, 'address1')}, ${placeOf(sale)}`,
        email: 'buyer@example.com',
      },
      invoice: {
        id: truth.id,
        items: goods.map(({ description, price, quantity, rate }) => ({
          description,
          price: String(price),
          quantity: String(quantity),
          tax: rate,
        })),
        dueDate: truth.due,
      },
      variant: (at % 3) + 1,
      currency: manner.currency,
    },
  }).replaceAll('<', String.raw`\u003C`)
}

/** A page that renders the component where it can: in a browser, on the day due. */
export function componentPage(folder: string, data: string): string {
  const source = (path: string): string => readFileSync(join(folder, 'node_modules', path), 'utf8')
  /** A library that is to be a global one although the page has a module. */
  const library = (path: string): string =>
    `<script>{const module = undefined, exports = undefined;${source(path)}}</script>`
  return `<!doctype html><meta charset="utf-8"><div id="app"></div>
<script>var data = ${data}, module = { exports: {} }, exports = module.exports</script>
<script>
const Today = Date
window.Date = class extends Today {
  constructor(...values) { values.length ? super(...values) : super(data.due + 'T12:00:00') }
}
</script>
${library('vue/dist/vue.runtime.min.js')}
${library('vuex/dist/vuex.min.js')}
<script>
const Own = Vue, store = (Vue.use(Vuex), new Vuex.Store({}))
delete window.Vue // The component would install itself, and has no store to do so.
</script>
<script>${source('vue-invoice/dist/vue-invoice.common.js')}</script>
<script>
Own.use(module.exports.default, { store })
new Own({ store, render: (create) => create('Invoice', { props: data.props }) }).$mount('#app')
</script>`
}

const EDITOR = 'node_modules/vue-document-editor/src/Demo/InvoiceTemplate.ce.vue'

/** The editor's template as it prints: without what is hidden in print, its fields filled. */
export function editorPage(folder: string, paper: Paper, shipping: number): string {
  const { truth, goods, words, sale, manner, taxes } = paper
  const path = join(folder, EDITOR)
  const sign = manner.currency === 'EUR' ? '€' : manner.currency
  const [street, place] = addressOf(sale).map(escapeHtml)
  const address = [truth.buyer, plain(sale, 'address1'), placeOf(sale)].map(escapeHtml)
  const day = (iso: string): string => iso.replaceAll('-', '.')
  const rows = goods.map(
    ({ description, quantity, price, amount }, at) => `<tr>
          <td>${at + 1}</td>
          <td contenteditable="true">X${3000 + at * 17}</td>
          <td contenteditable="true">${escapeHtml(description)}</td>
          <td style="padding:0; text-align:center"><input type="number" min="1" style="width:3em" value="${quantity}"></td>
          <td style="padding:0">${sign} <input type="number" step="0.01" style="width:4em" value="${price}"></td>
          <td style="text-align:right">${sign} ${amount.toFixed(2)}</td>
        </tr>`,
  )
  const page = putRows(
    cut(path, '<div class="template">', '</template>'),
    '<tr v-for',
    '</tr>',
    rows,
  )
    .replace(/<div class="hide-in-print"[\s\S]*?<\/div>/, '')
    .replace(/<label class="hide-in-print"[\s\S]*?<\/label>/, '')
    .replace(/<div v-if="items.length < 5"[\s\S]*?<\/div>/, '')
    .replace('<span class="hide-in-print">INTERACTIVE </span>', '')
    .replace(/<td v-else[^\n]*\n/, '')
    .replace(/<div><img [^>]*><\/div>/, '')
    .replaceAll('€ {{', `${sign} {{`)
  const upper = (text: string): string => text.toUpperCase()
  const filled = fill(page, [
    ['INVOICE</h1>', `${upper(headingOf(paper))}</h1>`],
    ['OUR DETAILS', upper(words.ourDetails)],
    ['INVOICE DETAILS', upper(words.invoiceDetails)],
    ['MyCompany', escapeHtml(truth.seller)],
    ['24 Poazkz Pazoek', street!],
    ['89232 Oijzrazro', place!],
    ['<div>FRIGNEDRY</div>', `<div>${plain(sale, 'tel')}</div>`],
    ['AB251648730890', manner.vatId || '12-3456789'],
    ['Invoice number:', `${words.number}:`],
    ['{{modelValue.invoice_number}}', truth.id],
    ['Invoice date:', `${words.date}:`],
    ['{{today}}', day(truth.date)],
    ['Order number:', `${words.orderNumber}:`],
    ['W210984204', `W${plain(sale, 'ordnumber')}`],
    ['Order date:', `${words.orderDate}:`],
    ['{{today}}', day(truth.date)],
    ['Your client number:', `${words.customerNumber}:`],
    ['BILLING ADDRESS', upper(words.billing)],
    ['SHIPPING ADDRESS', upper(words.delivery)],
    [
      `<td ref="billing_address" contenteditable="true" @input="(e) => this.billing_address = e.target.innerHTML">`,
      `<td contenteditable="true"><b>${address[0]}</b><br>${address[1]}<br>${address[2]}`,
    ],
    [
      '<td v-if="is_shipping_identical" v-html="billing_address" contenteditable="false">',
      `<td><b>${address[0]}</b><br>${address[1]}<br>${address[2]}`,
    ],
    ['Your order', words.yourOrder],
    ['ITEM #', '#'],
    ['REFERENCE', upper(words.reference)],
    ['DESIGNATION', upper(words.description)],
    ['QUANTITY', upper(words.quantity)],
    ['UNIT PRICE', upper(words.price)],
    ['TOTAL PRICE', upper(words.amount)],
    ['Sub-total: ', `${words.subtotal}: `],
    ['{{sub_total.toFixed(2)}}', truth.net.toFixed(2)],
    ['Taxes: ', `${words.tax}: `],
    [
      `<span ref="tax_percent" contenteditable="true" @input="(e) => this.tax_percent = parseFloat(e.target.innerText)">`,
      `<span contenteditable="true">${taxes[0]!.rate}`,
    ],
    ['Shipping: €', `${words.shipping}: ${sign}`],
    [
      `<span ref="shipping" contenteditable="true" @input="(e) => this.shipping = parseFloat(e.target.innerText)">`,
      `<span contenteditable="true">${shipping.toFixed(2)}`,
    ],
    ['Order total: ', `${words.total}: `],
    ['{{total.toFixed(2)}}', truth.total.toFixed(2)],
    ['Thank you for your order.', `${words.thanks}.`],
    ['Payment method:', `${words.payment}:`],
    ['Bank transfer', words.transfer],
    ['Payment term:', `${words.due}:`],
    ['{{next_month}}', digitsOf(paper, truth.due)],
  ])
  const style = cut(path, '<style scoped>', '</style>').replace('<style scoped>', '')
  return `<!doctype html><meta charset="utf-8"><style>body{font-family:Helvetica,Arial,sans-serif}${style}</style>${filled}`
}
