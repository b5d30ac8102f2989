/** Objects: properties added, removed, required, read-only; what else an object may contain. */
import type { Place } from '../document.ts'
import type { Direction, Effect, Finding, Level } from '../types.ts'
import { relateDependencies, relatePatternProperties } from './keyed.ts'
import type { Item, Relation } from './relation.ts'
import type { Shape } from './shape.ts'

/** Findings about the members of objects. */
export function relateObjects(relation: Relation, a: Shape, b: Shape): Item[] {
  return [
    ...relateProperties(relation, a, b),
    ...relateUndeclared(relation, a, b),
    ...relateAdditional(relation, a, b),
    ...relatePatternProperties(relation, a, b),
    ...relateDependencies(relation, a, b),
  ]
}

function relateProperties(relation: Relation, a: Shape, b: Shape): Item[] {
  const findings: Item[] = []
  for (const [name, place] of a.properties) {
    const other = b.properties.get(name)
    if (other) findings.push(...relateProperty(relation, name, a, place, b, other))
    else findings.push(...removedProperty(relation, name, a, place, b))
  }
  for (const [name, place] of b.properties) {
    if (!a.properties.has(name)) findings.push(...addedProperty(relation, name, a, b, place))
  }
  return findings
}

function relateProperty(
  relation: Relation,
  name: string,
  a: Shape,
  aPlace: Place,
  b: Shape,
  bPlace: Place,
): Item[] {
  const edge = relation.below(name, a, aPlace, b, bPlace)
  const own = [
    ...requiredFinding(relation, name, a, b, edge.b),
    ...accessFindings(relation, name, edge.a, edge.b, b),
  ]
  if (!exempt(relation.direction, edge.a, edge.b)) return [...own, edge]
  const kept = own.map((finding) => excused(relation.direction, finding))
  return [...kept, { ...edge, excused: true }]
}

/** A read-only property is not part of requests, a write-only one not of responses. */
function exempt(direction: Direction, before: Shape, after: Shape): boolean {
  return direction === 'request' ? after.readOnly : before.writeOnly && after.writeOnly
}

/** oasdiff has ids of their own for some changes of read-only and write-only properties. */
const READ_ONLY_FORMS =
  /^(?:enum-value-removed|(?:exclusive-)?(?:max|min)(?:-length|-items|-properties)?-(?:increased|decreased))$/

/** A finding about an exempt property itself: information, under its own id where there is one. */
export function excused(direction: Direction, finding: Finding): Finding {
  const { form, effect } = finding
  const readOnly = direction === 'request' && effect === 'narrows' && READ_ONLY_FORMS.test(form)
  const writeOnly = direction === 'response' && form === 'enum-value-added'
  const kind = readOnly ? 'request-read-only' : 'response-write-only'
  const own = readOnly || writeOnly
  return { ...finding, level: 'info', ...(own && { id: `${kind}-property-${form}` }) }
}

function requiredFinding(
  relation: Relation,
  name: string,
  a: Shape,
  b: Shape,
  after: Shape,
): Finding[] {
  const [was, is] = [a.required.has(name), b.required.has(name)]
  if (was === is) return []
  const head = relation.direction === 'response' && after.writeOnly ? 'write-only-' : ''
  const withDefault = is && relation.direction === 'request' && after.default ? '-with-default' : ''
  return [
    {
      path: [name],
      form: `${is ? 'became-required' : 'became-optional'}${withDefault}`,
      ...(head && { id: `response-write-only-property-became-${is ? 'required' : 'optional'}` }),
      effect: is ? 'narrows' : 'widens',
      location: after.location,
      text: is ? 'became required' : 'became optional',
      before: was,
      after: is,
    },
  ]
}

function accessFindings(
  relation: Relation,
  name: string,
  before: Shape,
  after: Shape,
  b: Shape,
): Finding[] {
  const findings: Finding[] = []
  const kind = b.required.has(name) ? 'required' : 'optional'
  for (const [flag, word] of [
    ['readOnly', 'read-only'],
    ['writeOnly', 'write-only'],
  ] as const) {
    if (before[flag] === after[flag]) continue
    const became = after[flag] ? word : `not-${word}`
    findings.push({
      path: [name],
      form: `became-${became}`,
      id: `${relation.direction}-${kind}-property-became-${became}`,
      effect: 'none',
      location: after.location,
      text: `became ${became.replace('not-', 'not ')}`,
      before: before[flag],
      after: after[flag],
    })
  }
  return findings
}

function removedProperty(
  relation: Relation,
  name: string,
  a: Shape,
  place: Place,
  b: Shape,
): Finding[] {
  const shape = a.owner.of(place)
  const required = a.required.has(name)
  if (relation.direction === 'request') {
    // A closed object refuses what it used to take; an open one still takes it, unheeded; what has a
    // schema for such names takes what fits that.
    const rule = governing(b, name)
    const effect = ruledEffect(relation, shape, rule, (other) => [shape, other], b)
    const isLost = effect === 'narrows' || effect === 'incomparable'
    const isProved = typeof rule === 'object' && effect !== 'unknown'
    const isSafe = shape.readOnly || shape.never || (isProved && !isLost)
    return [
      {
        path: [name],
        form: 'removed',
        effect,
        ...(isSafe ? { level: 'info' as const } : isLost && { level: 'breaking' as const }),
        location: place.pointer,
        described: 'before',
        text: 'was removed',
        before: place.raw,
      },
    ]
  }
  const head = `response-${required ? 'required' : 'optional'}-${shape.writeOnly ? 'write-only-' : ''}`
  // What is said of all other names says the same of this one.
  const rule = governing(b, name)
  const isSaid = !required && typeof rule === 'object' && relation.same(shape, b.owner.of(rule))
  return [
    {
      path: [name],
      form: 'removed',
      id: `${head}property-removed`,
      effect: required ? 'widens' : 'none',
      ...((shape.writeOnly || isSaid) && { level: 'info' as const }),
      location: place.pointer,
      described: 'before',
      text: `was removed (it was ${required ? 'required' : 'optional'})`,
      before: place.raw,
    },
  ]
}

