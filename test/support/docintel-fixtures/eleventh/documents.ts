/**
 * The eleventh set of invoices and receipts in layouts that others wrote, none of which the first ten have.
 * It was frozen before the code met it and is sealed as a whole: no rule was written for it, its faults and
 * the shares of its single layouts are shown to nobody. The layouts are those of seven classes and packages
 * of TeX Live, two macro packages of GNU roff, three themes of npm, LibreOffice's letter wizard and
 * Tryton's papers of sales and stock, which ask for no money.
 */
import { join } from 'node:path'
import { AMERICAN, CANADIAN, round, SWISS, untaxed } from '../fourth/sales.ts'
import { typesetTex } from '../fourth/typeset.ts'
import { keptDrawer, type KeptDrawer } from '../fresh/kept.ts'
import { digestOf, paperAdder, type PaperOfKind } from '../others/parts.ts'
import { MANNERS, type Manner } from '../others/sale.ts'
import { drawOpenDocument } from '../others/soffice.ts'
import { namedOrderMaker } from '../tenth/named.ts'
import { letterTex, type LetterClass } from './letters.ts'
import {
  drawTryton,
  trytonJob,
  wizardContent,
  wizardPath,
  WIZARD_LETTERS,
  type TrytonPaper,
} from './office.ts'
import { themedPage, themePage, type Theme } from './pages.ts'
import { drawRoff, letterRoff, type RoffMacros } from './roff.ts'
import { letterOf, type Letter } from './sums.ts'

type Maker = LetterClass | RoffMacros | Theme | 'libreoffice-wizard' | 'tryton'

export type EleventhDocument = PaperOfKind<
  Maker,
  'invoice' | 'credit_note' | 'none',
  | { by: 'tex' | 'tryton'; text: string }
  | { by: 'roff'; macros: RoffMacros; text: string }
  | { by: 'theme'; theme: Theme; text: string }
  | { by: 'odt'; template: string; text: string }
>

const IRISH: Manner = { ...MANNERS['en']!, rates: [23, 13.5], currency: 'EUR' }

type Letters = readonly (readonly [string, Manner?])[]
const TEX: readonly (readonly [LetterClass, Letters])[] = [
  ['akletter', [['de'], ['en', AMERICAN], ['fr'], ['de', SWISS['de']!]]],
  ['brief', [['nl'], ['nl'], ['nl'], ['nl']]],
  [
    'chletter',
    [
      ['fr', SWISS['fr']!],
      ['it', SWISS['it']!],
      ['de', SWISS['de']!],
      ['en', SWISS['en']!],
    ],
  ],
  ['frletter', [['fr'], ['fr'], ['fr']]],
  ['fullblck', [['en'], ['pt'], ['en', CANADIAN], ['sv']]],
  ['letteracdp', [['it'], ['it'], ['it'], ['it']]],
  ['yaletter', [['en', AMERICAN], ['nb'], ['es'], ['en']]],
]
const ROFF: readonly (readonly [RoffMacros, Letters])[] = [
  ['mm', [['en', AMERICAN], ['nb'], ['es'], ['fi']]],
  ['mom', [['en', IRISH], ['da'], ['pt'], ['sv']]],
]
const WIZARD = ['cs', 'hu', 'pl', 'fi', 'en'] as const
const THEMED: readonly (readonly [Theme, readonly (readonly [Manner, string])[]])[] = [
  [
    'gentelella-1',
    [
      [AMERICAN, '$'],
      [MANNERS['en']!, '£'],
      [CANADIAN, '$'],
      [IRISH, '€'],
    ],
  ],
  [
    'tabler-ui',
    [
      [AMERICAN, '$'],
      [IRISH, '€'],
      [MANNERS['en']!, '£'],
    ],
  ],
  [
    'vali-admin',
    [
      [MANNERS['en']!, '£'],
      [AMERICAN, '$'],
      [IRISH, '€'],
    ],
  ],
]
const PAPERS: readonly (readonly [TrytonPaper, string])[] = [
  ['quotation', 'de'],
  ['quotation', 'fr'],
  ['quotation', 'en'],
  ['order', 'es'],
  ['order', 'nl'],
  ['delivery', 'it'],
  ['delivery', 'pl'],
  ['delivery', 'en'],
]

