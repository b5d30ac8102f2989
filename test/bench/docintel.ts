/**
 * Scores receipts and invoices: accuracy per field, wrong totals, invented values, amounts from
 * papers that are no sale, calibration of confidence, seconds. `bun test/bench/docintel.ts [--ocr]`.
 */
import { parseArgs } from 'node:util'
import { sniff } from '../../plugins/docintel/input/bytes.ts'
import { readDocument, type ReadJob } from '../../plugins/docintel/pipeline.ts'
import type { ParseResult } from '../../plugins/docintel/schema.ts'
import {
  ciiXml,
  makeEInvoice,
  ublXml,
  zugferd1Xml,
} from '../support/docintel-fixtures/einvoices.ts'
import { FROZEN } from '../support/docintel-fixtures/frozen.ts'
import { SEEN } from '../support/docintel-fixtures/seen.ts'
import { INVOICES } from '../support/docintel-fixtures/invoices.ts'
import { DEV, malaysian } from '../support/docintel-fixtures/malaysia.ts'
import { NEGATIVES } from '../support/docintel-fixtures/negatives.ts'
import { damage, layOut, skewedBoxes, type Layout } from '../support/docintel-fixtures/noise.ts'
import { writePdf } from '../support/docintel-fixtures/pdf.ts'
import { photograph } from '../support/docintel-fixtures/photo.ts'
import { seeded } from '../support/docintel-fixtures/random.ts'
import { loadReceipts } from '../support/docintel-fixtures/receipts/load.ts'
import { mixedReceipt } from '../support/docintel-fixtures/receipts/mixed.ts'
import {
  CONFIDENCE_OF,
  inventedNumbers,
  judge,
  type Verdicts,
} from '../support/docintel-fixtures/score.ts'
import { HARD_TILLS } from '../support/docintel-fixtures/tills.ts'
import type { Fixture } from '../support/docintel-fixtures/types.ts'
import { typeset } from '../support/docintel-fixtures/typeset.ts'
import { WORLD_RECEIPTS } from '../support/docintel-fixtures/world.ts'

const { values: options } = parseArgs({ options: { ocr: { type: 'boolean', default: false } } })
const NOW_MS = Date.UTC(2025, 0, 1)
const FIELDS = [
  'total',
  'date',
  'merchant',
  'address',
  'name =',
  'address =',
  'id',
  'subtotal',
  'tax',
  'currency',
  'goods',
] as const

interface Tally {
  documents: number
  counts: Record<string, { right: number; wrong: number; missing: number }>
  invented: number
  values: number
  ms: number[]
}
const tallies = new Map<string, Tally>()
const calibration: { confidence: number; right: boolean; frozen: boolean }[] = []

async function read(
  source: ReadJob['source'],
  skill: Fixture['skill'],
): Promise<{ result: ParseResult; text: string; ms: number }> {
  const started = performance.now()
  const outcome = await readDocument({
    source,
    preferred: skill,
    tier: 'auto',
    nowMs: NOW_MS,
    ocr: 'embedded',
    ocrBudgetMs: 30_000,
  })
  if (!outcome.ok) throw new Error(outcome.message)
  return { result: outcome.result, text: outcome.text, ms: performance.now() - started }
}

function record(
  group: string,
  result: ParseResult,
  text: string,
  verdicts: Verdicts,
  ms: number,
): void {
  const tally = tallies.get(group) ?? { documents: 0, counts: {}, invented: 0, values: 0, ms: [] }
  tallies.set(group, tally)
  tally.documents++
  tally.ms.push(ms)
  tally.invented += inventedNumbers(result, text).length
  tally.values += 5 + result.line_items.length * 3
  for (const [field, verdict] of Object.entries(verdicts)) {
    const counts = (tally.counts[field] ??= { right: 0, wrong: 0, missing: 0 })
    counts[verdict]++
    const confidence = result.confidence.fields[CONFIDENCE_OF[field] ?? '']
    if (confidence !== undefined && verdict !== 'missing')
      calibration.push({
        confidence,
        right: verdict === 'right',
        frozen: group.startsWith('FROZEN'),
      })
  }
}

