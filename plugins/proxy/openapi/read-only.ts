/**
 * Read-only members of a request: an API sets them itself, and `required` holds them in answers alone
 * (OpenAPI 3.0.4, Schema Object). One schema often serves both ways, such as a thing with its id.
 */
import { isObject } from '#kernel'
import { asList, type Json } from './terms.ts'

/** Values of a document that are no schemas, whatever they look like. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const'])

/** The schema without its read-only members, at any depth. Its references are in place. */
export function writable(schema: unknown, readOnlyAround: readonly string[] = []): unknown {
  if (Array.isArray(schema)) return schema.map((one) => writable(one, readOnlyAround))
  if (!isObject(schema)) return schema
  const readOnly = [...readOnlyAround, ...readOnlyNames(schema)]
  const parts = Object.entries(schema).map(([name, value]) => {
    if (VALUES.has(name)) return [name, value]
    if (name === 'properties' && isObject(value)) return [name, writableMembers(value)]
    if (name === 'required' && Array.isArray(value))
      return [name, value.filter((one) => !readOnly.includes(one))]
    return [name, writable(value, name === 'allOf' ? readOnly : [])]
  })
  return Object.fromEntries(parts)
}

function writableMembers(members: Json): Json {
  const kept = Object.entries(members).filter(([, member]) => !isReadOnly(member))
  return Object.fromEntries(kept.map(([name, member]) => [name, writable(member)]))
}

/** Of the schema and of the parts that it is made of: one may require what another declares. */
function readOnlyNames(schema: Json): string[] {
  const members = isObject(schema['properties']) ? schema['properties'] : {}
  const own = Object.keys(members).filter((name) => isReadOnly(members[name]))
  return [...own, ...asList(schema['allOf']).filter(isObject).flatMap(readOnlyNames)]
}

const isReadOnly = (member: unknown): boolean => isObject(member) && member['readOnly'] === true
