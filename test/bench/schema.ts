/**
 * Figures of utils.schema: verdicts on our own table per draft, what drafts accept and reject, and
 * time. With a path to the `tests` folder of the official JSON-Schema-Test-Suite as argument (Debian
 * ships one in libtest-json-schema-acceptance-perl), its verdicts too, with and without the documents
 * of its `remotes` folder given along.
 *
 *   bun test/bench/schema.ts [path/to/JSON-Schema-Test-Suite/tests]
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { draftSchema } from '../../plugins/utils/schema/draft/draft.ts'
import { validate } from '../../plugins/utils/schema/validate.ts'
import { type Dialect, GROUPS, inDialect } from '../unit/plugins/utils/schema/cases.ts'
import { mutations, payload } from '../unit/plugins/utils/schema/payloads.ts'

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} %`

function verdicts(): void {
  const counts = new Map<Dialect, [right: number, all: number]>()
  for (const group of GROUPS) {
    for (const dialect of group.dialects) {
      const count = counts.get(dialect) ?? [0, 0]
      counts.set(dialect, count)
      const schema = inDialect(group.schema, dialect)
      const expected = [
        ...group.valid.map((value) => [value, true]),
        ...group.invalid.map((value) => [value, false]),
      ]
      for (const [value, verdict] of expected) {
        const outcome = validate(schema, value)
        count[1]++
        if (outcome.ok && outcome.valid === verdict) count[0]++
      }
    }
  }
  for (const [dialect, [right, all]] of counts) {
    console.log(`own table      ${dialect.padEnd(13)} ${right}/${all}  ${percent(right, all)}`)
  }
}

/** The suite's remote documents by the address at which it expects them. */
function remotes(folder: string, base = 'http://localhost:1234'): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    // Documents of the dialect after those that are read.
    if (name === 'draft-next' || name === 'v1') continue
    const path = join(folder, name)
    if (statSync(path).isDirectory()) Object.assign(found, remotes(path, `${base}/${name}`))
    else if (name.endsWith('.json'))
      found[`${base}/${name}`] = JSON.parse(readFileSync(path, 'utf8'))
  }
  return found
}

function officialSuite(root: string): void {
  const schemas = remotes(join(root, '../remotes'))
  const folders: [string, Dialect][] = [
    ['draft4', 'draft-04'],
    ['draft6', 'draft-06'],
    ['draft7', 'draft-07'],
    ['draft2019-09', '2019-09'],
    ['draft2020-12', '2020-12'],
  ]
  for (const [folder, dialect] of folders) {
    const count = { right: 0, all: 0, given: 0 }
    for (const file of readdirSync(join(root, folder)).filter((name) => name.endsWith('.json'))) {
      for (const group of JSON.parse(readFileSync(join(root, folder, file), 'utf8'))) {
        for (const { data, valid } of group.tests) {
          const outcome = validate(inDialect(group.schema, dialect), data)
          count.all++
          if (outcome.ok && outcome.valid === valid) count.right++
          else if (!outcome.ok && /remote schema|dialects/.test(JSON.stringify(outcome.problems))) {
            const again = validate(inDialect(group.schema, dialect), data, { schemas })
            if (again.ok && again.valid === valid) count.given++
          }
        }
      }
    }
    const { right, all, given } = count
    const rest = `with remote documents given ${percent(right + given, all)}`
    console.log(
      `official suite ${dialect.padEnd(13)} ${right}/${all}  ${percent(right, all)}  ${rest}`,
    )
  }
}

function drafts(): void {
  const rounds = 300
  const count = { accepted: 0, deleted: [0, 0], swapped: [0, 0] }
  for (let seed = 1; seed <= rounds; seed++) {
    const sample = payload(seed)
    const schema = draftSchema([sample])
    const accepts = (value: unknown) => {
      const outcome = validate(schema, value, { assertFormat: true })
      return outcome.ok && outcome.valid
    }
    if (accepts(sample)) count.accepted++
    for (const { kind, value } of mutations(sample)) {
      count[kind][1]!++
      if (!accepts(value)) count[kind][0]!++
    }
  }
  console.log(
    `drafts accept their sample   ${count.accepted}/${rounds}  ${percent(count.accepted, rounds)}`,
  )
  for (const kind of ['deleted', 'swapped'] as const) {
    const [rejected, all] = count[kind] as [number, number]
    console.log(`drafts reject ${kind.padEnd(14)} ${rejected}/${all}  ${percent(rejected, all)}`)
  }
}

function speed(): void {
  const schema = draftSchema(Array.from({ length: 20 }, (_, at) => payload(at + 1)))
  const instance = payload(3)
  const started = performance.now()
  const rounds = 200
  for (let at = 0; at < rounds; at++) validate(schema, instance)
  const each = (performance.now() - started) / rounds
  console.log(
    `validate with a schema of ${JSON.stringify(schema).length} characters: ${each.toFixed(2)} ms`,
  )
}

verdicts()
const suite = process.argv[2]
if (suite && existsSync(suite)) officialSuite(suite)
drafts()
speed()
