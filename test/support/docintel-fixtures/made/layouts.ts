/**
 * Invoices in twelve layouts and nine languages: positioned words and what is true of them. Written
 * before the rules that they are scored with, and drawn anew from each seed.
 */
import { rowsOfPage } from '../../../../plugins/docintel/read/boxes.ts'
import type { DocumentText } from '../../../../plugins/docintel/model/document.ts'
import type { BoxedWord } from '../../../../plugins/shared/ocr/contract.ts'
import { seeded, type Random } from '../random.ts'
import { LANGUAGES, type Words } from './words.ts'

/** A piece of text as it was set: baseline and size in points of A4. */
export interface Phrase {
  text: string
  /** Where it begins, or where it ends if `isRight`. */
  x: number
  y: number
  size: number
  isRight: boolean
}

export interface MadeInvoice {
  name: string
  document: DocumentText
  /** What is set on each page, for drawing it. */
  pages: Phrase[][]
  truth: {
    total: number
    subtotal: number
    tax: number
    date: string
    id: string
    seller: string
    buyer: string
    /** Street and town with its postcode, as two lines. */
    buyerAddress: [street: string, town: string]
    due: string
    /** `rate` is the tax rate in percent where the layout has a column for it, else null. */
    goods: { description: string; quantity: number; amount: number; rate: number | null }[]
  }
}

interface Layout {
  title: 'plain' | 'compound' | 'commercial'
  meta: 'pairs' | 'heads' | 'colons' | 'glued'
  seller: 'left' | 'right' | 'line'
  buyer: 'labelled' | 'window' | 'pair'
  table: 'full' | 'short' | 'code' | 'below' | 'taxed'
  totals: 'rows' | 'summary' | 'prepaid' | 'left'
  pages: 1 | 2
}

export const LAYOUTS: readonly Layout[] = [
  {
    title: 'plain',
    meta: 'pairs',
    seller: 'left',
    buyer: 'labelled',
    table: 'full',
    totals: 'rows',
    pages: 1,
  },
  {
    title: 'compound',
    meta: 'colons',
    seller: 'right',
    buyer: 'window',
    table: 'short',
    totals: 'rows',
    pages: 1,
  },
  {
    title: 'commercial',
    meta: 'colons',
    seller: 'left',
    buyer: 'pair',
    table: 'code',
    totals: 'summary',
    pages: 1,
  },
  {
    title: 'plain',
    meta: 'heads',
    seller: 'line',
    buyer: 'window',
    table: 'taxed',
    totals: 'summary',
    pages: 1,
  },
  {
    title: 'plain',
    meta: 'glued',
    seller: 'right',
    buyer: 'labelled',
    table: 'below',
    totals: 'rows',
    pages: 1,
  },
  {
    title: 'compound',
    meta: 'pairs',
    seller: 'line',
    buyer: 'labelled',
    table: 'full',
    totals: 'prepaid',
    pages: 1,
  },
  {
    title: 'plain',
    meta: 'colons',
    seller: 'left',
    buyer: 'window',
    table: 'taxed',
    totals: 'prepaid',
    pages: 2,
  },
  {
    title: 'commercial',
    meta: 'pairs',
    seller: 'right',
    buyer: 'labelled',
    table: 'full',
    totals: 'left',
    pages: 1,
  },
  {
    title: 'plain',
    meta: 'heads',
    seller: 'left',
    buyer: 'labelled',
    table: 'below',
    totals: 'summary',
    pages: 1,
  },
  {
    title: 'compound',
    meta: 'glued',
    seller: 'left',
    buyer: 'pair',
    table: 'code',
    totals: 'rows',
    pages: 2,
  },
  {
    title: 'plain',
    meta: 'pairs',
    seller: 'line',
    buyer: 'window',
    table: 'short',
    totals: 'left',
    pages: 1,
  },
  {
    title: 'plain',
    meta: 'heads',
    seller: 'right',
    buyer: 'pair',
    table: 'full',
    totals: 'rows',
    pages: 1,
  },
]

const WIDTH = 595
const HEIGHT = 842
/** Width of a letter as a share of its size: what the layouts leave room for. */
export const LETTER_WIDTH = 0.5

/** Words of a page, as a text layer gives them. */
class Page {
  readonly words: BoxedWord[] = []
  readonly phrases: Phrase[] = []
  y = 50

  /** Text from `x`, or ending at `x` where `right` is set; a letter is half as wide as high. */
  at(x: number, text: string, { right = false, size = 10, y = this.y } = {}): void {
    const step = size * LETTER_WIDTH
    this.phrases.push({ text, x, y, size, isRight: right })
    let from = right ? x - text.length * step : x
    for (const part of text.split(/( )/)) {
      if (part !== ' ' && part !== '')
        this.words.push({
          text: part,
          x0: from,
          x1: from + part.length * step,
          y0: y - size * 0.8,
          y1: y + size * 0.2,
        })
      from += part.length * step
    }
  }
  down(by = 14): void {
    this.y += by
  }
}

