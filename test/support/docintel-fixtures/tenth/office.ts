/**
 * Orders in OpenDocument: the invoice that comes with Relatorio as an example, and the two business letters
 * of LibreOffice, whose body is a table of goods of ours. Users write the words of both.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { escapeHtml, fill } from '../fifth/templates.ts'
import { addressOf, dayIn, moneyOf, placeOf, plain, type Good } from '../fourth/sales.ts'
import type { Manner } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'
import { sumsOf, type LetterWish } from './sums.ts'
import { wordsOf } from './words.ts'

export const RELATORIO = 'x_python3-relatorio/usr/share/doc/python3-relatorio/examples/basic.odt'
export const LETTERS = {
  serif:
    'x_libreoffice-common/usr/lib/libreoffice/share/template/common/officorr/Modern_business_letter_serif.ott',
  sans: 'x_libreoffice-common/usr/lib/libreoffice/share/template/common/officorr/Modern_business_letter_sans_serif.ott',
} as const

const contentOf = (folder: string, path: string): string =>
  execFileSync('unzip', ['-p', join(folder, path), 'content.xml'], { encoding: 'utf8' })

/** A row of the table without the marks of its loop. */
const ROW = /<table:table-row>(?:(?!<\/table:table-row>).)*<\/table:table-row>/g

export function relatorioContent(
  folder: string,
  { sale, truth, goods }: Order,
  language: string,
  manner: Manner,
): string {
  const word = wordsOf(language)
  const money = moneyOf(manner.numbers)
  const put = (text: string, values: Readonly<Record<string, string>>): string =>
    text.replaceAll(
      /<text:a [^>]*xlink:href="relatorio:\/\/([^"]*)"[^>]*>.*?<\/text:a>/g,
      (whole, name: string) => {
        const value = name.startsWith('&apos;%.2f') ? values['sum'] : values[name]
        return value === undefined ? whole : escapeHtml(value)
      },
    )
  const filled = contentOf(folder, RELATORIO).replaceAll(ROW, (row) => {
    if (row.includes('relatorio://for') || row.includes('relatorio:///for')) return ''
    if (!row.includes('line.item.name')) return row
    return goods
      .map(({ description, quantity, price, amount }: Good, at) =>
        put(row, {
          'line.item.name': description,
          'line.item.reference': `${description.slice(0, 3).toUpperCase()}-${101 + at * 7}`,
          'line.quantity': String(quantity),
          'line.item.price': money(price),
          'line.amount': money(amount),
        }),
      )
      .join('')
  })
  const town = placeOf(sale)
  const gap = town.indexOf(' ')
  const labels = fill(filled, [
    ['Invoice #', `${word.invoice} ${language === 'en' ? '#' : `${word.number} `}`],
    ['>Article<', `>${word.article}<`],
    ['>Reference<', `>${word.reference}<`],
    ['>Quantity<', `>${word.quantity}<`],
    ['>Unit Price<', `>${word.price}<`],
    ['>Amount<', `>${word.amount}<`],
    ['>Subtotal<', `>${word.net}<`],
    ['>VAT<', `>${manner.tax}<`],
    ['>Total<', `>${word.total}<`],
  ])
  return put(labels, {
    'o.customer.name': truth.buyer,
    'o.customer.address.street': plain(sale, 'address1'),
    'o.customer.address.zip': town.slice(0, gap),
    'o.customer.address.city': town.slice(gap + 1),
    'o.id': truth.id,
    'o.total': money(truth.net),
    'o.vat': money(truth.vat),
    sum: `${money(truth.total)}`,
  })
}

const cell = (text: string, style: string): string =>
  `<table:table-cell office:value-type="string"><text:p text:style-name="${style}">${escapeHtml(text)}</text:p></table:table-cell>`
/** A row of a table of goods, whose styles are `STYLES`. */
const row = (cells: readonly string[], isBold = false): string =>
  `<table:table-row>${cells.map((text, at) => cell(text, `${at === 0 ? 'L' : 'R'}${isBold ? 'b' : ''}`)).join('')}</table:table-row>`

const textStyle = (name: string, side: string, isBold: boolean): string =>
  `<style:style style:name="${name}" style:family="paragraph"><style:paragraph-properties fo:text-align="${side}"/><style:text-properties fo:font-size="9.5pt"${isBold ? ' fo:font-weight="bold"' : ''}/></style:style>`
