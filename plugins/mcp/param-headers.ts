/**
 * `Mcp-Param-*` headers: a tool may mark arguments with `x-mcp-header`, and a client of 2026-07-28
 * then repeats their values as headers (SEP-2243). A header that disagrees would let intermediaries
 * decide on something else than what runs.
 */
import { decodeSentinel } from './envelope.ts'
import { isObject, type Json } from './protocol.ts'

interface Declaration {
  path: readonly string[]
  header: string
}

const declared = new WeakMap<object, readonly Declaration[]>()

/** Which header is missing or disagrees with the arguments; null when all agree. */
export function checkParamHeaders(schema: object, input: Json, headers: Headers): string | null {
  for (const { path, header } of declarationsOf(schema)) {
    const value = valueAt(input, path)
    if (!['string', 'number', 'boolean'].includes(typeof value)) continue
    const sent = headers.get(header)
    if (sent === null) return `The ${header} header is missing`
    const decoded = decodeSentinel(sent)
    if (decoded === undefined) return `${header} is not valid base64 of UTF-8 text`
    const equal = typeof value === 'number' ? Number(decoded) === value : decoded === String(value)
    if (!equal) return `The ${header} header disagrees with arguments.${path.join('.')}`
  }
  return null
}

function declarationsOf(schema: object): readonly Declaration[] {
  const known = declared.get(schema)
  if (known) return known
  const found: Declaration[] = []
  collect(schema, [], found)
  declared.set(schema, found)
  return found
}

/** Only properties reached by `properties` alone may be marked. */
function collect(schema: object, path: readonly string[], found: Declaration[]): void {
  const { properties } = schema as { properties?: unknown }
  if (!isObject(properties)) return
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue
    const place = [...path, name]
    const header = property['x-mcp-header']
    if (typeof header === 'string') found.push({ path: place, header: `Mcp-Param-${header}` })
    collect(property, place, found)
  }
}

function valueAt(input: Json, path: readonly string[]): unknown {
  let value: unknown = input
  for (const name of path) value = isObject(value) ? value[name] : undefined
  return value
}
