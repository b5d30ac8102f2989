/**
 * utils.diff on pairs of documents that others judged: the tests of libopenapi, and the versions of the
 * Docker Engine API with what its history says was taken away. `--misses` names what disagrees,
 * `--breaks` every breaking change between the versions.
 *
 *   bun test/bench/diff-others.ts what-changed/model [engine/docs/api] [--misses] [--breaks]
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareDocuments } from '../../plugins/utils/diff/compare.ts'
import { DOCKER_BREAKS } from './lib/docker-api.ts'
import { libopenapiPairs } from './lib/libopenapi-pairs.ts'
import { formatTable } from './lib/table.ts'

const [model, dockerApi] = process.argv.slice(2).filter((one) => !one.startsWith('--'))
if (!model) throw new Error('Name the folder of the tests of libopenapi')
const showsMisses = process.argv.includes('--misses')
const now = Date.UTC(2026, 0, 1)
const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`

function fragments(folder: string): void {
  const pairs = libopenapiPairs(folder)
  const digest = createHash('sha256').update(JSON.stringify(pairs)).digest('hex').slice(0, 16)
  const kinds = new Map<string, { hit: number; missed: number; wrong: number; safe: number }>()
  for (const { name, kind, before, after, breaking } of pairs) {
    for (const row of [kind, 'all']) {
      const counts = kinds.get(row) ?? { hit: 0, missed: 0, wrong: 0, safe: 0 }
      kinds.set(row, counts)
      const outcome = compareDocuments({ before, after, direction: 'both', now })
      const says = outcome.ok && outcome.breaking
      counts[breaking ? (says ? 'hit' : 'missed') : says ? 'wrong' : 'safe']++
      if (row === 'all' || says === breaking || !showsMisses) continue
      const found = outcome.ok
        ? outcome.changes.map(({ level, id }) => `${level} ${id}`).join(', ')
        : JSON.stringify(outcome.problems)
      console.log(`  ${breaking ? 'missed' : 'wrong'}: ${kind} ${name}: ${found}`)
    }
  }
  console.log(`libopenapi, ${pairs.length} pairs, set ${digest}`)
  console.log(
    formatTable(
      ['kind', 'hit', 'missed', 'wrong', 'safe', 'recall', 'precision'],
      [...kinds].map(([kind, { hit, missed, wrong, safe }]) => [
        kind,
        ...[hit, missed, wrong, safe].map(String),
        share(hit, hit + missed),
        share(hit, hit + wrong),
      ]),
    ),
  )
}

function versions(folder: string): void {
  let found = 0
  let breaks = 0
  for (let version = 26; version <= 51; version++) {
    const [before, after] = [version - 1, version].map((minor) => join(folder, `v1.${minor}.yaml`))
    if (!existsSync(before!) || !existsSync(after!)) continue
    const outcome = compareDocuments({
      before: readFileSync(before!, 'utf8'),
      after: readFileSync(after!, 'utf8'),
      now,
    })
    if (!outcome.ok) throw new Error(`v1.${version}: ${JSON.stringify(outcome.problems)}`)
    const serious = outcome.changes.filter(({ level }) => level !== 'info')
    breaks += serious.length
    console.log(`v1.${version}: ${JSON.stringify(outcome.summary)}`)
    if (process.argv.includes('--breaks'))
      for (const { level, id, message, operation, location } of serious)
        console.log(`  ${level} ${id} ${operation} ${message} ${location}`)
    for (const wanted of DOCKER_BREAKS.filter((one) => one.version === version)) {
      const isFound = serious.some(
        (change) =>
          change.operation === wanted.operation &&
          `${change.message} ${change.location}`.includes(wanted.names),
      )
      if (isFound) found++
      else if (showsMisses) console.log(`  missed: ${wanted.operation} ${wanted.names}`)
    }
  }
  console.log(
    `Docker Engine API: ${found} of ${DOCKER_BREAKS.length} stated breaks found, ${breaks} serious changes in all`,
  )
}

fragments(model)
if (dockerApi) versions(dockerApi)
