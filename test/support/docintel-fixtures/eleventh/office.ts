/**
 * Orders as letters of the wizard that comes with LibreOffice, whose body is a table of goods of ours, and
 * papers of Tryton's sales and stock, which ask for no money.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { escapeHtml, fill } from '../fifth/templates.ts'
import { addressOf, moneyOf, placeOf, plain } from '../fourth/sales.ts'
import type { Manner } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'
import { goodsTable, STYLES } from '../tenth/office.ts'
import type { Letter } from './sums.ts'

const WIZARD = 'x_libreoffice-common/usr/lib/libreoffice/share/template/common/wizard/letter'
export const WIZARD_LETTERS = ['bus-elegant_l', 'bus-modern_l', 'bus-office_l'] as const
export type WizardLetter = (typeof WIZARD_LETTERS)[number]
export const wizardPath = (layout: WizardLetter): string => `${WIZARD}/${layout}.ott`

/** The wizard's own field of the sender's phone holds a number; its other personal fields are empty. */
export function wizardContent(folder: string, layout: WizardLetter, letter: Letter): string {
  const { seller, from, to, word, head, goods, sums, total } = letter
  const source = execFileSync('unzip', ['-p', join(folder, wizardPath(layout)), 'content.xml'], {
    encoding: 'utf8',
  })
  const gap = from[1].indexOf(' ')
  const fields: Readonly<Record<string, string>> = {
    Company: seller,
    Street: from[0],
    City: from[1].slice(gap + 1),
    PostCode: from[1].slice(0, gap),
    State: '',
    Salutation: word.dear,
    Greeting: word.regards,
  }
  const content = source
    .replaceAll(
      /<text:user-field-get text:name="(\w+)"[^>]*?(?:\/>|>[^<]*<\/text:user-field-get>)/g,
      (_, name: string) => escapeHtml(fields[name] ?? ''),
    )
    .replaceAll(/<text:sender-phone-work[^>]*?(?:\/>|>[^<]*<\/text:sender-phone-work>)/g, () =>
      escapeHtml(letter.phone),
    )
    .replaceAll(/<text:sender-[\w-]+[^>]*?(?:\/>|>[^<]*<\/text:sender-[\w-]+>)/g, '')
    .replaceAll(/<text:date [^>]*>[^<]*<\/text:date>/g, () => escapeHtml(letter.date))
    .replaceAll(/<text:placeholder [^>]*>([^<]*)<\/text:placeholder>/g, '$1')
    .replace('</office:automatic-styles>', () => `${STYLES}</office:automatic-styles>`)
    .replace('#subjectconst#', '')
    .replaceAll(', ,', ',')
  const table = `${goodsTable(head, goods, sums, total)}<text:p>${escapeHtml(letter.due)}</text:p>`
  const town = /&lt;City&gt;,? &lt;State&gt; &lt;Zip&gt; ?/
  return fill(
    content.replace(town, () => escapeHtml(to[2])),
    [
      ['&lt;FirstName&gt; &lt;LastName&gt;', escapeHtml(to[0])],
      ['<text:p text:style-name="Standard">&lt;Company&gt;</text:p>', ''],
      ['&lt;Street&gt;', escapeHtml(to[1])],
      ['&lt;Subject&gt;', escapeHtml(letter.title)],
    ],
  ).replace(/<text:p [^>]*>&lt;Enter your text here&gt;<\/text:p>/, () => table)
}

const MODULES = 'usr/lib/python3/dist-packages/trytond/modules'
const TRYTON = {
  quotation: `x_tryton-modules-sale/${MODULES}/sale/sale.fodt`,
  order: `x_tryton-modules-sale/${MODULES}/sale/sale.fodt`,
  delivery: `x_tryton-modules-stock/${MODULES}/stock/delivery_note.fodt`,
} as const
export type TrytonPaper = keyof typeof TRYTON

/** The translation of a module's texts, as its own catalogue of a language has it. */
function catalogue(path: string): Record<string, string> {
  const text = readFileSync(path, 'utf8')
  const words: Record<string, string> = {}
  for (const [, id, to] of text.matchAll(/\nmsgid "(.+)"\nmsgstr "(.+)"/g)) words[id!] ??= to!
  return words
}

/** What Tryton's templates ask for, as JSON. */
export function trytonJob(
  folder: string,
  paper: TrytonPaper,
  { sale, truth, goods, taxes }: Order,
  language: string,
  manner: Manner,
): string {
  const money = moneyOf(manner.numbers)
  const [year, month, day] = truth.date.split('-') as [string, string, string]
  const template = TRYTON[paper]
  const po = join(folder, template.replace(/[^/]*$/, `locale/${language}.po`))
  const currency = (value: number): string => `${money(value)} ${manner.currency}`
  return JSON.stringify({
    template,
    words: language === 'en' ? {} : catalogue(po),
    paper,
    seller: truth.seller,
    header: [truth.seller, ...addressOf(sale), `Tel. ${plain(sale, 'tel')}`],
    to: [truth.buyer, plain(sale, 'address1'), placeOf(sale)],
    id: truth.id,
    reference: plain(sale, 'ordnumber'),
    date: manner.day.replace('D', day).replace('M', month).replace('Y', year),
    unit: manner.unit,
    goods: goods.map(({ description, quantity, price, amount, rate }) => ({
      description,
      quantity,
      price: currency(price),
      amount: currency(amount),
      tax: `${manner.tax} ${rate}%`,
    })),
    net: currency(truth.net),
    vat: currency(taxes.reduce((sum, { tax }) => sum + tax, 0)),
    total: currency(truth.total),
  })
}

/** Debian's, which has Relatorio. */
const PYTHON = '/usr/bin/python3'

export function drawTryton(folder: string, job: string): Uint8Array {
  const own = mkdtempSync(join(tmpdir(), 'eleventh-'))
  try {
    writeFileSync(join(own, 'job.json'), job)
    execFileSync(PYTHON, [join(import.meta.dirname, 'draw_papers.py'), folder, own])
    return readFileSync(join(own, 'page.pdf'))
  } finally {
    rmSync(own, { recursive: true })
  }
}
