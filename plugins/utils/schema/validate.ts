/**
 * Validates an instance against an untrusted caller's schema. Runs in the document pool: a schema
 * can be made to cost any time, so the limits here are for clear messages and the pool's for safety.
 */
import { Build, type XSchema } from 'typebox/schema'
import { isMap } from '../diff/pointer.ts'
import { detectDraft, type DialectRules, type Draft, KNOWN_SCHEMAS, metaSchema } from './dialect.ts'
import { decidedPatterns } from './patterns.ts'
import { explain, type SchemaError, type Written } from './explain.ts'
import { type Linked, linkedByName, linkedByTarget } from './link.ts'
import { prepareSchema } from './prepare.ts'
import { checkReferences, type GivenSchema } from './references.ts'
import { sizeProblem } from '../measure.ts'

/** Deepest nesting of a schema. */
const SCHEMA_DEPTH_MAX = 128
/** Most values (objects, arrays, scalars) in a schema. */
const SCHEMA_VALUES_MAX = 100_000
/** Most problems reported of one schema. */
const META_PROBLEMS_MAX = 20

/** A problem of the schema itself; `path` is a pointer inside the schema. */
export interface SchemaProblem {
  path: string
  /** The key in `schemas` of the document it is in; absent: the schema itself. */
  document?: string
  message: string
}
export type Validation =
  | { ok: true; valid: boolean; errors: SchemaError[] }
  | { ok: false; problems: SchemaProblem[] }

export interface ValidateOptions {
  /** Whether `format` rejects values; default: as the schema's draft says. */
  assertFormat?: boolean
  /** Documents that references may lead to, by absolute URI. */
  schemas?: Readonly<Record<string, unknown>>
}

/**
 * Whether `instance` is valid under `schema`, with at most `ERRORS_MAX` errors; `ok: false` when
 * the schema itself is wrong, of an unknown dialect, too deep, or refers to something outside.
 * Follows JSON Schema draft-04, -06, -07, 2019-09 and 2020-12.
 */
export function validate(
  schema: unknown,
  instance: unknown,
  options: ValidateOptions = {},
): Validation {
  const { schemas = {} } = options
  const size = sizeProblem([schema, schemas], {
    valuesMax: SCHEMA_VALUES_MAX,
    depthMax: SCHEMA_DEPTH_MAX,
  })
  if (size) return { ok: false, problems: [{ path: '', message: size }] }
  const dialect = detectDraft(schema, schemas)
  if (!dialect.ok) return { ok: false, problems: [{ path: '/$schema', message: dialect.message }] }
  const { draft, stated, rules } = dialect
  const wrong = checkAgainstMeta(schema, draft)
  if (wrong.length > 0) return { ok: false, problems: wrong }
  const given = givenOf(schemas, dialect)
  const references = checkReferences(schema, draft, given)
  const reached = given.filter(
    ({ name, schema: other }) => typeof other === 'boolean' || references.reached.has(name),
  )
  const problems = [
    ...reached.flatMap((one) => problemsOf(one, schemas)),
    ...references.issues.map(({ pointer, ...rest }) => ({ path: pointer, ...rest })),
  ]
  if (problems.length > 0) return { ok: false, problems }
  // JSON Schema 2019-09 §7.2: an annotation by default. Without a `$schema` people mean it.
  const assertFormat = options.assertFormat ?? rules.assertFormat ?? (draft <= 7 || !stated)
  const main = { name: '', uri: '', schema, draft, ignored: rules.ignored }
  const linked =
    linkedByTarget(main, reached, references, assertFormat) ??
    linkedByName(main, reached, references, assertFormat)
  const written = { ...references, schema, hidesSiblings: draft <= 7 }
  return run(linked, instance, references.hasUnevaluated, written)
}

