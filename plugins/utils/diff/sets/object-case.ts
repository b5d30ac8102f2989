/** Contradictions among literals about objects. */
import type { Emptiness } from './array-case.ts'
import { type Group, type Literal, type Region, type Signed } from './literals.ts'
import { ofKind, sizesOf } from './scalar-cases.ts'
import { isWithin, rulesOf, type Values } from './values.ts'

interface Case {
  groups: readonly Group[]
  has: ReadonlySet<string>
  lacks: ReadonlySet<string>
  names: readonly Signed[]
  prover: Emptiness & Values
}

/** Whether no object meets the literals, as far as that is seen from one member at a time. */
export function isEmptyObject(literals: readonly Literal[], prover: Emptiness & Values): boolean {
  const groups = ofKind(literals, 'group').map(({ group }) => group)
  const has = new Set(ofKind(literals, 'has').map(({ name }) => name))
  const lacks = new Set(ofKind(literals, 'lacks').map(({ name }) => name))
  const names = ofKind(literals, 'names').map(({ like }) => like)
  const one: Case = { groups, has, lacks, names, prover }
  const members = ofKind(literals, 'member')
  // A named member that must be like this must be there.
  const wanted = new Map([...has].map((name) => [name, [] as Signed[]]))
  for (const { region, like } of members) {
    if (region.kind === 'name') wanted.set(region.name, [...(wanted.get(region.name) ?? []), like])
  }
  for (const [name, like] of wanted) if (isBarred(one, name, like)) return true
  const known = knownNames(
    one,
    members.map(({ region }) => region),
  )
  for (const { region, like } of members) {
    if (region.kind === 'name') continue
    const named = [...known].some((name) => isWithin(region, name) && !isBarred(one, name, [like]))
    if (!named && isBarredElsewhere(one, region, like)) return true
  }
  let { least, most } = sizesOf(literals)
  least = Math.max(least, wanted.size, members.length > 0 ? 1 : 0)
  if (least > most) return true
  // Where no other names are possible, the known ones that are possible must do.
  if (least === 0 || !isClosed(one)) return false
  return [...known].filter((name) => !isBarred(one, name, [])).length < least
}

/** All names that the case says anything of. */
function knownNames({ groups, has, lacks }: Case, regions: readonly Region[]): Set<string> {
  const rests = regions.flatMap((region) => (region.kind === 'rest' ? [region.group] : []))
  return new Set([
    ...has,
    ...lacks,
    ...[...groups, ...rests].flatMap(({ properties }) => [...properties.keys()]),
    ...regions.flatMap((region) => (region.kind === 'name' ? [region.name] : [])),
  ])
}

/** Whether no member `name` can be there and be like `like`. */
function isBarred(one: Case, name: string, like: readonly Signed[]): boolean {
  if (one.lacks.has(name)) return true
  if (one.names.some((rule) => one.prover.holds(rule, name) === false)) return true
  return one.prover.isEmpty([...one.groups.flatMap((group) => rulesOf(group, name)), ...like])
}

/** Whether no member of a name that nobody mentions can be in `region` and be like `like`. */
function isBarredElsewhere(one: Case, region: Region, like: Signed): boolean {
  const within = new Set<string>(region.kind === 'pattern' ? [region.pattern] : [])
  const without = new Set<string>(region.kind === 'rest' ? [...region.group.patterns.keys()] : [])
  const rules = one.groups.flatMap(({ patterns, additional }) => {
    const own = [...patterns].filter(([pattern]) => within.has(pattern)).map(([, rule]) => rule)
    const isLeft = [...patterns.keys()].every((pattern) => without.has(pattern))
    return own.length === 0 && isLeft && additional ? [additional] : own
  })
  return one.prover.isEmpty([...rules, like])
}

/** Whether the case takes no member of a name that nobody mentions. */
function isClosed({ groups, prover }: Case): boolean {
  const rest = groups.flatMap(({ patterns, additional }) =>
    patterns.size === 0 && additional ? [additional] : [],
  )
  return rest.length > 0 && prover.isEmpty(rest)
}
