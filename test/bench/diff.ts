/**
 * Figures of utils.diff on our own pairs: how many breaking pairs are found, how many reports of a
 * break are right, the same for check ids, and time on a large document. With a path to the `tests`
 * folder of the official JSON-Schema-Test-Suite as argument (Debian ships one in
 * libtest-json-schema-acceptance-perl) also on pairs that others wrote: every two schemas of one
 * file, of which the suite's own instances tell that something valid became invalid. With the folder of
 * the npm package json-schema-diff (1.0.0) also on the pairs of its tests, which say exactly which values
 * were added and removed, so that breaks that are none count as well. With the folder of the npm
 * package @useoptic/standard-rulesets (1.0.9) on its pairs of OpenAPI documents and of schemas; pairs of
 * which its verdict is contradicted are counted apart, each with the reason.
 *
 *   bun test/bench/diff.ts [JSON-Schema-Test-Suite/tests] [json-schema-diff] [standard-rulesets] [--misses]
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareDocuments } from '../../plugins/utils/diff/compare.ts'
import { canonical } from '../../plugins/utils/diff/pointer.ts'
import { CONTRADICTION_CASES } from '../unit/plugins/utils/diff/cases/contradictions.ts'
import { DOCUMENT_CASES } from '../unit/plugins/utils/diff/cases/documents.ts'
import { OPERATION_CASES } from '../unit/plugins/utils/diff/cases/operations.ts'
import { checkOf } from '../unit/plugins/utils/diff/cases/judge.ts'
import { NEWER_OPENAPI_CASES } from '../unit/plugins/utils/diff/cases/newer-openapi.ts'
import { Random } from '../unit/plugins/utils/diff/cases/random.ts'
import { Sampler } from '../unit/plugins/utils/diff/cases/samples.ts'
import { SCHEMA_CASES } from '../unit/plugins/utils/diff/cases/schemas.ts'
import { STRUCTURE_CASES } from '../unit/plugins/utils/diff/cases/structure.ts'
import { type DocumentPair, opticPairs, type SchemaPair } from './lib/optic-pairs.ts'

const cases = [
  ...CONTRADICTION_CASES,
  ...SCHEMA_CASES,
  ...STRUCTURE_CASES,
  ...NEWER_OPENAPI_CASES,
  ...OPERATION_CASES,
  ...DOCUMENT_CASES,
]
const now = Date.UTC(2026, 0, 1)

interface Score {
  hit: number
  missed: number
  wrong: number
}

function line(name: string, { hit, missed, wrong }: Score): string {
  const recall = ((100 * hit) / (hit + missed)).toFixed(1)
  const precision = ((100 * hit) / (hit + wrong)).toFixed(1)
  return `${name.padEnd(16)} recall ${recall} %  precision ${precision} %  (${hit} hit, ${missed} missed, ${wrong} wrong)`
}

function accuracy(): void {
  const pairs: Score = { hit: 0, missed: 0, wrong: 0 }
  const ids: Score = { hit: 0, missed: 0, wrong: 0 }
  for (const { before, after, expect, direction } of cases) {
    const outcome = compareDocuments({ before, after, direction, now })
    const expected = expect.filter((item) => !item.startsWith('info'))
    const reported = outcome.ok ? outcome.changes.filter(({ level }) => level !== 'info') : []
    const named = new Set(reported.map(({ level, id }) => `${level} ${id}`))
    const breaking = outcome.ok && outcome.breaking
    if (expected.length > 0) pairs[breaking ? 'hit' : 'missed']++
    else if (breaking) pairs.wrong++
    for (const item of expected) ids[named.has(item) ? 'hit' : 'missed']++
    for (const item of named) if (!expected.includes(item)) ids.wrong++
  }
  console.log(`${cases.length} pairs`)
  console.log(line('breaking pairs', pairs))
  console.log(line('breaking ids', ids))
}

/** A document of `size` operations over `size` schemas that refer to each other. */
function large(size: number, type: string): Record<string, unknown> {
  const reference = (at: number) => ({ $ref: `#/components/schemas/S${at % size}` })
  const schemas: Record<string, unknown> = {}
  const paths: Record<string, unknown> = {}
  for (let at = 0; at < size; at++) {
    const properties = {
      id: { type: 'integer' },
      name: { type: at % 50 === 0 ? type : 'string' },
      next: reference(at * 7 + 1),
      list: { type: 'array', items: reference(at * 13 + 5) },
    }
    schemas[`S${at}`] = { type: 'object', required: ['id'], properties }
    const content = { 'application/json': { schema: reference(at) } }
    paths[`/p${at}`] = {
      post: { requestBody: { content }, responses: { 200: { description: 'done', content } } },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'large', version: '1' },
    paths,
    components: { schemas },
  }
}

