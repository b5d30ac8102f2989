/**
 * Scores invoices drawn in 12 layouts and 9 languages: per cent right by field, and how far confidence
 * of 0.95 and more holds. `bun test/bench/made-invoices.ts [--from 1] [--seeds 3] [--faults total]`.
 */
import { parseArgs } from 'node:util'
import { LANGUAGES } from '../support/docintel-fixtures/made/words.ts'
import { LAYOUTS, madeInvoice } from '../support/docintel-fixtures/made/layouts.ts'
import { judgeMadeInvoice } from './lib/made-verdicts.ts'

const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '3' },
    faults: { type: 'string' },
    text: { type: 'boolean', default: false },
    by: { type: 'string', default: 'language' },
  },
})

const table: Record<string, Record<string, { right: number; all: number }>> = {}
const sure: Record<string, { right: number; all: number }> = {}
const from = Number(options.from)
for (const language of Object.keys(LANGUAGES))
  for (const layout of LAYOUTS.keys())
    for (let seed = from; seed < from + Number(options.seeds); seed++) {
      const made = madeInvoice(language, layout, seed)
      const { verdicts, result } = judgeMadeInvoice(made)
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
