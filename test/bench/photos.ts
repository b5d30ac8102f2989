/**
 * Scores photos of receipts through the real document pool: totals and dates right, milliseconds and
 * processor time per photo. `bun test/bench/photos.ts [--count 24] [--ocr auto|embedded] [--faults]`.
 */
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { createDocumentPool } from '../../host/document-jobs/index.ts'
import type { ReadJob, ReadOutcome } from '../../plugins/docintel/pipeline.ts'
import { handheld } from '../support/docintel-fixtures/handheld.ts'
import { DEV, malaysian } from '../support/docintel-fixtures/malaysia.ts'
import { seeded } from '../support/docintel-fixtures/random.ts'
import { judge } from '../support/docintel-fixtures/score.ts'
import { procStat } from '../support/proc-stat.ts'

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '24' },
    ocr: { type: 'string', default: 'embedded' },
    faults: { type: 'boolean', default: false },
  },
})
const FAMILIES = ['DejaVu Sans Mono', 'Liberation Mono', 'Liberation Sans Narrow', 'DejaVu Sans']
const pool = createDocumentPool({ size: 1, log: pino({ level: 'silent' }) as never })
const module = { url: new URL('../../plugins/docintel/worker.ts', import.meta.url).href }

/** Processor milliseconds of this process's children so far (Linux; 0 elsewhere). */
function childCpuMs(): number {
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim()
    return children
      .split(' ')
      .filter((pid) => pid !== '')
      .reduce((sum, pid) => {
        const fields = procStat(pid)
        return sum + (Number(fields[11]) + Number(fields[12])) * 10
      }, 0)
  } catch {
    return 0
  }
}

const counts: Record<string, number> = {}
const all: Record<string, number> = {}
const wall: number[] = []
const cpu: number[] = []
for (let k = 0; k < Number(options.count); k++) {
  const r = seeded(k * 17 + 4001)
  const fixture = malaysian(r, DEV[k % DEV.length]!)
  const { bytes, width, height } = await handheld(
    fixture.lines,
    {
      fontSize: [22, 30, 42, 58][k % 4]!,
      family: FAMILIES[k % FAMILIES.length]!,
      perspective: (k % 3) * 0.06,
      tiltDegrees: ((k % 7) - 3) * 0.9,
      shadow: (k % 4) * 0.17,
      crease: (k % 5) * 0.8,
      blur: (k % 3) * 0.45,
      grain: 12 + (k % 4) * 12,
      quality: [82, 65, 50][k % 3]!,
      table: [60, 120, 175, 30][k % 4]!,
    },
    r,
  )
  const job: ReadJob = {
    source: { kind: 'image/jpeg', bytes },
    preferred: 'receipt',
    tier: 'auto',
    nowMs: Date.UTC(2025, 0, 1),
    ocr: options.ocr as ReadJob['ocr'],
    ocrBudgetMs: 25_000,
  }
  const cpuBefore = childCpuMs()
  const started = performance.now()
  const outcome = await pool.run<ReadOutcome>(module, 'parse', job, {
    timeoutMs: 60_000,
    memoryMib: 1024,
  })
  wall.push(performance.now() - started)
  cpu.push(childCpuMs() - cpuBefore)
  const verdicts = outcome.ok
    ? judge(outcome.value.result, fixture.truth)
    : { total: 'missing' as const, date: 'missing' as const }
  for (const [field, verdict] of Object.entries(verdicts)) {
    all[field] = (all[field] ?? 0) + 1
    if (verdict === 'right') counts[field] = (counts[field] ?? 0) + 1
  }
  if (options.faults && verdicts.total !== 'right')
    console.log(
      k,
      `${width}x${height}`,
      outcome.ok ? outcome.value.result.total : outcome,
      fixture.truth.total,
    )
}
await pool.stop(new Date())
const sorted = (list: number[]): number[] => list.toSorted((a, b) => a - b)
const at = (list: number[], share: number): number =>
  Math.round(sorted(list)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0)
console.table({
  ...Object.fromEntries(Object.keys(all).map((f) => [f, `${counts[f] ?? 0}/${all[f]}`])),
  'wall ms, median / p90 / max': `${at(wall, 0.5)} / ${at(wall, 0.9)} / ${at(wall, 1)}`,
  'cpu ms, median / p90 / max': `${at(cpu, 0.5)} / ${at(cpu, 0.9)} / ${at(cpu, 1)}`,
  'load average': loadavg()[0]!.toFixed(1),
})
