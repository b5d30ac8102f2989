/**
 * Which JSON Schema draft a schema is written in, and the official meta-schema of each. The
 * meta-schemas are those that ship with `typebox/schema`; nothing is fetched.
 */
import { Meta, type XSchema } from 'typebox/schema'
import { isMap } from '../diff/pointer.ts'

/** Year of the draft, with the numbered ones by their number, so that they can be compared. */
export type Draft = 4 | 6 | 7 | 2019 | 2020

/** Without scheme and fragment: people write http and https, with '#' and without. */
const URIS: Readonly<Record<string, Draft>> = {
  'json-schema.org/draft-04/schema': 4,
  'json-schema.org/draft-06/schema': 6,
  'json-schema.org/draft-07/schema': 7,
  'json-schema.org/draft/2019-09/schema': 2019,
  'json-schema.org/draft/2020-12/schema': 2020,
  // OpenAPI 3.1 §4.8.24.6: 2020-12 with annotations of its own.
  'spec.openapis.org/oas/3.1/dialect/base': 2020,
}
const NAMES: Readonly<Record<Draft, keyof typeof Meta>> = {
  4: 'http://json-schema.org/draft-04/schema#',
  6: 'http://json-schema.org/draft-06/schema#',
  7: 'http://json-schema.org/draft-07/schema#',
  2019: 'https://json-schema.org/draft/2019-09/schema',
  2020: 'https://json-schema.org/draft/2020-12/schema',
}

/** What a stated dialect asserts, by its draft and by the `$vocabulary` of a caller's own meta-schema. */
export interface DialectRules {
  /** Keywords that came with a later draft, or are of vocabularies that it leaves out. */
  ignored?: ReadonlySet<string>
  assertFormat?: boolean
}
export type DialectOutcome =
  | { ok: true; draft: Draft; stated: boolean; rules: DialectRules }
  | { ok: false; message: string }

/** Assertions and references, and the draft that brought them: in an earlier one they are unknown. */
const SINCE: Readonly<Record<string, Draft>> = {
  const: 6,
  contains: 6,
  propertyNames: 6,
  if: 7,
  minContains: 2019,
  maxContains: 2019,
  dependentRequired: 2019,
  dependentSchemas: 2019,
  unevaluatedItems: 2019,
  unevaluatedProperties: 2019,
  prefixItems: 2020,
  $dynamicRef: 2020,
}

/** Keywords that mean nothing yet in a draft, and `$recursiveRef`, which 2019-09 alone has. */
function unknownIn(draft: Draft): string[] {
  const later = Object.keys(SINCE).filter((keyword) => SINCE[keyword]! > draft)
  return draft === 2019 ? later : [...later, '$recursiveRef']
}

/** Keywords (with the shape that tells) of one draft that no newer draft gives the same meaning. */
const MARKS: readonly [Draft, (schema: Record<string, unknown>) => boolean][] = [
  [2020, (s) => 'prefixItems' in s || '$dynamicRef' in s || '$dynamicAnchor' in s],
  [2019, (s) => '$recursiveRef' in s || '$recursiveAnchor' in s],
  [
    4,
    (s) =>
      typeof s.exclusiveMinimum === 'boolean' ||
      typeof s.exclusiveMaximum === 'boolean' ||
      (s.$id === undefined && typeof s.id === 'string' && /^(?:#|https?:|urn:)/.test(s.id)),
  ],
  [
    7,
    (s) =>
      Array.isArray(s.items) ||
      isMap(s.definitions) ||
      isMap(s.dependencies) ||
      (typeof s.$id === 'string' && s.$id.startsWith('#')),
  ],
]

/**
 * The draft of a schema: what `$schema` says; without it, the draft whose own keywords it uses
 * (`definitions` or a list in `items` mean draft-07), else 2020-12. A meta-schema among `schemas`
 * stands for the draft that it is itself written in. `ok: false` for an unknown `$schema`.
 */
export function detectDraft(
  schema: unknown,
  schemas: Readonly<Record<string, unknown>> = {},
): DialectOutcome {
  if (!isMap(schema)) return { ok: true, draft: 2020, stated: false, rules: {} }
  const stated = schema.$schema
  if (stated !== undefined) {
    const draft = typeof stated === 'string' ? URIS[plainUri(stated)] : undefined
    if (draft !== undefined) {
      return { ok: true, draft, stated: true, rules: { ignored: new Set(unknownIn(draft)) } }
    }
    const own = typeof stated === 'string' ? ownMeta(stated, schemas) : undefined
    if (own !== undefined) return { ok: true, stated: true, ...own }
    const supported = Object.values(NAMES).join(', ')
    return { ok: false, message: `is not one of the supported dialects ${supported}` }
  }
  const found = new Set<Draft>()
  collectMarks(schema, found, 0)
  const draft = MARKS.find(([mark]) => found.has(mark))?.[0] ?? 2020
  return { ok: true, draft, stated: false, rules: {} }
}

/** Assertions of the validation vocabulary (2020-12 Validation §6). */
const VALIDATION_KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'required',
  'dependentRequired',
])

