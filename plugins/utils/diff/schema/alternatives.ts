/**
 * oneOf and anyOf. Branches are matched by reference name, then by meaning; an added branch whose
 * values were accepted before, and a removed one whose values still are, change nothing.
 */
import type { Place } from '../document.ts'
import { canonical, isMap, without } from '../pointer.ts'
import type { Effect, Finding } from '../types.ts'
import { intersect } from './intersect.ts'
import type { Cover, Item, Relation } from './relate.ts'
import type { Shape, Union } from './shape.ts'

export interface UnionItems {
  items: Item[]
  /** True when the unions are the whole of the difference and nothing else must be compared. */
  replaced: boolean
}

const FORMS = { oneOf: 'one-of', anyOf: 'any-of' } as const

interface Branch {
  place: Place
  shape: Shape
  /** Last part of the reference, or the title. */
  name: string | undefined
}

/** Findings about the alternatives of two schemas. */
export function relateUnions(relation: Relation, a: Shape, b: Shape): UnionItems {
  if (a.unions.length === 0 && b.unions.length === 0) return { items: [], replaced: false }
  if (a.unions.length === 1 && b.unions.length === 0 && bare(a)) return unwrapped(relation, a, b)
  if (a.unions.length === 0 && b.unions.length === 1 && bare(b)) return wrapped(relation, a, b)
  const items: Item[] = []
  const rest = [...b.unions]
  for (const union of a.unions) {
    const at = Math.max(
      0,
      rest.findIndex(({ keyword }) => keyword === union.keyword),
    )
    const [other] = rest.splice(at, 1)
    if (other) items.push(...relateBranches(relation, a, union, b, other))
    else items.push(wholeUnion(union, 'removed', 'widens'))
  }
  items.push(...rest.map((union) => wholeUnion(union, 'added', 'narrows')))
  return { items, replaced: false }
}

