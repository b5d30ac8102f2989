/**
 * Orders on the invoice, the quotation and the packing slip that Calligra Sheets has as templates. Its file
 * of cells is drawn as a table with its widths, borders, sizes of letters and joined cells; what a user
 * types is an order. The quotation and the packing slip ask for no money.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from '../fifth/templates.ts'
import { addressOf, moneyOf, placeOf, plain } from '../fourth/sales.ts'
import type { Manner } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'
import { wordsOf } from './words.ts'

export type Sheet = 'Invoice' | 'PriceQuotation' | 'PackingSlip'

const TEMPLATES = 'x_calligrasheets-data/usr/share/calligrasheets/templates/Business/.source'

interface Cell {
  text: string
  colspan: number
  css: string
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]

/** The side of a cell has a border where the style of its pen is not 0. */
function borderCss(body: string): string {
  return ['left', 'top', 'right', 'bottom']
    .map((side) => {
      const pen = new RegExp(`<${side}-border>\\s*<pen ([^>]*)/>`).exec(body)?.[1] ?? ''
      const isDrawn = / ?style="[1-9]/.test(pen)
      return isDrawn ? `border-${side}:1px solid #000;` : ''
    })
    .join('')
}

const SIDES: Readonly<Record<string, string>> = { '1': 'left', '2': 'center', '3': 'right' }

function cellOf(body: string): Cell {
  const format = /<format ([^>]*)>/.exec(body)?.[0] ?? ''
  const font = /<font ([^>]*)\/>/.exec(body)?.[0] ?? ''
  const size = attribute(font, 'size') ?? attribute(format, 'font-size') ?? '12'
  const weight = Number(attribute(font, 'weight') ?? 50) > 50 ? 'bold' : 'normal'
  const side = SIDES[attribute(format, 'align') ?? ''] ?? ''
  const text = /<text[^>]*>([^<]*)<\/text>/.exec(body)?.[1] ?? ''
  return {
    text: text.startsWith('=') ? '' : text,
    // An empty joined cell would hide the title that stands in one of its columns.
    colspan: text === '' ? 1 : Number(attribute(format, 'colspan') ?? 0) + 1,
    css: `font-size:${size}px;font-weight:${weight};${side && `text-align:${side};`}${borderCss(body)}`,
  }
}

/** The page of a template whose cells, named "row column", hold other texts. */
function sheetPage(folder: string, sheet: Sheet, texts: ReadonlyMap<string, string>): string {
  const file = readFileSync(join(folder, TEMPLATES, `${sheet}.kst`), 'utf8')
  const cells = new Map<string, Cell>()
  for (const [, row, column, body] of file.matchAll(
    /<cell row="(\d+)" column="(\d+)" >([\s\S]*?)<\/cell>/g,
  ))
    cells.set(`${row} ${column}`, cellOf(body!))
  const columns = [1, 2, 3, 4, 5, 6]
  const rows = Math.max(...[...cells.keys()].map((name) => Number(name.split(' ')[0])))
  const widths = columns.map((column) => {
    const tag = new RegExp(`<column [^>]*column="${column}"[^>]*>`).exec(file)?.[0] ?? ''
    return Number(attribute(tag, 'width') ?? 75)
  })
  const drawn = Array.from({ length: rows }, (_, at) => {
    const row = at + 1
    let covered = 0
    const line = columns.map((column) => {
      if (covered-- > 0) return ''
      const cell = cells.get(`${row} ${column}`) ?? { text: '', colspan: 1, css: '' }
      const text = texts.get(`${row} ${column}`) ?? escapeHtml(cell.text)
      // A sheet sets numbers at the right side unless told otherwise.
      const isNumber = row > 15 && column > 4 && /^[\d.,\s]+(?: [A-Z]{3})?$/.test(text)
      const side = isNumber && !cell.css.includes('text-align') ? 'text-align:right;' : ''
      // A long text runs into the empty cells beside it.
      const isFree = text !== '' && cell.colspan === 1 && !cell.css.includes('border-right')
      covered = cell.colspan - 1
      return `<td colspan="${cell.colspan}" style="${cell.css}${side}${isFree ? 'white-space:nowrap;' : ''}">${text}</td>`
    })
    return `<tr>${line.join('')}</tr>`
  })
  return `<!doctype html><meta charset="utf-8"><style>body{font-family:Arial,sans-serif}table{border-collapse:collapse;table-layout:fixed;width:${widths.reduce((all, width) => all + width, 0)}pt}td{height:15pt;font-size:12px;padding:0 2pt;overflow:visible}</style><table><colgroup>${widths.map((width) => `<col style="width:${width}pt">`).join('')}</colgroup>${drawn.join('')}</table>`
}

