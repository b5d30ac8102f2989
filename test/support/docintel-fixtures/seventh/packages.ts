/**
 * Orders in the pages of packages of React: @accountingbox/invoice-templates, generate-invoice and
 * react-simple-invoice. The words are theirs; ours are the signs of currencies, "pv netto" in the terms
 * of payment, "Order" in front of an order's number, and "Check" as the way of payment.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { addressOf, placeOf, plain, round } from '../fourth/sales.ts'
import type { Manner } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'

type Element = object
interface React {
  createElement(type: unknown, props: object): Element
  Fragment: unknown
}
interface ReactServer {
  renderToStaticMarkup(element: Element): string
}

export const PACKAGES = 'node_modules'
const requireOf = (folder: string): NodeJS.Require => createRequire(join(folder, 'package.json'))
export const reactOf = (folder: string): { react: React; server: ReactServer } => {
  const require = requireOf(folder)
  // The other build warns of what these packages do.
  const server = join(
    folder,
    PACKAGES,
    'react-dom/cjs/react-dom-server-legacy.node.production.min.js',
  )
  return { react: require('react') as React, server: require(server) as ReactServer }
}
/** A logo of one clear dot. */
export const NO_LOGO =
  'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** How a user of AccountingBox may set its page up. */
export const ACCOUNTING_STYLES = [
  { template: '1', details: 'horizontal', company: 'top', customer: 'left', logo: 'left' },
  { template: '2', details: 'vertical', company: 'top', customer: 'left', logo: 'left' },
  { template: '3', details: 'horizontal', company: 'bottom', customer: 'left', logo: 'right' },
  { template: '2', details: 'horizontal', company: 'top', customer: 'right', logo: 'right' },
] as const

export async function accountingPage(
  folder: string,
  { sale, truth, goods, taxes }: Order,
  language: 'nl' | 'en',
  manner: Manner,
  style: (typeof ACCOUNTING_STYLES)[number],
): Promise<string> {
  const { react, server } = reactOf(folder)
  const { InvoiceRender } = (await import(
    join(folder, PACKAGES, '@accountingbox/invoice-templates/dist/index.es.js')
  )) as { InvoiceRender: unknown }
  const addressFrom = (line1: string, place: string): object => {
    const parts = place.split(' ')
    return { line1, postalCode: parts[0], city: parts.slice(1).join(' '), country: 'NL' }
  }
  const [street, place] = addressOf(sale)
  const invoiceSettings = {
    language,
    currency: manner.currency,
    invoiceTemplateId: style.template,
    invoiceInformationLayout: style.details,
    companyInformationPosition: style.company,
    customerPosition: style.customer,
    logoPosition: style.logo,
    accentColor: '#1B6E53',
    textLogo: truth.seller,
    logoHeight: 26,
    descriptionMarginTop: 1,
    noteMarginTop: 0,
    companyInformation: {
      name: truth.seller,
      companyRegistrationNumber: '61226734',
      vatIdentificationNumber: manner.vatId,
      bankAccountNumber: 'NL91 ABNA 0417 1643 00',
      address: addressFrom(street, place),
      phone: plain(sale, 'tel'),
    },
  }
  const invoice = {
    invoiceNumber: truth.id,
    invoiceDate: truth.date,
    dueDate: truth.due,
    currency: manner.currency,
    customer: {
      name: truth.buyer,
      address: addressFrom(plain(sale, 'address1'), placeOf(sale)),
    },
    Lines: goods.map(({ description, price, quantity, amount, rate }) => ({
      description,
      price,
      quantity,
      amount,
      vatPercentage: rate,
    })),
    subtotalAmount: truth.net,
    totalVatAmounts: taxes.map(({ rate, tax }) => ({
      vatCodeId: String(rate),
      displayName: `${rate}%`,
      amount: tax,
    })),
    totalAmount: truth.total,
  }
  const page = react.createElement(InvoiceRender, {
    Wrapper: react.Fragment,
    invoiceSettings,
    invoice,
  })
  return `<!doctype html><meta charset="utf-8">${server.renderToStaticMarkup(page)}`
}

