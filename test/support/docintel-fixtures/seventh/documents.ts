/**
 * The seventh set of invoices and receipts in layouts that others wrote, none of which the first six
 * have. It was frozen before the code met it, and no rule was written for it. The layouts are those of
 * two classes of TeX Live and nine makers of npm. Of the makers in the order of the alphabet every third,
 * from the second on, is open to those who write rules; the documents of the others are only counted.
 */
import { join } from 'node:path'
import { MAIL_WORDS } from '../fifth/mails.ts'
import { AMERICAN, untaxed } from '../fourth/sales.ts'
import { typesetTex } from '../fourth/typeset.ts'
import { keptDrawer, type KeptDrawer } from '../fresh/kept.ts'
import { digestOf, everyThirdOpen, type MadeDocument, type Part } from '../others/parts.ts'
import { MANNERS, type SaleTruth } from '../others/sale.ts'
import { grossTruth, orderMaker, type Order } from '../sixth/orders.ts'
import {
  facturaId,
  facturaTex,
  ISODOC_LANGUAGES,
  isodocTex,
  VENEZUELAN,
  type IsodocLanguage,
} from './letters.ts'
import {
  drawHungarian,
  hungarianInvoice,
  hungarianTruth,
  inForints,
  invoicerPage,
  invoicerStyles,
  invoicerTruth,
  type HungarianInvoice,
} from './own-pages.ts'
import { brickElement, brickOrder, brickPage } from './bricks.ts'
import {
  ACCOUNTING_STYLES,
  accountingPage,
  generatedId,
  generatedPage,
  generatedTruth,
  simplePage,
} from './packages.ts'
import { POS_LAYOUTS, posPage } from './pos.ts'
import { nfceId, nfceXml, pointOfSalePage } from './tills.ts'

const MAKERS = [
  'accountingbox',
  'factura',
  'generate-invoice',
  'hb-page-invoice',
  'html-invoicer',
  'isodoc',
  'node-sped-pdf',
  'pdf-invoice-hu',
  'point-of-sale',
  'react-pos-engine',
  'react-simple-invoice',
] as const
type Maker = (typeof MAKERS)[number]

export const partOf = everyThirdOpen(MAKERS)

export interface SeventhDocument extends MadeDocument<Maker> {
  drawn:
    | { by: 'html' | 'invoicer' | 'brick' | 'tex' | 'nfce'; text: string }
    | { by: 'hungarian'; invoice: HungarianInvoice }
}

const FACTURA_OPTIONS = [
  'numitem',
  'filas',
  'duc',
  'iva',
  'monedaceldas',
  'numitem,dcu',
  'agrupatotales',
]

