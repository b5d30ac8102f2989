/**
 * contains with minContains and maxContains: how many items of an array match a schema. allOf
 * members keep theirs apart, because two demands of "an item like this" are not one of "an item
 * like both".
 */
import type { Document, Place } from '../document.ts'
import { equal, isMap, type JsonMap, show } from '../pointer.ts'
import type { Effect, Finding } from '../types.ts'
import { partFinding } from './keyed.ts'
import type { Item, Relation } from './relation.ts'
import type { Contains, Shape } from './shape.ts'

/** The demand of one schema object; none without `contains`, or when any number will do. */
export function readContains(raw: JsonMap, place: Place, document: Document): Contains[] {
  if (!isMap(raw.contains) && typeof raw.contains !== 'boolean') return []
  const min = countOf(raw.minContains)
  const max = countOf(raw.maxContains)
  if (min === 0 && max === undefined) return []
  return [
    {
      place: document.child(place, 'contains'),
      min: min ?? 1,
      ...(max !== undefined && { max }),
      stated: min !== undefined,
    },
  ]
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' ? Math.max(0, value) : undefined
}

/** The demands of both, the same one once. */
export function bothContains(a: readonly Contains[], b: readonly Contains[]): Contains[] {
  return [...a, ...b.filter((one) => !a.some((other) => alike(one, other)))]
}

function alike(a: Contains, b: Contains): boolean {
  return a.min === b.min && a.max === b.max && equal(a.place.raw, b.place.raw)
}

/** Findings about the counted items of two schemas. */
export function relateContains(relation: Relation, a: Shape, b: Shape): Item[] {
  const come = [...b.contains]
  const items: Item[] = []
  const gone: Contains[] = []
  for (const old of a.contains) {
    // Written alike, they may still refer to what changed.
    const same = come.findIndex((one) => alike(one, old))
    if (same < 0) gone.push(old)
    else items.push(...relatePair(relation, a, old, b, come.splice(same, 1)[0]!))
  }
  for (const old of gone) {
    const same = come.findIndex(({ place }) => equal(place.raw, old.place.raw))
    const [now] = come.splice(Math.max(same, 0), 1)
    if (now) items.push(...relatePair(relation, a, old, b, now))
    else items.push(partFinding('contains-removed', 'widens', old.place, 'lost contains', 'before'))
  }
  for (const now of come) {
    items.push(partFinding('contains-added', 'narrows', now.place, 'got contains', 'after'))
  }
  return items
}

/**
 * A narrower schema matches fewer items, which harms where there is a least number of them and
 * helps where there is a greatest.
 */
function relatePair(relation: Relation, a: Shape, old: Contains, b: Shape, now: Contains): Item[] {
  const edge = relation.below('contains', a, old.place, b, now.place)
  const flipped = now.max !== undefined
  const items: Item[] = [{ ...edge, flipped, vague: flipped && now.min > 0 }]
  if (old.min !== now.min) items.push(countFinding('minContains', old, now, b))
  if (old.max !== now.max) items.push(countFinding('maxContains', old, now, b))
  return items
}

function countFinding(
  keyword: 'minContains' | 'maxContains',
  old: Contains,
  now: Contains,
  b: Shape,
): Finding {
  const lower = keyword === 'minContains'
  const [before, after] = lower ? [old.min, now.min] : [old.max, now.max]
  const more = (after ?? Infinity) > (before ?? Infinity)
  const [written, stays] = lower
    ? [old.stated, now.stated]
    : [before !== undefined, after !== undefined]
  const action = !written ? 'set' : !stays ? 'unset' : more ? 'increased' : 'decreased'
  const effect: Effect = more === lower ? 'narrows' : 'widens'
  const said = (value: number | undefined, stated: boolean) =>
    value === undefined ? show('none') : `${show(value)}${stated ? '' : ' (the default)'}`
  return {
    path: [],
    form: `${lower ? 'min' : 'max'}-contains-${action}`,
    effect,
    location: b.location,
    text: `${keyword} changed from ${said(before, written)} to ${said(after, stays)}`,
    before,
    after,
  }
}
