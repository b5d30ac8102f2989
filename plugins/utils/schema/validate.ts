/**
 * Validates an instance against an untrusted caller's schema. Runs in the document pool: a schema
 * can be made to cost any time, so the limits here are for clear messages and the pool's for safety.
 */
import { Build, Errors, type XSchema } from 'typebox/schema'
import { Settings } from 'typebox/system'
import { isMap } from '../diff/pointer.ts'
import { detectDraft, type DialectRules, type Draft, KNOWN_SCHEMAS, metaSchema } from './dialect.ts'
import { decidedPatterns } from './patterns.ts'
import { prepareSchema, REFINE } from './prepare.ts'
import { linkedByName, linkedByTarget } from './link.ts'
import { checkReferences, type GivenSchema } from './references.ts'
import { sizeProblem } from '../measure.ts'

/** Deepest nesting of a schema. */
const SCHEMA_DEPTH_MAX = 128
/** Most values (objects, arrays, scalars) in a schema. */
const SCHEMA_VALUES_MAX = 100_000
/** Most errors reported of one instance. */
export const ERRORS_MAX = 200

/** Most problems reported of one schema. */
const META_PROBLEMS_MAX = 20

export interface SchemaError {
  /** RFC 6901 pointer into the instance; '' is the whole of it. */
  instancePath: string
  /** Pointer to the keyword inside the schema, as a URI fragment: '#/properties/a/type'. */
  schemaPath: string
  keyword: string
  message: string
}
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
  return run(linked.context, linked.schema, instance, references.hasUnevaluated)
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
  context: Record<string, XSchema>,
  schema: XSchema,
  instance: unknown,
  hidesEntries = false,
): Validation {
  try {
    return decidedPatterns()(() => {
      const value = bare(instance, hidesEntries)
      const valid = Build(context, schema).Evaluate().Check(value)
      return { ok: true, valid, errors: valid ? [] : explain(context, schema, value) }
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

function explain(
  context: Record<string, XSchema>,
  schema: XSchema,
  instance: unknown,
): SchemaError[] {
  Settings.Set({ maxErrors: ERRORS_MAX })
  const [, errors] = Errors(context, schema, instance)
  const listed = withoutSummaries(errors.map(readable))
  if (listed.length > 0) return listed
  return [{ instancePath: '', schemaPath: '#', keyword: 'schema', message: 'is not valid' }]
}

const REST = /\/((?:additional|unevaluated)(?:Properties|Items))$/

/** An error as it is reported: what `false` refused is named after the keyword that held it. */
function readable(error: SchemaError): SchemaError {
  const { instancePath, schemaPath, keyword, message } = error
  const rest = keyword === 'boolean' ? REST.exec(schemaPath)?.[1] : undefined
  if (rest) return { instancePath, schemaPath, keyword: rest, message: 'is not allowed here' }
  if (keyword === REFINE)
    return {
      instancePath,
      schemaPath: `${schemaPath}/uniqueItems`,
      keyword: 'uniqueItems',
      message,
    }
  const path = keyword === 'boolean' ? schemaPath : `${schemaPath}/${keyword}`
  return { instancePath, schemaPath: path, keyword, message }
}

/** Errors without those that only repeat that something below them failed. */
function withoutSummaries(errors: SchemaError[]): SchemaError[] {
  return errors.filter(
    (error) =>
      !REST.test(error.schemaPath) ||
      !errors.some(
        (other) =>
          other.schemaPath.startsWith(error.schemaPath) &&
          other.instancePath.startsWith(`${error.instancePath}/`),
      ),
  )
}

interface MetaCheck {
  context: Record<string, XSchema>
  schema: XSchema
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
  const outcome = run(meta.context, meta.schema, schema)
  if (!outcome.ok || outcome.valid) return []
  const problems = new Map<string, SchemaProblem>()
  for (const { instancePath, message } of outcome.errors) {
    problems.set(`${instancePath} ${message}`, { path: instancePath, message })
  }
  return [...problems.values()].slice(0, META_PROBLEMS_MAX)
}
