/** Orders in the web component @htmlbricks/hb-page-invoice, whose words are all its own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from '../fifth/templates.ts'
import { addressOf, placeOf, plain, round, type Good } from '../fourth/sales.ts'
import type { Order } from '../sixth/orders.ts'
import { NO_LOGO, PACKAGES } from './packages.ts'

/**
 * An order in whole euros, of the goods whose amounts this web component prints with at most two
 * decimals: it prints numbers as JavaScript writes them. Null where its sums are longer.
 */
export function brickOrder(made: Order): Order | null {
  const isShort = (value: number): boolean => /^\d+(\.\d\d?)?$/.test(String(value))
  const taxOf = ({ amount, rate }: Good): number => amount * rate * 0.01
  const goods = made.goods
    .map((good) => {
      const price = Math.ceil(good.price)
      return { ...good, price, amount: price * good.quantity }
    })
    .filter((good) => isShort(good.amount + taxOf(good)))
  const net = goods.reduce((sum, { amount }) => sum + amount, 0)
  const vat = round(goods.reduce((sum, good) => sum + taxOf(good), 0))
  if (goods.length === 0 || !isShort(net + vat)) return null
  const sold = goods.map(({ description, amount }) => ({ description, amount }))
  return { ...made, goods, truth: { ...made.truth, net, vat, total: net + vat, goods: sold } }
}

/** The element of an invoice; the scripts of its maker draw it. */
export function brickElement({ sale, truth, goods }: Order): string {
  const [street, place] = addressOf(sale)
  const headers = {
    serial: truth.id,
    date: `${truth.date}T12:00:00.000Z`,
    country: 'it',
    from: {
      piva: 'IT00743110157',
      name: truth.seller,
      address: `${street}, ${place}`,
      email: 'info@example.com',
      phone: plain(sale, 'tel'),
      logo: NO_LOGO,
      // The brand is the first of the names in the company's.
      shortName: truth.seller.split(/,| e | s\.r\.l\.| SPA| Group|-/)[0],
    },
    to: {
      piva: 'IT01114601006',
      name: truth.buyer,
      address: `${plain(sale, 'address1')}, ${placeOf(sale)}`,
      email: 'acquisti@example.com',
      phone: plain(sale, 'fax'),
    },
  }
  const items = goods.map(({ description, price, quantity, rate }) => ({
    desc: description,
    unitaryPrice: price,
    taxPercentage: rate,
    quantity,
  }))
  const json = (value: object): string => escapeHtml(JSON.stringify(value))
  return `<hb-page-invoice printer="yes" headers="${json(headers)}" items="${json(items)}"></hb-page-invoice>`
}

/** A page that draws the element. */
export function brickPage(folder: string, element: string): string {
  const scripts = ['hb-table', 'hb-page-invoice'].map((name) =>
    readFileSync(join(folder, PACKAGES, '@htmlbricks', name, 'main.iife.js'), 'utf8').replaceAll(
      '</script',
      String.raw`<\/script`,
    ),
  )
  return `<!doctype html><meta charset="utf-8">${element}${scripts.map((text) => `<script>${text}</script>`).join('')}`
}
