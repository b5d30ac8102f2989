/**
 * Scores the made invoices of one page as photos: in 4 rotations, tilted by up to 12 degrees, in shadow,
 * blurred and faded. Per field what is right and what is wrong, whether confidence holds, processor
 * seconds a page. `bun test/bench/made-photos.ts [--from 0] [--count 40] [--faults]`.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { judgeMadePhoto } from './lib/made-verdicts.ts'

const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '40' },
    faults: { type: 'boolean', default: false },
  },
})

const fields: Record<string, { right: number; wrong: number; all: number }> = {}
const curve: Record<string, { right: number; all: number }> = {}
const cpuMs: number[] = []
for (let k = Number(options.from); k < Number(options.from) + Number(options.count); k++) {
  const { made, verdicts, cpuMs: ownMs } = await judgeMadePhoto(k)
  cpuMs.push(ownMs)
  for (const { field, given, isRight, confidence } of verdicts) {
    const isGiven = given !== null && given !== undefined
    const cell = (fields[field] ??= { right: 0, wrong: 0, all: 0 })
    cell.all++
    if (isRight) cell.right++
    else if (isGiven) cell.wrong++
    if (!isGiven || confidence === null) continue
    const band = confidence >= 0.95 ? '0.95–1' : confidence >= 0.9 ? '0.90–0.95' : 'below 0.90'
    const point = (curve[band] ??= { right: 0, all: 0 })
    point.all++
    if (isRight) point.right++
    else if (options.faults)
      console.log(
        made.name,
        field,
        confidence,
        given,
        (made.truth as Record<string, unknown>)[field],
      )
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
