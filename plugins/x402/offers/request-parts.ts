/**
 * What stands in the path, the query, the headers and the body of a skill's HTTP request, each as a schema
 * with an example: a catalogue shows them apart, and an input is one flat object.
 */
import { isObject } from '#kernel'
import { addPairs, headerText } from '../../shared/documents/request-pairs.ts'
import {
  bodyType,
  bodyValueSchema,
  FORM_BODY,
  hasBody,
  isInHeader,
  isInQuery,
  isJsonType,
  JSON_BODY,
  membersOf,
  MULTIPART_BODY,
  namesInPath,
  namesOnlyInPath,
  NO_BODY,
  styleOf,
  takesBody,
  type Style,
} from '../../shared/documents/request-places.ts'

type Json = Record<string, unknown>

export interface RequestPart {
  schema: Json
  /** Undefined: none is known. */
  example: unknown
}
export interface RequestParts {
  /** Null: the part is empty, or the request has none. */
  path: RequestPart | null
  query: RequestPart | null
  headers: RequestPart | null
  body: (RequestPart & { type: string }) | null
}

/** Keywords that are about all members of an input, and say nothing true of some of them. */
const OF_THE_WHOLE = [
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'minProperties',
  'maxProperties',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
]
/** What the parts say by where they are. */
const PLACES = ['x-in', 'x-style', 'x-body', 'x-body-schema']

/** The parts of a request to the route `path` with this input, whose members `example` may show. */
export function requestParts(
  { method, path }: { method: string; path: string },
  input: Json,
  example: unknown,
): RequestParts {
  const members = membersOf(input)
  const inPath = namesInPath(path)
  // A catalogue knows no DELETE with a body either: it is told nothing of that.
  const isBodyTold = takesBody(method)
  const sendsBody = hasBody(method, input)
  const named = bodyType(input)
  // A catalogue knows no such method without a body: it is told an empty one, which does no harm.
  const type = named === NO_BODY ? JSON_BODY : named
  const onlyInPath = namesOnlyInPath(path, input)
  const outside = Object.keys(members).filter((name) => !onlyInPath.has(name))
  const inHeaders = outside.filter((name) => isInHeader(members[name]))
  const rest = outside.filter((name) => !inHeaders.includes(name))
  const inQuery = rest.filter((name) => !sendsBody || isInQuery(members[name]))
  const inBody = rest.filter((name) => !inQuery.includes(name))
  const values = isObject(example) ? example : undefined
  return {
    path: inPath.length === 0 ? null : pathPart(members, inPath, values),
    query: isBodyTold && inQuery.length === 0 ? null : writtenPart(input, inQuery, values),
    headers: inHeaders.length === 0 ? null : headersPart(input, inHeaders, values),
    body: isBodyTold ? { type, ...bodyPart(type, input, inBody, values) } : null,
  }
}

/** A parameter that the input does not have is text. */
function pathPart(
  members: Readonly<Record<string, unknown>>,
  names: readonly string[],
  values: Json | undefined,
): RequestPart {
  const properties = Object.fromEntries(
    names.map((name) => [name, members[name] ?? { type: 'string' }]),
  )
  return partOf({ type: 'object', properties, required: names }, names, values)
}

/** Clients take headers to be texts. */
function headersPart(input: Json, names: readonly string[], values: Json | undefined): RequestPart {
  const { schema, example } = partOf(input, names, values)
  const texts = Object.entries(example ?? {}).map(([name, value]) => [name, headerText(value)])
  return {
    schema: { ...schema, properties: Object.fromEntries(names.map((name) => [name, TEXT])) },
    example: example && Object.fromEntries(texts.filter(([, text]) => text !== null)),
  }
}
const TEXT = { type: 'string' }

function bodyPart(
  type: string,
  input: Json,
  names: readonly string[],
  values: Json | undefined,
): RequestPart {
  if (type === FORM_BODY) return writtenPart(input, names, values)
  const whole = bodyValueSchema(input)
  if (isJsonType(type) || type === MULTIPART_BODY)
    return whole === null
      ? partOf(input, names, values)
      : { schema: whole, example: whole['example'] }
  const shown = whole?.['example']
  return { schema: { type: 'string' }, example: typeof shown === 'string' ? shown : '' }
}

/** The part of an input with the members of these names. */
function partOf(
  input: Json,
  names: readonly string[],
  values: Json | undefined,
): { schema: Json; example: Json | undefined } {
  const members = Object.entries(membersOf(input))
  const kept = members.filter(([name]) => names.includes(name))
  const { properties: _, required, ...others } = without(input, PLACES)
  const isWhole = kept.length === members.length
  const needed = Array.isArray(required) ? required.filter((name) => names.includes(name)) : []
  const own = kept.map(([name, member]) => [
    name,
    isObject(member) ? without(member, PLACES) : member,
  ])
  return {
    schema: {
      ...(isWhole ? others : without(others, OF_THE_WHOLE)),
      type: 'object',
      properties: Object.fromEntries(own),
      ...(needed.length > 0 && { required: needed }),
    },
    example:
      values && Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))),
  }
}

/** The part as a query or a form has it: what is neither a scalar nor a list of them is text there. */
function writtenPart(input: Json, names: readonly string[], values: Json | undefined): RequestPart {
  const members = membersOf(input)
  const { schema, example } = partOf(input, names, values)
  const properties = Object.fromEntries(
    Object.entries(membersOf(schema)).flatMap(([name, member]) =>
      writtenSchema(name, member, styleOf(members[name])),
    ),
  )
  const isSame = names.every((name) => Object.hasOwn(properties, name))
  const { required, ...others } = isSame ? schema : without(schema, OF_THE_WHOLE)
  const needed = Array.isArray(required)
    ? required.filter((name) => Object.hasOwn(properties, name))
    : []
  const written =
    example &&
    Object.entries(example).flatMap(([name, value]) =>
      writtenValue(name, value, styleOf(members[name])),
    )
  return {
    schema: { ...others, properties, ...(needed.length > 0 && { required: needed }) },
    example: written && Object.fromEntries(written),
  }
}

function writtenSchema(name: string, member: unknown, style: Style | null): [string, unknown][] {
  if (!isObject(member)) return [[name, member]]
  const { type, description } = member
  const inner = Object.entries(membersOf(member))
  const isList = type === 'array'
  if (type !== 'object' && inner.length === 0 && !isList) return [[name, member]]
  if (style === 'members' && !isList)
    return inner.flatMap(([one, schema]) => writtenSchema(one, schema, null))
  if (style === 'deepObject') return inner.map(([one]) => [`${name}[${one}]`, {}])
  if (isList && (style === null || style === 'members')) return [[name, member]]
  return [[name, { type: 'string', ...(typeof description === 'string' && { description }) }]]
}

function writtenValue(name: string, value: unknown, style: Style | null): [string, unknown][] {
  if (value === null || value === undefined) return []
  const isPlain = typeof value !== 'object'
  if (isPlain || (Array.isArray(value) && (style === null || style === 'members')))
    return [[name, value]]
  if (style === 'members')
    return Object.entries(value).flatMap(([one, inner]) => writtenValue(one, inner, null))
  const pairs = new URLSearchParams()
  addPairs(pairs, name, value, style)
  return [...new Set(pairs.keys())].map((one) => {
    const texts = pairs.getAll(one)
    return [one, texts.length === 1 ? texts[0] : texts]
  })
}

/** A copy without these members. */
export function without(value: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}
