/** What two schemas demand together: how allOf members, and keywords beside a $ref, are merged. */
import type { Place } from '../document.ts'
import { equal } from '../pointer.ts'
import type { Bounds, Shape, Shapes } from './shape.ts'

/** The shape of values that both accept; annotations of `a` win over those of `b`. */
export function intersect(a: Shape, b: Shape, shapes: Shapes): Shape {
  const both = (one: Place, two: Place): Place => conjunction(one, two, shapes)
  return {
    ...a,
    never: a.never || b.never,
    external: a.external ?? b.external,
    ...intersectTypes(a, b),
    format: a.format ?? b.format,
    ...intersectEnums(a, b),
    extensible: a.extensible ?? b.extensible,
    bounds: intersectBounds(a.bounds, b.bounds),
    multipleOf: a.multipleOf ?? b.multipleOf,
    patterns: [...new Set([...a.patterns, ...b.patterns])],
    uniqueItems: a.uniqueItems || b.uniqueItems,
    properties: mergeMaps(a.properties, b.properties, both),
    required: new Set([...a.required, ...b.required]),
    additional: intersectAdditional(a.additional, b.additional, both),
    patternProperties: mergeMaps(a.patternProperties, b.patternProperties, both),
    parts: mergeMaps(a.parts, b.parts, both),
    prefixItems: a.prefixItems.length >= b.prefixItems.length ? a.prefixItems : b.prefixItems,
    dependentRequired: mergeMaps(a.dependentRequired, b.dependentRequired, (x, y) => [
      ...new Set([...x, ...y]),
    ]),
    dependentSchemas: mergeMaps(a.dependentSchemas, b.dependentSchemas, both),
    unions: [...a.unions, ...b.unions],
    discriminator: a.discriminator ?? b.discriminator,
    content: {
      mediaType: a.content.mediaType ?? b.content.mediaType,
      encoding: a.content.encoding ?? b.content.encoding,
    },
    default: a.default ?? b.default,
    deprecated: a.deprecated || b.deprecated,
    sunset: a.sunset ?? b.sunset,
    readOnly: a.readOnly || b.readOnly,
    writeOnly: a.writeOnly || b.writeOnly,
    members: [...a.members, ...b.members],
  }
}

/** A schema that demands both; equal ones are one. */
function conjunction(one: Place, two: Place, shapes: Shapes): Place {
  if (one.raw === two.raw || equal(one.raw, two.raw)) return one
  shapes.document.adopt(one.raw, one.pointer)
  shapes.document.adopt(two.raw, two.pointer)
  return { raw: { allOf: [one.raw, two.raw] }, pointer: two.pointer }
}

function intersectTypes(a: Shape, b: Shape): Pick<Shape, 'types' | 'nullable'> {
  if (!a.types) return { types: b.types, nullable: b.types ? b.nullable : a.nullable || b.nullable }
  if (!b.types) return { types: a.types, nullable: a.nullable }
  const types = new Set<string>()
  for (const type of a.types) {
    if (b.types.has(type) || (type === 'integer' && b.types.has('number'))) types.add(type)
    else if (type === 'number' && b.types.has('integer')) types.add('integer')
  }
  return { types, nullable: a.nullable && b.nullable }
}

function intersectEnums(a: Shape, b: Shape): Pick<Shape, 'enum' | 'isConst'> {
  if (!a.enum) return { enum: b.enum, isConst: b.isConst }
  if (!b.enum) return { enum: a.enum, isConst: a.isConst }
  const common = a.enum.filter((value) => b.enum!.some((other) => equal(value, other)))
  return { enum: common, isConst: a.isConst || b.isConst }
}

function intersectBounds(a: Bounds, b: Bounds): Bounds {
  const out: Bounds = { ...a }
  for (const [name, value] of Object.entries(b) as [keyof Bounds, number][]) {
    const other = out[name]
    const lower = name.startsWith('min') || name === 'exclusiveMinimum'
    out[name] =
      other === undefined ? value : lower ? Math.max(other, value) : Math.min(other, value)
  }
  return out
}

function intersectAdditional(
  a: Shape['additional'],
  b: Shape['additional'],
  both: (one: Place, two: Place) => Place,
): Shape['additional'] {
  if (a === false || b === false) return false
  if (a === undefined || a === true) return b ?? a
  if (b === undefined || b === true) return a
  return both(a, b)
}

function mergeMaps<T>(
  a: Map<string, T>,
  b: Map<string, T>,
  both: (x: T, y: T) => T,
): Map<string, T> {
  if (b.size === 0) return a
  const out = new Map(a)
  for (const [key, value] of b) {
    const other = out.get(key)
    out.set(key, other === undefined ? value : both(other, value))
  }
  return out
}