async function scoreText(
  group: string,
  fixtures: readonly Fixture[],
  layout: Layout,
  rate: number,
): Promise<void> {
  for (const [i, fixture] of fixtures.entries()) {
    const text = damage(layOut(fixture.lines, layout), rate, seeded(i * 31 + 7))
    const { result, ms } = await read({ kind: 'text', text }, fixture.skill)
    record(group, result, text, judge(result, fixture.truth), ms)
  }
}

const generated = DEV.flatMap((template, t) =>
  Array.from({ length: 12 }, (_, k) => malaysian(seeded(k * 7919 + t * 101 + 5), template)),
)
for (const layout of ['columns', 'rows', 'boxes'] as const) {
  await scoreText(`tills generated, ${layout}, noise 3 %`, generated, layout, 0.03)
  await scoreText(`tills by hand, ${layout}`, HARD_TILLS, layout, 0)
}
for (const rate of [0, 0.03])
  await scoreText(`world receipts, noise ${rate * 100} %`, WORLD_RECEIPTS, 'columns', rate)
await scoreText('invoices as text', INVOICES, 'columns', 0)
for (const fixture of INVOICES) {
  const { result, text, ms } = await read(
    { kind: 'application/pdf', bytes: typeset(fixture.lines) },
    fixture.skill,
  )
  record('invoices as PDF', result, text, judge(result, fixture.truth), ms)
}
await scoreText('no sale (total must be null)', NEGATIVES, 'columns', 0)
await scoreText('seen once, sales and no sale', SEEN, 'columns', 0)
const frozenSales = FROZEN.filter((f) => f.truth.total !== null)
await scoreText('FROZEN sales', frozenSales, 'columns', 0)
await scoreText('FROZEN sales, rows, noise 3 %', frozenSales, 'rows', 0.03)
await scoreText(
  'FROZEN no sale',
  FROZEN.filter((f) => f.truth.total === null),
  'columns',
  0,
)

/**
 * Receipts by hand, unseen at their first run (total, date, merchant, address; papers that are no
 * sale left empty): A 97.1, 97.1, 92.6, 89.6 and 14 of 16; B 95, 95, 82.5, 92.5 and 14 of 15; D 96.2,
 * 100, 96.2, 96.2 and 10 of 10; E 94.5 (none wrong), 92.7, 90.9, 98.1 and 12 of 12, its names and
 * addresses to the letter; F 95.8 (none wrong), 100, 91.7, 95.8 and 12 of 12; all five were
 * used to mend afterwards. C is frozen: 100, 97.5, 95, 97.5 and 14 of 15, its failures never looked
 * into.
 */
const SETS: Record<string, readonly Fixture[]> = {
  'receipts A': ['unseen-a-malaysia.txt', 'unseen-a-world.txt'].flatMap(loadReceipts),
  'receipts B': ['unseen-b-asia.txt', 'unseen-b-west.txt'].flatMap(loadReceipts),
  'receipts D': loadReceipts('unseen-d.txt'),
  'receipts E': ['asia-1', 'asia-2', 'asia-3', 'asia-4', 'west'].flatMap((part) =>
    loadReceipts(`unseen-e-${part}.txt`),
  ),
  'receipts F': ['unseen-f-1.txt', 'unseen-f-2.txt'].flatMap(loadReceipts),
  'receipts G': ['unseen-g-asia.txt', 'unseen-g-west.txt'].flatMap(loadReceipts),
  'invoices G as text': loadReceipts('invoices-g.txt'),
  'receipts H': ['unseen-h-asia.txt', 'unseen-h-west.txt'].flatMap(loadReceipts),
  'invoices H as text': loadReceipts('invoices-h.txt'),
  'receipts I': loadReceipts('unseen-i-receipts.txt'),
  'invoices I as text': loadReceipts('invoices-i.txt'),
  'receipts of mixed parts': Array.from({ length: 200 }, (_, k) =>
    mixedReceipt(seeded(k * 7907 + 13), `mixed ${k}`),
  ),
  'FROZEN receipts C': loadReceipts('frozen-c-receipts.txt'),
}
for (const [name, fixtures] of Object.entries(SETS)) {
  for (const layout of ['rows', 'boxes'] as const)
    await scoreText(`${name}, ${layout}`, fixtures, layout, 0)
  await scoreText(`${name}, rows, noise 3 %`, fixtures, 'rows', 0.03)
  for (const [i, fixture] of fixtures.entries()) {
    const text = skewedBoxes(fixture.lines, 0.12, seeded(i * 31 + 7))
    const { result, ms } = await read({ kind: 'text', text }, fixture.skill)
    record(`${name}, boxes of a tilted scan`, result, text, judge(result, fixture.truth), ms)
  }
}
for (const name of [
  'articles-a',
  'articles-b',
  'articles-d',
  'articles-e',
  'articles-f',
  'articles-g',
  'articles-h',
  'frozen-c-articles',
])
  await scoreText(`no sale: ${name}`, loadReceipts(`${name}.txt`), 'rows', 0)

