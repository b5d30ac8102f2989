/**
 * A schema that became alternatives, or alternatives that became one schema. Where a branch takes
 * its place, what was accepted still is.
 */
import type { Effect, Finding } from '../types.ts'
import { branchesOf, branchFinding, FORMS, swallows, type Branch } from './branches.ts'
import { intersect } from './intersect.ts'
import type { Item, Relation } from './relation.ts'
import type { Shape, Union } from './shape.ts'
import { acceptsNothing } from './vacuous.ts'

/** A schema that is nothing but its alternatives, and perhaps a type for all of them. */
export function isBare(shape: Shape): boolean {
  const maps = [shape.properties, shape.required, shape.patternProperties, shape.parts]
  const more = [shape.dependentRequired, shape.dependentSchemas]
  return (
    [...maps, ...more].every(({ size }) => size === 0) &&
    Object.keys(shape.bounds).length === 0 &&
    [shape.patterns, shape.prefixItems, shape.contains, shape.conditionals].every(
      ({ length }) => length === 0,
    ) &&
    (shape.additional === undefined || shape.additional === true) &&
    [shape.enum, shape.format, shape.multipleOf].every((value) => value === undefined) &&
    !shape.uniqueItems
  )
}

const TYPED = new WeakMap<Shape, Branch[]>()

/** The alternatives of a bare schema, each under the type that stands beside them. */
function typedBranches(shape: Shape): Branch[] {
  const known = TYPED.get(shape)
  if (known) return known
  const [union] = shape.unions
  const typed = branchesOf(shape, union!).map((branch) => {
    if (!shape.types) return branch
    const own = { ...shape, unions: [] }
    return { ...branch, shape: shape.owner.fresh(intersect(own, branch.shape, shape.owner)) }
  })
  TYPED.set(shape, typed)
  return typed
}

/** One schema became alternatives: kept when a branch takes its place, else restructured. */
export function wrapped(relation: Relation, a: Shape, b: Shape): Item[] {
  const union = b.unions[0]!
  const branches = typedBranches(b)
  const preserved = branches.some(({ shape }) => relation.covers(shape, a) === 'exactly')
  const extra = branches.filter(({ shape }) => relation.covers(a, shape) !== 'exactly')
  const items: Item[] = nullability(a, b)
  const same: Effect = extra.length === 0 ? 'none' : 'widens'
  const isLost = !preserved || isDoubled(relation, a, b, branches)
  let effect: Effect = isLost ? (extra.length > 0 ? 'incomparable' : 'narrows') : same
  // One alternative was written as such before: this is a longer list, not a new structure.
  if (a.single && !isLost && extra.length > 0) {
    items.push(...extra.map((branch) => branchFinding(union, branch, 'added', 'widens')))
    return items
  }
  const object = union.keyword === 'oneOf' && a.properties.size > 0
  // oneOf refuses what two alternatives accept, and these are not known to exclude each other.
  const isDoubtful =
    object || (union.keyword === 'oneOf' && !b.discriminator && !relation.takesIn(b, a))
  if (isDoubtful && effect === 'widens' && relation.direction === 'request') effect = 'unknown'
  const wrap = `wrapped-in-one-of${isLost ? '' : '-original-preserved'}`
  const whole = restructured(
    union,
    object ? wrap : `${FORMS[union.keyword]}-added`,
    effect,
    'after',
  )
  items.push(object && !isLost ? { ...whole, agreed: true } : whole)
  return items
}

/**
 * Whether values of `one` fit several alternatives of the oneOf of `union`, which refuses them then: two
 * of them take its place, or one does and another is a part of it. A discriminator tells them apart.
 */
function isDoubled(
  relation: Relation,
  one: Shape,
  union: Shape,
  branches: readonly Branch[],
): boolean {
  if (union.unions[0]!.keyword !== 'oneOf' || union.discriminator) return false
  const standing = branches.find(({ shape }) => relation.covers(shape, one) === 'exactly')
  if (!standing) return false
  return branches.some(
    (branch) =>
      branch !== standing &&
      !acceptsNothing(branch.shape) &&
      (relation.covers(one, branch.shape) === 'exactly' || swallows(relation, branch.shape, one)),
  )
}

/** Alternatives became one schema. */
export function unwrapped(relation: Relation, a: Shape, b: Shape): Item[] {
  const union = a.unions[0]!
  const branches = typedBranches(a)
  const lost = branches.filter(({ shape }) => relation.covers(b, shape) !== 'exactly')
  const isStanding = branches.some(({ shape }) => relation.covers(shape, b) === 'exactly')
  const widens = !isStanding || isDoubled(relation, b, a, branches)
  const items: Item[] = nullability(a, b)
  if (b.single && !widens && lost.length > 0) {
    items.push(...lost.map((branch) => branchFinding(union, branch, 'removed', 'narrows')))
    return items
  }
  const more: Effect = widens ? 'widens' : 'none'
  const effect: Effect = lost.length > 0 ? (widens ? 'incomparable' : 'narrows') : more
  items.push(restructured(union, `${FORMS[union.keyword]}-removed`, effect, 'before'))
  return items
}

function restructured(
  union: Union,
  form: string,
  effect: Effect,
  side: 'before' | 'after',
): Finding {
  const verb = side === 'after' ? 'became' : 'is no longer'
  return {
    path: [],
    form,
    effect,
    location: union.location,
    text: `${verb} ${union.keyword} of ${union.branches.length} alternatives`,
    [side]: union.branches.map(({ raw }) => raw),
  }
}

function nullability(a: Shape, b: Shape): Finding[] {
  if (a.nullable === b.nullable) return []
  if ((!a.types && a.unions.length === 0) || (!b.types && b.unions.length === 0)) return []
  return [
    {
      path: [],
      form: b.nullable ? 'became-nullable' : 'became-not-nullable',
      effect: b.nullable ? 'widens' : 'narrows',
      location: b.location,
      text: b.nullable ? 'became nullable' : 'became not nullable',
      before: a.nullable,
      after: b.nullable,
    },
  ]
}
