/**
 * The sixth set of invoices and receipts in layouts that others wrote, none of which the first five
 * have. It was frozen before the code met it, and no rule was written for it. The layouts are those of
 * six makers of npm. Of the makers in the order of the alphabet every third, from the second on, is
 * open to those who write rules; the documents of the others are only counted.
 */
import { MAIL_WORDS } from '../fifth/mails.ts'
import { AMERICAN, plain, round } from '../fourth/sales.ts'
import { keptDrawer, type KeptDrawer } from '../fresh/kept.ts'
import { digestOf, everyThirdOpen, type MadeDocument, type Part } from '../others/parts.ts'
import { MANNERS } from '../others/sale.ts'
import { foundationPage, mjmlPage, transactionalPage, vendurePage } from './mails.ts'
import {
  drawMedusa,
  MEDUSA_LANGUAGES,
  medusaJob,
  type MedusaJob,
  type MedusaLanguage,
} from './medusa.ts'
import { grossTruth, orderMaker, type Order } from './orders.ts'
import { NAME_WIDTH, tillPage } from './tills.ts'

const MAKERS = [
  'foundation-emails',
  'medusa-documents',
  'mjml-invoice',
  'receipt',
  'transactional-email-templates',
  'vendure',
] as const
type Maker = (typeof MAKERS)[number]

export const partOf = everyThirdOpen(MAKERS)

export interface SixthDocument extends MadeDocument<Maker> {
  drawn: { by: 'html'; text: string } | { by: 'medusa'; job: MedusaJob }
}

const GOODS = ['goods', 'goods without marks']

/** Every document of a part in a fixed order, and the SHA-256 of all of them with their truth. */
export function sixthDocuments(
  folder: string,
  part: Part,
): { documents: SixthDocument[]; sha256: string } {
  const order = orderMaker(folder)
  const documents: SixthDocument[] = []
  const add = (
    maker: Maker,
    language: string,
    name: string,
    { truth }: Pick<Order, 'truth'>,
    absent: readonly string[],
    drawn: SixthDocument['drawn'],
  ): void =>
    void documents.push({ name: `${maker} ${name}`, maker, language, truth, absent, drawn })
  const html = (text: string): SixthDocument['drawn'] => ({ by: 'html', text })
  const isAsked = (maker: Maker): boolean => partOf(maker) === part
  const words = Object.keys(MAIL_WORDS)

  if (isAsked('foundation-emails'))
    for (let k = 0; k < 7; k++) {
      const made = order(AMERICAN, 600_100 + k, k, { isLate: true, most: 9 })
      const ours = { ...made, truth: { ...made.truth, vat: 0, total: made.truth.net } }
      const page = html(foundationPage(folder, ours))
      add('foundation-emails', 'en', `en ${k}`, ours, ['due', 'net', 'vat'], page)
    }
  if (isAsked('medusa-documents'))
    for (const [at, language] of (Object.keys(MEDUSA_LANGUAGES) as MedusaLanguage[]).entries())
      for (let k = 0; k < 3; k++) {
        const manner = MANNERS[language]!
        const made = order(manner, 600_200 + at * 10 + k, at + k, { most: 5, isLate: true })
        const shipping = 5 * k
        // Its customers are people, and it prints their first and last name.
        const buyer = plain(made.sale, 'employee')
        const truth = { ...made.truth, buyer, total: round(made.truth.total + shipping) }
        const job = medusaJob({ ...made, truth }, language, manner, shipping)
        add('medusa-documents', language, `${language} ${k}`, { truth }, ['due', 'net'], {
          by: 'medusa',
          job,
        })
      }
  if (isAsked('mjml-invoice'))
    for (const [at, language] of words.entries()) {
      const manner = MANNERS[language]!
      const made = order(manner, 600_300 + at, at, { most: 12, isLate: true })
      const ours = { ...made, truth: { ...made.truth, vat: 0, total: made.truth.net } }
      const page = html(mjmlPage(folder, ours, language, manner))
      // It prints a price and a quantity, but no amount of a row.
      add('mjml-invoice', language, language, ours, ['net', 'vat', ...GOODS], page)
    }
  if (isAsked('receipt'))
    for (const [at, language] of words.entries()) {
      const manner = MANNERS[language]!
      const made = order(manner, 600_400 + at, at, { isOneRate: true, isLate: true })
      const off = at % 2 === 1 ? round(made.goods[0]!.amount / 4) : 0
      const gross = grossTruth(made.truth, made.taxes[0]!.rate, off)
      const goods = gross.goods.map(({ description, amount }, row) => ({
        description: description.slice(0, NAME_WIDTH).trim(),
        amount: row === 0 ? round(amount - off) : amount,
      }))
      const ours = { ...made, truth: { ...gross, goods } }
      const page = html(tillPage(folder, ours, language, manner, off))
      add('receipt', language, language, ours, ['due', 'buyer'], page)
    }
  if (isAsked('transactional-email-templates'))
    for (const [at, language] of words.entries()) {
      const manner = MANNERS[language]!
      const made = order(manner, 600_500 + at, at, { most: 9 })
      const page = html(transactionalPage(folder, made, language, manner))
      add('transactional-email-templates', language, language, made, [], page)
    }
  if (isAsked('vendure'))
    for (const [at, [language, manner]] of (
      [
        ['en', AMERICAN],
        ['en', MANNERS['en']!],
        ['de', MANNERS['de']!],
        ['fr', MANNERS['fr']!],
        ['nl', MANNERS['nl']!],
        ['it', MANNERS['it']!],
        ['es', MANNERS['es']!],
        ['pl', MANNERS['pl']!],
      ] as const
    ).entries()) {
      const made = order(manner, 600_600 + at, at, { most: 7, isOneRate: true })
      const shipping = 4.5 + at
      const off = at % 2 === 1 ? round(made.truth.net / 10) : 0
      const total = round(made.truth.net - off + shipping)
      const ours = { ...made, truth: { ...made.truth, total } }
      const page = html(vendurePage(folder, ours, manner.currency, { shipping, off }))
      add('vendure', language, `${language} ${at}`, ours, ['due', 'net', 'vat'], page)
    }
  return { documents, sha256: digestOf(documents) }
}

/** Draws documents as PDF by the code of their makers or with Chromium. */
export const sixthDrawer = (folder: string): KeptDrawer<SixthDocument> =>
  keptDrawer(folder, 'sixth', ({ drawn }, print) =>
    drawn.by === 'medusa' ? drawMedusa(folder, drawn.job) : print(drawn.text),
  )