/** Every document in a fixed order, and the SHA-256 of all of them with their truth. */
export async function eleventhDocuments(
  folder: string,
): Promise<{ documents: EleventhDocument[]; sha256: string }> {
  const order = namedOrderMaker(folder)
  const documents: EleventhDocument[] = []
  const add = paperAdder(documents)
  /** The `place`th letter of all; a sixth of them print no tax. */
  const addLetter = (
    maker: Maker,
    language: string,
    at: number,
    place: number,
    manner: Manner,
    drawnAs: (letter: Letter) => EleventhDocument['drawn'],
  ): void => {
    const isTaxed = place % 6 !== 4
    const isCredit = place % 7 === 2
    const made = order(language, manner, 1_100_100 + place, place, { most: 7 })
    const shipping = place % 4 === 1 ? 12.9 : 0
    const off = place % 5 === 3 ? 4.75 : 0
    const taxed = isTaxed ? made.truth : untaxed(made.truth)
    const truth = { ...taxed, total: round(taxed.total + shipping - off) }
    const letter = letterOf(made, truth, language, manner, { isTaxed, isCredit, shipping, off })
    const absent = [...(isCredit ? ['due'] : []), ...(isTaxed ? [] : ['net', 'vat'])]
    const kind = isCredit ? 'credit_note' : 'invoice'
    add(maker, language, at, kind, manner.currency, truth, absent, drawnAs(letter))
  }

  let place = 0
  for (const [by, letters] of TEX)
    for (const [at, [language, manner]] of letters.entries())
      addLetter(by, language, at, place++, manner ?? MANNERS[language]!, (letter) => ({
        by: 'tex',
        text: letterTex(letter, by, language, at),
      }))
  for (const [macros, letters] of ROFF)
    for (const [at, [language, manner]] of letters.entries())
      addLetter(macros, language, at, place++, manner ?? MANNERS[language]!, (letter) => ({
        by: 'roff',
        macros,
        text: letterRoff(letter, macros, at),
      }))
  for (const [at, language] of WIZARD.entries()) {
    const layout = WIZARD_LETTERS[at % WIZARD_LETTERS.length]!
    addLetter('libreoffice-wizard', language, at, place++, MANNERS[language]!, (letter) => ({
      by: 'odt',
      template: wizardPath(layout),
      text: wizardContent(folder, layout, letter),
    }))
  }
  for (const [number, [theme, manners]] of THEMED.entries())
    for (const [at, [manner, sign]] of manners.entries()) {
      const seed = 1_100_300 + 10 * number + at
      const made = order('en', manner, seed, at, { isOneRate: true, isLate: true, most: 12 })
      const shipping = theme === 'gentelella-1' ? 5.8 + at : 0
      const truth = { ...made.truth, total: round(made.truth.total + shipping) }
      // Tabler prints no day, and its number only on a screen; Vali no sums at all.
      const absent = {
        'gentelella-1': [],
        'tabler-ui': ['date', 'due', 'id'],
        'vali-admin': ['total', 'net', 'vat'],
      }[theme]
      const text = themePage(folder, theme, made, truth, sign, shipping)
      // A bare sign of the dollar is no certain currency.
      const currency = sign === '$' && manner === CANADIAN ? '' : manner.currency
      add(theme, 'en', at, 'invoice', currency, truth, absent, { by: 'theme', theme, text })
    }
  for (const [at, [paper, language]] of PAPERS.entries()) {
    const manner = MANNERS[language]!
    const made = order(language, manner, 1_100_400 + at, at, { most: 9 })
    const text = trytonJob(folder, paper, made, language, manner)
    add('tryton', language, at, 'none', manner.currency, made.truth, [], { by: 'tryton', text })
  }
  return { documents, sha256: digestOf(documents) }
}

/** Draws documents as PDF with LaTeX, GNU roff, Chromium or LibreOffice. */
export const eleventhDrawer = (folder: string): KeptDrawer<EleventhDocument> =>
  keptDrawer(folder, 'eleventh', async ({ drawn }, print) => {
    switch (drawn.by) {
      case 'tex':
        return typesetTex(drawn.text)
      case 'roff':
        return drawRoff(drawn.text, drawn.macros)
      case 'theme':
        return await print(themedPage(folder, drawn.theme, drawn.text))
      case 'odt':
        return drawOpenDocument(join(folder, drawn.template), drawn.text)
      case 'tryton':
        return drawTryton(folder, drawn.text)
    }
  })