/** What a schema says of a property that it does not name. */
function governing(shape: Shape, name: string): Place | boolean {
  for (const [pattern, place] of shape.patternProperties) if (matches(pattern, name)) return place
  return shape.additional ?? true
}

/**
 * What it does that a property is named on one side only, and ruled by `rule` on the other, which
 * `ruled` is: `order` puts the two schemas into the order of time.
 */
function ruledEffect(
  relation: Relation,
  named: Shape,
  rule: Place | boolean,
  order: (other: Shape) => [Shape, Shape],
  ruled: Shape,
): Effect {
  const isNow = order(ruled)[1] === named
  if (typeof rule === 'object') {
    const effects = relation.effects(...order(ruled.owner.of(rule)))
    effects.delete('none')
    return effects.size > 1 ? 'incomparable' : ([...effects][0] ?? 'none')
  }
  if (rule === false) return named.never ? 'none' : isNow ? 'widens' : 'narrows'
  // What an open object takes without a description breaks nobody by agreement.
  if (!named.never) return 'none'
  return isNow ? 'narrows' : 'widens'
}

/** Whether patternProperties of `shape` speak of the property `name`. */
export function matchesPattern(shape: Shape, name: string): boolean {
  return [...shape.patternProperties.keys()].some((pattern) => matches(pattern, name))
}

/** False also for a pattern that is none. */
export function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name)
  } catch {
    return false
  }
}

function addedProperty(
  relation: Relation,
  name: string,
  a: Shape,
  b: Shape,
  place: Place,
): Finding[] {
  const shape = b.owner.of(place)
  const required = b.required.has(name)
  // It was sent before without being described, so its values may not fit the description.
  const described = required && a.required.has(name)
  const rule = governing(a, name)
  const own = ruledEffect(relation, shape, rule, (other) => [other, shape], a)
  const effect = !required ? own : described ? 'unknown' : 'narrows'
  const kind = required ? 'required' : 'optional'
  const request = relation.direction === 'request'
  const suffix = request && required && shape.default ? '-with-default' : ''
  const id = request
    ? `new-${kind}-request-property${suffix}`
    : `response-${kind}-${shape.writeOnly ? 'write-only-' : ''}property-added`
  return [
    {
      path: [name],
      form: 'added',
      id,
      effect,
      // A reader of responses is expected to skip what it does not know.
      ...((request ? shape.readOnly : described || (!required && typeof rule !== 'object')) && {
        level: 'info' as const,
      }),
      location: place.pointer,
      described: 'after',
      text: `was added (${kind})`,
      after: place.raw,
    },
  ]
}

/** Required names that neither side describes. */
function relateUndeclared(relation: Relation, a: Shape, b: Shape): Finding[] {
  const findings: Finding[] = []
  for (const name of new Set([...a.required, ...b.required])) {
    if (a.properties.has(name) || b.properties.has(name)) continue
    const after = b.owner.blank(b.location)
    findings.push(...requiredFinding(relation, name, a, b, after))
  }
  return findings
}

function additionalForm(narrows: boolean, closed: boolean, isUnevaluated: boolean): string {
  if (isUnevaluated) return `unevaluated-properties-${narrows ? 'added' : 'removed'}`
  if (!narrows) return 'additional-properties-allowed'
  return `additional-properties-${closed ? 'disallowed' : 'restricted'}`
}

/**
 * The level of an object that takes more names than before. A client of an API is expected to skip
 * what it does not know; who validates documents by a schema may refuse what it had closed.
 */
function openingLevel(shape: Shape, direction: Direction): Level {
  return direction === 'response' && shape.owner.document.family === 'json-schema'
    ? 'warning'
    : 'info'
}

function relateAdditional(relation: Relation, a: Shape, b: Shape): Item[] {
  const [before, after] = [a.additional ?? true, b.additional ?? true]
  if (before === after) return []
  if (typeof before === 'object' && typeof after === 'object') {
    return [relation.below('additionalProperties', a, before, b, after)]
  }
  const narrows = after === false || (before === true && typeof after === 'object')
  const closed = after === false
  return [
    {
      path: [],
      form: additionalForm(narrows, closed, Boolean((narrows ? b : a).isUnevaluated)),
      effect: narrows ? 'narrows' : 'widens',
      ...(!narrows && { level: openingLevel(b, relation.direction) }),
      location: b.location,
      text: closed
        ? 'accepts no additional properties any more'
        : narrows
          ? 'accepts only additional properties of a given schema now'
          : 'accepts more additional properties',
      before: typeof before === 'object' ? before.raw : before,
      after: typeof after === 'object' ? after.raw : after,
    },
  ]
}