for (const [name, write] of Object.entries({ cii: ciiXml, zugferd1: zugferd1Xml, ubl: ublXml }))
  for (let seed = 100; seed < 120; seed++) {
    const e = makeEInvoice(seeded(seed))
    const bytes = writePdf({
      pages: [[{ x: 50, y: 60, text: 'Rechnung' }]],
      attachment: { name: 'factur-x.xml', content: write(e) },
    })
    const { result, ms } = await read({ kind: 'application/pdf', bytes }, 'invoice')
    const truth = {
      merchant: e.seller,
      date: e.date,
      total: e.total,
      id: e.id,
      subtotal: e.net,
      tax: e.tax,
      currency: e.currency,
      items: e.lines.length,
    }
    record(`e-invoice PDF, ${name}`, result, write(e), judge(result, truth), ms)
  }

if (options.ocr)
  for (let k = 0; k < 24; k++) {
    const r = seeded(k * 13 + 1000)
    const fixture = malaysian(r, DEV[k % DEV.length]!)
    const { bytes } = await photograph(
      fixture.lines,
      {
        format: (['jpeg', 'png', 'webp'] as const)[k % 3]!,
        fontSize: 20 + (k % 4) * 5,
        tiltDegrees: ((k % 5) - 2) * 0.5,
        grain: 30 + (k % 3) * 20,
        family: ['DejaVu Sans Mono', 'Liberation Mono', 'Liberation Sans Narrow'][k % 3]!,
      },
      r,
    )
    const { result, text, ms } = await read(
      { kind: sniff(bytes)!, bytes } as ReadJob['source'],
      'receipt',
    )
    record('photos (OCR)', result, text, judge(result, fixture.truth), ms)
  }

const percent = (part: number, whole: number): string =>
  whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)}`
const median = (list: number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0

console.table(
  Object.fromEntries(
    [...tallies].map(([group, tally]) => [
      group,
      {
        n: tally.documents,
        ...Object.fromEntries(
          FIELDS.map((field) => {
            const c = tally.counts[field]
            return [field, c ? percent(c.right, c.right + c.wrong + c.missing) : '']
          }),
        ),
        'wrong totals %': percent(tally.counts.total?.wrong ?? 0, tally.documents),
        'invented ‰': ((1000 * tally.invented) / Math.max(tally.values, 1)).toFixed(2),
        ms: median(tally.ms).toFixed(1),
      },
    ]),
  ),
)

const BINS = [0, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 1.01]
console.table(
  BINS.slice(0, -1).map((from, i) => {
    const inside = calibration.filter((c) => c.confidence >= from && c.confidence < BINS[i + 1]!)
    const frozen = inside.filter((c) => c.frozen)
    return {
      confidence: `${from.toFixed(2)}–${Math.min(1, BINS[i + 1]!).toFixed(2)}`,
      values: inside.length,
      'mean given':
        inside.length === 0
          ? ''
          : (inside.reduce((s, c) => s + c.confidence, 0) / inside.length).toFixed(3),
      'share right':
        inside.length === 0
          ? ''
          : (inside.filter((c) => c.right).length / inside.length).toFixed(3),
      'frozen sets': frozen.length,
      'share right there':
        frozen.length === 0
          ? ''
          : (frozen.filter((c) => c.right).length / frozen.length).toFixed(3),
    }
  }),
)