/** Every document of a part in a fixed order, and the SHA-256 of all of them with their truth. */
export async function seventhDocuments(
  folder: string,
  part: Part,
): Promise<{ documents: SeventhDocument[]; sha256: string }> {
  const order = orderMaker(folder)
  const documents: SeventhDocument[] = []
  const add = (
    maker: Maker,
    language: string,
    at: number,
    truth: SaleTruth,
    absent: readonly string[],
    drawn: SeventhDocument['drawn'],
  ): void =>
    void documents.push({
      name: `${maker} ${language} ${at}`,
      maker,
      language,
      truth,
      absent,
      drawn,
    })
  /** What is printed of the taxes of an order: with two rates no sum of them. */
  const sumsOf = ({ taxes }: Order, fields: readonly string[]): readonly string[] =>
    taxes.length > 1 ? fields : []

  const draw: Readonly<Record<Maker, () => Promise<void> | void>> = {
    async accountingbox() {
      for (const [at, language] of (
        ['nl', 'nl', 'en', 'nl', 'nl', 'en', 'nl', 'en'] as const
      ).entries()) {
        const manner = MANNERS[language]!
        const made = order(manner, 700_100 + at, at)
        const style = ACCOUNTING_STYLES[at % ACCOUNTING_STYLES.length]!
        const text = await accountingPage(folder, made, language, manner, style)
        add('accountingbox', language, at, made.truth, sumsOf(made, ['vat']), { by: 'html', text })
      }
    },
    factura() {
      for (const [at, options] of FACTURA_OPTIONS.entries()) {
        const made = order(VENEZUELAN, 700_200 + at, at, { most: 9, isLate: true })
        const truth = { ...made.truth, id: facturaId(made.truth) }
        const text = facturaTex(made, options)
        add('factura', 'es', at, truth, sumsOf(made, ['net', 'vat']), { by: 'tex', text })
      }
    },
    'generate-invoice'() {
      for (const [at, language] of (['fi', 'en', 'fi', 'fi', 'en', 'fi'] as const).entries()) {
        const isFinnish = language === 'fi'
        const made = order(MANNERS[language]!, 700_300 + at, at, { isOneRate: true })
        const truth = { ...generatedTruth(made), id: generatedId(folder, made) }
        const text = generatedPage(folder, made, language, (sum) =>
          isFinnish ? `${sum} €` : `£${sum}`,
        )
        // The Finnish page calls its number a reference for the payment.
        const absent = isFinnish ? ['id'] : []
        add('generate-invoice', language, at, truth, absent, { by: 'html', text })
      }
    },
    'hb-page-invoice'() {
      const manner = MANNERS['it']!
      for (let at = 0; at < 6; at++)
        for (let seed = 700_400 + at * 10; ; seed++) {
          const made = brickOrder(order(manner, seed, at, { most: 12 }))
          if (!made) continue
          const text = brickElement(made)
          add('hb-page-invoice', 'it', at, made.truth, ['due'], { by: 'brick', text })
          break
        }
    },
    'html-invoicer'() {
      for (let at = 0; at < 6; at++) {
        const made = order(MANNERS['fr']!, 700_500 + at, at, { isOneRate: true })
        const ours = { ...made, truth: invoicerTruth(made) }
        const text = invoicerPage(folder, ours)
        add('html-invoicer', 'fr', at, ours.truth, ['due'], { by: 'invoicer', text })
      }
    },
    isodoc() {
      const languages = Object.keys(ISODOC_LANGUAGES) as IsodocLanguage[]
      for (const [at, language] of [...languages, 'de', 'fr', 'nb'].entries()) {
        const known = language as IsodocLanguage
        const manner = MANNERS[known]!
        const made = order(manner, 700_600 + at, at, { most: 9 })
        const text = isodocTex(made, known, manner)
        const absent = ['due', ...sumsOf(made, ['vat'])]
        add('isodoc', language, at, made.truth, absent, { by: 'tex', text })
      }
    },
    'node-sped-pdf'() {
      for (let at = 0; at < 6; at++) {
        const made = order(MANNERS['br']!, 700_700 + at, at)
        const truth = { ...untaxed(made.truth), id: nfceId(made) }
        const absent = ['due', 'buyer', 'net', 'vat']
        add('node-sped-pdf', 'br', at, truth, absent, { by: 'nfce', text: nfceXml(made) })
      }
    },
    'pdf-invoice-hu'() {
      for (const [at, language] of (
        ['hu', 'en', 'hu', 'hu', 'en', 'hu', 'hu'] as const
      ).entries()) {
        const made = order(MANNERS['hu']!, 700_800 + at, at, { most: 9 })
        const goods = inForints(made.goods)
        const truth = hungarianTruth(made.truth, goods)
        const known = language === 'hu' ? 'hu_HU' : 'en_US'
        const invoice = hungarianInvoice(made, goods, known)
        const absent = new Set(goods.map(({ rate }) => rate)).size > 1 ? ['vat'] : []
        add('pdf-invoice-hu', language, at, truth, absent, { by: 'hungarian', invoice })
      }
    },
    'point-of-sale'() {
      for (const [at, language] of Object.keys(MAIL_WORDS).entries()) {
        const manner = MANNERS[language]!
        const made = order(manner, 700_900 + at, at, { isOneRate: true, most: 12, isLate: true })
        const ours = { ...made, truth: grossTruth(made.truth, made.taxes[0]!.rate, 0) }
        const text = pointOfSalePage(folder, ours, language, manner)
        add('point-of-sale', language, at, ours.truth, ['due', 'buyer'], { by: 'html', text })
      }
    },
    async 'react-pos-engine'() {
      for (const [at, layout] of POS_LAYOUTS.entries()) {
        const made = order(AMERICAN, 700_930 + at, at, { isOneRate: true, most: 12, isLate: true })
        const text = await posPage(folder, made, layout)
        // The slip with a promotion has no number.
        const absent = ['due', 'buyer', ...(layout === 7 ? ['id'] : [])]
        add('react-pos-engine', 'en', at, made.truth, absent, { by: 'html', text })
      }
    },
    'react-simple-invoice'() {
      for (let at = 0; at < 6; at++) {
        const made = order(AMERICAN, 700_960 + at, at)
        const text = simplePage(folder, made)
        add('react-simple-invoice', 'en', at, untaxed(made.truth), ['net', 'vat'], {
          by: 'html',
          text,
        })
      }
    },
  }
  for (const maker of MAKERS) if (partOf(maker) === part) await draw[maker]()
  return { documents, sha256: digestOf(documents) }
}

/** Draws documents as PDF by the code of their makers, with LaTeX or with Chromium. */
export const seventhDrawer = (folder: string): KeptDrawer<SeventhDocument> =>
  keptDrawer(folder, 'seventh', async ({ drawn }, print) => {
    switch (drawn.by) {
      case 'html':
        return await print(drawn.text)
      case 'invoicer':
        return await print(
          drawn.text.replace('</head>', () => `<style>${invoicerStyles(folder)}</style></head>`),
        )
      case 'brick':
        return await print(brickPage(folder, drawn.text))
      case 'tex':
        return typesetTex(drawn.text)
      case 'nfce': {
        const { DANFCe } = (await import(
          join(folder, 'node_modules/node-sped-pdf/dist/index.js')
        )) as { DANFCe(data: { xml: string }): Promise<Uint8Array> }
        return await DANFCe({ xml: drawn.text })
      }
      case 'hungarian':
        return await drawHungarian(folder, drawn.invoice)
    }
  })
