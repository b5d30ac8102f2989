/**
 * `npm run simulate`: short histories of the money paths from seeds, until one breaks a rule.
 * --streams runs those of streams that are charged at their end instead,
 * --lost-captures runs those in which many charges are given back,
 * --seed N begins at that seed, --histories M runs so many, --minutes N runs so long, --trace shows
 * every step (of one seed), --unsafe-ms N plants a storage that says too early that it has written.
 * Exit code 1: a history broke a rule; its seed is printed, and `--seed N --histories 1 --trace` shows it.
 */
import { runHistory, type HistoryReport } from './history.ts'
import { randomFrom } from './random.ts'
import { runStreamHistory } from './stream-history.ts'
import { takeTime } from './virtual-time.ts'

const given = process.argv.slice(2)
const numberOf = (name: string): number | null => {
  const at = given.indexOf(`--${name}`)
  return at < 0 ? null : Number(given[at + 1])
}
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const realNow = performance.now.bind(performance)
const minutes = numberOf('minutes')
const histories = numberOf('histories') ?? (minutes === null ? 10_000 : Infinity)
const firstSeed = numberOf('seed') ?? (minutes === null ? 1 : Math.floor(Math.random() * 2 ** 31))
const isTraced = given.includes('--trace')
const unsafeMs = numberOf('unsafe-ms') ?? 0
const run = given.includes('--streams') ? runStreamHistory : runHistory
const losesCaptures = given.includes('--lost-captures')
const keepsGoing = given.includes('--all')

let random = randomFrom(firstSeed)
const time = takeTime(() => random)
const startedAt = realNow()
const sums = { steps: 0, faults: 0, calls: 0, acknowledged: 0, refused: 0, untold: 0 }
const broken = new Map<string, { count: number; seed: number; message: string }>()
let done = 0
for (let seed = firstSeed; done < histories; seed++) {
  if (minutes !== null && realNow() - startedAt > minutes * 60_000) break
  const useRandom = (drawn: typeof random): void => void (random = drawn)
  let report: HistoryReport
  try {
    report = await run(seed, time, { isTraced, unsafeMs, losesCaptures, useRandom })
  } catch (error) {
    say(`seed ${seed} threw: ${(error as Error).stack}`)
    process.exit(1)
  }
  done++
  for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += report[name]
  if (isTraced) say(report.trace.join('\n'))
  for (const { rule, message } of report.violations) {
    const known = broken.get(rule)
    if (known) known.count++
    else broken.set(rule, { count: 1, seed, message })
  }
  if (broken.size > 0 && !keepsGoing) break
}
const seconds = (realNow() - startedAt) / 1000
const cpu = process.cpuUsage()
const cpuSeconds = (cpu.user + cpu.system) / 1e6
time.restore()
for (const [rule, { count, seed, message }] of broken) {
  say(`BROKEN ${rule} (${count}): seed ${seed}: ${message}`)
}
say(
  `${done} histories from seed ${firstSeed} in ${seconds.toFixed(1)} s (${Math.round(done / seconds)} a second, ` +
    `${Math.round(done / cpuSeconds)} a CPU second): ${sums.calls} calls, ${sums.steps} steps, ${sums.faults} faults; ` +
    `${sums.acknowledged} acknowledged, ${sums.refused} refused, ${sums.untold} untold; ` +
    (broken.size === 0 ? 'no rule broken' : `${broken.size} rules broken`),
)
process.exit(broken.size === 0 ? 0 : 1)