/** The documents given along, each of the dialect that it states or else of the schema's, `outer`. */
function givenOf(
  schemas: Readonly<Record<string, unknown>>,
  outer: { draft: Draft; rules: DialectRules },
): GivenSchema[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    // Nothing can refer to another name, and nobody is told of a document that nothing refers to.
    if (!URL.canParse(name)) return []
    const dialect = detectDraft(schema, schemas)
    const { draft, rules } = dialect.ok && dialect.stated ? dialect : outer
    const uri = new URL(name).href.split('#')[0]!
    return [{ name, uri, schema, draft, ignored: rules.ignored }]
  })
}

function problemsOf(
  { name, schema, draft }: GivenSchema,
  schemas: Readonly<Record<string, unknown>>,
): SchemaProblem[] {
  const dialect = detectDraft(schema, schemas)
  if (!dialect.ok) return [{ document: name, path: '/$schema', message: dialect.message }]
  return checkAgainstMeta(schema, draft).map((problem) => ({ document: name, ...problem }))
}

function run(
  linked: Linked,
  instance: unknown,
  hidesEntries = false,
  written?: Written,
): Validation {
  try {
    return decidedPatterns()(() => {
      const value = bare(instance, hidesEntries)
      const valid = Build(linked.context, linked.schema).Evaluate().Check(value)
      return { ok: true, valid, errors: valid ? [] : explain(linked, value, written) }
    })
  } catch (cause) {
    const message =
      cause instanceof RangeError
        ? 'refers to itself without end, or nests too deep to evaluate'
        : `cannot be evaluated: ${cause instanceof Error ? cause.message : String(cause)}`
    return { ok: false, problems: [{ path: '', message }] }
  }
}

/** A list without entries: the library asks `unevaluatedProperties` of those of lists too. */
const WITHOUT_ENTRIES: ProxyHandler<unknown[]> = { ownKeys: () => ['length'] }

/**
 * A copy whose objects inherit nothing: the library asks `key in value`, and "toString" is in
 * every ordinary object. `hidesEntries` is for schemas that ask for entries; such lists are slow to read.
 */
function bare(value: unknown, hidesEntries = false): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => bare(item, hidesEntries))
    return hidesEntries ? new Proxy(items, WITHOUT_ENTRIES) : items
  }
  if (!isMap(value)) return value
  const copy = Object.create(null) as Record<string, unknown>
  for (const [key, item] of Object.entries(value)) copy[key] = bare(item, hidesEntries)
  return copy
}

interface MetaCheck extends Linked {
  check: (schema: unknown) => boolean
}
const META_CHECKS = new Map<Draft, MetaCheck>()

/** The meta-schema check of a draft, built once. Only `regex` is asserted of its formats. */
function metaCheck(draft: Draft): MetaCheck {
  const known = META_CHECKS.get(draft)
  if (known) return known
  const prepare = (one: XSchema) =>
    prepareSchema(one, draft, (format) => format === 'regex') as XSchema
  // Parts of a schema are checked by references back to it, which lead to these.
  const context = Object.fromEntries(
    Object.entries(KNOWN_SCHEMAS).map(([uri, one]) => [uri, prepare(one)]),
  )
  const schema = prepare(metaSchema(draft))
  const decided = decidedPatterns()
  const built = decided(() => Build(context, schema).Evaluate())
  const entry = {
    context,
    schema,
    check: (value: unknown) => decided(() => built.Check(bare(value))),
  }
  META_CHECKS.set(draft, entry)
  return entry
}

/** Problems of a schema under the official meta-schema of its draft; none when it is well-formed. */
function checkAgainstMeta(schema: unknown, draft: Draft): SchemaProblem[] {
  const meta = metaCheck(draft)
  if (meta.check(schema)) return []
  const outcome = run(meta, schema)
  if (!outcome.ok || outcome.valid) return []
  const problems = new Map<string, SchemaProblem>()
  for (const { instancePath, message } of outcome.errors) {
    problems.set(`${instancePath} ${message}`, { path: instancePath, message })
  }
  return [...problems.values()].slice(0, META_PROBLEMS_MAX)
}
