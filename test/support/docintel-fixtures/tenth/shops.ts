/**
 * Orders as a shop tells of them: EverShop's mail to a buyer, Unchained's confirmation of an order, which
 * asks for no money, and rolls that node-thermal-printer sets. EverShop lets a shop write the words of its
 * mail; those of a roll are always the till's own.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { escapeHtml, fill } from '../fifth/templates.ts'
import { addressOf, moneyOf, placeOf, plain } from '../fourth/sales.ts'
import type { Manner, SaleTruth } from '../others/sale.ts'
import { rollTruth } from '../eighth/rolls.ts'
import type { Order } from '../sixth/orders.ts'
import { wordsOf } from './words.ts'

const EVERSHOP =
  'x_evershop/dist/modules/oms/subscribers/order_placed/sendOrderConfirmationEmail.js'
const UNCHAINED = 'x_unchained/lib/templates/order-parser/index.js'

/** The text of a source file between two marks. */
function between(path: string, from: string, to: string): string {
  const text = readFileSync(path, 'utf8')
  const start = text.indexOf(from) + from.length
  const end = text.indexOf(to, start)
  if (start < from.length || end < 0) throw new Error(`${path} has another shape`)
  return text.slice(start, end)
}

const MAIL_TEXTS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  en: [],
  fr: [
    ['Thanks for shopping with us.\n                    </h1>', 'Merci de votre achat.\n</h1>'],
    ['Order Number', 'Numéro de commande'],
    ['Order Date', 'Date de commande'],
    ['Shipping to:', 'Livraison à :'],
    ['Subtotal:', 'Sous-total :'],
    ['Discount:', 'Remise :'],
    ['Shipping:', 'Livraison :'],
    ['Tax:', 'TVA :'],
    ['Total:', 'Total :'],
    ['Please contact us if you have any questions.', 'Une question ? Contactez-nous.'],
  ],
  sv: [
    ['Thanks for shopping with us.\n                    </h1>', 'Tack för ditt köp.\n</h1>'],
    ['Order Number', 'Ordernummer'],
    ['Order Date', 'Orderdatum'],
    ['Shipping to:', 'Levereras till:'],
    ['Subtotal:', 'Delsumma:'],
    ['Discount:', 'Rabatt:'],
    ['Shipping:', 'Frakt:'],
    ['Tax:', 'Moms:'],
    ['Total:', 'Totalt:'],
    ['Please contact us if you have any questions.', 'Kontakta oss om du har frågor.'],
  ],
  da: [
    ['Thanks for shopping with us.\n                    </h1>', 'Tak for dit køb.\n</h1>'],
    ['Order Number', 'Ordrenummer'],
    ['Order Date', 'Ordredato'],
    ['Shipping to:', 'Leveres til:'],
    ['Subtotal:', 'Subtotal:'],
    ['Discount:', 'Rabat:'],
    ['Shipping:', 'Fragt:'],
    ['Tax:', 'Moms:'],
    ['Total:', 'I alt:'],
    ['Please contact us if you have any questions.', 'Kontakt os, hvis du har spørgsmål.'],
  ],
}

/** `off` is taken from the sum of the goods and `shipping` is added to it. */
export function evershopPage(
  folder: string,
  { sale, truth, goods }: Order,
  language: string,
  manner: Manner,
  { shipping, off }: { shipping: number; off: number },
): string {
  const { create } = createRequire(join(folder, 'package.json'))('handlebars') as {
    create(): {
      registerHelper(name: string, help: (value: unknown) => string): void
      compile(template: string): (data: object) => string
    }
  }
  const handlebars = create()
  const currency = new Intl.NumberFormat(manner.numbers, {
    style: 'currency',
    currency: manner.currency,
  })
  const day = new Intl.DateTimeFormat(manner.numbers, { dateStyle: 'medium', timeZone: 'UTC' })
  handlebars.registerHelper('currency', (value) => currency.format(Number(value)))
  handlebars.registerHelper('date', (value) => day.format(new Date(`${String(value)}T12:00:00Z`)))
  const template = `${between(join(folder, EVERSHOP), 'const TEMPLATE = `', '</html>`')}</html>`
  const [street, place] = addressOf(sale)
  const town = placeOf(sale)
  const pieces = (text: string): { zip: string; city: string } => {
    // A British postcode is two words.
    const gap = text.indexOf(' ', manner.numbers === 'en-GB' ? text.indexOf(' ') + 1 : 0)
    return { zip: text.slice(0, gap), city: text.slice(gap + 1) }
  }
  const to = pieces(town)
  return handlebars.compile(fill(template, MAIL_TEXTS[language]!))({
    storeInfo: { address: { street, ...pieces(place), country: '' } },
    order: {
      order_number: truth.id,
      created_at: truth.date,
      items: goods.map(({ description, quantity, price }) => ({
        product_name: description,
        qty: quantity,
        final_price: price,
        thumbnail: 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
      })),
      sub_total: truth.net,
      ...(off > 0 && { discount_amount: off }),
      shipping_fee_incl_tax: shipping,
      tax_amount: truth.vat,
      grand_total: truth.total,
    },
    shippingAddress: {
      full_name: truth.buyer,
      address_1: plain(sale, 'address1'),
      city: to.city,
      postcode: to.zip,
    },
  })
}

