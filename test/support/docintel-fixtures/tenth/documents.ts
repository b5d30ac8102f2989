/**
 * The tenth set of invoices and receipts in layouts that others wrote, none of which the first nine have.
 * It was frozen before the code met it and is sealed as a whole: no rule was written for it, its faults and
 * the shares of its single layouts are shown to nobody. The layouts are those of three classes of TeX Live,
 * three programs of Debian and three makers of npm; some of its papers ask for no money.
 */
import { join } from 'node:path'
import { AMERICAN, CANADIAN, round, SWISS, untaxed, type Good } from '../fourth/sales.ts'
import { typesetTex } from '../fourth/typeset.ts'
import { keptDrawer, type KeptDrawer } from '../fresh/kept.ts'
import { digestOf, paperAdder, type PaperOfKind } from '../others/parts.ts'
import { MANNERS, type Manner } from '../others/sale.ts'
import { drawOpenDocument } from '../others/soffice.ts'
import { grossTruth, withSums, type Order } from '../sixth/orders.ts'
import { letterTex, type LetterClass } from './letters.ts'
import { LETTERS, officeContent, RELATORIO, relatorioContent } from './office.ts'
import { namedOrderMaker } from './named.ts'
import { sheetOf, type Sheet } from './sheets.ts'
import { evershopPage, thermalPage, unchainedPage } from './shops.ts'

type Maker =
  | 'calligra'
  | 'evershop'
  | 'libreoffice'
  | 'node-thermal-printer'
  | 'relatorio'
  | 'unchained'
  | LetterClass

export type TenthDocument = PaperOfKind<
  Maker,
  'invoice' | 'receipt' | 'credit_note' | 'none',
  { by: 'html' | 'tex'; text: string } | { by: 'odt'; template: string; text: string }
>

const THERMAL = ['de', 'fr', 'it', 'es', 'nl', 'sv', 'pl', 'da', 'fi', 'cs', 'pt'] as const
const OFFICE = ['en', 'nb', 'fi', 'da', 'cs', 'hu', 'en', 'sv', 'nb', 'en'] as const
const RELATORIOS = ['en', 'de', 'fr', 'es', 'pt', 'nl', 'pl', 'it'] as const
const LETTER_TYPES: readonly (readonly [LetterClass, string, Manner])[] = [
  ['g-brief', 'de', MANNERS['de']!],
  ['g-brief', 'en', MANNERS['en']!],
  ['g-brief', 'de', SWISS['de']!],
  ['g-brief', 'de', MANNERS['de']!],
  ['g-brief', 'en', AMERICAN],
  ['g-brief', 'de', MANNERS['de']!],
  ['dinbrief', 'de', MANNERS['de']!],
  ['dinbrief', 'de', SWISS['de']!],
  ['dinbrief', 'de', MANNERS['de']!],
  ['dinbrief', 'de', MANNERS['de']!],
  ['dinbrief', 'de', MANNERS['de']!],
  ['lettre', 'fr', MANNERS['fr']!],
  ['lettre', 'fr', SWISS['fr']!],
  ['lettre', 'en', SWISS['en']!],
  ['lettre', 'fr', MANNERS['fr']!],
  ['lettre', 'fr', SWISS['fr']!],
  ['lettre', 'fr', MANNERS['fr']!],
]

const withNames = (made: Order, { truth: { seller, buyer } }: Order): Order => ({
  ...made,
  truth: { ...made.truth, seller, buyer },
})

const singlePiece = (good: Good): Good => ({ ...good, quantity: 1, amount: good.price })

