/** Parameters: added, removed, required, serialised differently, and their schemas. */
import { isMap, type JsonMap, show } from '../pointer.ts'
import type { Change, Finding } from '../types.ts'
import { compareSunsets, removal } from './lifecycle.ts'
import type { OperationPair, Parameter } from './model.ts'
import { sameParameter } from './read-operations.ts'
import type { Session } from './session.ts'

type Part = Omit<Change, 'operation' | 'location'>

/**
 * Reports changed parameters. Renamed path parameters and parameters that moved between the path
 * and the operation are the same parameters.
 */
export function compareParameters(session: Session, pair: OperationPair): void {
  const { before, after, renamed } = pair
  const old = [...before.parameters]
  for (const parameter of after.parameters) {
    const name =
      parameter.in === 'path' ? (renamed.get(parameter.name) ?? parameter.name) : parameter.name
    const at = old.findIndex((one) => sameParameter(one, { ...parameter, name }))
    if (at === -1) added(session, pair, parameter)
    else compareParameter(session, pair, old.splice(at, 1)[0]!, parameter)
  }
  for (const parameter of old) removed(session, pair, parameter)
}

function report(
  session: Session,
  { after }: OperationPair,
  parameter: Parameter,
  part: Part,
): void {
  session.collector.add({ ...part, location: parameter.pointer, operation: after.label })
}

function title({ in: place, name }: Parameter): string {
  return `the ${place} parameter ${show(name)}`
}

function added(session: Session, pair: OperationPair, parameter: Parameter): void {
  const level = parameter.required ? 'breaking' : 'info'
  const kind = parameter.required ? 'required' : 'optional'
  const id =
    parameter.in === 'path'
      ? 'new-request-path-parameter'
      : parameter.shared
        ? `new-${kind}-request-default-parameter-to-existing-path`
        : `new-${kind}-request-parameter`
  report(session, pair, parameter, {
    id,
    level,
    message: `${title(parameter)} was added (${kind})`,
  })
}

function removed(session: Session, pair: OperationPair, parameter: Parameter): void {
  const outcome = removal(parameter.raw, session.today)
  const plain = outcome.ending === 'without-deprecation'
  const id =
    outcome.ending === 'sunset-parse'
      ? 'request-parameter-sunset-parse'
      : plain
        ? 'request-parameter-removed'
        : `request-parameter-removed-${outcome.ending}`
  // Servers commonly ignore what they do not know, but none has to.
  const level = plain ? 'warning' : outcome.level
  report(session, pair, parameter, {
    id,
    level,
    message: `${title(parameter)} was removed ${outcome.message}`,
  })
}

function compareParameter(
  session: Session,
  pair: OperationPair,
  old: Parameter,
  now: Parameter,
): void {
  const add = (id: string, level: Change['level'], text: string) =>
    report(session, pair, now, { id, level, message: `${title(now)}: ${text}` })
  if (!old.required && now.required)
    add('request-parameter-became-required', 'breaking', 'became required')
  if (old.required && !now.required)
    add('request-parameter-became-optional', 'info', 'became optional')
  compareSerialization(old, now, session, add)
  compareDeprecation(old, now, add)
  compareSchemas(session, pair, old, now)
}

function compareSchemas(
  session: Session,
  pair: OperationPair,
  old: Parameter,
  now: Parameter,
): void {
  if (!old.schema && !now.schema) return
  const a = old.schema
    ? session.shapesBefore.of(old.schema)
    : session.shapesBefore.blank(old.pointer)
  const b = now.schema ? session.shapesAfter.of(now.schema) : session.shapesAfter.blank(now.pointer)
  let findings = [...session.relation('request', 'text').findings(a, b)]
  // form/explode (the default of query) writes a one-element list as the plain value.
  if (listed(old, now) && b.types?.has('array') && a.types && !a.types.has('array')) {
    const items = b.parts.get('items')
    const relation = session.relation('request', 'text')
    if (!items || relation.covers(b.owner.of(items), a) !== 'no') {
      const widened = { form: 'type-generalized', effect: 'widens' as const }
      findings = findings.map((one) => (one.form === 'type-changed' ? { ...one, ...widened } : one))
    }
  }
  session.collector.addFindings(
    {
      direction: 'request',
      scope: { kind: 'parameter', in: now.in, name: now.name },
      operation: pair.after.label,
    },
    findings.map((finding) => inParameter(finding, now)),
  )
}

