/**
 * The ninth set of invoices and receipts in layouts that others wrote, none of which the first eight have.
 * It was frozen before the code met it and is sealed as a whole: no rule was written for it, its faults and
 * the shares of its single layouts are shown to nobody. The layouts are those of ten makers of npm, in
 * fourteen languages: templates that a browser prints, and two that draw PDF themselves. Beside what the
 * sets before hold it says the currency, which papers are credit notes, and which are no bills at all.
 */
import { keptDrawer, type KeptDrawer } from '../fresh/kept.ts'
import { round } from '../fourth/sales.ts'
import { digestOf, type MadeDocument } from '../others/parts.ts'
import type { PaperKind } from '../others/sale.ts'
import { grossTruth, orderMaker } from '../sixth/orders.ts'
import { aerixPage, aerixStyled } from './aerix.ts'
import { cfdiXml, drawCfdi2Pdf, drawNodeCfdi } from './cfdi.ts'
import { donationPage, donationPaper } from './donations.ts'
import { billId, billPage, storifyPage, withRowDiscounts } from './jade.ts'
import {
  basicPage,
  bootstrapStyled,
  companyPage,
  imagePage,
  logoPage,
  solcodePage,
} from './pages.ts'
import { paperMaker, type NinthTruth, type Paper, type PaperMaker } from './sales.ts'
import { componentData, componentPage, componentTruth, editorPage, inWholeUnits } from './vue.ts'

type Maker =
  | 'aerix'
  | 'better-giving'
  | 'bootstrap-invoice'
  | 'cfdi2pdf'
  | 'cfdi-to-pdf'
  | 'invoice-bill'
  | 'invoice-pdf'
  | 'solcode'
  | 'vue-document-editor'
  | 'vue-invoice'

export interface NinthDocument extends MadeDocument<Maker> {
  truth: NinthTruth
  drawn: {
    by: 'html' | 'bootstrap' | 'aerix' | 'component' | 'cfdi 3.3' | 'cfdi 4.0'
    text: string
  }
}

/** The manner of a paper and what it is; an invoice unless it says otherwise. */
type Wanted = readonly (readonly [manner: string, kind?: PaperKind])[]

const COMPANY: Wanted = [
  ['en'],
  ['fr'],
  ['de'],
  ['pl'],
  ['us', 'receipt'],
  ['sv'],
  ['de', 'not_a_bill'],
  ['ch'],
  ['it', 'credit_note'],
  ['fi'],
  ['es'],
  ['nl', 'not_a_bill'],
  ['hu'],
]
const LOGO: Wanted = [
  ['pt'],
  ['de in dollars'],
  ['es'],
  ['cs'],
  ['da'],
  ['en'],
  ['fr', 'credit_note'],
]
const BASIC: Wanted = [
  ['nb', 'receipt'],
  ['nl', 'receipt'],
  ['us', 'receipt'],
  ['it', 'receipt'],
  ['de', 'receipt'],
]
const IMAGE: Wanted = [
  ['fr', 'receipt'],
  ['sv in euros', 'receipt'],
  ['us', 'receipt'],
  ['es', 'receipt'],
]
const SOLCODE: Wanted = [
  ['us'],
  ['cs'],
  ['nb'],
  ['romandie'],
  ['da', 'not_a_bill'],
  ['hu'],
  ['it'],
  ['fi'],
]
const EDITOR: Wanted = [
  ['fr'],
  ['es', 'not_a_bill'],
  ['pt'],
  ['de', 'credit_note'],
  ['nl in pounds'],
  ['it'],
  ['fi'],
  ['pl', 'not_a_bill'],
  ['da'],
]
const AERIX: Wanted = [
  ['nl'],
  ['en'],
  ['nl', 'not_a_bill'],
  ['de'],
  ['nl'],
  ['fr'],
  ['es'],
  ['it'],
  ['nl in pounds'],
  ['pl'],
]
const BILL: Wanted = [['en'], ['us'], ['de'], ['pt'], ['sv'], ['en']]
const STORIFY: Wanted = [
  ['us', 'receipt'],
  ['us', 'receipt'],
  ['en', 'receipt'],
  ['de', 'receipt'],
  ['fr', 'receipt'],
]
const COMPONENT = ['us', 'en', 'de', 'da', 'pl', 'ch', 'fr'] as const

