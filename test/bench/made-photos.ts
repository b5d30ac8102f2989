/**
 * Scores the made invoices of one page as photos: in 4 rotations, tilted by up to 12 degrees, in shadow,
 * blurred and faded. Per field what is right and what is wrong, whether confidence holds, processor
 * seconds a page. `bun test/bench/made-photos.ts [--from 0] [--count 40] [--faults]`.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { readDocument } from '../../plugins/docintel/pipeline.ts'
import { MONO, SANS } from '../support/docintel-fixtures/fonts.ts'
import { LAYOUTS, madeInvoice } from '../support/docintel-fixtures/made/layouts.ts'
import { madePhoto, photoLook } from '../support/docintel-fixtures/made/photo.ts'
import { LANGUAGES } from '../support/docintel-fixtures/made/words.ts'
import { seeded } from '../support/docintel-fixtures/random.ts'

const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '40' },
    faults: { type: 'boolean', default: false },
  },
})
const squash = (text: string | null | undefined): string =>
  (text ?? '').toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')
const fold = (text: string | null | undefined): string =>
  squash(text).normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'b').replaceAll('ł', 'l')
const near = (a: number | null, b: number): boolean => a !== null && Math.abs(a - b) < 0.006

const languages = Object.keys(LANGUAGES)
const layouts = [...LAYOUTS.keys()].filter((at) => LAYOUTS[at]!.pages === 1)
const fields: Record<string, { right: number; wrong: number; all: number }> = {}
const curve: Record<string, { right: number; all: number }> = {}
const cpuMs: number[] = []
for (let k = Number(options.from); k < Number(options.from) + Number(options.count); k++) {
  const r = seeded(k * 271 + 9)
  const language = languages[k % languages.length]!
  const made = madeInvoice(language, layouts[(k * 5) % layouts.length]!, 300 + k)
  const { truth } = made
  const look = photoLook(k, [SANS, SANS, MONO], r)
  const bytes = await madePhoto(made.pages[0]!, look, r)
  const before = process.cpuUsage()
  const outcome = await readDocument({
    source: { kind: 'image/jpeg', bytes },
    preferred: 'invoice',
    tier: 'auto',
    nowMs: Date.UTC(2025, 0, 1),
    ocr: 'embedded',
    ocrBudgetMs: 120_000,
  })
  const { user, system } = process.cpuUsage(before)
  cpuMs.push((user + system) / 1000)
  if (!outcome.ok) throw new Error(outcome.message)
  const { result } = outcome
  const sure = result.confidence.fields
  const put = (field: string, given: unknown, isRight: boolean, confidence = 0): void => {
    const cell = (fields[field] ??= { right: 0, wrong: 0, all: 0 })
    cell.all++
    if (isRight) cell.right++
    else if (given !== null && given !== undefined) cell.wrong++
    if (given === null || given === undefined) return
    const band = confidence >= 0.95 ? '0.95–1' : confidence >= 0.9 ? '0.90–0.95' : 'below 0.90'
    const point = (curve[band] ??= { right: 0, all: 0 })
    point.all++
    if (isRight) point.right++
    else if (options.faults)
      console.log(made.name, field, confidence, given, (truth as Record<string, unknown>)[field])
  }
  put('total', result.total, near(result.total, truth.total), sure.total)
  put('date', result.issued_at, result.issued_at === truth.date, sure.issued_at)
  put('id', result.document_id, squash(result.document_id) === squash(truth.id), sure.document_id)
  put('subtotal', result.subtotal, near(result.subtotal, truth.subtotal), sure.subtotal)
  const vat = result.tax.vat_amount
  put('tax', vat, near(vat, truth.tax), sure['tax.vat_amount'])
  const seller = result.merchant.name
  put('seller', seller, fold(seller) === fold(truth.seller), sure['merchant.name'])
  put('buyer', result.buyer?.name, fold(result.buyer?.name) === fold(truth.buyer), sure.buyer)
  for (const party of ['seller', 'buyer'] as const) {
    const name = party === 'seller' ? seller : result.buyer?.name
    if (/[^\x20-\x7E]/.test(truth[party])) {
      const cell = (fields[`${party}, letters with marks`] ??= { right: 0, wrong: 0, all: 0 })
      cell.all++
      if (squash(name) === squash(truth[party])) cell.right++
      else if (name) cell.wrong++
    }
  }
  for (const good of truth.goods) {
    const cell = (fields.goods ??= { right: 0, wrong: 0, all: 0 })
    cell.all++
    const item = result.line_items.find((one) => near(one.amount, good.amount))
    if (item && fold(item.description).includes(fold(good.description))) cell.right++
    else if (item) cell.wrong++
  }
}
const percent = (part: number, all: number): string => ((100 * part) / all).toFixed(1)
console.table(
  Object.fromEntries(
    Object.entries(fields).map(([field, { right, wrong, all }]) => [
      field,
      { 'right %': percent(right, all), 'wrong %': percent(wrong, all), n: all },
    ]),
  ),
)
console.log(
  'right by confidence:',
  Object.entries(curve)
    .map(([band, { right, all }]) => `${band}: ${percent(right, all)} % of ${all}`)
    .join(', '),
)
cpuMs.sort((a, b) => a - b)
console.log(
  `cpu s a page, median ${(cpuMs[cpuMs.length >> 1]! / 1000).toFixed(2)}, most ${(cpuMs.at(-1)! / 1000).toFixed(2)}; load ${loadavg()[0]!.toFixed(1)}`,
)
process.exit(0)
