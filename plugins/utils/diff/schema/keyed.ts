/** Keywords that map names or patterns to schemas: patternProperties and the dependent ones. */
import type { Place } from '../document.ts'
import type { Finding } from '../types.ts'
import type { Item, Relation } from './relation.ts'
import type { Shape } from './shape.ts'

type Form = 'pattern-property' | 'dependent-schema'

/** Findings about patternProperties. */
export function relatePatternProperties(relation: Relation, a: Shape, b: Shape): Item[] {
  return relateMaps(relation, a, a.patternProperties, b, b.patternProperties, 'pattern-property')
}

/** Findings about dependentSchemas, dependentRequired and draft-07 dependencies. */
export function relateDependencies(relation: Relation, a: Shape, b: Shape): Item[] {
  const findings = relateMaps(
    relation,
    a,
    a.dependentSchemas,
    b,
    b.dependentSchemas,
    'dependent-schema',
  )
  for (const name of new Set([...a.dependentRequired.keys(), ...b.dependentRequired.keys()])) {
    const [old, now] = [a.dependentRequired.get(name), b.dependentRequired.get(name)]
    const dropped = (old ?? []).filter((item) => !now?.includes(item))
    const gained = (now ?? []).filter((item) => !old?.includes(item))
    if (dropped.length === 0 && gained.length === 0) continue
    const what = !old ? 'added' : !now ? 'removed' : 'changed'
    const mixed = dropped.length > 0 && gained.length > 0
    findings.push({
      path: [],
      form: `dependent-required-${what}`,
      effect: mixed ? 'incomparable' : gained.length > 0 ? 'narrows' : 'widens',
      location: b.location,
      text: `properties required beside \`${name}\` were ${what}`,
      before: old,
      after: now,
    })
  }
  return findings
}

function relateMaps(
  relation: Relation,
  a: Shape,
  before: Map<string, Place>,
  b: Shape,
  after: Map<string, Place>,
  form: Form,
): Item[] {
  const items: Item[] = []
  for (const [key, place] of before) {
    const other = after.get(key)
    if (other) items.push(relation.below(key, a, place, b, other))
    else items.push(...oneSided(relation, a, place, b, null, form, key))
  }
  for (const [key, place] of after) {
    if (!before.has(key)) items.push(...oneSided(relation, a, null, b, place, form, key))
  }
  return items
}

/**
 * What only one side says of some properties. Those of a pattern are additional ones to the other
 * side; a dependent schema stands against no demand at all.
 */
function oneSided(
  relation: Relation,
  a: Shape,
  old: Place | null,
  b: Shape,
  now: Place | null,
  form: Form,
  key: string,
): Finding[] {
  const elsewhere = (shape: Shape): Place => {
    const rest = form === 'pattern-property' ? (shape.additional ?? true) : true
    return typeof rest === 'boolean' ? { raw: rest, pointer: shape.location } : rest
  }
  const effects = relation.effects(a.owner.of(old ?? elsewhere(a)), b.owner.of(now ?? elsewhere(b)))
  effects.delete('none')
  const only = [...effects][0] ?? 'none'
  const effect = effects.size > 1 ? 'incomparable' : only
  const [verb, what, side] = old
    ? (['lost', 'removed', 'before'] as const)
    : (['got', 'added', 'after'] as const)
  const text = `${verb} the ${form.replace('-', ' ')} \`${key}\``
  return [partFinding(`${form}-${what}`, effect, (old ?? now)!, text, side)]
}

/** A finding about a whole subschema that came or went. */
export function partFinding(
  form: string,
  effect: Finding['effect'],
  place: Place,
  text: string,
  side: 'before' | 'after',
): Finding {
  return { path: [], form, effect, location: place.pointer, text, [side]: place.raw }
}
