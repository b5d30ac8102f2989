/**
 * Scores totals, net, tax and lines of goods on invoices written as text in 64 layouts of billing
 * software and trades: `bun test/bench/layouts.ts [--half looked-at] [--faults] [--only de-telefon]`.
 * The half `measured` was never looked at while rules were mended; `--faults` lists the other one.
 */
import { parseArgs } from 'node:util'
import { loadLayouts, type LayoutFixture } from '../support/docintel-fixtures/layouts/load.ts'
import { readInvoice } from './lib/read-invoice.ts'

const { values: options } = parseArgs({
  options: {
    half: { type: 'string' },
    faults: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const FIELDS = ['total', 'net', 'vat'] as const
type Field = (typeof FIELDS)[number] | 'goods'

const isNear = (a: number | null, b: number): boolean => a !== null && Math.abs(a - b) < 0.006
const squash = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')

interface Share {
  right: number
  wrong: number
  all: number
}
const shares: Record<string, Record<Field | 'sure' | 'lines too many', Share>> = {}
const empty = (): Share => ({ right: 0, wrong: 0, all: 0 })

async function judge(half: string, { name, text, truth }: LayoutFixture): Promise<void> {
  const { result } = await readInvoice(name, { kind: 'text', text })
  const cells = (shares[half] ??= {
    total: empty(),
    net: empty(),
    vat: empty(),
    goods: empty(),
    'lines too many': empty(),
    sure: empty(),
  })
  const given = { total: result.total, net: result.subtotal, vat: result.tax.vat_amount }
  const faults: string[] = []
  for (const field of FIELDS) {
    const wanted = truth[field]
    if (wanted === null) continue
    const isRight = isNear(given[field], wanted)
    cells[field].all++
    if (isRight) cells[field].right++
    else if (given[field] !== null) cells[field].wrong++
    if (!isRight) faults.push(`${field} ${given[field]}, wanted ${wanted}`)
    const key = { total: 'total', net: 'subtotal', vat: 'tax.vat_amount' }[field]
    if (given[field] === null || (result.confidence.fields[key] ?? 0) < 0.95) continue
    cells.sure.all++
    if (isRight) cells.sure.right++
    else faults.push(`sure of ${field}`)
  }
  for (const good of truth.goods) {
    const found = result.line_items.find(
      (item) =>
        isNear(item.amount, good.amount) &&
        squash(item.description).includes(squash(good.description)),
    )
    cells.goods.all++
    if (found) cells.goods.right++
    else faults.push(`no line ${good.description} = ${good.amount}`)
  }
  const more = result.line_items.length - truth.goods.length
  cells['lines too many'].all++
  if (more > 0) cells['lines too many'].wrong += more
  if (more > 0) faults.push(`${more} lines too many`)
  if (!options.faults || half !== 'looked-at' || faults.length === 0) return
  console.log(`## ${name}: ${faults.join('; ')}`)
  for (const item of result.line_items) console.log(`   ${JSON.stringify(item)}`)
}

for (const half of ['looked-at', 'measured'] as const) {
  if (options.half && options.half !== half) continue
  for (const fixture of loadLayouts(half))
    if (!options.only || fixture.name === options.only) await judge(half, fixture)
}
const percent = ({ right, wrong, all }: Share): string =>
  `${((100 * right) / all).toFixed(1)} (${wrong} wrong) of ${all}`
console.table(
  Object.fromEntries(
    Object.entries(shares).map(([half, cells]) => [
      half,
      Object.fromEntries(Object.entries(cells).map(([field, cell]) => [field, percent(cell)])),
    ]),
  ),
)
