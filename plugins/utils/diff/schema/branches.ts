/** The branches of oneOf and anyOf, and what is said of one. */
import type { Place } from '../document.ts'
import { isMap } from '../pointer.ts'
import type { Effect, Finding } from '../types.ts'
import type { Cover, Relation } from './relation.ts'
import type { Shape, Union } from './shape.ts'

/** How forms of findings name the keywords. */
export const FORMS = { oneOf: 'one-of', anyOf: 'any-of' } as const

export interface Branch {
  place: Place
  shape: Shape
  /** Last part of the reference, or the title. */
  name: string | undefined
}

/** The branches of `union`, which stands in `shape`. */
export function branchesOf(shape: Shape, union: Union): Branch[] {
  return union.branches.map((place) => {
    const { raw } = place
    const reference = isMap(raw) && typeof raw.$ref === 'string' ? raw.$ref : undefined
    const title = isMap(raw) && typeof raw.title === 'string' ? raw.title : undefined
    return { place, shape: shape.owner.of(place), name: reference?.split('/').at(-1) ?? title }
  })
}

/** How well one of the branches can stand for another; the first that does so exactly is enough. */
export function coverOf(relation: Relation, branches: readonly Branch[], inner: Branch): Cover {
  let best: Cover = 'no'
  for (const { shape } of branches) {
    const cover = relation.covers(shape, inner.shape)
    if (cover === 'exactly') return cover
    if (cover === 'nearly') best = cover
  }
  return best
}

/**
 * Whether `outer` accepts all values of another alternative, so that they fit two. Open objects of an
 * API, which accept nearly any other, are not meant so; a JSON Schema is taken at its word.
 */
export function swallows(relation: Relation, outer: Shape, inner: Shape): boolean {
  if (relation.covers(outer, inner) === 'exactly') return true
  return inner.owner.document.family === 'json-schema' && relation.takesIn(outer, inner)
}

/** The finding that an alternative came or went. */
export function branchFinding(
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
