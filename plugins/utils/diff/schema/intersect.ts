/** What two schemas demand together: how allOf members, and keywords beside a $ref, are merged. */
import type { Place } from '../document.ts'
import { canonical, equal } from '../pointer.ts'
import { bothContains } from './contains.ts'
import { bothConditionals } from './logic.ts'
import { matches, matchesPattern } from './objects.ts'
import type { Bounds, Shape, ShapesOfDocument } from './shape.ts'

/** The shape of values that both accept; annotations of `a` win over those of `b`. */
export function intersect(a: Shape, b: Shape, shapes: ShapesOfDocument): Shape {
  const both = (one: Place, two: Place): Place => together('allOf', one, two, shapes)
  // What neither `not` accepts is not one of both.
  const part = (one: Place, two: Place, keyword: string): Place =>
    keyword === 'not' ? together('anyOf', one, two, shapes) : both(one, two)
  return {
    ...a,
    never: a.never || b.never,
    externals: [...new Set([...a.externals, ...b.externals])].toSorted(),
    ...intersectTypes(a, b),
    format: a.format ?? b.format,
    ...intersectEnums(a, b),
    extensible: a.extensible ?? b.extensible,
    bounds: intersectBounds(a.bounds, b.bounds),
    multipleOf: commonMultiple(a.multipleOf, b.multipleOf),
    patterns: [...new Set([...a.patterns, ...b.patterns])],
    uniqueItems: a.uniqueItems || b.uniqueItems,
    properties: intersectProperties(a, b, both),
    required: new Set([...a.required, ...b.required]),
    additional: intersectAdditional(a.additional, b.additional, both),
    patternProperties: intersectPatterns(a, b, both),
    parts: mergeMaps(a.parts, b.parts, part),
    contains: bothContains(a.contains, b.contains),
    conditionals: bothConditionals(a.conditionals, b.conditionals),
    prefixItems: intersectPositions(a, b, both),
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

/** A schema that demands both, or one of both; equal ones are one. */
function together(
  keyword: 'allOf' | 'anyOf',
  one: Place,
  two: Place,
  shapes: ShapesOfDocument,
): Place {
  if (one.raw === two.raw || equal(one.raw, two.raw)) return one
  // `true` adds nothing to allOf and is all of anyOf; with `false` it is the other way round.
  const idle = keyword === 'allOf'
  for (const [side, other] of [
    [one, two],
    [two, one],
  ] as const) {
    if (typeof side.raw === 'boolean') return side.raw === idle ? other : side
  }
  shapes.document.adopt(one.raw, one.pointer)
  shapes.document.adopt(two.raw, two.pointer)
  const list = [one.raw, two.raw]
  // The list stands in neither document.
  shapes.document.adopt(list, two.pointer)
  return { raw: { [keyword]: list }, pointer: two.pointer }
}

type Both = (one: Place, two: Place) => Place

/** A property that one side describes must fit what the other says of those it does not name. */
function intersectProperties(a: Shape, b: Shape, both: Both): Map<string, Place> {
  const out = mergeMaps(a.properties, b.properties, both)
  const limited = new Map(out)
  for (const [name, place] of out) {
    for (const side of [a, b]) {
      const rest = side.properties.has(name) ? true : (side.additional ?? true)
      if (rest === true || matchesPattern(side, name)) continue
      const limit = rest === false ? { raw: false, pointer: place.pointer } : rest
      limited.set(name, rest === false ? limit : both(limited.get(name)!, limit))
    }
  }
  return limited
}

/**
 * The names of a pattern that one side does not know are additional ones to it. Where it describes
 * some of them under other names or patterns, that cannot be said by one map, and is left out.
 */
function intersectPatterns(a: Shape, b: Shape, both: Both): Map<string, Place> {
  const out = mergeMaps(a.patternProperties, b.patternProperties, both)
  const limited = new Map(out)
  for (const [pattern, place] of out) {
    for (const side of [a, b]) {
      const rest = side.additional ?? true
      if (rest === true || side.patternProperties.size > 0) continue
      if ([...side.properties.keys()].some((name) => matches(pattern, name))) continue
      const never = { raw: false, pointer: place.pointer }
      limited.set(pattern, rest === false ? never : both(limited.get(pattern)!, rest))
    }
  }
  return limited
}

/** Position by position; a shorter tuple's `items` speak for those it does not name. */
function intersectPositions(a: Shape, b: Shape, both: Both): Place[] {
  const length = Math.max(a.prefixItems.length, b.prefixItems.length)
  return Array.from({ length }, (_, index) => {
    const one = a.prefixItems[index] ?? a.parts.get('items')
    const two = b.prefixItems[index] ?? b.parts.get('items')
    return one && two ? both(one, two) : (one ?? two)!
  })
}

/** The numbers that are multiples of both, by their least common one. */
function commonMultiple(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const step = gcd(a, b)
  const common = (a / step) * b
  // Decimals may have no common divisor in binary; the coarser one is then all that can be said.
  return Number.isSafeInteger(Math.round(common)) && step > 1e-9 ? common : Math.max(a, b)
}

function gcd(a: number, b: number): number {
  let [x, y] = [a, b]
  while (y > 1e-12) [x, y] = [y, x % y]
  return x
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
  const named = new Set(b.enum.map(canonical))
  const common = a.enum.filter((value) => named.has(canonical(value)))
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
  both: Both,
): Shape['additional'] {
  if (a === false || b === false) return false
  if (a === undefined || a === true) return b ?? a
  if (b === undefined || b === true) return a
  return both(a, b)
}

function mergeMaps<T>(
  a: Map<string, T>,
  b: Map<string, T>,
  both: (x: T, y: T, key: string) => T,
): Map<string, T> {
  if (b.size === 0) return a
  const out = new Map(a)
  for (const [key, value] of b) {
    const other = out.get(key)
    out.set(key, other === undefined ? value : both(other, value, key))
  }
  return out
}