/** Every document in a fixed order, and the SHA-256 of all of them with their truth. */
export async function tenthDocuments(
  folder: string,
): Promise<{ documents: TenthDocument[]; sha256: string }> {
  const order = namedOrderMaker(folder)
  const documents: TenthDocument[] = []
  const add = paperAdder(documents)
  const several = ({ taxes }: Order): boolean => taxes.length > 1

  for (const [at, [by, language, manner]] of LETTER_TYPES.entries()) {
    const isTaxed = at % 4 !== 3
    const isCredit = at === 5 || at === 10 || at === 16
    const made = order(language, manner, 1_000_100 + at, at, { most: 9 })
    const truth = isTaxed ? made.truth : untaxed(made.truth)
    const absent = [...(isCredit ? ['due'] : []), ...(isTaxed ? [] : ['net', 'vat'])]
    const text = letterTex(made, by, language, manner, { isTaxed, isCredit })
    const kind = isCredit ? 'credit_note' : 'invoice'
    add(by, language, at, kind, manner.currency, truth, absent, { by: 'tex', text })
  }
  for (const [at, language] of OFFICE.entries()) {
    const manner = at === 6 ? AMERICAN : MANNERS[language]!
    const isCredit = at === 7
    const isTaxed = at !== 6
    const made = order(language, manner, 1_000_200 + at, at)
    const shipping = at % 3 === 1 ? 14.5 : 0
    const off = at % 4 === 2 ? 7.25 : 0
    const taxed = isTaxed ? made.truth : untaxed(made.truth)
    const truth = { ...taxed, total: round(taxed.total + shipping - off) }
    const layout = at % 2 === 0 ? 'serif' : 'sans'
    const text = officeContent(folder, { ...made, truth }, layout, language, manner, {
      isCredit,
      isTaxed,
      shipping,
      off,
    })
    const absent = [...(isCredit ? ['due'] : []), ...(isTaxed ? [] : ['net', 'vat'])]
    const kind = isCredit ? 'credit_note' : 'invoice'
    const template = LETTERS[layout]
    const drawn = { by: 'odt', template, text } as const
    add('libreoffice', language, at, kind, manner.currency, truth, absent, drawn)
  }
  for (const [at, language] of RELATORIOS.entries()) {
    const manner = MANNERS[language]!
    const made = order(language, manner, 1_000_300 + at, at)
    const text = relatorioContent(folder, made, language, manner)
    const drawn = { by: 'odt', template: RELATORIO, text } as const
    // Its head is a picture, and it prints no day and no currency.
    add('relatorio', language, at, 'invoice', '', made.truth, ['date', 'due'], drawn)
  }
  for (const [at, language] of (['en', 'de', 'fr', 'es', 'en', 'de', 'fr'] as const).entries()) {
    const manner = at === 4 ? AMERICAN : MANNERS[language]!
    const made = order(language, manner, 1_000_400 + at, at, { most: 12, isLate: true })
    const text = sheetOf(folder, 'Invoice', made, language, manner)
    const truth = untaxed(made.truth)
    const drawn = { by: 'html', text } as const
    add('calligra', language, at, 'invoice', manner.currency, truth, ['due', 'net', 'vat'], drawn)
  }
  for (const [at, sheet] of (
    ['PriceQuotation', 'PackingSlip', 'PriceQuotation', 'PackingSlip'] as Sheet[]
  ).entries()) {
    const made = order('en', at < 2 ? AMERICAN : MANNERS['en']!, 1_000_450 + at, at, { most: 11 })
    const text = sheetOf(folder, sheet, made, 'en', at < 2 ? AMERICAN : MANNERS['en']!)
    add('calligra', 'en', 10 + at, 'none', '', made.truth, [], { by: 'html', text })
  }
  for (const [at, language] of (
    ['en', 'fr', 'sv', 'en', 'da', 'en', 'fr', 'sv'] as const
  ).entries()) {
    const manner =
      at === 0 ? AMERICAN : at === 3 ? CANADIAN : MANNERS[language === 'en' ? 'en' : language]!
    const drawnOrder = order(language, manner, 1_000_500 + at, at, { isOneRate: true, most: 7 })
    const isOfSinglePieces = at % 3 !== 1
    const made = isOfSinglePieces
      ? withNames(withSums(drawnOrder.sale, drawnOrder.goods.map(singlePiece)), drawnOrder)
      : drawnOrder
    const shipping = at % 2 === 0 ? 6.9 : 0
    const off = at % 4 === 3 ? 5 : 0
    const truth = { ...made.truth, total: round(made.truth.total + shipping - off) }
    const text = evershopPage(folder, { ...made, truth }, language, manner, { shipping, off })
    // It prints the shop's address without its name, and the price of one piece.
    const absent = ['due', 'seller', ...(isOfSinglePieces ? [] : ['goods', 'goods without marks'])]
    add('evershop', language, at, 'receipt', manner.currency, truth, absent, { by: 'html', text })
  }
  for (const [at, language] of THERMAL.entries()) {
    const manner = MANNERS[language]!
    const made = order(language, manner, 1_000_600 + at, at, { most: 14, isLate: true })
    const { text, truth } = thermalPage(folder, made, language, manner, at % 2 === 0)
    const absent = ['due', 'buyer', ...(several(made) ? ['net', 'vat'] : [])]
    const drawn = { by: 'html', text } as const
    add('node-thermal-printer', language, at, 'receipt', manner.currency, truth, absent, drawn)
  }
  for (let at = 0; at < 4; at++) {
    const made = order('en', SWISS['en']!, 1_000_700 + at, at, { isOneRate: true, most: 8 })
    const truth = grossTruth(made.truth, made.taxes[0]!.rate, 0)
    // Its sum of goods holds the tax.
    const text = unchainedPage(folder, { ...made, truth: { ...truth, net: truth.total } })
    add('unchained', 'en', at, 'none', 'CHF', truth, [], { by: 'html', text })
  }
  return { documents, sha256: digestOf(documents) }
}

/** Draws documents as PDF with LaTeX, LibreOffice or Chromium. */
export const tenthDrawer = (folder: string): KeptDrawer<TenthDocument> =>
  keptDrawer(folder, 'tenth', async ({ drawn }, print) => {
    switch (drawn.by) {
      case 'html':
        return await print(drawn.text)
      case 'tex':
        return typesetTex(drawn.text)
      case 'odt':
        return drawOpenDocument(join(folder, drawn.template), drawn.text)
    }
  })
