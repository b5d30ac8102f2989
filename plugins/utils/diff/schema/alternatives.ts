/**
 * oneOf and anyOf. Branches are matched by reference name, then by meaning; an added branch whose
 * values were accepted before, and a removed one whose values still are, are information.
 */
import { canonical } from '../pointer.ts'
import type { Effect, Finding } from '../types.ts'
import { branchesOf, branchFinding, coverOf, FORMS, swallows, type Branch } from './branches.ts'
import { areDisjoint } from './disjoint.ts'
import type { Item, Relation } from './relation.ts'
import { isBare, unwrapped, wrapped } from './wrapping.ts'
import type { Shape, Union } from './shape.ts'

/** Most pairs of alternatives that are compared for meaning the same. */
const PAIRS_MAX = 40_000
/** Most alternatives that are compared with one another; of more it is not known. */
const ALTERNATIVES_MAX = 60

export interface UnionItems {
  items: Item[]
  /** True when the unions are the whole of the difference and nothing else must be compared. */
  replaced: boolean
}

/** Findings about the alternatives of two schemas. */
export function relateUnions(relation: Relation, a: Shape, b: Shape): UnionItems {
  if (a.unions.length === 0 && b.unions.length === 0) return { items: [], replaced: false }
  if (a.unions.length === 1 && b.unions.length === 0 && isBare(a))
    return { items: unwrapped(relation, a, b), replaced: true }
  if (a.unions.length === 0 && b.unions.length === 1 && isBare(b))
    return { items: wrapped(relation, a, b), replaced: true }
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

/** Findings about the branches that are left when those of both sides are paired, and the pairs. */
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
  const paired: { x: Branch; y: Branch }[] = []
  const pair = (x: Branch, y: Branch) => {
    paired.push({ x, y })
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
    keyword === 'oneOf' && all.some((z) => z !== one && swallows(relation, z.shape, one.shape))
  for (const x of left) {
    const cover = coverOf(relation, after, x)
    const isRegained = cover === 'exactly' && isRefused(x, before, union)
    const effect = cover === 'no' ? 'narrows' : isRegained ? 'widens' : 'none'
    items.push(branchFinding(union, x, 'removed', effect))
  }
  for (const y of right) {
    const cover = coverOf(relation, before, y)
    const isLost = cover === 'exactly' && isRefused(y, after, other)
    const effect = cover === 'no' ? 'widens' : isLost ? 'narrows' : 'none'
    items.push(branchFinding(other, y, 'added', effect))
  }
  for (const { x, y } of union.keyword === other.keyword ? paired : []) {
    const [was, is] = [isRefused(x, before, union), isRefused(y, after, other)]
    if (was !== is) items.push(overlapFinding(other, y, is))
  }
  if (union.keyword !== other.keyword) items.push(...relateKeywords(relation, a, union, b, other))
  return items
}

/** An alternative of oneOf whose values another one accepts as well: they fit two, and are refused. */
function overlapFinding(union: Union, { name, place }: Branch, isRefused: boolean): Finding {
  const text = isRefused
    ? 'another alternative accepts its values too now, so they are refused'
    : 'no other alternative accepts its values any more, so they are accepted'
  return {
    path: [],
    form: `one-of-${isRefused ? 'overlap-added' : 'overlap-removed'}`,
    effect: isRefused ? 'narrows' : 'widens',
    location: place.pointer,
    text: `the ${union.keyword} alternative \`${name ?? 'unnamed'}\`: ${text}`,
    after: place.raw,
  }
}

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
