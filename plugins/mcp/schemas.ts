/**
 * The schemas of a tool as model APIs and SDKs accept them: input flat at the root, output an
 * object that is the result, a rail's challenge or an error.
 */
import { compactInput, compactOutput } from './compact-schema.ts'
import { isObject, type Json } from './protocol.ts'

const COMBINATORS = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'] as const

/** The error body, as far as it tells a failure from a result: its members are those of HTTP. */
const ERROR: Json = { required: ['error'] }

/**
 * `type: object` without combinators at the root, which Anthropic, OpenAI and Bedrock refuse. What
 * they said is still checked by the gateway; members of the alternatives stay visible.
 */
export function inputSchemaOf(schema: object): Json {
  const root = compactInput(plain(schema))
  const properties: Json = {}
  const required = new Set<string>()
  collect(root, properties, required)
  const rest = Object.fromEntries(
    Object.entries(root).filter(
      ([name]) => !(COMBINATORS as readonly string[]).includes(name) && name !== 'required',
    ),
  )
  return {
    ...rest,
    type: 'object',
    properties,
    ...(required.size > 0 && { required: [...required] }),
  }
}

function collect(schema: Json, properties: Json, required: Set<string>): void {
  const members = schema['properties']
  if (isObject(members)) {
    for (const [name, member] of Object.entries(members)) properties[name] ??= member
  }
  if (Array.isArray(schema['required'])) {
    for (const name of schema['required']) required.add(String(name))
  }
  for (const part of listOf(schema['allOf'])) collect(part, properties, required)
  const optional = new Set<string>()
  for (const part of [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])])
    collect(part, properties, optional)
}

/** The declared output, what an unpaid call gives or an error; null when it is not an object and so cannot be structured content. */
export function outputSchemaOf(schema: object, unpaid: readonly object[]): Json | null {
  const result = plain(schema)
  if (result['type'] !== 'object') return null
  const { $defs, definitions, type, ...rest } = result
  return {
    type,
    // Local references count from the root.
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
    anyOf: [compactOutput(rest), ...unpaid, ERROR],
  }
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Typebox marks its schemas with symbols, which JSON drops. */
function plain(schema: object): Json {
  return JSON.parse(JSON.stringify(schema)) as Json
}