/** A schema that is nothing but its alternatives, and perhaps a type for all of them. */
function bare(shape: Shape): boolean {
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

function wholeUnion(union: Union, what: 'added' | 'removed', effect: Effect): Finding {
  return {
    path: [],
    form: `${FORMS[union.keyword]}-${what}`,
    effect,
    location: union.location,
    text: `${union.keyword} was ${what}`,
    [what === 'added' ? 'after' : 'before']: union.branches.map(({ raw }) => raw),
  }
}

function branchesOf(shape: Shape, union: Union): Branch[] {
  return union.branches.map((place) => {
    const { raw } = place
    const reference = isMap(raw) && typeof raw.$ref === 'string' ? raw.$ref : undefined
    const title = isMap(raw) && typeof raw.title === 'string' ? raw.title : undefined
    return { place, shape: shape.owner.of(place), name: reference?.split('/').at(-1) ?? title }
  })
}

function relateBranches(
  relation: Relation,
  a: Shape,
  union: Union,
  b: Shape,
  other: Union,
): Item[] {
  const items: Item[] = []
  const before = branchesOf(a, union)
  const after = branchesOf(b, other)
  const [left, right] = [[...before], [...after]]
  const pair = (x: Branch, y: Branch) => {
    left.splice(left.indexOf(x), 1)
    right.splice(right.indexOf(y), 1)
    const segment = `${union.keyword}[${y.name ?? before.indexOf(x)}]`
    items.push({ segment, a: x.shape, b: y.shape })
  }
  for (const x of before) {
    const y = right.find(({ name }) => name !== undefined && name === x.name)
    if (y) pair(x, y)
  }
  const written = new Map(right.map((y) => [canonical(y.place.raw), y]))
  for (const x of left.slice()) {
    const y = written.get(canonical(x.place.raw))
    if (y && written.delete(canonical(y.place.raw))) pair(x, y)
  }
  for (const x of left.length * right.length > PAIRS_MAX ? [] : left.slice()) {
    const y = right.find(({ shape }) => relation.same(x.shape, shape))
    if (y) pair(x, y)
  }
  const anonymous = left.length === 1 && right.length === 1 && !(left[0]!.name && right[0]!.name)
  if (anonymous) pair(left[0]!, right[0]!)
  /** Whether another alternative of the same oneOf takes in all values, which are then refused. */
  const isRefused = (one: Branch, all: readonly Branch[], { keyword }: Union): boolean =>
    keyword === 'oneOf' &&
    all.some((z) => z !== one && relation.covers(z.shape, one.shape) === 'exactly')
  for (const x of left) {
    const cover = coverOf(relation, after, x)
    if (cover !== 'exactly')
      items.push(branchFinding(union, x, 'removed', cover === 'no' ? 'narrows' : 'none'))
    else if (isRefused(x, before, union)) items.push(branchFinding(union, x, 'removed', 'widens'))
  }
  for (const y of right) {
    const cover = coverOf(relation, before, y)
    if (cover !== 'exactly')
      items.push(branchFinding(other, y, 'added', cover === 'no' ? 'widens' : 'none'))
    else if (isRefused(y, after, other)) items.push(branchFinding(other, y, 'added', 'narrows'))
  }
  if (union.keyword !== other.keyword) items.push(...relateKeywords(relation, a, union, b, other))
  return items
}

/** Most pairs of alternatives that are compared for meaning the same. */
const PAIRS_MAX = 40_000
/** Most alternatives that are compared with one another; of more it is not known. */
const ALTERNATIVES_MAX = 60

/** anyOf that became oneOf refuses what fits several alternatives; the other way it is accepted. */
function relateKeywords(
  relation: Relation,
  a: Shape,
  union: Union,
  b: Shape,
  other: Union,
): Finding[] {
  const [shape, overlapping] = other.keyword === 'oneOf' ? [b, other] : [a, union]
  const branches = branchesOf(shape, overlapping)
  const isLong = branches.length > ALTERNATIVES_MAX
  const pairs = isLong
    ? []
    : branches.flatMap((x, at) => branches.slice(at + 1).map((y) => [x.shape, y.shape] as const))
  const isTold = a.discriminator !== undefined && b.discriminator !== undefined
  if (isTold || (!isLong && pairs.every(([x, y]) => areDisjoint(x, y)))) return []
  const isNested = pairs.some(
    ([x, y]) => relation.covers(x, y) === 'exactly' || relation.covers(y, x) === 'exactly',
  )
  const known: Effect = other.keyword === 'anyOf' ? 'widens' : 'narrows'
  return [
    {
      path: [],
      form: `${FORMS[other.keyword]}-added`,
      effect: isNested ? known : 'unknown',
      location: other.location,
      text: `${union.keyword} became ${other.keyword}: a value that fits several alternatives is ${other.keyword === 'oneOf' ? 'refused' : 'accepted'} now`,
      before: union.keyword,
      after: other.keyword,
    },
  ]
}

/** Whether it is plain that no value fits both: by type, or by the values of a required property. */
function areDisjoint(x: Shape, y: Shape, depth = 0): boolean {
  if (x.nullable && y.nullable) return false
  if (x.types && y.types) {
    const types = y.types
    const isNumber = (one: string): boolean =>
      /^(?:integer|number)$/.test(one) && (types.has('integer') || types.has('number'))
    if (![...x.types].some((type) => types.has(type) || isNumber(type))) return true
  }
  if (x.enum && y.enum && without(x.enum, y.enum).length === x.enum.length) return true
  if (depth > 0) return false
  const isObject = [x, y].every(({ types }) => types?.size === 1 && types.has('object'))
  if (!isObject) return false
  for (const [name, place] of x.properties) {
    const twin = y.properties.get(name)
    if (!twin || !x.required.has(name) || !y.required.has(name)) continue
    if (areDisjoint(x.owner.of(place), y.owner.of(twin), depth + 1)) return true
  }
  return false
}

/** How well one of the branches can stand for another; the first that does so exactly is enough. */
function coverOf(relation: Relation, branches: readonly Branch[], inner: Branch): Cover {
  let best: Cover = 'no'
  for (const { shape } of branches) {
    const cover = relation.covers(shape, inner.shape)
    if (cover === 'exactly') return cover
    if (cover === 'nearly') best = cover
  }
  return best
}

function branchFinding(
  union: Union,
  branch: Branch,
  what: 'added' | 'removed',
  effect: Effect,
): Finding {
  return {
    path: [],
    form: `${FORMS[union.keyword]}-${what}`,
    effect,
    location: branch.place.pointer,
    text: `the ${union.keyword} alternative \`${branch.name ?? 'unnamed'}\` was ${what}`,
    [what === 'added' ? 'after' : 'before']: branch.place.raw,
  }
}

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

const TYPED = new WeakMap<Shape, Branch[]>()

/** One schema became alternatives: kept when a branch takes its place, else restructured. */
function wrapped(relation: Relation, a: Shape, b: Shape): UnionItems {
  const union = b.unions[0]!
  const branches = typedBranches(b)
  const preserved = branches.some(({ shape }) => relation.covers(shape, a) === 'exactly')
  const extra = branches.filter(({ shape }) => relation.covers(a, shape) !== 'exactly')
  const items: Item[] = nullability(a, b)
  if (preserved && extra.length === 0) return { items, replaced: true }
  let effect: Effect = preserved ? 'widens' : extra.length > 0 ? 'incomparable' : 'narrows'
  // One alternative was written as such before: this is a longer list, not a new structure.
  if (a.single && preserved) {
    items.push(...extra.map((branch) => branchFinding(union, branch, 'added', 'widens')))
    return { items, replaced: true }
  }
  const object = union.keyword === 'oneOf' && a.properties.size > 0
  // oneOf refuses what two alternatives accept, and these are not known to exclude each other.
  if (object && effect === 'widens' && relation.direction === 'request') effect = 'unknown'
  const wrap = `wrapped-in-one-of${preserved ? '-original-preserved' : ''}`
  items.push(restructured(union, object ? wrap : `${FORMS[union.keyword]}-added`, effect, 'after'))
  return { items, replaced: true }
}

/** Alternatives became one schema. */
function unwrapped(relation: Relation, a: Shape, b: Shape): UnionItems {
  const union = a.unions[0]!
  const branches = typedBranches(a)
  const lost = branches.filter(({ shape }) => relation.covers(b, shape) !== 'exactly')
  const widens = !branches.some(({ shape }) => relation.covers(shape, b) === 'exactly')
  const items: Item[] = nullability(a, b)
  if (lost.length === 0 && !widens) return { items, replaced: true }
  if (b.single && !widens) {
    items.push(...lost.map((branch) => branchFinding(union, branch, 'removed', 'narrows')))
    return { items, replaced: true }
  }
  const effect: Effect = lost.length > 0 ? (widens ? 'incomparable' : 'narrows') : 'widens'
  items.push(restructured(union, `${FORMS[union.keyword]}-removed`, effect, 'before'))
  return { items, replaced: true }
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