interface GeneratedContext {
  sender: object
  recipient: object
  invoice: object
  i18n: object
}

/** The reference that the package makes of a number; it ends with a digit that checks it. */
export const generatedId = (folder: string, { truth }: Order): string =>
  (requireOf(folder)('generate-invoice/lib/makeReference') as (...numbers: number[]) => string)(
    ...referenceOf(truth.id),
  )

const referenceOf = (id: string): [company: number, invoice: number] => [
  Number(id.replaceAll(/\D/g, '').slice(-5)),
  7,
]

export function generatedPage(
  folder: string,
  { sale, truth, goods, taxes }: Order,
  language: 'fi' | 'en',
  currency: (sum: string) => string,
): string {
  const { server } = reactOf(folder)
  const inside = createRequire(join(folder, PACKAGES, 'generate-invoice/lib/index.js'))
  const shop = requireOf(folder)
  const source = readFileSync(join(folder, PACKAGES, 'generate-invoice/lib/template.jsx'), 'utf8')
  const script = new Bun.Transpiler({
    loader: 'jsx',
    tsconfig: { compilerOptions: { jsx: 'react' } },
  }).transformSync(source)
  const made: { exports?: (context: GeneratedContext) => Element } = {}
  new Function('require', 'module', '__dirname', script.replaceAll(/^var __dirname = .*$/gm, ''))(
    (name: string): unknown => (name === 'react' ? shop('react') : inside(name)),
    made,
    '',
  )
  const [street, place] = addressOf(sale)
  const days = Math.round((Date.parse(truth.due) - Date.parse(truth.date)) / 86_400_000)
  const person = (name: string, company: string, address: string, town: string): object => ({
    name,
    company,
    address,
    postalCode: town.split(' ')[0],
    city: town.slice(town.indexOf(' ') + 1),
  })
  const markup = server.renderToStaticMarkup(
    made.exports!({
      i18n: inside(`./languages/${language}`) as object,
      sender: {
        ...person(plain(sale, 'employee'), truth.seller, street, place),
        phone: plain(sale, 'tel'),
        iban: 'FI21 1234 5600 0007 85',
        bic: 'NDEAFIHH',
        companyId: '2077474-0',
      },
      recipient: person('', truth.buyer, plain(sale, 'address1'), placeOf(sale)),
      invoice: {
        vat: taxes[0]!.rate / 100,
        date: `${truth.date}T12:00:00Z`,
        due: [days, 'days'],
        reference: referenceOf(truth.id),
        paymentTerm: `${days} pv netto`,
        interest: '10.5',
        currency,
        products: goods.map(({ description, amount }) => ({ name: description, price: amount })),
      },
    }),
  )
  const css = readFileSync(join(folder, PACKAGES, 'generate-invoice/lib/style.css'), 'utf8')
  return `<!doctype html>${markup.replace(/<base[^>]*>\s*<link[^>]*>/, () => `<style>${css}</style>`)}`
}

/** The sums as that package adds them up: its tax is rounded once. */
export function generatedTruth({ truth, taxes }: Order): Order['truth'] {
  const tax = round((truth.net * taxes[0]!.rate) / 100)
  return { ...truth, vat: tax, total: round(truth.net + tax) }
}

export function simplePage(folder: string, { sale, truth, goods }: Order): string {
  const require = requireOf(folder)
  const { react, server } = reactOf(folder)
  const { default: Invoice } = require('react-simple-invoice/dist/Invoice') as { default: unknown }
  const [street, place] = addressOf(sale)
  const page = react.createElement(Invoice, {
    company: { name: truth.seller, address: [street, place], logoUrl: NO_LOGO },
    customer: { name: truth.buyer, address: [plain(sale, 'address1'), placeOf(sale)] },
    invoice: {
      id: truth.id,
      createdDate: truth.date,
      dueDate: truth.due,
      paymentMethod: 'Check',
      description: `Order ${plain(sale, 'ordnumber')}`,
      items: goods.map(({ description, amount }) => ({ description, amount })),
    },
  })
  return `<!doctype html>${server.renderToStaticMarkup(page)}`
}
