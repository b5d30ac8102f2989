/** The set: every layout with several sales, and what is true of each. */
import { createHash } from 'node:crypto'
import type { SaleTruth } from '../others/sale.ts'
import { GOODS_A } from './goods-a.ts'
import { GOODS_B } from './goods-b.ts'
import { HARD_A } from './hard-a.ts'
import { HARD_B } from './hard-b.ts'
import type { Layout } from './layout.ts'
import { LATEX_A } from './latex-a.ts'
import { LATEX_B } from './latex-b.ts'
import { OTHERS } from './others.ts'
import { makeSale, truthOf } from './sale.ts'

export interface StationeryDocument {
  name: string
  layout: Layout
  source: string
  truth: SaleTruth
  absent: readonly string[]
}

/** Sales of each layout. */
const SALES = 2

/** All documents of a half with the digest of both halves' sources and truths. */
export function stationeryDocuments(half?: string): {
  documents: StationeryDocument[]
  sha256: string
} {
  const all = [
    ...LATEX_A,
    ...LATEX_B,
    ...OTHERS,
    ...HARD_A,
    ...HARD_B,
    ...GOODS_A,
    ...GOODS_B,
  ].flatMap((layout, place) =>
    Array.from({ length: SALES }, (_, at): StationeryDocument => {
      const made = makeSale(1000 * (place + 1) + at, layout.order)
      const sale = layout.adjust?.(made) ?? made
      return {
        name: `${layout.name}-${at + 1}`,
        layout,
        source: layout.source(sale),
        truth: truthOf(sale),
        absent: layout.absent ?? [],
      }
    }),
  )
  const hash = createHash('sha256')
  for (const { name, source, truth } of all) hash.update(JSON.stringify([name, source, truth]))
  return {
    documents: all.filter(({ layout }) => !half || layout.half === half),
    sha256: hash.digest('hex'),
  }
}
