/**
 * unevaluatedProperties and unevaluatedItems where it is known what else is evaluated: without
 * alternatives and conditions they say what additionalProperties and items do, of everything that is
 * merged into the schema.
 */
import type { Document, Place } from '../document.ts'
import { isMap, type JsonMap } from '../pointer.ts'
import type { Item } from './relation.ts'
import type { Shape } from './shape.ts'

/** `shape` with the unevaluated keywords of its own object `raw` put in plainer words. */
export function withUnevaluated(
  shape: Shape,
  raw: JsonMap,
  document: Document,
  place: Place,
): Shape {
  if (!('unevaluatedProperties' in raw) && !('unevaluatedItems' in raw)) return shape
  const isPlain =
    shape.unions.length === 0 &&
    shape.conditionals.length === 0 &&
    shape.dependentSchemas.size === 0
  if (!isPlain) return shape
  const out = { ...shape, parts: new Map(shape.parts) }
  const rest = (keyword: string): Place | boolean | undefined => {
    const value = raw[keyword]
    if (typeof value === 'boolean') return value
    return isMap(value) ? document.child(place, keyword) : undefined
  }
  const properties = rest('unevaluatedProperties')
  if (properties !== undefined) {
    out.parts.delete('unevaluatedProperties')
    if (out.additional === undefined) {
      out.additional = properties
      out.isUnevaluated = true
    }
  }
  const items = rest('unevaluatedItems')
  // What `contains` finds counts as evaluated.
  if (items !== undefined && shape.contains.length === 0) {
    out.parts.delete('unevaluatedItems')
    if (!out.parts.has('items') && items !== true)
      out.parts.set('items', document.child(place, 'unevaluatedItems'))
  }
  return out
}

const KEYWORDS = ['unevaluatedProperties', 'unevaluatedItems'] as const

/**
 * `items` about alternatives and conditions. Where one of the schemas limits what these leave
 * unevaluated, one that goes takes the names it evaluated with it, and one that comes brings some:
 * what is then accepted in all cannot be told from the one change.
 */
export function asUnevaluated(a: Shape, b: Shape, items: readonly Item[]): Item[] {
  const isLimited = KEYWORDS.some((keyword) => a.parts.has(keyword) || b.parts.has(keyword))
  if (!isLimited) return [...items]
  return items.map((item) =>
    'segment' in item || item.effect === 'none' ? item : { ...item, effect: 'unknown' },
  )
}