function ownMeta(
  uri: string,
  schemas: Readonly<Record<string, unknown>>,
): { draft: Draft; rules: DialectRules } | undefined {
  const meta = schemas[uri] ?? schemas[uri.replace(/#$/, '')]
  const base = isMap(meta) && typeof meta.$schema === 'string' ? URIS[plainUri(meta.$schema)] : null
  if (!isMap(meta) || !base) return undefined
  const unknown = unknownIn(base)
  if (!isMap(meta.$vocabulary)) return { draft: base, rules: { ignored: new Set(unknown) } }
  const vocabularies = Object.keys(meta.$vocabulary)
  const validates = vocabularies.some((name) => name.endsWith('/vocab/validation'))
  return {
    draft: base,
    rules: {
      ignored: new Set(validates ? unknown : [...unknown, ...VALIDATION_KEYWORDS]),
      ...(vocabularies.some((name) => name.endsWith('/vocab/format-assertion')) && {
        assertFormat: true,
      }),
    },
  }
}

function plainUri(uri: string): string {
  return uri.replace(/^https?:\/\//, '').replace(/#$/, '')
}

function collectMarks(value: unknown, found: Set<Draft>, depth: number): void {
  if (depth > 64) return
  if (isMap(value)) for (const [draft, applies] of MARKS) if (applies(value)) found.add(draft)
  for (const [, child] of children(value)) collectMarks(child, found, depth + 1)
}

/** Keywords whose values are data of the user and never schemas. */
export const DATA_KEYWORDS: ReadonlySet<string> = new Set([
  'const',
  'enum',
  'default',
  'examples',
  'example',
])

/** Keywords whose values map the user's own names to schemas. */
export const MAP_KEYWORDS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])

/**
 * The values right below a schema (or list of schemas) that may hold schemas, each with its path
 * of keys. Names that the user chose (`properties`, `$defs` …) are stepped over, so a property
 * called "enum" or "$ref" is not taken for the keyword; data (`const`, `default` …) is left out.
 */
export function children(value: unknown): [path: string[], child: unknown][] {
  if (Array.isArray(value)) return value.map((item, at) => [[String(at)], item])
  if (!isMap(value)) return []
  const out: [string[], unknown][] = []
  for (const [key, item] of Object.entries(value)) {
    if (DATA_KEYWORDS.has(key)) continue
    if (MAP_KEYWORDS.has(key) && isMap(item)) {
      for (const [name, member] of Object.entries(item)) out.push([[key, name], member])
    } else out.push([[key], item])
  }
  return out
}

/** Keywords (besides the maps) whose values hold schemas in some draft. */
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/** True when the draft gives the values under this path of `children` the meaning of schemas. */
export function isSchemaPath(path: readonly string[]): boolean {
  const key = path[0]!
  return SCHEMA_KEYWORDS.has(key) || (MAP_KEYWORDS.has(key) && path.length > 1) || /^\d+$/.test(key)
}

/** The official meta-schema of a draft. */
export function metaSchema(draft: Draft): XSchema {
  return Meta[NAMES[draft]]
}

/** Every official meta-schema (and vocabulary) by each URI that refers to it. */
export const KNOWN_SCHEMAS: Readonly<Record<string, XSchema>> = knownSchemas()

function knownSchemas(): Record<string, XSchema> {
  const known: Record<string, XSchema> = {}
  for (const [uri, schema] of Object.entries(Meta)) {
    const plain = uri.replace(/#$/, '')
    known[plain] = schema
    known[`${plain}#`] = schema
    const parts = (schema as { allOf?: { $id?: string }[] }).allOf ?? []
    for (const part of parts) if (part.$id) known[part.$id] = part as XSchema
  }
  return known
}