/** Every document in a fixed order, and the SHA-256 of all of them with their truth. */
export async function ninthDocuments(
  folder: string,
): Promise<{ documents: NinthDocument[]; sha256: string }> {
  const order = orderMaker(folder)
  const documents: NinthDocument[] = []
  const add = (
    maker: Maker,
    layout: string,
    paper: Paper,
    absent: readonly string[],
    drawn: NinthDocument['drawn'],
    truth: NinthTruth = paper.truth,
  ): void => {
    const { language, at } = paper
    const name = [maker, layout, language, at].filter((part) => part !== '').join(' ')
    documents.push({ name, maker, language, truth, absent, drawn })
  }
  const each = async (
    wanted: Wanted,
    make: PaperMaker,
    wish: Parameters<PaperMaker>[2],
    draw: (paper: Paper, kind: PaperKind) => Promise<void> | void,
  ): Promise<void> => {
    for (const [at, [manner, kind = 'invoice']] of wanted.entries())
      await draw(make(manner, at, { ...wish, kind }), kind)
  }
  const severalRates = ({ taxes }: Paper): boolean => taxes.length > 1

  await each(AERIX, paperMaker(order, 900_100), { isOneRate: true, most: 12 }, (paper) => {
    const { text, truth } = aerixPage(folder, paper, paper.at % 4 === 0 && paper.language === 'nl')
    add('aerix', '', paper, [], { by: 'aerix', text }, truth)
  })
  for (let at = 0; at < 3; at++) {
    const paper = donationPaper(paperMaker(order, 900_200)('us', at, { most: 1, kind: 'receipt' }))
    const text = await donationPage(folder, paper)
    const absent = ['due', 'net', 'vat', 'goods', 'goods without marks']
    add('better-giving', '', paper, absent, { by: 'html', text })
  }
  await each(
    BASIC,
    paperMaker(order, 900_300),
    { isOneRate: true, most: 7, isLate: true },
    (paper) => {
      const gross = grossTruth(paper.truth, paper.taxes[0]!.rate, 0)
      const truth = { ...paper.truth, ...gross }
      const text = basicPage(folder, { ...paper, truth })
      add(
        'bootstrap-invoice',
        'basic',
        paper,
        ['seller', 'due', 'net', 'vat'],
        { by: 'bootstrap', text },
        truth,
      )
    },
  )
  await each(COMPANY, paperMaker(order, 900_400), { isLate: true }, (paper, kind) => {
    const isPaid = kind === 'receipt'
    const text = companyPage(folder, paper, isPaid)
    const absent = [...(isPaid ? ['due'] : []), ...(severalRates(paper) ? ['vat'] : [])]
    add('bootstrap-invoice', 'company', paper, absent, { by: 'bootstrap', text })
  })
  await each(IMAGE, paperMaker(order, 900_500), { most: 1, isLate: true }, (paper) => {
    const shipping = 6.9 + paper.at
    const { net, goods } = paper.truth
    const truth = { ...paper.truth, vat: 0, total: round(net + shipping), goods: goods.slice(0, 1) }
    const ours = {
      ...paper,
      truth: { ...truth, net: goods[0]!.amount, total: round(goods[0]!.amount + shipping) },
    }
    const text = imagePage(folder, ours, shipping)
    add('bootstrap-invoice', 'image', ours, ['due', 'vat'], { by: 'bootstrap', text })
  })
  await each(LOGO, paperMaker(order, 900_600), { most: 12, isLate: true }, (paper) => {
    const off = Math.floor(paper.truth.net / 20)
    const shipping = 4.5 * (paper.at + 1)
    const truth = { ...paper.truth, vat: 0, total: round(paper.truth.net - off + shipping) }
    const text = logoPage(folder, { ...paper, truth }, off, shipping)
    const absent = ['due', 'buyer', 'net', 'vat']
    add('bootstrap-invoice', 'logo', paper, absent, { by: 'bootstrap', text }, truth)
  })
  for (let at = 0; at < 5; at++) {
    const kind = at === 3 ? 'credit_note' : 'invoice'
    const paper = paperMaker(order, 900_700)('mx', at, { most: 9, kind })
    const later = paperMaker(order, 900_750)('mx', at, { most: 9, kind })
    const text = cfdiXml(paper, '3.3')
    add('cfdi2pdf', '', paper, ['due'], { by: 'cfdi 3.3', text })
    add('cfdi-to-pdf', '', later, ['due'], { by: 'cfdi 4.0', text: cfdiXml(later, '4.0') })
  }
  for (const [at, [manner]] of BILL.entries())
    for (let seed = 900_800 + at * 10; ; seed++) {
      const made = paperMaker(order, seed)(manner, at, { most: 9 })
      const cheaper = withRowDiscounts(made)
      const { net, goods } = cheaper.truth
      const truth = { ...made.truth, net, vat: 0, total: net, goods, id: billId(made.truth.id) }
      const text = billPage(folder, { ...made, ...cheaper, truth: made.truth }, made)
      if (text === null) continue
      const absent = ['due', 'buyer', 'net', 'vat']
      add('invoice-bill', '', made, absent, { by: 'html', text }, truth)
      break
    }
  await each(STORIFY, paperMaker(order, 900_900), { most: 1 }, (paper) => {
    const { description, amount } = paper.truth.goods[0]!
    const truth = {
      ...paper.truth,
      net: amount,
      vat: 0,
      total: amount,
      goods: [{ description, amount }],
    }
    const text = storifyPage(folder, { ...paper, truth })
    add('invoice-pdf', '', paper, ['due', 'net', 'vat'], { by: 'html', text }, truth)
  })
  await each(SOLCODE, paperMaker(order, 901_000), {}, (paper) => {
    const text = solcodePage(folder, paper)
    add('solcode', '', paper, severalRates(paper) ? ['vat'] : [], { by: 'html', text })
  })
  await each(
    EDITOR,
    paperMaker(order, 901_100),
    { isOneRate: true, most: 5, isLate: true },
    (paper) => {
      const shipping = paper.at % 3 === 2 ? 0 : 12.5 + paper.at
      const truth = { ...paper.truth, total: round(paper.truth.total + shipping) }
      const text = editorPage(folder, { ...paper, truth }, shipping)
      add('vue-document-editor', '', paper, ['vat'], { by: 'html', text }, truth)
    },
  )
  for (const [at, manner] of COMPONENT.entries()) {
    const made = paperMaker(order, 901_200)(manner, at, { most: 7 })
    const whole = inWholeUnits(made)
    const sums = { ...whole.truth, ...componentTruth(whole) }
    const truth = { ...made.truth, ...sums, seller: made.truth.seller, buyer: made.truth.buyer }
    const paper = { ...made, ...whole, truth, language: 'en' }
    add('vue-invoice', manner, paper, ['date'], { by: 'component', text: componentData(paper) })
  }
  return { documents, sha256: digestOf(documents) }
}

/** Draws documents as PDF with Chromium or by the code of their makers. */
export const ninthDrawer = (folder: string): KeptDrawer<NinthDocument> =>
  keptDrawer(folder, 'ninth', async ({ drawn: { by, text } }, print) => {
    switch (by) {
      case 'html':
        return await print(text)
      case 'bootstrap':
        return await print(bootstrapStyled(folder, text))
      case 'aerix':
        return await print(aerixStyled(folder, text))
      case 'component':
        return await print(componentPage(folder, text))
      case 'cfdi 3.3':
        return await drawCfdi2Pdf(folder, text)
      case 'cfdi 4.0':
        return await drawNodeCfdi(folder, text)
    }
  })
