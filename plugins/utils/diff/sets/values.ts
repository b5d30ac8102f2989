/** Whether a given value meets a literal. */
import { equal, isMap } from '../pointer.ts'
import { type Group, type Literal, matchesName, type Region, type Signed } from './literals.ts'

/** Answers whether a value meets a schema; null where that is not known. */
export interface Values {
  holds(signed: Signed, value: unknown): boolean | null
}

/** Whether every verdict is true; null where that hangs on unknown ones. */
function all(verdicts: Iterable<boolean | null>): boolean | null {
  let isUnknown = false
  for (const verdict of verdicts) {
    if (verdict === false) return false
    if (verdict === null) isUnknown = true
  }
  return isUnknown ? null : true
}

function some(verdicts: Iterable<boolean | null>): boolean | null {
  const none = all([...verdicts].map((verdict) => (verdict === null ? null : !verdict)))
  return none === null ? null : !none
}

/** Whether `value` meets `literal`, which is of its sort; null where that is not known. */
export function meets(literal: Literal, value: unknown, values: Values): boolean | null {
  switch (literal.kind) {
    case 'enum':
      return literal.values.some((one) => equal(one, value))
    case 'except':
      return !literal.values.some((one) => equal(one, value))
    case 'opaque':
      return literal.test ? literal.test(value) === literal.positive : null
  }
  if (typeof value === 'number') return numberMeets(literal, value)
  if (literal.kind === 'least') return sizeOf(value) >= literal.size
  if (literal.kind === 'most') return sizeOf(value) <= literal.size
  if (Array.isArray(value)) return arrayMeets(literal, value, values)
  return isMap(value) ? objectMeets(literal, value, values) : true
}

/** Characters of a string, elements of a list, members of an object. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return [...value].length
  return Array.isArray(value) ? value.length : Object.keys(value as object).length
}

/** Whether `value` is a multiple, as far as binary fractions tell. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step
  return Math.abs(times - Math.round(times)) < 1e-9
}

function numberMeets(literal: Literal, value: number): boolean {
  switch (literal.kind) {
    case 'above':
      return literal.strict ? value > literal.limit : value >= literal.limit
    case 'below':
      return literal.strict ? value < literal.limit : value <= literal.limit
    case 'multiple':
      return isMultiple(value, literal.step)
    case 'fraction':
      return !isMultiple(value, literal.step)
    default:
      return true
  }
}

function arrayMeets(literal: Literal, value: unknown[], values: Values): boolean | null {
  switch (literal.kind) {
    case 'tuple':
      return all(
        value.map((one, at) => {
          const like = literal.prefix[at] ?? literal.rest
          return like ? values.holds(like, one) : true
        }),
      )
    case 'element': {
      const from = value.slice(literal.from, literal.only ? literal.from + 1 : undefined)
      return some(from.map((one) => values.holds(literal.like, one)))
    }
    case 'every':
      return all(value.map((one) => values.holds(literal.like, one)))
    default:
      return true
  }
}

/** The schemas by which `group` rules the member `name`. */
export function rulesOf(group: Group, name: string): Signed[] {
  const rules: Signed[] = []
  const own = group.properties.get(name)
  if (own) rules.push(own)
  for (const [pattern, like] of group.patterns) if (matchesName(pattern, name)) rules.push(like)
  if (rules.length === 0 && group.additional) rules.push(group.additional)
  return rules
}

/** Whether a literal about `region` speaks of the member `name`. */
export function isWithin(region: Region, name: string): boolean {
  switch (region.kind) {
    case 'name':
      return region.name === name
    case 'pattern':
      return matchesName(region.pattern, name)
    case 'rest':
      return (
        !region.group.properties.has(name) &&
        ![...region.group.patterns.keys()].some((pattern) => matchesName(pattern, name))
      )
  }
}

function objectMeets(
  literal: Literal,
  value: Record<string, unknown>,
  values: Values,
): boolean | null {
  const names = Object.keys(value)
  switch (literal.kind) {
    case 'has':
      return Object.hasOwn(value, literal.name)
    case 'lacks':
      return !Object.hasOwn(value, literal.name)
    case 'group':
      return all(
        names.flatMap((name) =>
          rulesOf(literal.group, name).map((like) => values.holds(like, value[name])),
        ),
      )
    case 'member': {
      const members = names.filter((name) => isWithin(literal.region, name))
      return some(members.map((name) => values.holds(literal.like, value[name])))
    }
    case 'names':
      return all(names.map((name) => values.holds(literal.like, name)))
    case 'name':
      return some(names.map((name) => values.holds(literal.like, name)))
    default:
      return true
  }
}