export const STYLES = `${textStyle('L', 'start', false)}${textStyle('Lb', 'start', true)}${textStyle('R', 'end', false)}${textStyle('Rb', 'end', true)}<style:style style:name="Wide" style:family="table-column"><style:table-column-properties style:rel-column-width="45*"/></style:style><style:style style:name="Narrow" style:family="table-column"><style:table-column-properties style:rel-column-width="18*"/></style:style>`

/** A table of goods in the styles of `STYLES`, with its sums and its total below. */
export function goodsTable(
  head: readonly string[],
  goods: readonly (readonly string[])[],
  sums: readonly (readonly [string, string])[],
  total: readonly [string, string],
): string {
  const rows = [
    row(head, true),
    ...goods.map((texts) => row(texts)),
    ...sums.map(([label, amount]) => row([label, '', '', amount])),
    row([total[0], '', '', total[1]], true),
  ]
  return `<table:table table:name="Goods"><table:table-column table:style-name="Wide"/><table:table-column table:style-name="Narrow" table:number-columns-repeated="3"/>${rows.join('')}</table:table>`
}

/** A letter of LibreOffice; `shipping` is added to its total and `off` is taken from it, both untaxed. */
export function officeContent(
  folder: string,
  { sale, truth, goods, taxes }: Order,
  layout: keyof typeof LETTERS,
  language: string,
  manner: Manner,
  wish: LetterWish,
): string {
  const { isCredit } = wish
  const word = wordsOf(language)
  const money = moneyOf(manner.numbers)
  const [street, place] = addressOf(sale)
  const gap = place.indexOf(' ')
  const town = placeOf(sale)
  const townGap = town.indexOf(' ')
  const date = dayIn(truth.date, manner.numbers)
  const table = goodsTable(
    [word.article, word.quantity, word.price, word.amount],
    goods.map(({ description, quantity, price, amount }) => [
      description,
      `${quantity} ${manner.unit}`,
      money(price),
      money(amount),
    ]),
    sumsOf({ taxes }, truth, language, manner, wish),
    [`${word.total} ${manner.currency}`, money(truth.total)],
  )
  const subject = `${isCredit ? word.credit : word.invoice} ${word.number} ${truth.id}`
  const mark = (name: string): string =>
    `<text:placeholder text:placeholder-type="text">&lt;${name}&gt;</text:placeholder>`
  const lorem = /Lorem ipsum dolor[^<]*/
  const isSerif = layout === 'serif'
  const senders: readonly (readonly [string, string])[] = [
    [mark("Sender's name"), plain(sale, 'employee')],
    [mark('Company Name'), truth.seller],
    [mark('address street'), street],
    [mark('address postal code'), `${place.slice(0, gap)} `],
    [mark('address city'), place.slice(gap + 1)],
    [mark('state'), manner.vatId],
  ]
  const buyers: readonly (readonly [string, string])[] = [
    [mark('Title'), ''],
    [mark("Recipient's name"), isSerif ? plain(sale, 'ordnumber') : truth.buyer],
    ...(isSerif ? [[mark('Company Name'), truth.buyer] as const] : []),
    [mark('address street'), plain(sale, 'address1')],
    [mark('address postal code'), `${town.slice(0, townGap)} `],
    [mark('address city'), town.slice(townGap + 1)],
    [mark('state'), ''],
  ]
  const content = contentOf(folder, LETTERS[layout])
    .replace(/<draw:frame.*?<\/draw:frame>/, '')
    .replace(/<text:date [^>]*\/>/, () => escapeHtml(date))
    .replace('</office:automatic-styles>', () => `${STYLES}</office:automatic-styles>`)
  const marked = fill(content, [
    ...[...senders, ...buyers].map(([from, to]) => [from, escapeHtml(to)] as const),
    [`Dear ${mark('Title')}${mark("Recipient's name")},`, escapeHtml(word.dear)],
    [
      'We are looking forward to hearing from you soon.',
      isCredit ? '' : escapeHtml(`${word.due} ${dayIn(truth.due, manner.numbers)}`),
    ],
    ['Yours sincerely,', escapeHtml(word.regards)],
    [mark("Sender's name"), escapeHtml(plain(sale, 'employee'))],
  ])
  return marked
    .replace(lorem, () => escapeHtml(subject))
    .replace(/<text:p [^>]*>Lorem ipsum dolor[^<]*<\/text:p>/, () => table)
}
