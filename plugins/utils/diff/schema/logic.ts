/** not, if/then/else, propertyNames, unevaluated* and contentSchema. */
import type { Document, Place } from '../document.ts'
import { equal, isMap, type JsonMap } from '../pointer.ts'
import { partFinding } from './keyed.ts'
import type { Item, Relation } from './relation.ts'
import { PARTS } from './parts.ts'
import type { Conditional, Shape } from './shape.ts'
import { asUnevaluated } from './unevaluated.ts'

const NAMES: Readonly<Record<string, string>> = {
  propertyNames: 'property-names',
  unevaluatedItems: 'unevaluated-items',
  unevaluatedProperties: 'unevaluated-properties',
  contentSchema: 'content-schema',
}
const ROLES = ['if', 'then', 'else'] as const

/** The conditional of one schema object; none without an `if`, or without a branch that matters. */
export function readConditional(raw: JsonMap, place: Place, document: Document): Conditional[] {
  const conditional = new Map<(typeof ROLES)[number], Place>()
  for (const role of ROLES) {
    const value = raw[role]
    const says = role === 'if' ? typeof value === 'boolean' : value === false
    if (isMap(value) || says) conditional.set(role, document.child(place, role))
  }
  return conditional.has('if') ? [conditional] : []
}

/** The conditionals of both, the same one once. */
export function bothConditionals(
  a: readonly Conditional[],
  b: readonly Conditional[],
): Conditional[] {
  return [...a, ...b.filter((one) => !a.some((other) => alike(one, other)))]
}

function alike(a: Conditional, b: Conditional): boolean {
  return ROLES.every((role) => equal(a.get(role)?.raw, b.get(role)?.raw))
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
      items.push({ ...edge, flipped: keyword === 'not' })
    } else if (old) {
      items.push(partFinding(`${name}-removed`, 'widens', old, `lost ${keyword}`, 'before'))
    } else if (now) {
      items.push(partFinding(`${name}-added`, 'narrows', now, `got ${keyword}`, 'after'))
    }
  }
  return [...items, ...asUnevaluated(a, b, relateConditionals(relation, a, b))]
}

function relateConditionals(relation: Relation, a: Shape, b: Shape): Item[] {
  const come = [...b.conditionals]
  const items: Item[] = []
  const gone: Conditional[] = []
  for (const old of a.conditionals) {
    // Written alike, they may still refer to what changed.
    const same = come.findIndex((one) => alike(one, old))
    if (same < 0) gone.push(old)
    else items.push(...relateRoles(relation, a, old, b, come.splice(same, 1)[0]!))
  }
  for (const old of gone) {
    const same = come.findIndex((one) => equal(one.get('if')?.raw, old.get('if')?.raw))
    const [now] = come.splice(Math.max(same, 0), 1)
    items.push(...relateRoles(relation, a, old, b, now ?? new Map()))
  }
  for (const now of come) items.push(...relateRoles(relation, a, new Map(), b, now))
  return items
}

/** What a changed test does depends on the branches. */
function relateRoles(
  relation: Relation,
  a: Shape,
  before: Conditional,
  b: Shape,
  after: Conditional,
): Item[] {
  const items: Item[] = []
  for (const role of ROLES) {
    const [old, now] = [before.get(role), after.get(role)]
    if (old && now) items.push({ ...relation.below(role, a, old, b, now), vague: role === 'if' })
    else if (old)
      items.push(partFinding(`${role}-removed`, 'widens', old, `lost ${role}`, 'before'))
    else if (now) items.push(partFinding(`${role}-added`, 'narrows', now, `got ${role}`, 'after'))
  }
  return items
}
