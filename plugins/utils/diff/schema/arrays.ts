/** Arrays: the schema of items, and the positions of tuples. */
import type { Place } from '../document.ts'
import type { Effect, Finding } from '../types.ts'
import { relateContains } from './contains.ts'
import type { Item, Relation } from './relation.ts'
import type { Shape } from './shape.ts'

/** Findings about the elements of arrays. */
export function relateArrays(relation: Relation, a: Shape, b: Shape): Item[] {
  return [
    ...relateItems(relation, a, b),
    ...relatePositions(relation, a, b),
    ...relateContains(relation, a, b),
  ]
}

/** The schema of elements; a side that says nothing about them accepts everything. */
function itemsOf(shape: Shape): Place {
  return shape.parts.get('items') ?? { raw: true, pointer: shape.location }
}

function relateItems(relation: Relation, a: Shape, b: Shape): Item[] {
  if (!a.parts.has('items') && !b.parts.has('items')) return []
  return [relation.below('items', a, itemsOf(a), b, itemsOf(b))]
}

function relatePositions(relation: Relation, a: Shape, b: Shape): Item[] {
  const findings: Item[] = []
  const length = Math.max(a.prefixItems.length, b.prefixItems.length)
  for (let index = 0; index < length; index++) {
    const [old, now] = [a.prefixItems[index], b.prefixItems[index]]
    if (old && now) findings.push(relation.below(String(index), a, old, b, now))
    else findings.push(...positionFinding(relation, a, old, b, now, index))
  }
  return findings
}

/** A position that only one side describes is compared with the other's `items`. */
function positionFinding(
  relation: Relation,
  a: Shape,
  old: Place | undefined,
  b: Shape,
  now: Place | undefined,
  index: number,
): Finding[] {
  const effects = relation.effects(a.owner.of(old ?? itemsOf(a)), b.owner.of(now ?? itemsOf(b)))
  effects.delete('none')
  const only = [...effects][0] ?? 'none'
  const effect: Effect = effects.size > 1 ? 'incomparable' : only
  const what = old ? 'removed' : 'added'
  return [
    {
      path: [],
      form: `prefix-items-${what}`,
      effect,
      location: (now ?? old)!.pointer,
      text: `position ${index} of prefixItems was ${what}`,
      before: old?.raw,
      after: now?.raw,
    },
  ]
}
