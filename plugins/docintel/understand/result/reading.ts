/** What every finder starts from: the rows of a document with their amounts, zones and goods. */
import type { DocumentText } from '../../model/document.ts'
import type { ParseResult } from '../../schema.ts'
import { findCountry } from '../parties/country.ts'
import type { Scored } from '../days/issued-at.ts'
import { withInferredSums } from '../sums/inferred-sums.ts'
import { goodsChain, type GoodsChain } from '../sums/goods-chain.ts'
import { findGoods, type GoodsWay } from '../goods/items.ts'
import { labelledAmounts, type LabelledAmounts } from '../marks/labelled-amounts.ts'
import { withLetterBuyer } from '../parties/letter-blocks.ts'
import { findMoneyLines } from '../sums/money-lines.ts'
import { misreadSums, withSumsAsPrinted, type MisreadSum } from '../sums/misread-sums.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import { roundedToCents } from '../marks/near.ts'
import { detectDecimalMark } from '../marks/numbers.ts'
import { provenSums, type ProvenSums } from '../sums/proven-sums.ts'
import { readRowMoney, type RowMoney } from '../marks/row-money.ts'
import { findTaxIds, type FoundTaxId } from '../marks/tax-ids.ts'
import { findZones, type Zones } from '../parties/zones.ts'

export interface Reading {
  document: DocumentText
  /** Which skill asks: names the document when nothing in it does. */
  preferred: 'receipt' | 'invoice'
  entries: RowMoney[]
  /** The sums that a label names. */
  named: readonly MoneyLine[]
  /** The named sums, and those that only arithmetic tells. */
  lines: MoneyLine[]
  labelled: LabelledAmounts
  /** Net, tax and total by arithmetic alone, the best proven first. */
  proven: readonly ProvenSums[]
  /** The goods with what is added and taken off; null where their sum is not printed. */
  chain: GoodsChain | null
  zones: Zones
  items: ParseResult['line_items']
  goodsWay: GoodsWay
  /** What the items add up to; null without any. */
  itemsSum: number | null
  taxIds: FoundTaxId[]
  country: Scored<string> | null
  /** The sums that OCR misread, which are read as they were printed. */
  misread: readonly MisreadSum[]
}

/** The document with all that finders start from; sums that OCR misread are read as they were printed. */
export function readingOf(document: DocumentText, preferred: Reading['preferred']): Reading {
  const first = readOnce(document, preferred)
  const misread = misreadSums(first)
  if (misread.length === 0) return { ...first, misread }
  return { ...readOnce(withSumsAsPrinted(document, misread), preferred), misread }
}

function readOnce(
  document: DocumentText,
  preferred: Reading['preferred'],
): Omit<Reading, 'misread'> {
  const mark = detectDecimalMark(document.rows.map((r) => r.text).join('\n'))
  const entries = readRowMoney(document, mark)
  const named = findMoneyLines(entries)
  const found = findZones(document, entries)
  const zones = preferred === 'invoice' ? withLetterBuyer(document, found) : found
  const { items, way } = findGoods(document, entries, zones.bodyStart)
  const sum = items.reduce((s, i) => s + i.amount, 0)
  const itemsSum = items.length === 0 ? null : roundedToCents(sum)
  const amounts = items.map(({ amount }) => amount)
  const goods = { sum: itemsSum, count: items.length }
  const lines = withInferredSums(entries, named, goods)
  const taxIds = findTaxIds(document)
  return {
    document,
    preferred,
    entries,
    named,
    lines,
    labelled: labelledAmounts(lines),
    proven: provenSums(entries, lines, { sum: itemsSum, amounts }),
    chain: goodsChain(entries, lines, amounts),
    zones,
    items,
    goodsWay: way,
    itemsSum,
    taxIds,
    country: findCountry(document, taxIds),
  }
}