/** A confirmation of an order as the mail's plain text. */
export function unchainedPage(folder: string, { sale, truth, goods }: Order): string {
  const format = moneyOf('de-CH')
  const money = (value: number): string => `CHF ${format(value)}`
  const address = [truth.buyer, plain(sale, 'address1'), placeOf(sale)].join('\n')
  const values: Readonly<Record<string, string>> = {
    orderNumber: truth.id,
    orderDate: new Date(`${truth.date}T10:24:00Z`).toLocaleString('en-US', { timeZone: 'UTC' }),
    'summary.delivery': 'Post',
    'summary.deliveryAddress': address,
    'summary.payment': 'Invoice',
    'summary.billingAddress': address,
    positionsText: goods
      .map(({ quantity, description, amount }) => `  ${quantity}x ${description} ${money(amount)}`)
      .join('\n'),
    subtotalText: `  Subtotal ${money(truth.net)}\n`,
    deliveryFeesText: '',
    paymentFeesText: '',
    totalLine: `  ${'─'.repeat(50)}\n  Order Total ${money(truth.total)}`,
    taxesText: `\n  (incl. VAT ${money(truth.vat)})`,
  }
  const template = between(join(folder, UNCHAINED), 'return `═', '`;')
  const text = `═${template}`.replaceAll(/\$\{([\w.]+)\}/g, (_, name: string) => values[name] ?? '')
  const mail = `\nThank you very much for your order.\n\n${text}\n\n${truth.seller}: https://shop.example.com\n`
  return `<!doctype html><meta charset="utf-8"><pre style="font:12px 'DejaVu Sans Mono',monospace">${escapeHtml(mail)}</pre>`
}

interface ThermalPrinter {
  printer: { config: Readonly<Record<string, Buffer>> }
  append(piece: string | Buffer): void
  alignCenter(): void
  alignLeft(): void
  bold(isOn: boolean): void
  setTextQuadArea(): void
  setTextNormal(): void
  println(text: string): void
  newLine(): void
  drawLine(mark?: string): void
  leftRight(left: string, right: string): void
  tableCustom(cells: { text: string; align: string; width: number; bold?: boolean }[]): void
}

const ROLL_WIDTH = 48

/** A roll of node-thermal-printer: the rows that it would send, with its styles as HTML. */
export function thermalPage(
  folder: string,
  made: Order,
  language: string,
  manner: Manner,
  isTable: boolean,
): { text: string; truth: SaleTruth } {
  const { ThermalPrinter } = createRequire(join(folder, 'package.json'))(
    'node-thermal-printer',
  ) as {
    ThermalPrinter: new (options: object) => ThermalPrinter
  }
  const printer = new ThermalPrinter({
    type: 'epson',
    interface: 'tcp://127.0.0.1:9100',
    width: ROLL_WIDTH,
  })
  const rows: string[] = []
  let row = ''
  const style = { side: 'left', weight: 'normal', size: 1 }
  const { config } = printer.printer
  const commands: readonly (readonly [string, () => void])[] = [
    ['TXT_ALIGN_CT', () => void (style.side = 'center')],
    ['TXT_ALIGN_LT', () => void (style.side = 'left')],
    ['TXT_BOLD_ON', () => void (style.weight = 'bold')],
    ['TXT_BOLD_OFF', () => void (style.weight = 'normal')],
    ['TXT_4SQUARE', () => void (style.size = 2)],
    ['TXT_NORMAL', () => void (style.size = 1)],
  ]
  printer.append = (piece) => {
    const known = commands.find(
      ([name]) => typeof piece !== 'string' && Buffer.from(config[name]!).equals(piece),
    )
    if (known) {
      known[1]()
      return
    }
    for (const sign of piece.toString()) {
      if (sign === '\n') {
        rows.push(`<div style="text-align:${style.side}">${row || '&nbsp;'}</div>`)
        row = ''
      } else if (sign >= ' ')
        row += `<span style="font-weight:${style.weight};font-size:${style.size}em">${escapeHtml(sign)}</span>`
    }
  }
  const { sale, goods } = made
  const { truth, rows: taxes } = rollTruth(made)
  const word = wordsOf(language)
  const money = moneyOf(manner.numbers)
  const [year, month, day] = truth.date.split('-') as [string, string, string]
  const date = manner.day.replace('D', day).replace('M', month).replace('Y', year)
  printer.alignCenter()
  // The printer has room for half as many of its large letters.
  if (truth.seller.length <= ROLL_WIDTH / 2) printer.setTextQuadArea()
  printer.println(truth.seller)
  printer.setTextNormal()
  for (const line of addressOf(sale)) printer.println(line)
  printer.println(`Tel. ${plain(sale, 'tel')}`)
  if (manner.vatId) printer.println(`${manner.tax} ${manner.vatId}`)
  printer.alignLeft()
  printer.drawLine()
  printer.leftRight(`${word.number} ${truth.id}`, `${date} 17:08`)
  printer.drawLine()
  for (const { description, quantity, price, amount } of goods) {
    if (isTable)
      printer.tableCustom([
        { text: `${quantity} x`, align: 'LEFT', width: 0.125 },
        { text: description, align: 'LEFT', width: 0.625 },
        { text: money(amount), align: 'RIGHT', width: 0.25 },
      ])
    else {
      printer.println(description)
      printer.leftRight(`   ${quantity} x ${money(price)}`, money(amount))
    }
  }
  printer.drawLine('=')
  printer.bold(true)
  printer.leftRight(`${word.total} ${manner.currency}`, money(truth.total))
  printer.bold(false)
  printer.leftRight(word.paid, money(truth.total))
  printer.newLine()
  for (const { rate, net, tax } of taxes)
    printer.leftRight(`${manner.tax} ${rate}% / ${money(net)}`, money(tax))
  printer.drawLine()
  printer.alignCenter()
  printer.println(word.thanks)
  const text = `<!doctype html><meta charset="utf-8"><style>div{white-space:pre;line-height:1.25}</style><div style="width:${ROLL_WIDTH}ch;font:13px 'DejaVu Sans Mono',monospace">${rows.join('')}</div>`
  return { text, truth }
}
