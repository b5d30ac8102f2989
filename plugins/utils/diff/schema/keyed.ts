/** Keywords that map names or patterns to schemas: patternProperties and the dependent ones. */
import type { Place } from '../document.ts'
import type { Finding } from '../types.ts'
import type { Item, Relation } from './relate.ts'
import type { Shape } from './shape.ts'

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
  form: string,
): Item[] {
  const findings: Item[] = []
  for (const [key, place] of before) {
    const other = after.get(key)
    if (other) findings.push(relation.below(key, a, place, b, other))
    else
      findings.push(
        partFinding(
          `${form}-removed`,
          'widens',
          place,
          `lost the ${form.replace('-', ' ')} \`${key}\``,
          'before',
        ),
      )
  }
  for (const [key, place] of after) {
    if (before.has(key)) continue
    findings.push(
      partFinding(
        `${form}-added`,
        'narrows',
        place,
        `got the ${form.replace('-', ' ')} \`${key}\``,
        'after',
      ),
    )
  }
  return findings
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
