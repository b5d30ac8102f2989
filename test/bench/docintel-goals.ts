/**
 * Every goal of docintel beside what is measured now, on the sets that need no download: invoices drawn
 * in 12 layouts and 9 languages, the same as photos, and the frozen receipts as text. Also names the
 * commands of what it cannot measure. `bun test/bench/docintel-goals.ts [--seeds 3] [--photos 24]`.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { readDocument } from '../../plugins/docintel/pipeline.ts'
import { LAYOUTS, madeInvoice } from '../support/docintel-fixtures/made/layouts.ts'
import { LANGUAGES } from '../support/docintel-fixtures/made/words.ts'
import { layOut } from '../support/docintel-fixtures/noise.ts'
import { loadReceipts } from '../support/docintel-fixtures/receipts/load.ts'
import { CONFIDENCE_OF, inventedNumbers, judge } from '../support/docintel-fixtures/score.ts'
import { judgeMadeInvoice, judgeMadePhoto } from './lib/made-verdicts.ts'
import { formatTable } from './lib/table.ts'

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '3' },
    photos: { type: 'string', default: '24' },
  },
})
/** Photos before it are those that the rules were mended on and the first ones drawn afterwards. */
const PHOTOS_FROM = 64
const SURE = 0.95

/** Right, wrong and all values by field; those given with a confidence of 0.95 or more are `sure`. */
class Shares {
  readonly #fields = new Map<string, { right: number; wrong: number; all: number }>()

  add(field: string, right: number, isGiven: boolean, confidence = 0): void {
    for (const name of isGiven && confidence >= SURE ? [field, 'sure'] : [field]) {
      const cell = this.#fields.get(name) ?? { right: 0, wrong: 0, all: 0 }
      this.#fields.set(name, cell)
      cell.right += right
      cell.all++
      if (isGiven) cell.wrong += 1 - right
    }
  }

  /** Per cent of a field's values; null without any. */
  percent(field: string, of: 'right' | 'wrong' = 'right'): number | null {
    const cell = this.#fields.get(field)
    return cell ? (100 * cell[of]) / cell.all : null
  }
}

const rows: string[][] = []
/** One goal: at least (or at most) `bound`; null is what this run did not measure. */
function goal(
  set: string,
  what: string,
  bound: { least: number } | { most: number },
  figure: number | null,
): void {
  const isMet = figure !== null && ('least' in bound ? figure >= bound.least : figure <= bound.most)
  rows.push([
    set,
    what,
    'least' in bound ? `≥ ${bound.least}` : `≤ ${bound.most}`,
    figure === null ? 'not run' : figure.toFixed(1),
    figure === null ? '–' : isMet ? 'yes' : 'NO',
  ])
}

const invoices = new Shares()
let drawn = 0
for (const language of Object.keys(LANGUAGES))
  for (const layout of LAYOUTS.keys())
    for (let seed = 1; seed <= Number(options.seeds); seed++) {
      drawn++
      const { verdicts } = judgeMadeInvoice(madeInvoice(language, layout, seed))
      for (const [field, [right, confidence]] of Object.entries(verdicts))
        invoices.add(field, Number(right), confidence !== undefined, confidence)
    }
const INVOICES = `invoices without XML (${drawn}, looked at)`
goal(INVOICES, 'total right, %', { least: 92 }, invoices.percent('total'))
goal(INVOICES, 'date right, %', { least: 90 }, invoices.percent('date'))
goal(INVOICES, 'id right, %', { least: 90 }, invoices.percent('id'))
for (const [field, name] of [
  ['vat', 'VAT'],
  ['seller', 'seller'],
  ['buyer', 'buyer'],
  ['goods lines', 'goods lines'],
] as const)
  goal(INVOICES, `${name} right, %`, { least: 85 }, invoices.percent(field))
goal(INVOICES, 'of confidence ≥ 0.95 right, %', { least: 95 }, invoices.percent('sure'))

const photos = new Shares()
const cpuMs: number[] = []
const count = Number(options.photos)
for (let k = PHOTOS_FROM; k < PHOTOS_FROM + count; k++) {
  const { verdicts, cpuMs: ownMs } = await judgeMadePhoto(k)
  cpuMs.push(ownMs)
  for (const { field, given, isRight, confidence } of verdicts)
    photos.add(field, Number(isRight), given !== null && given !== undefined, confidence ?? 0)
}
cpuMs.sort((a, b) => a - b)
const PHOTOS = `photos of invoices (${count}, layouts looked at)`
goal(PHOTOS, 'total right, %', { least: 90 }, photos.percent('total'))
goal(PHOTOS, 'total wrong, %', { most: 5 }, photos.percent('total', 'wrong'))
goal(PHOTOS, 'goods lines right, %', { least: 85 }, photos.percent('goods'))
goal(PHOTOS, 'of confidence ≥ 0.95 right, %', { least: 95 }, photos.percent('sure'))
const medianMs = cpuMs[cpuMs.length >> 1]
goal(PHOTOS, 'processor s a page, median', { most: 3 }, medianMs ? medianMs / 1000 : null)

const receipts = new Shares()
const frozen = loadReceipts('frozen-c-receipts.txt')
let invented = 0
for (const { lines, skill, truth } of frozen) {
  const outcome = await readDocument({
    source: { kind: 'text', text: layOut(lines, 'rows') },
    preferred: skill,
    tier: 'auto',
    nowMs: Date.UTC(2025, 0, 1),
    ocr: 'off',
    ocrBudgetMs: 1000,
  })
  if (!outcome.ok) throw new Error(outcome.message)
  const { result, text } = outcome
  invented += inventedNumbers(result, text).length
  for (const [field, verdict] of Object.entries(judge(result, truth))) {
    const confidence = result.confidence.fields[CONFIDENCE_OF[field] ?? '']
    receipts.add(field, Number(verdict === 'right'), verdict !== 'missing', confidence)
  }
}
// The first edition's figures on the same receipts.
const RECEIPTS = `receipts as text (${frozen.length}, never looked at)`
goal(RECEIPTS, 'total right, %', { least: 100 }, receipts.percent('total'))
goal(RECEIPTS, 'date right, %', { least: 97.5 }, receipts.percent('date'))
goal(RECEIPTS, 'seller right, %', { least: 95 }, receipts.percent('merchant'))
goal(RECEIPTS, 'of confidence ≥ 0.95 right, %', { least: 95 }, receipts.percent('sure'))
goal(RECEIPTS, 'invented numbers', { most: 0 }, invented)

console.log(formatTable(['set', 'what', 'goal', 'figure', 'met'], rows))
console.log(`
load ${loadavg()[0]!.toFixed(1)}. Measured by other commands:
  500 large images in a row, none refused   bun test/bench/docintel-soak.ts --count 500
  invoices in layouts of others (download)  bun test/bench/fresh-invoices.ts --folder F
                                            bun test/bench/others-invoices.ts --folder F
                                            bun test/bench/fourth-invoices.ts --folder F`)
process.exit(0)
