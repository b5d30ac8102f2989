/**
 * The eighth set of invoices and receipts in layouts that others wrote, none of which the first seven have.
 * It was frozen before the code met it and is sealed as a whole: no rule was written for it, its faults and
 * the shares of its single layouts are shown to nobody. The layouts are those of a class of TeX Live, two
 * programs of Debian and four makers of npm.
 */
import { AMERICAN, round, untaxed, type Good } from '../fourth/sales.ts'
import { typesetTex } from '../fourth/typeset.ts'
import { keptDrawer, type KeptDrawer } from '../fresh/kept.ts'
import { digestOf, type MadeDocument } from '../others/parts.ts'
import { MANNERS, type SaleTruth } from '../others/sale.ts'
import { drawRtf } from '../others/soffice.ts'
import { orderMaker, withSums, type Order } from '../sixth/orders.ts'
import {
  hotelOrder,
  hotelPaper,
  receiptTruth,
  type HotelLanguage,
  type HotelPaper,
} from './hotel.ts'
import { FACTURE_OPTIONS, factureTex, gnumedTex, patientOf } from './letters.ts'
import { rollLines, rollPage, rollTruth, type RollLine } from './rolls.ts'
import { ecomplusPage, equationPage, equationStyled, reactionPage } from './shops.ts'

type Maker =
  | 'ecomplus'
  | 'electron-pos-printer'
  | 'equation'
  | 'facture'
  | 'gnumed'
  | 'hoteldruid'
  | 'reaction'

export interface EighthDocument extends MadeDocument<Maker> {
  drawn:
    | { by: 'html' | 'equation' | 'tex' | 'xetex' | 'rtf'; text: string }
    | { by: 'roll'; lines: RollLine[]; width: string }
}

const ROLLS = ['de', 'fr', 'it', 'es', 'nl', 'en', 'sv', 'pl', 'nl', 'de'] as const
const HOTELS: readonly (readonly [HotelLanguage, HotelPaper])[] = [
  ['it', 'bill'],
  ['en', 'bill'],
  ['es', 'bill'],
  ['it', 'bill as RTF'],
  ['es', 'bill as RTF'],
  ['en', 'bill as RTF'],
  ['es', 'receipt'],
  ['it', 'bill'],
  ['it', 'receipt'],
  ['en', 'receipt'],
]

const singlePiece = (good: Good): Good => ({ ...good, quantity: 1, amount: good.price })