/** The texts of each sheet's cells in another language, by the English of the template. */
const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: {
    '6 1': 'RECHNUNG AN',
    '11 1': 'LIEFERUNG AN',
    '9 4': 'Unsere Auftragsnr.',
    '10 4': 'Ihre Bestellnr.',
    '11 4': 'Zahlungsziel',
    '12 4': 'Bearbeiter',
    '13 4': 'Versand',
    '34 1': 'Bei Fragen zu dieser Rechnung wenden Sie sich bitte an:',
    '35 1': 'Vielen Dank für Ihren Auftrag!',
  },
  fr: {
    '6 1': 'FACTURÉ À',
    '11 1': 'LIVRÉ À',
    '9 4': 'Notre commande',
    '10 4': 'Votre commande',
    '11 4': 'Conditions',
    '12 4': 'Vendeur',
    '13 4': 'Expédition',
    '34 1': 'Pour toute question sur cette facture, contactez :',
    '35 1': 'Merci de votre confiance !',
  },
  es: {
    '6 1': 'FACTURAR A',
    '11 1': 'ENVIAR A',
    '9 4': 'Nuestro pedido',
    '10 4': 'Su pedido',
    '11 4': 'Condiciones',
    '12 4': 'Comercial',
    '13 4': 'Transporte',
    '34 1': 'Si tiene preguntas sobre esta factura, contacte con:',
    '35 1': '¡Gracias por su confianza!',
  },
}

/** The invoice prints no tax; its `total` is the sum of its rows. */
export function sheetOf(
  folder: string,
  sheet: Sheet,
  { sale, truth, goods }: Order,
  language: string,
  manner: Manner,
): string {
  const money = moneyOf(manner.numbers)
  const [street, place] = addressOf(sale)
  const [year, month, day] = truth.date.split('-') as [string, string, string]
  const date = manner.day.replace('D', day).replace('M', month).replace('Y', year)
  const texts = new Map<string, string>()
  const put = (row: number, column: number, text: string): void =>
    void texts.set(`${row} ${column}`, escapeHtml(text))
  put(1, 1, truth.seller)
  const buyer = [truth.buyer, plain(sale, 'address1'), placeOf(sale)]
  if (sheet === 'PackingSlip') {
    for (const [at, text] of [street, place, plain(sale, 'tel')].entries()) put(2 + at, 1, text)
    for (const [at, text] of [date, plain(sale, 'ordnumber'), `PO-${truth.id}`].entries())
      put(6 + at, 2, text)
    put(6, 6, date)
    put(7, 6, `C${plain(sale, 'ordnumber')}`)
    for (const column of [2, 6])
      for (const [at, text] of [...buyer, plain(sale, 'fax')].entries()) put(11 + at, column, text)
    const all = goods.reduce((sum, { quantity }) => sum + quantity, 0)
    for (const [at, { description, quantity }] of goods.entries()) {
      put(18 + at, 1, `${101 + at * 7}`)
      put(18 + at, 2, description)
      put(18 + at, 4, manner.unit)
      put(18 + at, 5, String(quantity))
      put(18 + at, 6, String(quantity))
    }
    for (const column of [5, 6]) put(31, column, String(all))
    return sheetPage(folder, sheet, texts)
  }
  if (sheet === 'PriceQuotation') {
    put(3, 1, street)
    put(4, 1, place)
    put(5, 1, `Phone ${plain(sale, 'tel')}`)
    put(6, 1, `Fax ${plain(sale, 'fax')}`)
    const [untilYear, untilMonth, untilDay] = truth.due.split('-') as [string, string, string]
    put(3, 5, manner.day.replace('D', untilDay).replace('M', untilMonth).replace('Y', untilYear))
    for (const [at, text] of [
      truth.buyer,
      plain(sale, 'ordnumber'),
      buyer.slice(1).join(', '),
      plain(sale, 'fax'),
    ].entries())
      put(9 + at, 2, text)
    put(13, 1, '')
    for (const [at, { description, quantity, amount }] of goods.entries()) {
      put(16 + at, 1, `${quantity} ${description}`)
      put(16 + at, 5, money(amount))
    }
    put(31, 5, money(truth.net))
    put(36, 1, plain(sale, 'employee'))
    return sheetPage(folder, sheet, texts)
  }
  const word = wordsOf(language)
  for (const [at, text] of [street, place, plain(sale, 'tel')].entries()) put(2 + at, 1, text)
  if (language !== 'en') {
    for (const [name, text] of Object.entries(LABELS[language]!)) texts.set(name, escapeHtml(text))
    put(1, 4, word.invoice.toUpperCase())
    put(7, 4, `${word.invoice} ${word.number}`)
    put(8, 4, word.date)
    put(16, 1, word.quantity)
    put(16, 2, word.article)
    put(16, 5, word.price)
    put(16, 6, word.amount)
    put(32, 5, word.total.toUpperCase())
  }
  for (const [at, text] of buyer.entries()) {
    put(7 + at, 1, text)
    put(12 + at, 1, text)
  }
  const days = Math.round((Date.parse(truth.due) - Date.parse(truth.date)) / 86_400_000)
  for (const [at, text] of [
    truth.id,
    date,
    plain(sale, 'ordnumber'),
    `PO-${plain(sale, 'ordnumber').slice(1)}`,
    language === 'en' ? `Net ${days} days` : `${days}`,
    plain(sale, 'employee'),
    'DHL',
  ].entries())
    put(7 + at, 6, text)
  for (const [at, { description, quantity, price, amount }] of goods.entries()) {
    put(17 + at, 1, String(quantity))
    put(17 + at, 2, description)
    put(17 + at, 5, money(price))
    put(17 + at, 6, money(amount))
  }
  put(32, 6, `${money(truth.net)} ${manner.currency}`)
  return sheetPage(folder, sheet, texts)
}
