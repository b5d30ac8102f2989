/**
 * Orders as rolls of a till: `@point-of-sale/receipt-printer-encoder` sets rows for a printer (the words
 * are those of the sender of the fifth set's mails), `node-sped-pdf` draws Brazil's NFC-e with its own.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { MAIL_WORDS } from '../fifth/mails.ts'
import { escapeHtml } from '../fifth/templates.ts'
import { addressOf, dayIn, moneyOf, plain } from '../fourth/sales.ts'
import type { Manner } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'

const WIDTH = 42

interface Command {
  type: string
  value?: unknown
  property?: string
  size?: number
}
interface Encoder {
  initialize(): Encoder
  codepage(name: string): Encoder
  align(side: string): Encoder
  bold(isOn: boolean): Encoder
  size(width: number, height?: number): Encoder
  line(text: string): Encoder
  newline(): Encoder
  rule(options: object): Encoder
  table(columns: object[], rows: string[][]): Encoder
  encode(format: 'commands'): { commands: Command[] }[]
}

/** A row of the roll as HTML; bold and large letters are kept. */
function rowHtml(commands: readonly Command[], style: { bold: boolean; wide: boolean }): string {
  let row = ''
  for (const { type, value, property, size } of commands) {
    if (type === 'style' && property === 'bold') style.bold = Boolean(value)
    if (type === 'style' && property === 'size') style.wide = (value as { width: number }).width > 1
    if (type === 'space') row += ' '.repeat(size ?? 0)
    if (type === 'text') {
      const css = `${style.bold ? 'font-weight:bold;' : ''}${style.wide ? 'font-size:200%;' : ''}`
      row += `<span style="${css}">${escapeHtml(value as string)}</span>`
    }
  }
  return row
}

export function pointOfSalePage(
  folder: string,
  { sale, truth, goods, taxes }: Order,
  language: string,
  manner: Manner,
): string {
  const ReceiptPrinterEncoder = createRequire(join(folder, 'package.json'))(
    '@point-of-sale/receipt-printer-encoder',
  ) as new (options: object) => Encoder
  const word = MAIL_WORDS[language]!
  const money = moneyOf(manner.numbers)
  const sides = [
    { width: WIDTH - 14, align: 'left' },
    { width: 14, align: 'right' },
  ]
  const encoder = new ReceiptPrinterEncoder({ columns: WIDTH, language: 'esc-pos' })
  encoder.initialize().codepage('windows1252').align('center')
  encoder.bold(true).line(truth.seller).bold(false)
  for (const line of [...addressOf(sale), plain(sale, 'tel')]) encoder.line(line)
  encoder.align('left').rule({ style: 'single' })
  encoder.table(sides, [
    [`${word.id} ${truth.id}`, ''],
    [`${word.date}`, dayIn(truth.date, manner.numbers, 'short')],
  ])
  encoder.rule({ style: 'single' })
  for (const { description, quantity, price, amount } of goods) {
    encoder.line(description)
    encoder.table(sides, [[`  ${quantity} ${manner.unit} x ${money(price)}`, money(amount)]])
  }
  encoder.rule({ style: 'double' })
  encoder.size(2, 2).table(
    [
      { width: WIDTH / 2 - 9, align: 'left' },
      { width: 9, align: 'right' },
    ],
    [[word.total, money(truth.total)]],
  )
  encoder.size(1, 1).newline()
  encoder.table(sides, [
    [manner.currency, money(truth.total)],
    [word.net, money(truth.net)],
    [`${manner.tax} ${taxes[0]!.rate} %`, money(truth.vat)],
  ])
  const style = { bold: false, wide: false }
  const rows = encoder.encode('commands').map(({ commands }) => rowHtml(commands, style))
  return `<!doctype html><meta charset="utf-8"><pre style="font: 14px 'DejaVu Sans Mono', monospace">${rows.join('\n')}</pre>`
}

const BUSINESS = '33014556000196'
const cents = (value: number): string => value.toFixed(2)

/** The number of an NFC-e. */
export const nfceId = ({ truth }: Order): string => truth.id.replaceAll(/\D/g, '').slice(-6)

/** A sale as the XML of a Brazilian NFC-e. Its taxes are inside the prices. */
export function nfceXml(order: Order): string {
  const { sale, truth, goods } = order
  const number = nfceId(order)
  const [street, place] = addressOf(sale)
  const text = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const key = `352408${BUSINESS}65001${number.padStart(9, '0')}1123456789`
  const details = goods.map(
    ({ description, quantity, price, amount }, at) =>
      `<det nItem="${at + 1}"><prod><cProd>${7891 + at * 13}</cProd><xProd>${text(description)}</xProd><uCom>UN</uCom><qCom>${quantity}.0000</qCom><vUnCom>${cents(price)}</vUnCom><vProd>${cents(amount)}</vProd></prod></det>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe><infNFe versao="4.00" Id="NFe${key}"><ide><mod>65</mod><serie>1</serie><nNF>${number}</nNF><dhEmi>${truth.date}T15:24:00-03:00</dhEmi></ide><emit><CNPJ>${BUSINESS}</CNPJ><xNome>${text(truth.seller)}</xNome><enderEmit><xLgr>${text(street)}</xLgr><nro>100</nro><xBairro>Centro</xBairro><xMun>${text(place.slice(place.indexOf(' ') + 1))}</xMun><UF>SP</UF><CEP>${place.split(' ')[0]}</CEP><fone>${text(plain(sale, 'tel'))}</fone></enderEmit><IE>110042490114</IE></emit>${details.join('')}<total><ICMSTot><vProd>${cents(truth.net)}</vProd><vNF>${cents(truth.net)}</vNF></ICMSTot></total><pag><detPag><tPag>03</tPag><vPag>${cents(truth.net)}</vPag></detPag></pag></infNFe></NFe></nfeProc>`
}