function speed(): void {
  const before = large(800, 'string')
  for (const [name, after] of [
    ['unchanged', large(800, 'string')],
    ['16 types changed', large(800, 'integer')],
  ] as const) {
    const started = performance.now()
    const outcome = compareDocuments({ before, after, now })
    const found = outcome.ok ? JSON.stringify(outcome.summary) : 'refused'
    console.log(`800 operations, ${name}: ${(performance.now() - started).toFixed(0)} ms  ${found}`)
  }
}

interface Group {
  description: string
  schema: unknown
  tests: { data: unknown; valid: boolean }[]
}

const DRAFTS = ['draft4', 'draft6', 'draft7', 'draft2019-09', 'draft2020-12']

/**
 * Every two schemas of one file of the official suite: how many breaks that the suite's own instances
 * show are found. Two halves by the file's name: what is looked at (even) and what only judges (odd).
 */
function officialPairs(root: string): void {
  const counts = {
    even: { pairs: 0, broken: 0, found: 0 },
    odd: { pairs: 0, broken: 0, found: 0 },
  }
  for (const folder of DRAFTS) {
    for (const file of readdirSync(join(root, folder)).filter((name) => name.endsWith('.json'))) {
      const half = halfOf(file)
      const count = counts[half]
      const groups = JSON.parse(readFileSync(join(root, folder, file), 'utf8')) as Group[]
      for (const [a, b] of groups.flatMap((one) => groups.map((other) => [one, other] as const))) {
        if (canonical(a.schema) === canonical(b.schema)) continue
        const before = a.schema
        const outcome = compareDocuments({ before, after: b.schema, format: 'json-schema', now })
        if (!outcome.ok) continue
        count.pairs++
        const verdicts = new Map(b.tests.map(({ data, valid }) => [canonical(data), valid]))
        const isBroken = a.tests.some(
          ({ data, valid }) => valid && verdicts.get(canonical(data)) === false,
        )
        if (!isBroken) continue
        count.broken++
        if (outcome.breaking) count.found++
        else if (half === 'even' && process.argv.includes('--misses'))
          console.log(`  ${folder}/${file}: ${a.description} -> ${b.description}`)
      }
    }
  }
  for (const [half, { pairs, broken, found }] of Object.entries(counts)) {
    const recall = ((100 * found) / broken).toFixed(1)
    console.log(
      `official suite, ${half}: ${found} of ${broken} breaks found (${recall} %), ${pairs} pairs`,
    )
  }
}

interface SetCase {
  description: string
  input: { a: unknown; b: unknown }
  /** What only one side accepts, as schemas; false where there is nothing. */
  output: { added: unknown; removed: unknown }
}

/** The tables of cases that one of the package's test files holds as literals. */
function setCases(source: string): SetCase[] {
  const tables = source.matchAll(/const \w+: DiffTestCase\[\] = (\[[\s\S]*?\n *\]);/g)
  return [...tables].flatMap(([, table]) => new Function(`return ${table}`)() as SetCase[])
}

const halfOf = (name: string): 'even' | 'odd' =>
  createHash('sha256').update(name).digest()[0]! % 2 === 0 ? 'even' : 'odd'

/** Both orders of each pair, read as a request and as a response, in halves by the description. */
function setPairs(root: string): void {
  const scores = {
    even: { hit: 0, missed: 0, wrong: 0 },
    odd: { hit: 0, missed: 0, wrong: 0 },
  }
  const folder = join(root, 'test/unit/json-schema-diff')
  for (const file of readdirSync(folder).filter((name) => name.startsWith('diff-schemas'))) {
    for (const { description, input, output } of setCases(
      readFileSync(join(folder, file), 'utf8'),
    )) {
      const half = halfOf(description)
      for (const [before, after, added, removed] of [
        [input.a, input.b, output.added, output.removed],
        [input.b, input.a, output.removed, output.added],
      ]) {
        for (const direction of ['request', 'response'] as const) {
          const outcome = compareDocuments({ before, after, direction, format: 'json-schema', now })
          if (!outcome.ok) throw new Error(`${description}: refused`)
          const isBroken = (direction === 'request' ? removed : added) !== false
          if (isBroken === outcome.breaking) {
            if (isBroken) scores[half].hit++
            continue
          }
          scores[half][isBroken ? 'missed' : 'wrong']++
          if (half === 'even' && process.argv.includes('--misses'))
            console.log(`  ${isBroken ? 'missed' : 'wrong'}: ${description} (${direction})`)
        }
      }
    }
  }
  for (const [half, score] of Object.entries(scores)) console.log(line(`sets, ${half}`, score))
}

