/** Types, formats and nullability. */
import { show } from '../pointer.ts'
import type { Effect, Finding } from '../types.ts'
import type { Relation } from './relation.ts'
import type { Shape } from './shape.ts'

/** Formats of which the second contains the first. */
const WIDER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  int8: ['int16', 'int32', 'int64', 'bigint'],
  int16: ['int32', 'int64', 'bigint'],
  int32: ['int64', 'bigint'],
  int64: ['bigint'],
  float: ['double'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  uri: ['uri-reference', 'iri', 'iri-reference'],
}
const SCALARS = new Set(['string', 'number', 'integer', 'boolean'])

/** True when some value could be accepted by both, so that comparing their details makes sense. */
export function sharedTypes(a: Shape, b: Shape): boolean {
  if (!a.types || !b.types) return true
  if (a.types.size === 0 || b.types.size === 0) return a.types.size === b.types.size
  const numeric = (types: ReadonlySet<string>) => types.has('integer') || types.has('number')
  return [...a.types].some((type) => b.types!.has(type)) || (numeric(a.types) && numeric(b.types))
}

/** Findings about the type, the format and null of two schemas. */
export function relateTypes(relation: Relation, a: Shape, b: Shape): Finding[] {
  const effect = typeEffect(relation.wire, a, b)
  const typed =
    effect === 'none'
      ? [...spelledFinding(relation, a, b), ...formatFinding(relation, a, b)]
      : [typeFinding(relation, a, b, effect)]
  return [...typed, ...nullFinding(a, b)]
}

/** Types that differ and cannot be told apart where they are written as text: information. */
function spelledFinding(relation: Relation, a: Shape, b: Shape): Finding[] {
  if (relation.wire === 'json') return []
  const effect = typeEffect('json', a, b)
  return effect === 'none' ? [] : [{ ...typeFinding(relation, a, b, effect), effect: 'none' }]
}

function typeEffect(wire: Relation['wire'], a: Shape, b: Shape): Effect {
  const narrows = !contains(wire, b, a)
  const widens = !contains(wire, a, b)
  if (narrows && widens) return 'incomparable'
  return narrows ? 'narrows' : widens ? 'widens' : 'none'
}

/** Whether `outer` accepts every type of `inner`. */
function contains(wire: Relation['wire'], outer: Shape, inner: Shape): boolean {
  if (!outer.types) return true
  if (!inner.types) return false
  return [...inner.types].every(
    (type) =>
      outer.types!.has(type) ||
      (type === 'integer' && outer.types!.has('number')) ||
      (wire !== 'json' && SCALARS.has(type) && plainString(outer)),
  )
}

function plainString(shape: Shape): boolean {
  return (
    Boolean(shape.types?.has('string')) &&
    !shape.format &&
    !shape.enum &&
    shape.patterns.length === 0
  )
}

function names(shape: Shape): unknown {
  if (!shape.types) return 'any'
  const types = [...shape.types]
  return types.length === 1 ? types[0] : types
}

function typeFinding(relation: Relation, a: Shape, b: Shape, effect: Effect): Finding {
  const [before, after] = [names(a), names(b)]
  return {
    path: [],
    form: typeForm(relation, a, b, effect),
    effect,
    location: b.location,
    text: `type changed from ${show(before)} to ${show(after)}`,
    before,
    after,
  }
}

function typeForm(relation: Relation, a: Shape, b: Shape, effect: Effect): string {
  const lists = (a.types?.size ?? 1) > 1 || (b.types?.size ?? 1) > 1
  if (effect === 'incomparable') return 'type-changed'
  if (lists && a.types && b.types) {
    return effect === 'widens' ? 'list-of-types-widened' : 'list-of-types-narrowed'
  }
  if (effect === 'widens') return 'type-generalized'
  return relation.direction === 'request' ? 'type-changed' : 'type-specialized'
}

function formatFinding(relation: Relation, a: Shape, b: Shape): Finding[] {
  if (a.format === b.format) return []
  const effect = formatEffect(a.format, b.format)
  const narrowed = relation.direction === 'request' ? 'type-changed' : 'type-specialized'
  const forms = { widens: 'type-generalized', narrows: narrowed, incomparable: 'type-changed' }
  return [
    {
      path: [],
      form: forms[effect],
      effect,
      location: b.location,
      text: `format changed from ${show(a.format ?? 'none')} to ${show(b.format ?? 'none')}`,
      before: a.format,
      after: b.format,
    },
  ]
}

function formatEffect(
  a: string | undefined,
  b: string | undefined,
): 'widens' | 'narrows' | 'incomparable' {
  if (a === undefined) return 'narrows'
  if (b === undefined || WIDER_FORMATS[a]?.includes(b)) return 'widens'
  return WIDER_FORMATS[b]?.includes(a) ? 'narrows' : 'incomparable'
}

/** Whether null is said, one way or the other: a schema without a type leaves it open. */
function saysNull(shape: Shape): boolean {
  return shape.types !== null || shape.unions.length > 0
}

function nullFinding(a: Shape, b: Shape): Finding[] {
  if (a.nullable === b.nullable || !saysNull(a) || !saysNull(b)) return []
  const became = b.nullable ? 'became-nullable' : 'became-not-nullable'
  return [
    {
      path: [],
      form: became,
      effect: b.nullable ? 'widens' : 'narrows',
      location: b.location,
      text: b.nullable ? 'became nullable' : 'became not nullable',
      before: a.nullable,
      after: b.nullable,
    },
  ]
}
