/** not, if/then/else, contains, propertyNames, unevaluated* and contentSchema. */
import { partFinding } from './keyed.ts'
import type { Item, Relation } from './relate.ts'
import { PARTS, type Shape } from './shape.ts'

const NAMES: Readonly<Record<string, string>> = {
  propertyNames: 'property-names',
  unevaluatedItems: 'unevaluated-items',
  unevaluatedProperties: 'unevaluated-properties',
  contentSchema: 'content-schema',
}

/** Findings about subschemas that add conditions of their own. */
export function relateLogic(relation: Relation, a: Shape, b: Shape): Item[] {
  const items: Item[] = []
  for (const keyword of PARTS) {
    if (keyword === 'items') continue
    const [old, now] = [a.parts.get(keyword), b.parts.get(keyword)]
    const name = NAMES[keyword] ?? keyword
    if (old && now) {
      const edge = relation.below(keyword, a, old, b, now)
      items.push({ ...edge, flipped: keyword === 'not', vague: keyword === 'if' })
    } else if (old) {
      items.push(partFinding(`${name}-removed`, 'widens', old, `lost ${keyword}`, 'before'))
    } else if (now) {
      items.push(partFinding(`${name}-added`, 'narrows', now, `got ${keyword}`, 'after'))
    }
  }
  return items
}
