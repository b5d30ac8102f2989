/**
 * Orders as receipts of react-pos-engine, which a till prints from a browser. The words are its own; ours
 * are its "custom fields" and the address in its foot.
 */
import { join } from 'node:path'
import { addressOf, plain } from '../fourth/sales.ts'
import type { Order } from '../sixth/orders.ts'
import { PACKAGES, reactOf } from './packages.ts'

/** The layouts of react-pos-engine that print who sells and a total. */
export const POS_LAYOUTS = [1, 2, 5, 7, 9, 10, 12, 13, 15] as const

/** What the package writes into the window that it prints; the till prints at the time of the sale. */
export async function posPage(
  folder: string,
  { sale, truth, goods }: Order,
  layout: number,
): Promise<string> {
  const { react, server } = reactOf(folder)
  const { useReceiptPrint } = (await import(
    join(folder, PACKAGES, 'react-pos-engine/dist/react-pos-engine.es.js')
  )) as { useReceiptPrint(order: object, options: object): { printReceipt(): void } }
  const cents = (value: number): number => Math.round(value * 100)
  const sold = new Date(`${truth.date}T15:24:00`)
  const order = {
    id: truth.id,
    date: sold.getTime(),
    items: goods.map(({ description, price, quantity }) => ({
      name: description,
      price: cents(price),
      quantity,
    })),
    subtotal: cents(truth.net),
    tax: cents(truth.vat),
    total: cents(truth.total),
    customer: {
      name: plain(sale, 'employee'),
      address: plain(sale, 'address1'),
      phone: plain(sale, 'fax'),
      email: 'customer@example.com',
    },
    customFields: [
      { key: 'Cashier', value: plain(sale, 'employee') },
      { key: 'Order Type', value: 'In-Store' },
    ],
  }
  const options = {
    layout,
    alignment: 'center',
    primaryColor: '#000000',
    textColor: '#000000',
    borderColor: '#999999',
    headerBgColor: '#ffffff',
    baseFontSize: 12,
    paperSize: '80mm',
    fontFamily: 'Arial',
    headerText: truth.seller,
    footerText: addressOf(sale).join(', '),
    showTaxBreakdown: true,
  }
  let page = ''
  const opened = {
    document: { write: (text: string) => void (page = text), close: () => undefined },
  }
  const before = globalThis.window
  Object.assign(globalThis, {
    window: { screen: { width: 1280, height: 800 }, open: () => opened },
  })
  try {
    server.renderToStaticMarkup(
      react.createElement(() => {
        useReceiptPrint(order, options).printReceipt()
        return null
      }, {}),
    )
  } finally {
    Object.assign(globalThis, { window: before })
  }
  return page.replace(
    /(<p style="font-size: 0\.777em; margin: 5px 0;">)[^<]*/,
    (_, start: string) => start + sold.toLocaleString('en-US'),
  )
}
