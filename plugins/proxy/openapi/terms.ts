/** What OpenAPI documents say in terms of their own, in those of a product file. */
import { isLoopbackHost, isObject, ROUTE_SEGMENT_PATTERN } from '#kernel'
import { numericBounds } from '../../shared/exclusive-bounds.ts'
import type { Style } from '../../shared/documents/request-places.ts'

/** An object of a document. */
export type Json = Record<string, unknown>

/** The members of a list; none of anything else. */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Parameters of a path and then of its operation: the operation's own takes the place of the path's. */
export function withOwn(parameters: readonly Json[]): Json[] {
  return [...new Map(parameters.map((one) => [`${String(one['in'])} ${keyOf(one)}`, one])).values()]
}

/** Two headers whose names differ in capitals alone are one. */
function keyOf({ in: place, name }: Json): string {
  return place === 'header' ? String(name).toLowerCase() : String(name)
}

/** A path of a route, as product files have it. */
const ROUTE_PATH = new RegExp(`^/(?:${ROUTE_SEGMENT_PATTERN}(?:/${ROUTE_SEGMENT_PATTERN})*/?)?$`)

/** The first server of a document, a path or an operation, with its variables' defaults in place; undefined if it has none. */
export function serverUrl(said: unknown): string | undefined {
  const servers = isObject(said) ? said['servers'] : undefined
  const server: unknown = Array.isArray(servers) ? servers[0] : undefined
  if (!isObject(server) || typeof server['url'] !== 'string') return undefined
  const variables = isObject(server['variables']) ? server['variables'] : {}
  return server['url'].replaceAll(/(?<!\$)\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    const value = isObject(variable) ? variable['default'] : undefined
    return typeof value === 'string' ? value : whole
  })
}

/** Whether an upstream is on this machine, which it may be only with `allow_private`. */
export function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname)
}

/** The path as a route has it, or null: `/pets/{Pet-Id}` is `/pets/{pet_Id}`, `/{a}...{b}` is none. */
export function routePath(path: string): string | null {
  const named = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `{${placeholderOf(name)}}`)
  const names = named.match(/\{[^{}]+\}/g) ?? []
  return ROUTE_PATH.test(named) && new Set(names).size === names.length ? named : null
}

/** The name of a path parameter as a route has it; its value is what counts, by its place. */
export function placeholderOf(name: string): string {
  const word = name.replaceAll(/\W+/g, '_').replace(/^_+/, '')
  return `${word.slice(0, 1).toLowerCase()}${word.slice(1)}`
}

/** How a list or an object of a query or a form is written, by its `style` and `explode`; null: as by default. */
export function styleFor(said: Json, schema: unknown): Style | null {
  const { style = 'form', explode = style === 'form' } = said
  if (style === 'deepObject') return 'deepObject'
  if (explode === true)
    return style === 'form' && isObject(schema) && schema['type'] === 'object' ? 'members' : null
  if (style === 'spaceDelimited') return 'space'
  if (style === 'pipeDelimited') return 'pipe'
  return style === 'form' && canBeSeveral(schema) ? 'comma' : null
}

/** Whether a value of the schema may be a list or an object: one text has no separator. */
function canBeSeveral(schema: unknown): boolean {
  const type = isObject(schema) ? schema['type'] : undefined
  const types = Array.isArray(type) ? type : [type]
  return types.some((one) => one === undefined || one === 'array' || one === 'object')
}

/** Whether a schema's `pattern` is one that the gateway can check: `(?i)` or `\\A` of others is not. */
export function isReadPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const TERMS = ['nullable', 'x-nullable', 'exclusiveMinimum', 'exclusiveMaximum']

/** Whether null is a value, too; Swagger 2.0 has an extension for it. */
export const isNullable = (schema: Json): boolean =>
  schema['nullable'] === true || schema['x-nullable'] === true

/** A schema of OpenAPI 3.0 as JSON Schema: `nullable` and exclusive bounds are said otherwise there. */
export function asJsonSchema(schema: Json): Json {
  if (!TERMS.some((term) => typeof schema[term] === 'boolean')) return schema
  const { nullable: _, 'x-nullable': _extension, ...rest } = schema
  numericBounds(rest)
  if (!isNullable(schema)) return rest
  const { type, enum: values } = rest
  const isCombined = ['allOf', 'anyOf', 'oneOf'].some((keyword) => Array.isArray(rest[keyword]))
  if (isCombined) return { anyOf: [rest, { type: 'null' }] }
  return {
    ...rest,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
  }
}
