/**
 * A discriminator of OpenAPI (3.1, 4.8.25) in terms of JSON Schema, which has none: each alternative
 * names the values of the property that tell it. Without them an object that says which one it is
 * may fit several, and `oneOf` refuses it.
 */
import { isObject } from '#kernel'
import { asList, type Json } from './terms.ts'

/** The schema `placed`, whose references were those of `raw`, without its discriminator. */
export function withoutDiscriminator(raw: Json, placed: Json): Json {
  const { discriminator, ...rest } = placed
  if (!isObject(discriminator) || typeof discriminator['propertyName'] !== 'string') return placed
  const { propertyName: name, mapping } = discriminator
  for (const keyword of ['oneOf', 'anyOf']) {
    const [references, alternatives] = [raw[keyword], placed[keyword]]
    if (!Array.isArray(references) || !Array.isArray(alternatives)) continue
    rest[keyword] = alternatives.map((one: unknown, at) =>
      told(one, name, valuesOf(references[at], isObject(mapping) ? mapping : {})),
    )
  }
  return rest
}

/** What tells the alternative that is this reference: the names that lead to it, and its own. */
function valuesOf(reference: unknown, mapping: Json): string[] {
  const target = isObject(reference) ? reference['$ref'] : undefined
  if (typeof target !== 'string') return []
  const own = target.slice(target.lastIndexOf('/') + 1)
  const mapped = Object.entries(mapping).filter(([, to]) => to === target || to === own)
  return [...new Set([...mapped.map(([value]) => value), own])]
}

/** The alternative with the values that tell it, unless it says others. */
function told(schema: unknown, name: string, values: readonly string[]): unknown {
  if (!isObject(schema)) return schema
  const said = saidOf(schema, name)
  const fitting = said === null ? values : values.filter((value) => said.includes(value))
  if (fitting.length === 0) return schema
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const own = isObject(properties[name]) ? properties[name] : {}
  return {
    ...schema,
    properties: { ...properties, [name]: { ...own, enum: fitting } },
    required: [...new Set([...asList(schema['required']), name])],
  }
}

/** The values that a schema or a part of it has for the property of this name; null for any. */
function saidOf(schema: unknown, name: string): unknown[] | null {
  if (!isObject(schema)) return null
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const own = properties[name]
  if (isObject(own) && own['const'] !== undefined) return [own['const']]
  if (isObject(own) && Array.isArray(own['enum'])) return own['enum']
  const ofParts = asList(schema['allOf']).map((part) => saidOf(part, name))
  return ofParts.find((values) => values !== null) ?? null
}
