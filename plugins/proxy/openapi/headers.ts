/** Header parameters of an OpenAPI document: which of them callers may send, and which stand in inputs. */
import { HEADER_NAME_PATTERN, isObject } from '#kernel'
import { alwaysForwarded, neverForwarded } from '../headers.ts'
import { isCredentialHeader } from './credentials.ts'
import type { Source } from './source.ts'
import type { Json } from './terms.ts'

/** As many as a product may name. */
const HEADERS_MAX = 100
const HEADER_NAME = new RegExp(HEADER_NAME_PATTERN)
/** Longer ones cannot be named in a product. */
const HEADER_NAME_MAX = 100

/**
 * What an operator must name. Callers are one to the API, and two of them may have the same key of
 * idempotency; another method or path is another operation than the one that was paid.
 */
const NOT_BY_ITSELF = /idempotency|http-method|method-override|original-url|rewrite-url/i

/** Of those that every upstream sees, what a tool's caller decides; the gateway writes the others. */
const DECIDED_BY_CALLERS = new Set(['accept-language', 'if-match', 'if-unmodified-since', 'prefer'])

/**
 * Adds the headers that callers of an operation may send to those that the product names, up to its
 * limit, and those that are credentials to these.
 */
export function addHeaders(source: Source, parameters: readonly Json[]): void {
  const { document, headers, credentials } = source
  for (const { in: place, name: said } of parameters) {
    const name = String(said)
    if (place !== 'header' || !HEADER_NAME.test(name) || name.length > HEADER_NAME_MAX) continue
    const key = name.toLowerCase()
    if (isCredentialHeader(document, name)) credentials.add(name)
    else if (isForCallers(name) && (headers.has(key) || headers.size < HEADERS_MAX))
      headers.set(key, name)
  }
}

const isForCallers = (name: string): boolean =>
  !neverForwarded(name) && !alwaysForwarded(name) && !NOT_BY_ITSELF.test(name)

/** The header parameters that stand in an input beside members of the names `taken`; `named` pass. */
export function headerMembers(
  named: ReadonlyMap<string, string>,
  parameters: readonly Json[],
  taken: ReadonlySet<string>,
): ReadonlySet<string> {
  const names = parameters
    .filter(({ in: place, schema }) => place === 'header' && !isObjectSchema(schema))
    .map(({ name }) => String(name))
    .filter((name) => !taken.has(name))
  return new Set(
    names.filter((name) => {
      const key = name.toLowerCase()
      return named.has(key) || DECIDED_BY_CALLERS.has(key)
    }),
  )
}

/** Whether a schema is of objects, which neither a path nor a header of a tool can hold. */
export function isObjectSchema(schema: unknown): boolean {
  return isObject(schema) && (schema['type'] === 'object' || isObject(schema['properties']))
}
