/**
 * Arguments of clients that can leave nothing out: the strict modes of models make each optional
 * member required and nullable, and send null for those that are not meant.
 */
import { compileSchema } from '#kernel'
import { isObject, type Json } from './protocol.ts'

/** The arguments without members that are null where the schema lets them be absent and not null. */
export function withoutAbsent(schema: unknown, input: Json): Json {
  return pruned(schema, input) as Json
}

function pruned(schema: unknown, value: unknown): unknown {
  if (!isObject(schema)) return value
  if (Array.isArray(value)) return value.map((one) => pruned(schema['items'], one))
  const { properties, required } = schema
  if (!isObject(value) || !isObject(properties)) return value
  const needed = new Set(Array.isArray(required) ? required : [])
  const members = Object.entries(value).flatMap(([name, member]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    const isAbsent = member === null && !needed.has(name) && isObject(own) && !takesNull(own)
    return isAbsent ? [] : [[name, pruned(own, member)] as const]
  })
  return Object.fromEntries(members)
}

/** Whether null may be a value; also true where the member's schema alone does not tell. */
function takesNull(schema: Json): boolean {
  if (schema['nullable'] === true || /"\$(?:ref|dynamicRef)":/.test(JSON.stringify(schema)))
    return true
  return compileSchema(schema).check(null)
}
