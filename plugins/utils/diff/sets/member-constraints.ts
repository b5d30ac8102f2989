/** The keywords that speak of the members of objects, as constraints. */
import { isMap, type JsonMap, stringsOf } from '../pointer.ts'
import {
  type Branch,
  type Constraint,
  denied,
  facts,
  type Group,
  type Literal,
  type Signed,
} from './literals.ts'
import { sizeConstraints } from './sizes.ts'

/** What `raw` says of an object; `below` gives the schema at a path inside it. */
export function memberConstraints(
  raw: JsonMap,
  below: (...keys: string[]) => Signed,
): Constraint[] {
  const constraints = sizeConstraints(raw, 'minProperties', 'maxProperties')
  for (const name of new Set(stringsOf(raw.required))) {
    constraints.push({ yes: [facts({ kind: 'has', name })], no: [facts({ kind: 'lacks', name })] })
  }
  if (raw.propertyNames !== undefined) {
    const like = below('propertyNames')
    constraints.push({
      yes: [facts({ kind: 'names', like })],
      no: [facts({ kind: 'name', like: denied(like) })],
    })
  }
  const all = (keyword: string): Map<string, Signed> =>
    new Map(
      Object.keys(isMap(raw[keyword]) ? raw[keyword] : {}).map((key) => [key, below(keyword, key)]),
    )
  const additional = raw.additionalProperties === undefined ? null : below('additionalProperties')
  const group = { properties: all('properties'), patterns: all('patternProperties'), additional }
  if (group.properties.size > 0 || group.patterns.size > 0 || additional)
    constraints.push(groupConstraint(group))
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    for (const [name, value] of Object.entries(isMap(raw[keyword]) ? raw[keyword] : {})) {
      constraints.push(dependency(name, value, below(keyword, name)))
    }
  }
  return constraints
}

function groupConstraint(group: Group): Constraint {
  const no: Branch[] = []
  const but = (region: Extract<Literal, { kind: 'member' }>['region'], like: Signed) =>
    no.push(facts({ kind: 'member', region, like: denied(like) }))
  for (const [name, like] of group.properties) but({ kind: 'name', name }, like)
  for (const [pattern, like] of group.patterns) but({ kind: 'pattern', pattern }, like)
  if (group.additional) but({ kind: 'rest', group }, group.additional)
  return { yes: [facts({ kind: 'group', group })], no }
}

function dependency(name: string, value: unknown, like: Signed): Constraint {
  const [has, lacks]: [Literal, Literal] = [
    { kind: 'has', name },
    { kind: 'lacks', name },
  ]
  if (!Array.isArray(value)) {
    return {
      yes: [facts(lacks), { literals: [has], schemas: [like] }],
      no: [{ literals: [has], schemas: [denied(like)] }],
    }
  }
  const names = stringsOf(value)
  return {
    yes: [facts(lacks), facts(has, ...names.map((one) => ({ kind: 'has' as const, name: one })))],
    no: names.map((one) => facts(has, { kind: 'lacks', name: one })),
  }
}