const cents = (value: number): number => Math.round(value * 100) / 100

function lines(r: Random, w: Words, count: number) {
  return Array.from({ length: count }, (_, i) => {
    const quantity = r.int(1, 12)
    const price = r.int(90, 45_000) / 100
    return {
      description: w.goods[(r.int(0, w.goods.length - 1) + i) % w.goods.length]!,
      quantity,
      price,
      amount: cents(quantity * price),
      rate: w.rates[r.chance(0.3) ? 1 : 0]!,
      code: `${r.digits(2)}-${r.digits(4)}`,
      unit: r.pick(w.units),
    }
  })
}

/** One invoice of a layout (0–11) in a language; the same seed draws the same. */
export function madeInvoice(language: string, layout: number, seed: number): MadeInvoice {
  const w = LANGUAGES[language]!
  const l = LAYOUTS[layout]!
  const r = seeded(
    seed * 7919 + layout * 131 + language.charCodeAt(0) * 17 + language.charCodeAt(1),
  )
  const goods = lines(r, w, r.int(2, l.pages === 2 ? 9 : 5))
  const net = cents(goods.reduce((sum, g) => sum + g.amount, 0))
  const byRate = w.rates
    .map((rate) => {
      const base = cents(goods.filter((g) => g.rate === rate).reduce((s, g) => s + g.amount, 0))
      return { rate, base, tax: cents((base * rate) / 100) }
    })
    .filter((t) => t.base > 0)
  const tax = cents(byRate.reduce((sum, t) => sum + t.tax, 0))
  const total = cents(net + tax)
  const prepaid = l.totals === 'prepaid' ? cents(Math.floor(total * 0.3)) : 0
  const [year, month, date] = [2024, r.int(2, 11), r.int(13, 27)]
  const id = r.pick([
    `${year}-${r.digits(4)}`,
    `R${r.digits(5)}`,
    `${r.digits(6)}`,
    `AB/${r.digits(3)}/${year}`,
  ])
  const seller = r.pick(w.sellers)
  const buyer = r.pick(w.buyers)
  const [street, city] = [r.pick(w.streets), r.pick(w.cities)]
  const [buyerStreet, buyerCity] = [r.pick(w.streets), r.pick(w.cities)]
  const issued = w.day(year, month, date)
  const delivered = w.day(year, month, date - 9)
  const due = w.day(year, month + 1, date - 1)
  const money = (value: number): string => w.number2(value)
  const page = new Page()
  const pages = [page]

  // The seller.
  if (l.seller === 'line') {
    page.at(60, `${seller} - ${street} - ${city}`, { size: 7, y: 110 })
  } else {
    const x = l.seller === 'left' ? 60 : 360
    page.at(x, seller, { size: 14 })
    page.down(18)
    page.at(x, street)
    page.down()
    page.at(x, city)
    page.down()
    page.at(x, `${w.vatId} ${w.country}${r.digits(9)}`)
  }
  // The buyer.
  page.y = 130
  if (l.buyer === 'pair') page.at(60, `${w.buyer}: ${buyer}`)
  else {
    if (l.buyer === 'labelled') {
      page.at(60, w.buyer, { size: 8 })
      page.down()
    }
    page.at(60, buyer)
  }
  page.down()
  page.at(60, buyerStreet)
  page.down()
  page.at(60, buyerCity)
  // Title and numbers.
  page.y = 220
  const meta: [string, string][] = [
    [w.customerNo, r.digits(5)],
    [w.order, `B${r.digits(4)}`],
    [w.delivery, delivered],
    [w.due, due],
  ]
  if (l.title === 'plain') {
    page.at(60, w.invoice, { size: 18 })
    meta.unshift([w.number, id], [w.date, issued])
  } else {
    const name = l.title === 'compound' ? w.invoice : `${w.commercial} (380)`
    page.at(
      60,
      `${name} Nr. ${id} ${w.of} ${issued}`.replace(
        'Nr.',
        language === 'en'
          ? 'No.'
          : language === 'fr' || language === 'it'
            ? 'n°'
            : language === 'es' || language === 'pt'
              ? 'nº'
              : 'Nr.',
      ),
      { size: 13 },
    )
  }
  page.down(24)
  if (l.meta === 'heads') {
    const step = 480 / meta.length
    for (const [i, [label]] of meta.entries()) page.at(60 + i * step, label, { size: 7 })
    page.down(12)
    for (const [i, [, value]] of meta.entries()) page.at(60 + i * step, value, { size: 8 })
    page.down()
  } else
    for (const [label, value] of meta) {
      if (l.meta === 'pairs') {
        page.at(340, label)
        page.at(540, value, { right: true })
      } else if (l.meta === 'colons') page.at(60, `${label}: ${value}`)
      else {
        page.at(340, `${label.replaceAll(' ', '')}:`)
        page.at(470, value)
      }
      page.down()
    }
  // Goods.
  page.y += 20
  const columns: [string, number, (g: (typeof goods)[number], i: number) => string, boolean][] = [
    ...(l.table === 'full' || l.table === 'taxed'
      ? [[w.position, 60, (_, i) => String(i + 1), false] as (typeof columns)[number]]
      : []),
    ...(l.table === 'code' ? [[w.code, 60, (g) => g.code, false] as (typeof columns)[number]] : []),
    [
      w.description,
      l.table === 'short' || l.table === 'below' ? 60 : 105,
      (g) => (l.table === 'below' ? g.code : g.description),
      false,
    ],
    [w.quantity, 330, (g) => String(g.quantity), true],
    ...(l.table === 'full'
      ? [[w.unit, 345, (g) => g.unit, false] as (typeof columns)[number]]
      : []),
    [w.price, 440, (g) => money(g.price), true],
    ...(l.table === 'taxed'
      ? [[w.taxColumn, 475, (g) => `${g.rate} %`, true] as (typeof columns)[number]]
      : []),
    [w.amount, 545, (g) => money(g.amount), true],
  ]
  let here = page
  const head = (): void => {
    for (const [label, x, , right] of columns) here.at(x, label, { right, size: 8 })
    here.down(16)
  }
  head()
  for (const [i, g] of goods.entries()) {
    if (l.pages === 2 && i === Math.ceil(goods.length / 2)) {
      here.at(330, w.carried)
      here.at(545, money(cents(goods.slice(0, i).reduce((s, o) => s + o.amount, 0))), {
        right: true,
      })
      here = new Page()
      pages.push(here)
      here.at(480, `${w.page} 2`, { size: 8 })
      here.down(30)
      head()
    }
    for (const [, x, value, right] of columns) here.at(x, value(g, i), { right, size: 9 })
    here.down()
    if (l.table === 'below') {
      here.at(60, g.description, { size: 9 })
      here.down(15)
    }
  }
  // Sums.
  here.down(12)
  const sum = (label: string, value: number, size = 10): void => {
    here.at(l.totals === 'left' ? 60 : 330, label, { size })
    here.at(
      l.totals === 'left' ? 300 : 545,
      `${money(value)}${l.totals === 'left' ? ` ${w.currency}` : ''}`,
      { right: true, size },
    )
    here.down()
  }
  if (l.totals === 'summary') {
    for (const [x, label] of [
      [90, w.rate],
      [200, w.base],
      [310, w.tax],
      [430, w.gross],
    ] as const)
      here.at(x, label, { right: true, size: 8 })
    here.down()
    for (const t of byRate) {
      here.at(90, `${t.rate} %`, { right: true, size: 9 })
      here.at(200, money(t.base), { right: true, size: 9 })
      here.at(310, money(t.tax), { right: true, size: 9 })
      here.at(430, money(cents(t.base + t.tax)), { right: true, size: 9 })
      here.down()
    }
    here.down(8)
    sum(w.net, net)
    sum(`${w.tax}`, tax)
    sum(`${w.gross} ${w.currency}`, total, 12)
  } else {
    sum(w.net, net)
    for (const t of byRate)
      sum(`${w.tax} ${t.rate} %${byRate.length > 1 ? ` (${money(t.base)})` : ''}`, t.tax)
    sum(w.gross, total, 11)
    if (prepaid > 0) {
      sum(w.prepaid, -prepaid)
      sum(w.payable, cents(total - prepaid), 11)
    }
  }
  here.down(20)
  here.at(60, w.thanks, { size: 9 })
  if (l.seller === 'line') {
    here.y = 790
    here.at(60, `${seller}, ${street}, ${city}, ${w.vatId} ${w.country}${r.digits(9)}`, { size: 7 })
  }

  const rows = pages.flatMap((p, at) =>
    rowsOfPage(p.words, at, 0, { width: WIDTH, height: HEIGHT }),
  )
  for (const [index, row] of rows.entries()) row.index = index
  const pad = (n: number): string => String(n).padStart(2, '0')
  return {
    name: `${language}-${layout}-${seed}`,
    document: { rows, source: 'pdf', hasGeometry: true, legibility: 1, pages: pages.length },
    pages: pages.map(({ phrases }) => phrases),
    truth: {
      total,
      subtotal: net,
      tax,
      date: `${year}-${pad(month)}-${pad(date)}`,
      id,
      seller,
      buyer,
      buyerAddress: [buyerStreet, buyerCity],
      due: `${year}-${pad(month + 1)}-${pad(date - 1)}`,
      goods: goods.map(({ description, quantity, amount, rate }) => ({
        description,
        quantity,
        amount,
        rate: l.table === 'taxed' ? rate : null,
      })),
    },
  }
}
