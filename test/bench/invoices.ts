/**
 * Scores PDF invoices of many issuers, field by field. `bun test/bench/invoices.ts [--faults]`;
 * with --faults every wrong or missing value is listed with what was expected.
 */
import { parseArgs } from 'node:util'
import { readDocument } from '../../plugins/docintel/pipeline.ts'
import type { ParseResult } from '../../plugins/docintel/schema.ts'
import { DRAWN_WEST } from '../support/docintel-fixtures/issuers/drawn-west.ts'
import { DRAWN_WORLD } from '../support/docintel-fixtures/issuers/drawn-world.ts'
import { PRINTED } from '../support/docintel-fixtures/issuers/printed.ts'
import { SECOND } from '../support/docintel-fixtures/issuers/second.ts'
import { THIRD } from '../support/docintel-fixtures/issuers/third.ts'
import { FIFTH } from '../support/docintel-fixtures/issuers/fifth.ts'
import { FOURTH_EUROPE } from '../support/docintel-fixtures/issuers/fourth-europe.ts'
import { FOURTH_GERMANY } from '../support/docintel-fixtures/issuers/fourth-germany.ts'
import { FOURTH_WEB } from '../support/docintel-fixtures/issuers/fourth-web.ts'
import { FOURTH_WORLD } from '../support/docintel-fixtures/issuers/fourth-world.ts'
import { renderIssuers } from '../support/docintel-fixtures/issuers/render.ts'
import { inventedNumbers, judge, type Verdict } from '../support/docintel-fixtures/score.ts'
import type { Truth } from '../support/docintel-fixtures/types.ts'

const { values: options } = parseArgs({ options: { faults: { type: 'boolean', default: false } } })
const FIELDS = [
  'total',
  'date',
  'id',
  'merchant',
  'buyer',
  'currency',
  'subtotal',
  'tax',
  'items',
] as const
const SETS = {
  'drawn, west': DRAWN_WEST,
  'drawn, world': DRAWN_WORLD,
  printed: PRINTED,
  'second set': SECOND,
  'third set': THIRD,
  'fourth, europe': FOURTH_EUROPE,
  'fourth, germany': FOURTH_GERMANY,
  'fourth, web': FOURTH_WEB,
  'fourth, world': FOURTH_WORLD,
  'fifth set': FIFTH,
}

const given = (result: ParseResult, field: string): unknown =>
  ({
    total: result.total,
    date: result.issued_at,
    id: result.document_id,
    merchant: result.merchant.name,
    buyer: result.buyer?.name,
    currency: result.currency,
    subtotal: result.subtotal,
    tax: result.tax.vat_amount,
    items: result.line_items.map((i) => i.description),
  })[field]

const table: Record<string, Record<string, string | number>> = {}
const faults: string[] = []
for (const [set, fixtures] of Object.entries(SETS)) {
  const { rendered, skipped } = await renderIssuers(fixtures)
  if (skipped > 0) console.warn(`${set}: ${skipped} not printed, no Chromium (CHROMIUM_PATH)`)
  const counts: Record<string, Record<Verdict, number>> = {}
  const ms: number[] = []
  let invented = 0
  for (const { fixture, bytes } of rendered) {
    const started = performance.now()
    const outcome = await readDocument({
      source: { kind: 'application/pdf', bytes },
      preferred: 'invoice',
      tier: 'auto',
      nowMs: Date.UTC(2026, 0, 1),
      ocr: 'off',
      ocrBudgetMs: 1,
    })
    if (!outcome.ok) throw new Error(`${fixture.name}: ${outcome.message}`)
    ms.push(performance.now() - started)
    invented += inventedNumbers(outcome.result, outcome.text).length
    for (const [field, verdict] of Object.entries(judge(outcome.result, fixture.truth))) {
      ;(counts[field] ??= { right: 0, wrong: 0, missing: 0 })[verdict]++
      if (verdict === 'right' || !(FIELDS as readonly string[]).includes(field)) continue
      const wanted = JSON.stringify(fixture.truth[field as keyof Truth])
      const got = JSON.stringify(given(outcome.result, field))
      faults.push(`${fixture.name}: ${field} ${got}, wanted ${wanted}`)
    }
  }
  table[set] = {
    n: rendered.length,
    ...Object.fromEntries(
      FIELDS.map((field) => {
        const c = counts[field] ?? { right: 0, wrong: 0, missing: 0 }
        const all = c.right + c.wrong + c.missing
        return [field, all === 0 ? '' : `${c.right}/${all}`]
      }),
    ),
    invented,
    ms: Math.round(ms.toSorted((a, b) => a - b)[ms.length >> 1] ?? 0),
  }
}
console.table(table)
if (options.faults) console.log(faults.join('\n'))
