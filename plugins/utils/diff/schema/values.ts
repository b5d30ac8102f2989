/** Enumerations, const, default, pattern, content keywords and the annotations that are reported. */
import { equal, show, without } from '../pointer.ts'
import type { Effect, Finding } from '../types.ts'
import type { Relation } from './relation.ts'
import type { Shape } from './shape.ts'

/** Patterns that every string matches. */
const MATCH_ALL = new Set(['.*', '^.*$', '^', '$', '', '^.*', '.*$', '[\\s\\S]*'])

/** Findings about the values that two schemas name. */
export function relateValues(relation: Relation, a: Shape, b: Shape): Finding[] {
  return [
    ...relateEnums(a, b),
    ...relateExtensible(relation, a, b),
    ...relatePatterns(relation, a, b),
    ...relateContent(a, b),
    ...relateDefaults(a, b),
    ...relateDiscriminators(a, b),
    ...relateDeprecation(a, b),
  ]
}

function note(
  form: string,
  effect: Effect,
  b: Shape,
  text: string,
  before?: unknown,
  after?: unknown,
): Finding {
  return { path: [], form, effect, location: b.location, text, before, after }
}

function relateEnums(a: Shape, b: Shape): Finding[] {
  if (!a.enum && !b.enum) return []
  if (!a.enum) {
    const form = b.isConst ? 'const-added' : 'became-enum'
    return [note(form, 'narrows', b, `was restricted to ${show(b.enum)}`, undefined, b.enum)]
  }
  if (!b.enum) {
    const form = a.isConst ? 'const-removed' : 'became-not-enum'
    return [note(form, 'widens', b, 'is no longer restricted to listed values', a.enum)]
  }
  const removed = without(a.enum, b.enum)
  const added = without(b.enum, a.enum)
  if (a.isConst && b.isConst && removed.length > 0) {
    const text = `const changed from ${show(a.enum[0])} to ${show(b.enum[0])}`
    return [note('const-changed', 'incomparable', b, text, a.enum[0], b.enum[0])]
  }
  return [
    ...removed.map((value) =>
      note('enum-value-removed', 'narrows', b, `lost the enum value ${show(value)}`, value),
    ),
    ...added.map((value) =>
      note('enum-value-added', 'widens', b, `got the enum value ${show(value)}`, undefined, value),
    ),
  ]
}

function relateExtensible(relation: Relation, a: Shape, b: Shape): Finding[] {
  if (relation.direction === 'response' || !a.extensible || !b.extensible) return []
  return without(a.extensible, b.extensible).map((value) =>
    note(
      'x-extensible-enum-value-removed',
      'narrows',
      b,
      `lost the x-extensible-enum value ${show(value)}`,
      value,
    ),
  )
}

function relatePatterns(relation: Relation, a: Shape, b: Shape): Finding[] {
  const meaning = (patterns: string[]) => patterns.filter((pattern) => !MATCH_ALL.has(pattern))
  const removed = meaning(a.patterns).filter((pattern) => !b.patterns.includes(pattern))
  const added = meaning(b.patterns).filter((pattern) => !a.patterns.includes(pattern))
  if (removed.length > 0 && added.length > 0) {
    const text = `pattern changed from ${show(removed[0])} to ${show(added[0])}`
    return [note('pattern-changed', 'unknown', b, text, removed[0], added[0])]
  }
  const generalized = b.patterns.some((pattern) => MATCH_ALL.has(pattern))
  const form =
    generalized && relation.direction === 'request' ? 'pattern-generalized' : 'pattern-removed'
  return [
    ...removed.map((pattern) =>
      note(form, 'widens', b, `lost the pattern ${show(pattern)}`, pattern, b.patterns[0]),
    ),
    ...added.map((pattern) =>
      note('pattern-added', 'narrows', b, `got the pattern ${show(pattern)}`, undefined, pattern),
    ),
  ]
}

function relateContent(a: Shape, b: Shape): Finding[] {
  const findings: Finding[] = []
  for (const [part, form] of [
    ['mediaType', 'content-media-type-changed'],
    ['encoding', 'content-encoding-changed'],
  ] as const) {
    const [before, after] = [a.content[part], b.content[part]]
    if (equal(before, after)) continue
    const text = `${form.replace('-changed', '').replaceAll('-', ' ')} changed from ${show(before)} to ${show(after)}`
    findings.push(note(form, 'incomparable', b, text, before, after))
  }
  return findings
}

function relateDefaults(a: Shape, b: Shape): Finding[] {
  const [before, after] = [a.default?.value, b.default?.value]
  if (equal(before, after)) return []
  const form =
    before === undefined
      ? 'default-value-added'
      : after === undefined
        ? 'default-value-removed'
        : 'default-value-changed'
  const text = `default changed from ${show(before ?? 'none')} to ${show(after ?? 'none')}`
  return [note(form, 'none', b, text, before, after)]
}

function relateDiscriminators(a: Shape, b: Shape): Finding[] {
  const [before, after] = [a.discriminator, b.discriminator]
  if (equal(before, after)) return []
  if (!before)
    return [note('discriminator-added', 'none', b, 'got a discriminator', undefined, after)]
  if (!after) return [note('discriminator-removed', 'none', b, 'lost its discriminator', before)]
  const findings: Finding[] = []
  if (!equal(before.propertyName, after.propertyName)) {
    const text = `discriminator property changed from ${show(before.propertyName)} to ${show(after.propertyName)}`
    findings.push(
      note(
        'discriminator-property-name-changed',
        'none',
        b,
        text,
        before.propertyName,
        after.propertyName,
      ),
    )
  }
  for (const key of new Set([...Object.keys(before.mapping), ...Object.keys(after.mapping)])) {
    const [old, now] = [before.mapping[key], after.mapping[key]]
    if (equal(old, now)) continue
    const what = old === undefined ? 'added' : now === undefined ? 'deleted' : 'changed'
    const text = `discriminator mapping ${show(key)} was ${what}`
    findings.push(note(`discriminator-mapping-${what}`, 'none', b, text, old, now))
  }
  return findings
}

function relateDeprecation(a: Shape, b: Shape): Finding[] {
  if (a.deprecated === b.deprecated) return []
  if (!b.deprecated) return [note('reactivated', 'none', b, 'is no longer deprecated')]
  const form = b.sunset === undefined ? 'deprecated' : 'deprecated-with-sunset'
  return [note(form, 'none', b, 'is deprecated now', undefined, b.sunset)]
}
