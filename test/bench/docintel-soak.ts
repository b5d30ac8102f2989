/**
 * Calls with large images in a row through the document pool, as the skill makes them: how many are
 * refused, what the children and this process hold, whether the answer comes in time.
 * `bun test/bench/docintel-soak.ts [--count 500] [--minutes 30]`; stopped by SIGTERM or its minutes it
 * prints what it has.
 */
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createCanvas } from '@napi-rs/canvas'
import { pino } from 'pino'
import { createDocumentPool } from '../../host/document-jobs/index.ts'
import type { ReadJob, ReadOutcome } from '../../plugins/docintel/pipeline.ts'
import { SANS } from '../support/docintel-fixtures/fonts.ts'
import { bookshop, malaysian } from '../support/docintel-fixtures/malaysia.ts'
import { seeded } from '../support/docintel-fixtures/random.ts'

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '500' },
    minutes: { type: 'string', default: '600' },
  },
})
const endsAtMs = performance.now() + Number(options.minutes) * 60_000
let isStopped = false
process.once('SIGTERM', () => (isStopped = true))
/** The skill's own limits. */
const [TIMEOUT_MS, MEMORY_MIB, OCR_BUDGET_MS] = [45_000, 1024, 34_000]

/** A page of text lines, its columns parted by ' | '. */
async function page(
  [width, height]: readonly [number, number],
  size: number,
  lines: readonly string[],
): Promise<Uint8Array> {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#f4f3ef'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#2a2a2c'
  context.font = `${size}px "${SANS}"`
  for (const [i, line] of lines.entries())
    for (const [k, cell] of line.split(' | ').entries())
      context.fillText(cell, width * (0.08 + k * 0.3), size * 2 + i * size * 1.5)
  return new Uint8Array(await canvas.encode('jpeg', 70))
}

const r = seeded(71)
const receipt = malaysian(r, bookshop)
const A4_600_DPI = [4961, 7016] as const
const filler = Array.from({ length: 76 }, (_, i) =>
  Array.from({ length: 14 }, () => `${r.pick(['lorem', 'ipsum', 'dolor', 'amet'])}${r.digits(3)}`)
    .join(' ')
    .concat(` ${i}`),
)
const kinds = {
  'A4 at 600 dpi': await page(A4_600_DPI, 110, receipt.lines),
  'A4 at 600 dpi, dense': await page(A4_600_DPI, 60, [...receipt.lines, ...filler].slice(0, 77)),
  small: await page([760, 1100], 20, receipt.lines),
}

/** Resident MiB of a process; 0 where it is gone. */
function residentMib(pid: number | string): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return (pages * 4096) / 1_048_576
  } catch {
    return 0
  }
}
const childrenMib = (): number =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .reduce((most, pid) => Math.max(most, residentMib(pid)), 0)

const pool = createDocumentPool({ size: 1, log: pino({ level: 'silent' }) as never })
const module = { url: new URL('../../plugins/docintel/worker.ts', import.meta.url).href }
const names = Object.keys(kinds) as (keyof typeof kinds)[]
const rows = Object.fromEntries(
  names.map((name) => [name, { calls: 0, answered: 0, partial: 0, totals: 0, 'slowest s': 0 }]),
)
const refusals: Record<string, number> = {}
let mostMib = 0
const watch = setInterval(() => (mostMib = Math.max(mostMib, childrenMib())), 200)
const ownMib: number[] = []
for (let k = 0; k < Number(options.count); k++) {
  if (isStopped || performance.now() > endsAtMs) break
  const name = names[k % names.length]!
  const row = rows[name]!
  const job: ReadJob = {
    source: { kind: 'image/jpeg', bytes: kinds[name] },
    preferred: 'receipt',
    tier: 'auto',
    nowMs: Date.UTC(2025, 0, 1),
    ocr: 'auto',
    ocrBudgetMs: OCR_BUDGET_MS,
  }
  const started = performance.now()
  const limits = { timeoutMs: TIMEOUT_MS, memoryMib: MEMORY_MIB }
  const outcome = await pool.run<ReadOutcome>(module, 'parse', job, limits)
  row.calls++
  row['slowest s'] = Math.max(row['slowest s'], (performance.now() - started) / 1000)
  if (outcome.ok && outcome.value.ok) {
    row.answered++
    if (outcome.value.result.total === receipt.truth.total) row.totals++
    if (outcome.value.result.warnings.includes('not_all_text_read')) row.partial++
  } else {
    const reason = outcome.ok ? outcome.value : { code: outcome.reason, message: outcome.message }
    const text = `${name}: ${(reason as { code: string }).code} ${(reason as { message: string }).message}`
    refusals[text] = (refusals[text] ?? 0) + 1
  }
  if (k % 10 !== 9) continue
  ownMib.push(Math.round(residentMib('self')))
  console.log(`${k + 1} calls, ${Object.values(refusals).reduce((a, b) => a + b, 0)} refused`)
}
clearInterval(watch)
await pool.stop(new Date())
console.table(rows)
console.log('refused:', refusals)
console.log(
  `most MiB of a child ${Math.round(mostMib)} of ${MEMORY_MIB}; MiB of this process, every tenth call: ${ownMib.join(' ')}; load ${loadavg()[0]!.toFixed(1)}`,
)
