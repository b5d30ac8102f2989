/**
 * Scores receipts that the understanding has met as text only, as photos tilted by up to 12 degrees
 * with perspective, shadow, creases and blur: fields right and wrong, processor milliseconds a photo.
 * `bun test/bench/tilted-photos.ts [--from 0] [--count 24] [--faults]`.
 */
import { parseArgs } from 'node:util'
import { readDocument } from '../../plugins/docintel/pipeline.ts'
import { handheld } from '../support/docintel-fixtures/handheld.ts'
import { seeded } from '../support/docintel-fixtures/random.ts'
import { loadReceipts } from '../support/docintel-fixtures/receipts/load.ts'
import { judge } from '../support/docintel-fixtures/score.ts'

const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '24' },
    faults: { type: 'boolean', default: false },
  },
})
const FAMILIES = [
  'DejaVu Sans Mono',
  'Liberation Mono',
  'Liberation Sans Narrow',
  'DejaVu Sans',
  'Liberation Serif',
]
const LINES_MAX = 45
const sets = ['frozen-c-receipts.txt', 'unseen-b-west.txt', 'unseen-e-west.txt', 'unseen-d.txt']
const all = sets
  .flatMap((set) => loadReceipts(set))
  .filter(({ truth, lines }) => truth.total !== null && lines.length < LINES_MAX)
const tally: Record<string, { right: number; wrong: number; all: number }> = {}
const cpuMs: number[] = []
const from = Number(options.from)
for (let k = from; k < from + Number(options.count); k++) {
  const r = seeded(k * 31 + 77)
  const fixture = all[(k * 7) % all.length]!
  const { bytes } = await handheld(
    fixture.lines,
    {
      fontSize: [20, 26, 36][k % 3]!,
      family: FAMILIES[k % FAMILIES.length]!,
      perspective: (k % 4) * 0.04,
      tiltDegrees: [-12, -5, 0, 3, 8, 11][k % 6]!,
      shadow: (k % 5) * 0.14,
      crease: (k % 4) * 0.8,
      blur: (k % 4) * 0.4,
      grain: 10 + (k % 4) * 10,
      quality: [82, 65, 50][k % 3]!,
      table: [60, 120, 175, 30][k % 4]!,
    },
    r,
  )
  const before = process.cpuUsage()
  const outcome = await readDocument({
    source: { kind: 'image/jpeg', bytes },
    preferred: fixture.skill,
    tier: 'auto',
    nowMs: Date.UTC(2025, 0, 1),
    ocr: 'embedded',
    ocrBudgetMs: 60_000,
  })
  const { user, system } = process.cpuUsage(before)
  cpuMs.push((user + system) / 1000)
  if (!outcome.ok) throw new Error(outcome.message)
  const verdicts = judge(outcome.result, fixture.truth)
  for (const [field, verdict] of Object.entries(verdicts)) {
    const cell = (tally[field] ??= { right: 0, wrong: 0, all: 0 })
    cell.all++
    if (verdict === 'right') cell.right++
    if (verdict === 'wrong') cell.wrong++
  }
  if (options.faults && verdicts.total !== 'right')
    console.log(`## ${k} ${fixture.name}: ${outcome.result.total}\n${outcome.text}`)
}
cpuMs.sort((a, b) => a - b)
console.table(tally)
console.log(
  `cpu ms, median ${Math.round(cpuMs[cpuMs.length >> 1]!)}, max ${Math.round(cpuMs.at(-1)!)}`,
)
process.exit(0)