/** Every document in a fixed order, and the SHA-256 of all of them with their truth. */
export async function eighthDocuments(
  folder: string,
): Promise<{ documents: EighthDocument[]; sha256: string }> {
  const order = orderMaker(folder)
  const documents: EighthDocument[] = []
  const add = (
    maker: Maker,
    language: string,
    at: number,
    truth: SaleTruth,
    absent: readonly string[],
    drawn: EighthDocument['drawn'],
  ): void =>
    void documents.push({
      name: `${maker} ${language} ${at}`,
      maker,
      language,
      truth,
      absent,
      drawn,
    })
  const severalRates = ({ taxes }: Order): boolean => taxes.length > 1

  for (const [at, language] of (['br', 'en', 'br', 'br', 'en', 'br', 'en'] as const).entries()) {
    const isBrazilian = language === 'br'
    const manner = isBrazilian ? MANNERS['br']! : AMERICAN
    const made = order(manner, 800_100 + at, at, { isOneRate: true, most: 12 })
    const freight = at % 2 === 0 ? 18.9 : 0
    const bare = isBrazilian ? untaxed(made.truth) : made.truth
    const truth = { ...bare, total: round(bare.total + freight) }
    const page = await ecomplusPage(
      folder,
      { ...made, truth },
      isBrazilian ? 'pt_br' : 'en_us',
      freight,
    )
    const absent = ['date', 'due', 'buyer', ...(isBrazilian ? ['vat'] : [])]
    add('ecomplus', language, at, truth, absent, { by: 'html', text: page })
  }
  for (const [at, language] of ROLLS.entries()) {
    const manner = MANNERS[language]!
    const made = order(manner, 800_200 + at, at, { most: 14, isLate: true })
    const isWide = at % 2 === 0
    const lines = rollLines(made, language, manner, isWide)
    const absent = ['due', 'buyer', ...(severalRates(made) ? ['net', 'vat'] : [])]
    const width = isWide ? '300px' : '250px'
    const { truth } = rollTruth(made)
    add('electron-pos-printer', language, at, truth, absent, { by: 'roll', lines, width })
  }
  for (let at = 0; at < 7; at++) {
    const isBritish = at % 3 === 2
    const made = order(isBritish ? MANNERS['en']! : AMERICAN, 800_300 + at, at)
    const text = equationPage(folder, made, isBritish ? '£' : '$')
    add('equation', 'en', at, made.truth, ['due'], { by: 'equation', text })
  }
  for (let at = 0; at < 8; at++) {
    const options = FACTURE_OPTIONS[at % FACTURE_OPTIONS.length]!
    const made = order(MANNERS['fr']!, 800_400 + at, at, { most: 9 })
    const isTaxed = !options.startsWith('sansTVA')
    // The class adds up taxes that are not rounded.
    const tax = round(made.goods.reduce((sum, { amount, rate }) => sum + (amount * rate) / 100, 0))
    const taxed = { ...made.truth, vat: tax, total: round(made.truth.net + tax) }
    const truth = isTaxed ? taxed : untaxed(made.truth)
    const text = factureTex(made, options, at % 4 === 3)
    add('facture', 'fr', at, truth, isTaxed ? [] : ['net', 'vat'], { by: 'xetex', text })
  }
  for (let at = 0; at < 7; at++) {
    const hasTax = at % 3 !== 2
    const made = order(MANNERS['de']!, 800_500 + at, at, { isOneRate: true, most: 9 })
    const named = { ...made.truth, buyer: patientOf(made.sale) }
    const truth = hasTax ? named : untaxed(named)
    const absent = ['due', ...(hasTax ? [] : ['net', 'vat'])]
    add('gnumed', 'de', at, truth, absent, { by: 'tex', text: gnumedTex(folder, made, hasTax) })
  }
  for (const [at, [language, paper]] of HOTELS.entries()) {
    const manner = MANNERS[language]!
    const made = hotelOrder(order(manner, 800_600 + at, at, { most: 7, isLate: true }), language)
    const text = hotelPaper(folder, made, language, manner, paper)
    const isReceipt = paper === 'receipt'
    const truth = isReceipt ? receiptTruth(made, language) : made.truth
    const absent = ['due', ...(isReceipt ? ['net', 'vat'] : [])]
    add('hoteldruid', language, at, truth, absent, {
      by: paper === 'bill as RTF' ? 'rtf' : 'html',
      text,
    })
  }
  for (let at = 0; at < 6; at++) {
    const drawn = order(AMERICAN, 800_700 + at, at, { isOneRate: true, most: 12, isLate: true })
    const isOfSinglePieces = at % 3 !== 1
    const made = isOfSinglePieces ? withSums(drawn.sale, drawn.goods.map(singlePiece)) : drawn
    const shipping = at % 2 === 0 ? 7.5 : 0
    const truth = { ...made.truth, total: round(made.truth.total + shipping) }
    // It prints the price of one piece, not the amount of a row.
    const absent = ['due', ...(isOfSinglePieces ? [] : ['goods', 'goods without marks'])]
    const text = await reactionPage(folder, { ...made, truth }, shipping)
    add('reaction', 'en', at, truth, absent, { by: 'html', text })
  }
  return { documents, sha256: digestOf(documents) }
}

/** Draws documents as PDF with LaTeX, LibreOffice or Chromium. */
export const eighthDrawer = (folder: string): KeptDrawer<EighthDocument> =>
  keptDrawer(folder, 'eighth', async ({ drawn }, print) => {
    switch (drawn.by) {
      case 'html':
        return await print(drawn.text)
      case 'equation':
        return await print(equationStyled(folder, drawn.text))
      case 'roll':
        return await print(rollPage(folder, drawn.lines, drawn.width))
      case 'tex':
        return typesetTex(drawn.text)
      case 'xetex':
        return typesetTex(drawn.text, 'xelatex')
      case 'rtf':
        return drawRtf(drawn.text)
    }
  })
