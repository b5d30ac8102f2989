/**
 * Orders as rolls of a till that electron-pos-printer draws: its rows, tables and styles are those of its
 * page; the words are ours, as each shop writes its own.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from '../fifth/templates.ts'
import { addressOf, moneyOf, plain, round } from '../fourth/sales.ts'
import type { Manner, SaleTruth } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'

export interface RollLine {
  type: 'text' | 'table'
  value?: string
  style?: Readonly<Record<string, string>>
  tableHeader?: readonly string[]
  tableBody?: readonly (readonly string[])[]
  tableFooter?: readonly string[]
  tableFooterStyle?: Readonly<Record<string, string>>
}

/** Number, goods, quantity, sum, total, net, gross, way of payment, thanks. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Bon-Nr.',
    'Bezeichnung',
    'Anz.',
    'EUR',
    'SUMME',
    'Netto',
    'Brutto',
    'Girocard',
    'Vielen Dank für Ihren Einkauf',
  ],
  fr: [
    'Ticket n°',
    'Désignation',
    'Qté',
    'EUR',
    'TOTAL À PAYER',
    'HT',
    'TTC',
    'Carte bancaire',
    'Merci de votre visite',
  ],
  it: [
    'Scontrino n.',
    'Descrizione',
    'Q.tà',
    'Euro',
    'TOTALE COMPLESSIVO',
    'Imponibile',
    'Lordo',
    'Pagamento elettronico',
    'Grazie e arrivederci',
  ],
  es: [
    'Ticket nº',
    'Concepto',
    'Uds.',
    'Importe',
    'TOTAL A PAGAR',
    'Base',
    'Total',
    'Tarjeta',
    'Gracias por su compra',
  ],
  nl: [
    'Bonnr.',
    'Omschrijving',
    'Aant.',
    'Bedrag',
    'TE BETALEN',
    'Excl.',
    'Incl.',
    'PIN',
    'Bedankt en tot ziens',
  ],
  en: [
    'Receipt no.',
    'Item',
    'Qty',
    'GBP',
    'TOTAL DUE',
    'Net',
    'Gross',
    'Contactless card',
    'Thank you for shopping with us',
  ],
  sv: [
    'Kvitto nr',
    'Artikel',
    'Ant.',
    'Summa',
    'ATT BETALA',
    'Netto',
    'Brutto',
    'Kontokort',
    'Tack och välkommen åter',
  ],
  pl: [
    'Paragon nr',
    'Nazwa',
    'Il.',
    'PLN',
    'SUMA',
    'Netto',
    'Brutto',
    'Karta',
    'Dziękujemy za zakupy',
  ],
}

/** Prices of a till have their tax in them; with several rates their sums are not printed. */
export function rollTruth({ truth, taxes }: Order): {
  truth: SaleTruth
  rows: readonly { rate: number; net: number; tax: number; gross: number }[]
} {
  const rows = taxes.map(({ rate, base: gross }) => {
    const net = round(gross / (1 + rate / 100))
    return { rate, net, tax: round(gross - net), gross }
  })
  const total = truth.net
  const net = round(rows.reduce((sum, row) => sum + row.net, 0))
  return { truth: { ...truth, total, net, vat: round(total - net) }, rows }
}

export function rollLines(
  made: Order,
  language: string,
  manner: Manner,
  isWide: boolean,
): RollLine[] {
  const { sale, goods } = made
  const { truth, rows } = rollTruth(made)
  const format = moneyOf(manner.numbers)
  // A sum does not break at the space between its thousands.
  const money = (value: number): string => format(value).replaceAll(' ', '\u00A0')
  const [number, item, quantity, sum, total, net, gross, payment, thanks] = WORDS[language]! as [
    ...[string, string, string, string, string],
    ...[string, string, string, string],
  ]
  const centre = { textAlign: 'center', fontSize: '13px' }
  const text = (value: string, style: RollLine['style'] = { fontSize: '13px' }): RollLine => ({
    type: 'text',
    value: escapeHtml(value),
    style,
  })
  const [year, month, day] = truth.date.split('-') as [string, string, string]
  const date = manner.day.replace('D', day).replace('M', month).replace('Y', year)
  const vatId = `${manner.tax} ${manner.vatId}`
  const named = { fontSize: '20px', fontWeight: '700', textAlign: 'center' }
  return [
    text(truth.seller, named),
    ...addressOf(sale).map((line) => text(line, centre)),
    text(`Tel. ${plain(sale, 'tel')}`, centre),
    text(vatId, centre),
    ...(isWide ? [text(`${date}  16:42`), text(`${number} ${truth.id}`)] : []),
    {
      type: 'table',
      style: { fontSize: '13px', width: '100%' },
      tableHeader: isWide ? [quantity, item, sum] : [item, sum],
      tableBody: goods.map(({ description, quantity: count, price, amount }) => {
        const name = escapeHtml(description)
        if (isWide) return [String(count), name, money(amount)]
        return [count > 1 ? `${name}<br>${count} x ${money(price)}` : name, money(amount)]
      }),
      tableFooter: isWide ? ['', total, money(truth.total)] : [total, money(truth.total)],
      tableFooterStyle: { fontSize: '16px' },
    },
    text(`${payment} ${money(truth.total)} ${manner.currency}`),
    {
      type: 'table',
      style: { fontSize: '11px', width: '100%' },
      tableHeader: [
        manner.tax,
        net,
        `${manner.tax} ${sum === manner.currency ? sum : ''}`.trim(),
        gross,
      ],
      tableBody: rows.map((row) => [`${row.rate}%`, ...[row.net, row.tax, row.gross].map(money)]),
    },
    ...(isWide ? [] : [text(`${number} ${truth.id}   ${date} 16:42`)]),
    text(thanks, centre),
  ]
}

/** A page that draws a roll by the scripts of the package, which Electron would send the rows to. */
export function rollPage(folder: string, lines: readonly RollLine[], width: string): string {
  const root = join(folder, 'node_modules/electron-pos-printer/dist/renderer')
  const script = readFileSync(join(root, 'renderer.js'), 'utf8')
  const style = readFileSync(join(root, 'renderer.min.css'), 'utf8')
  const json = JSON.stringify(lines).replaceAll('<', String.raw`\u003C`)
  return `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style></head><body><section id="main"></section><script>
const heard = {}
const require = (name) => name === 'electron' ? { ipcRenderer: { on: (event, tell) => { heard[event] = tell } } } : {}
</script><script>${script}</script><script>
const event = { sender: { send: () => undefined } }
heard['body-init'](event, { width: '${width}' });
for (const [lineIndex, line] of ${json}.entries()) heard['render-line'](event, { line, lineIndex });
</script></body></html>`
}
