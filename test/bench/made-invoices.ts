/**
 * Scores invoices drawn in 12 layouts and 9 languages: per cent right by field, and how far confidence
 * of 0.95 and more holds. `bun test/bench/made-invoices.ts [--from 1] [--seeds 3] [--faults total]`.
 */
import { parseArgs } from 'node:util'
import { understand } from '../../plugins/docintel/understand/understand.ts'
import { LANGUAGES } from '../support/docintel-fixtures/made/words.ts'
import {
  LAYOUTS,
  madeInvoice,
  type MadeInvoice,
} from '../support/docintel-fixtures/made/layouts.ts'

const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '3' },
    faults: { type: 'string' },
    text: { type: 'boolean', default: false },
    by: { type: 'string', default: 'language' },
  },
})
const squash = (text: string | null | undefined): string =>
  (text ?? '').toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')
const near = (a: number | null, b: number): boolean => a !== null && Math.abs(a - b) < 0.006

/** What of a result is right, with the confidence given. */
function judge({ document, truth }: MadeInvoice) {
  const result = understand(document, { preferred: 'invoice', now: new Date(Date.UTC(2025, 0, 1)) })
  const fields = result.confidence.fields
  const lines = truth.goods.filter((good) =>
    result.line_items.some(
      (item) =>
        near(item.amount, good.amount) &&
        squash(item.description).includes(squash(good.description)),
    ),
  ).length
  return {
    result,
    verdicts: {
      total: [near(result.total, truth.total), fields.total],
      date: [result.issued_at === truth.date, fields.issued_at],
      id: [squash(result.document_id) === squash(truth.id), fields.document_id],
      net: [near(result.subtotal, truth.subtotal), fields.subtotal],
      vat: [near(result.tax.vat_amount, truth.tax), fields['tax.vat_amount']],
      seller: [squash(result.merchant.name) === squash(truth.seller), fields['merchant.name']],
      buyer: [squash(result.buyer?.name) === squash(truth.buyer), fields.buyer],
      due: [result.due_date === truth.due, fields.due_date],
      'goods lines': [lines / truth.goods.length, fields.line_items],
    } as Record<string, [boolean | number, number | undefined]>,
  }
}

const table: Record<string, Record<string, { right: number; all: number }>> = {}
const sure: Record<string, { right: number; all: number }> = {}
const from = Number(options.from)
for (const language of Object.keys(LANGUAGES))
  for (const layout of LAYOUTS.keys())
    for (let seed = from; seed < from + Number(options.seeds); seed++) {
      const made = madeInvoice(language, layout, seed)
      const { verdicts, result } = judge(made)
      for (const group of ['all', options.by === 'layout' ? `layout ${layout}` : language])
        for (const [field, [right]] of Object.entries(verdicts)) {
          const cell = ((table[group] ??= {})[field] ??= { right: 0, all: 0 })
          cell.right += Number(right)
          cell.all++
        }
      for (const [field, [right, confidence = 0]] of Object.entries(verdicts)) {
        if (confidence < 0.95) continue
        const cell = (sure[field] ??= { right: 0, all: 0 })
        cell.right += Number(right)
        cell.all++
      }
      const fault = options.faults
      if (fault && Number(verdicts[fault]?.[0] ?? 1) < 1) {
        const given = {
          total: result.total,
          date: result.issued_at,
          id: result.document_id,
          net: result.subtotal,
          vat: result.tax.vat_amount,
          seller: result.merchant.name,
          buyer: result.buyer?.name,
          type: result.doc_type,
        }
        console.log(
          `## ${made.name}`,
          JSON.stringify(given),
          JSON.stringify({ ...made.truth, goods: undefined }),
        )
        if (options.text) {
          console.log(made.document.rows.map((row) => row.text).join('\n'))
          console.log(result.line_items)
        }
      }
    }
const share = ({ right, all }: { right: number; all: number }): string =>
  ((100 * right) / all).toFixed(1)
console.table(
  Object.fromEntries(
    Object.entries(table).map(([group, cells]) => [
      group,
      Object.fromEntries(Object.entries(cells).map(([field, cell]) => [field, share(cell)])),
    ]),
  ),
)
console.log(
  'right where the confidence is 0.95 or more:',
  Object.entries(sure)
    .map(([field, cell]) => `${field} ${share(cell)} % of ${cell.all}`)
    .join(', '),
)
