/**
 * What a JSON Schema of a product document must be. The compiler passes over a type that does not
 * exist and a reference that leads nowhere: the first would accept anything, the second would refuse
 * every call and break the API description.
 */
import { compileSchema, isObject } from '#kernel'
import {
  pointerTokens,
  SCHEMA_TYPES,
  schemaParts,
  type ReportProblem,
  type SchemaPart,
  type SpecPath,
} from '#kernel/host'
import { LinearRegExp } from '#patterns'
import { Type } from 'typebox'
import type { Findings } from './problem.ts'

const nestedSchema = Type.Union([Type.Boolean(), Type.Object({})])
const schemasByName = Type.Optional(Type.Record(Type.String(), nestedSchema))
const number = Type.Optional(Type.Number())
const count = Type.Optional(Type.Integer({ minimum: 0 }))
/** The keywords that are most often written in another form, which the compiler would ignore. */
const KEYWORDS = compileSchema(
  Type.Object({
    properties: schemasByName,
    $defs: schemasByName,
    required: Type.Optional(Type.Array(Type.String())),
    enum: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1 })),
    items: Type.Optional(nestedSchema),
    additionalProperties: Type.Optional(nestedSchema),
    minimum: number,
    maximum: number,
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
  }),
)

/** Reports each place of the schema at `path` that an operator must change. */
export function checkSchema(
  schema: Record<string, unknown> | undefined,
  path: SpecPath,
  isInput: boolean,
  { problem, warning }: Findings,
): void {
  if (schema === undefined) return
  if (isInput && schema['type'] !== 'object')
    problem(path, 'must be a JSON Schema with `type: object` at the root')
  const parts = schemaParts(schema, path)
  // An `$id` moves what references are relative to.
  const isMoved = parts.some(({ part }) => typeof part['$id'] === 'string')
  for (const { part, at } of parts) {
    checkType(part['type'], [...at, 'type'], problem)
    checkPattern(part['pattern'], [...at, 'pattern'], { problem, warning })
    for (const name of Object.keys(part['patternProperties'] ?? {}))
      checkPattern(name, [...at, 'patternProperties', name], { problem, warning })
    for (const issue of KEYWORDS.issues(part))
      problem([...at, ...pointerTokens(issue.path)], issue.message)
    const reference = part['$ref']
    if (typeof reference === 'string' && !isMoved && !leadsSomewhere(reference, schema, parts))
      problem([...at, '$ref'], 'must lead to a part of this schema, such as #/$defs/city')
  }
  try {
    compileSchema(schema).check({})
  } catch {
    problem(path, 'is not a JSON Schema that can be compiled')
  }
}

/**
 * Remarks that `example` is not what its schema takes. It is not a refusal: the skill can be sold, but
 * whoever sends the example that the pages show is answered 400.
 */
export function checkExample(
  schema: Record<string, unknown> | undefined,
  example: unknown,
  path: SpecPath,
  warning: ReportProblem,
): void {
  if (schema === undefined || example === undefined) return
  try {
    const [issue] = compileSchema(schema).issues(example)
    if (issue === undefined) return
    const where = [issue.path, issue.message].filter((part) => part !== '').join(' ')
    warning(path, `does not fit \`${path.at(-1)}\` of the skill: ${where}`)
  } catch {
    // A schema that does not compile is a problem of its own.
  }
}

function checkType(type: unknown, at: SpecPath, problem: ReportProblem): void {
  if (type === undefined) return
  const names: unknown[] = Array.isArray(type) ? type : [type]
  if (names.length === 0 || !names.every((name) => SCHEMA_TYPES.includes(name as string)))
    problem(at, `must be one of ${SCHEMA_TYPES.join(', ')}, or a list of them`)
}

function checkPattern(pattern: unknown, at: SpecPath, { problem, warning }: Findings): void {
  if (pattern === undefined) return
  try {
    if (typeof pattern !== 'string') throw new SyntaxError('it is no text')
    if (new LinearRegExp(pattern, 'u').mayGiveUp)
      warning(
        at,
        'looks around or refers back: a value made to be slow holds the gateway for a second; better write it without',
      )
  } catch (cause) {
    problem(at, `must be a regular expression (${cause instanceof Error ? cause.message : cause})`)
  }
}

function leadsSomewhere(reference: string, root: unknown, parts: readonly SchemaPart[]): boolean {
  if (!reference.startsWith('#')) return false
  const fragment = reference.slice(1)
  if (fragment !== '' && !fragment.startsWith('/'))
    return parts.some(
      ({ part }) => part['$anchor'] === fragment || part['$dynamicAnchor'] === fragment,
    )
  let found = root
  for (const name of pointerTokens(decoded(fragment))) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return false
    found = Reflect.get(found, name)
  }
  return isObject(found) || typeof found === 'boolean'
}

/** A pointer in a fragment is percent-encoded. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