/** Documents of Optic's tests whose verdict is wrong as we see it, and why. */
const OPTIC_APART: Readonly<Record<string, string>> = {
  'breaking changes ruleset valid response union type transition':
    'a number may be answered where an object was promised',
}

function opticDocuments(pairs: readonly DocumentPair[]): void {
  for (const failOn of ['warn', 'error'] as const) {
    const score: Score = { hit: 0, missed: 0, wrong: 0 }
    const places = { named: 0, found: 0 }
    const apart: string[] = []
    for (const { name, before, after, breaking, configured, places: named } of pairs) {
      const outcome = compareDocuments({ before, after, now, fail_on: failOn })
      if (!outcome.ok) throw new Error(`${name}: refused`)
      const serious = outcome.changes.filter(({ level }) => level !== 'info')
      if (breaking && outcome.breaking) {
        places.named += named.length
        const isAt = (place: string) =>
          serious.some(({ location }) => `${location}/`.startsWith(`${place}/`))
        places.found += named.filter(isAt).length
      }
      const reason = configured ? 'the test configures Optic' : OPTIC_APART[name]
      if (breaking === outcome.breaking) score.hit += breaking ? 1 : 0
      else if (reason) apart.push(`  apart: ${name}: ${reason}`)
      else {
        score[breaking ? 'missed' : 'wrong']++
        console.log(`  ${breaking ? 'missed' : 'wrong'}: ${name}`)
      }
    }
    console.log(line(`optic, ${failOn}`, score))
    console.log(`  ${places.found} of ${places.named} places found, ${pairs.length} pairs`)
    for (const one of apart) console.log(one)
  }
}

/** Values of both schemas by which a verdict on a pair is checked. */
const OPTIC_VALUES = 300

function opticSchemas(pairs: readonly SchemaPair[]): void {
  const score: Score = { hit: 0, missed: 0, wrong: 0 }
  const apart = { contradicted: 0, unshown: 0 }
  const seen = new Set<string>()
  for (const { name, before, after, request, response } of pairs) {
    const key = canonical([before, after])
    if (seen.has(key)) continue
    seen.add(key)
    const [was, is] = [checkOf(before)!, checkOf(after)!]
    const random = new Random(1)
    const values = [before, after].flatMap((one) => new Sampler(one, random).values(OPTIC_VALUES))
    for (const [direction, isBroken] of [
      ['request', request],
      ['response', response],
    ] as const) {
      const outcome = compareDocuments({ before, after, direction, format: 'json-schema', now })
      if (!outcome.ok) throw new Error(`${name}: refused`)
      const isShown = values.some((value) =>
        direction === 'request' ? was(value) && !is(value) : is(value) && !was(value),
      )
      if (isShown !== isBroken) apart[isShown ? 'contradicted' : 'unshown']++
      else if (isBroken === outcome.breaking) score.hit += isBroken ? 1 : 0
      else {
        score[isBroken ? 'missed' : 'wrong']++
        console.log(`  ${isBroken ? 'missed' : 'wrong'}: ${name} (${direction})`)
      }
    }
  }
  console.log(line('optic, schemas', score))
  console.log(
    `  apart: ${apart.contradicted} said to be safe although a value shows the break, ` +
      `${apart.unshown} said to break although none of ${2 * OPTIC_VALUES} values does`,
  )
}

accuracy()
speed()
for (const folder of process.argv.slice(2).filter((one) => existsSync(one))) {
  if (existsSync(join(folder, 'test/unit/json-schema-diff'))) setPairs(folder)
  else if (existsSync(join(folder, 'src/breaking-changes'))) {
    const { documents, schemas } = await opticPairs(folder)
    opticDocuments(documents)
    opticSchemas(schemas)
  } else officialPairs(folder)
}
