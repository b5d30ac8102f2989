/**
 * The fifth set of invoices in layouts that others wrote, none of which the first four have: invoices
 * that come with themes for web pages, and receipts by mail. It was frozen before the rules met it. Of
 * the makers in the order of the alphabet every third, from the second on, is open to those who write
 * rules; the documents of the others were only counted.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { AMERICAN, round, saleFor, untaxed, type Sale } from '../fourth/sales.ts'
import { keptDrawer, type KeptDrawer } from '../fresh/kept.ts'
import { digestOf, everyThirdOpen, type MadeDocument, type Part } from '../others/parts.ts'
import { MANNERS, type Faker, type Manner, type SaleTruth } from '../others/sale.ts'
import { MAIL_THEMES, MAIL_WORDS, mailPage } from './mails.ts'
import {
  adminLtePage,
  gentelellaPage,
  stislaPage,
  tablerPage,
  type ThemedPage,
} from './templates.ts'

const MAKERS = ['admin-lte', 'gentelella', 'mailgen', 'stisla', 'tabler'] as const
type Maker = (typeof MAKERS)[number]

export const partOf = everyThirdOpen(MAKERS)

export type FifthDocument = MadeDocument<Maker> & ThemedPage

/** Every document of a part in a fixed order, and the SHA-256 of all of them with their truth. */
export function fifthDocuments(
  folder: string,
  part: Part,
): { documents: FifthDocument[]; sha256: string } {
  const require = createRequire(join(folder, 'package.json'))
  const { allFakers } = require('@faker-js/faker') as { allFakers: Record<string, Faker> }
  const sale = (manner: Manner, seed: number, wish: Parameters<typeof saleFor>[3] = {}): Sale =>
    saleFor(allFakers[manner.faker]!, manner, seed, wish)
  const documents: FifthDocument[] = []
  const add = (
    maker: Maker,
    language: string,
    name: string,
    truth: SaleTruth,
    absent: readonly string[],
    page: ThemedPage,
  ): void =>
    void documents.push({ name: `${maker} ${name}`, maker, language, truth, absent, ...page })
  const COUNT = 7

  for (const maker of MAKERS) {
    if (partOf(maker) !== part) continue
    if (maker === 'mailgen') {
      for (const [at, theme] of MAIL_THEMES.entries())
        for (const [k, language] of Object.keys(MAIL_WORDS).entries()) {
          const manner = MANNERS[language]!
          const made = sale(manner, 500_100 + at * 20 + k)
          const body = mailPage(folder, made, language, manner, theme)
          add(maker, language, `${theme} ${language}`, made.truth, [], { body, styles: [] })
        }
      continue
    }
    for (let k = 1; k <= COUNT; k++) {
      const seed = 500_500 + MAKERS.indexOf(maker) * 20 + k
      const made = sale(AMERICAN, seed, { isOneRate: true, isLate: true })
      const { truth } = made
      const shipping = 4.5 * k
      switch (maker) {
        case 'admin-lte': {
          const shipped = { ...truth, total: round(truth.total + shipping) }
          const page = adminLtePage(folder, { ...made, truth: shipped }, shipping)
          add(maker, 'en', `en ${k}`, shipped, [], page)
          break
        }
        case 'gentelella':
          add(maker, 'en', `en ${k}`, truth, [], gentelellaPage(folder, made))
          break
        case 'stisla': {
          const shipped = { ...untaxed(truth), total: round(truth.net + shipping) }
          const page = stislaPage(folder, { ...made, truth: shipped }, shipping)
          add(maker, 'en', `en ${k}`, shipped, ['due', 'vat'], page)
          break
        }
        case 'tabler':
          add(maker, 'en', `en ${k}`, truth, ['date', 'due'], tablerPage(folder, made))
          break
      }
    }
  }
  return { documents, sha256: digestOf(documents) }
}

/** Prints documents as PDF with the styles of their makers. */
export const fifthDrawer = (folder: string): KeptDrawer<FifthDocument> =>
  keptDrawer(folder, 'fifth', ({ body, styles }, print) => {
    const css = styles.map((style) => readFileSync(join(folder, style), 'utf8')).join('\n')
    return print(css ? `<!doctype html><style>${css}</style><body>${body}</body>` : body)
  })