/**
 * A finding as it counts in a parameter: a default only matters where the parameter may be left
 * out, and inside an object it depends on the style whether numbers can pass as strings.
 */
function inParameter(finding: Finding, now: Parameter): Finding {
  const { form, effect, path } = finding
  if (path.length === 0) {
    const idle = now.required && form.startsWith('default-value-')
    return idle ? { ...finding, level: 'info' } : finding
  }
  if (form === 'type-generalized' && finding.after === 'string' && finding.before !== 'any') {
    return { ...finding, form: 'type-changed', effect: 'unknown' }
  }
  return form === 'type-changed' && effect === 'narrows'
    ? { ...finding, form: 'type-specialized' }
    : finding
}

function listed(old: Parameter, now: Parameter): boolean {
  const [a, b] = [serialization(old.raw), serialization(now.raw)]
  return a.style === 'form' && b.style === 'form' && b.explode
}

/** OpenAPI 3 §4.8.12: form for query and cookie, simple else; explode is true only for form. */
function serialization(raw: JsonMap): { style: string; explode: boolean } {
  const style =
    typeof raw.style === 'string'
      ? raw.style
      : raw.in === 'query' || raw.in === 'cookie'
        ? 'form'
        : 'simple'
  return { style, explode: typeof raw.explode === 'boolean' ? raw.explode : style === 'form' }
}

function compareSerialization(
  old: Parameter,
  now: Parameter,
  session: Session,
  add: (id: string, level: Change['level'], text: string) => void,
): void {
  const [a, b] = [serialization(old.raw), serialization(now.raw)]
  const structured = session.structured(old.schema, now.schema)
  if (a.style !== b.style) {
    add(
      'request-parameter-style-changed',
      'breaking',
      `style changed from ${a.style} to ${b.style}`,
    )
  } else if (a.explode !== b.explode && structured) {
    add('request-parameter-explode-changed', 'breaking', `explode changed to ${b.explode}`)
  }
  const formats = [old.raw.collectionFormat ?? 'csv', now.raw.collectionFormat ?? 'csv']
  const swagger = session.before.version === '2.0' && session.after.version === '2.0'
  if (swagger && formats[0] !== formats[1]) {
    add(
      'request-parameter-style-changed',
      'breaking',
      `collectionFormat changed to ${show(formats[1])}`,
    )
  }
  if (old.raw.allowEmptyValue === true && now.raw.allowEmptyValue !== true) {
    add('request-parameter-became-not-allow-empty-value', 'breaking', 'may not be empty any more')
  }
  const [free, freeNow] = [old.raw.allowReserved === true, now.raw.allowReserved === true]
  if (now.in === 'query' && free !== freeNow) {
    if (freeNow)
      add('request-parameter-became-allow-reserved', 'info', 'allows reserved characters now')
    else
      add(
        'request-parameter-became-not-allow-reserved',
        'breaking',
        'allows no reserved characters now',
      )
  }
}

function compareDeprecation(
  old: Parameter,
  now: Parameter,
  add: (id: string, level: Change['level'], text: string) => void,
): void {
  const [was, is] = [old.raw.deprecated === true, now.raw.deprecated === true]
  if (!was && is) add('request-parameter-deprecated', 'info', 'is deprecated now')
  if (was && !is) add('request-parameter-reactivated', 'info', 'is no longer deprecated')
  if (was && is && isMap(now.raw)) compareSunsets('request-parameter', old.raw, now.raw, add)
}
