/**
 * Finds every reference of a schema and checks that it resolves inside the document, to one that
 * the caller gave along, or to an official meta-schema. Remote documents are never fetched, and the validation library answers
 * "invalid" for a reference it cannot follow, so an unresolved one has to be refused before.
 */
import { isMap } from '../diff/pointer.ts'
import { children, type Draft, isSchemaPath, KNOWN_SCHEMAS } from './dialect.ts'
import {
  escapePointer,
  pointerKeys,
  pointerOfFragment,
  valueAt,
} from '../../shared/json-pointer.ts'

/** The base of a schema without `$id`; it can be resolved against but names nothing. */
const ROOT_BASE = 'https://root.invalid/schema'
const ROOT_ORIGIN = new URL(ROOT_BASE).origin

/** Keywords that only keep schemas for references to lead to. */
const SHELVES = new Set(['$defs', 'definitions'])

/** A schema document beside the one that validates, under the URI by which it is referred to. */
export interface GivenSchema {
  /** As the caller wrote it. */
  name: string
  /** Absolute, without fragment. */
  uri: string
  schema: unknown
  draft: Draft
  /** Keywords that its dialect does not assert. */
  ignored: ReadonlySet<string> | undefined
}

export interface ReferenceIssue {
  /** JSON pointer to the keyword inside the schema. */
  pointer: string
  /** The given document it stands in; absent: the schema itself. */
  document?: string
  message: string
}
export interface ReferenceCheck {
  issues: ReferenceIssue[]
  /** True when an official meta-schema is referred to. */
  usesMeta: boolean
  /** True when a reference goes by the way on which validation came (`$dynamicRef`, `$recursiveRef`). */
  isDynamic: boolean
  /** True when something is said of what no other keyword evaluated (`unevaluatedItems`, `unevaluatedProperties`). */
  hasUnevaluated: boolean
  /** Names of the given documents that validation can reach. */
  reached: Set<string>
  /** By the schema object: what its `$ref` leads to, in the schema or a given document. */
  targets: Map<object, unknown>
  /**
   * By the schema object: its `$ref` from the resource (an `$id` inside the document) in which the
   * target stands, where the pointer that is written leads over that `$id`. The target's own
   * references start from there, which the validation library does not see from the pointer.
   */
  fromResource: Map<object, string>
  /** Schema resources by absolute URI without fragment. */
  resources: ReadonlyMap<string, unknown>
  /** Where each object stands. */
  places: ReadonlyMap<object, SchemaPlace>
}

export interface SchemaPlace {
  pointer: string
  /** Absent: in the schema itself. */
  document?: string
}

interface Index {
  /** Schema resources by absolute URI without fragment. */
  resources: Map<string, unknown>
  /** Named schemas by `uri#anchor`. */
  anchors: Map<string, unknown>
  /** Where each object stands and which base URI is in force inside it. */
  places: Map<object, SchemaPlace & { base: string }>
}

/**
 * Issues of the references that validation can reach and that lead nowhere, and whether a
 * meta-schema is referred to. What stands in `$defs` or under unknown keywords counts once something
 * refers there.
 */
export function checkReferences(
  schema: unknown,
  draft: Draft,
  given: readonly GivenSchema[] = [],
): ReferenceCheck {
  const index: Index = {
    resources: new Map([[ROOT_BASE, schema]]),
    anchors: new Map(),
    places: new Map(),
  }
  for (const { name, uri, schema: other, draft: ofOther } of given) {
    collect(other, { base: uri, pointer: '', inert: false, document: name }, ofOther, index)
  }
  // The name under which a document was given means that document, whatever another calls itself.
  for (const { uri, schema: other } of given) index.resources.set(uri, other)
  collect(schema, { base: ROOT_BASE, pointer: '', inert: false }, draft, index)
  const check: ReferenceCheck = {
    issues: [],
    usesMeta: false,
    isDynamic: false,
    hasUnevaluated: false,
    reached: new Set(),
    targets: new Map(),
    fromResource: new Map(),
    resources: index.resources,
    places: index.places,
  }
  const seen = new Set<object>()
  const stack: unknown[] = [schema]
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    const document = index.places.get(value)?.document
    if (document !== undefined) check.reached.add(document)
    if (isMap(value)) {
      stack.push(...follow(value, index, check))
      check.hasUnevaluated ||= 'unevaluatedItems' in value || 'unevaluatedProperties' in value
    }
    for (const [path, child] of children(value)) {
      if (isSchemaPath(path) && !SHELVES.has(path[0]!)) stack.push(child)
    }
  }
  return check
}

/** Checks the references of one schema object; returns what they point at in this document. */
function follow(value: Record<string, unknown>, index: Index, check: ReferenceCheck): unknown[] {
  const place = index.places.get(value)
  const targets: unknown[] = []
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const reference = value[keyword]
    if (typeof reference !== 'string' || !place) continue
    const outcome = resolve(reference, place.base, index)
    if ('target' in outcome) targets.push(outcome.target)
    if (keyword === '$ref' && 'target' in outcome) check.targets.set(value, outcome.target)
    if (keyword !== '$ref') check.isDynamic = true
    if (keyword === '$ref' && 'fromResource' in outcome && outcome.fromResource !== undefined)
      check.fromResource.set(value, outcome.fromResource)
    // It may lead to any schema of that name, by the way validation came.
    if (keyword === '$dynamicRef') targets.push(...namesakes(reference, index))
    if ('meta' in outcome) check.usesMeta = true
    if ('problem' in outcome)
      check.issues.push({
        pointer: `${place.pointer}/${keyword}`,
        ...(place.document !== undefined && { document: place.document }),
        message: outcome.problem,
      })
  }
  return targets
}

/** The schemas whose `$dynamicAnchor` a `$dynamicRef` may find on the way. */
function namesakes(reference: string, index: Index): unknown[] {
  const name = reference.split('#')[1] ?? ''
  return [...index.anchors.values()].filter(
    (schema) => isMap(schema) && schema.$dynamicAnchor === name,
  )
}

/** Notes places and names. What stands under an unknown keyword is no schema and names nothing. */
function collect(
  value: unknown,
  outer: { base: string; pointer: string; inert: boolean; document?: string },
  draft: Draft,
  index: Index,
): void {
  const { pointer, inert, document } = outer
  let { base } = outer
  if (isMap(value)) {
    const alone = draft <= 7 && typeof value.$ref === 'string'
    if (!alone && !inert) base = enter(value, base, draft, index)
    index.places.set(value, { base, pointer, ...(document !== undefined && { document }) })
  }
  for (const [path, child] of children(value)) {
    const inner = `${pointer}/${path.map(escapePointer).join('/')}`
    const below = { base, pointer: inner, inert: inert || !isSchemaPath(path) }
    collect(child, document === undefined ? below : { ...below, document }, draft, index)
  }
}

/** Registers the resource and anchors of a schema object; returns the base URI inside it. */
function enter(
  schema: Record<string, unknown>,
  outerBase: string,
  draft: Draft,
  index: Index,
): string {
  const id = draft === 4 ? schema.id : schema.$id
  let base = outerBase
  if (typeof id === 'string' && id.startsWith('#')) index.anchors.set(`${outerBase}${id}`, schema)
  else if (typeof id === 'string') {
    const uri = absolute(id, outerBase)
    if (uri) {
      base = uri.split('#')[0]!
      index.resources.set(base, schema)
      if (uri.includes('#') && !uri.endsWith('#')) index.anchors.set(uri, schema)
    }
  }
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const anchor = schema[keyword]
    if (typeof anchor === 'string') index.anchors.set(`${base}#${anchor}`, schema)
  }
  return base
}

function absolute(reference: string, base: string): string | null {
  try {
    return new URL(reference, base).href
  } catch {
    return null
  }
}

type Resolution = { target: unknown; fromResource?: string } | { meta: true } | { problem: string }

function resolve(reference: string, base: string, index: Index): Resolution {
  const uri = absolute(reference, base)
  if (uri === null) return { problem: `"${reference}" is not a URI reference` }
  const [document = '', fragment = ''] = uri.split('#')
  const root = index.resources.get(document)
  if (root === undefined) {
    if (document in KNOWN_SCHEMAS) return { meta: true }
    if (document.startsWith(`${ROOT_ORIGIN}/`)) {
      return { problem: `"${reference}" names no schema of this document` }
    }
    const advice = 'remote schemas are not fetched: give it under that URI in schemas'
    return { problem: `"${document}" is a remote schema, and ${advice}` }
  }
  if (fragment === '') return { target: root }
  if (!fragment.startsWith('/')) {
    // A document may call itself otherwise than it was given: its anchors go by its own name.
    const base = (isMap(root) && index.places.get(root)?.base) || document
    const anchor = `${base}#${pointerOfFragment(fragment)}`
    if (index.anchors.has(anchor)) return { target: index.anchors.get(anchor) }
    return { problem: `"${reference}" names no anchor of this document` }
  }
  const pointer = pointerOfFragment(fragment)
  const target = valueAt(root, pointer)
  if (isMap(target) || typeof target === 'boolean') {
    return { target, fromResource: fromResource(root, pointer, index) }
  }
  return { problem: `"${reference}" points at no schema` }
}

/** The reference to `pointer` from the innermost resource that it leads into; undefined: it stays in `root`. */
function fromResource(root: unknown, pointer: string, index: Index): string | undefined {
  const keys = pointerKeys(pointer)
  let inner: string | undefined
  let value = root
  for (const [at, key] of keys.entries()) {
    value = (value as Record<string, unknown>)[key]
    if (!isMap(value)) continue
    const base = index.places.get(value)?.base
    if (base === undefined || index.resources.get(base) !== value) continue
    const rest = keys.slice(at + 1).map((step) => `/${encodeURIComponent(escapePointer(step))}`)
    const fragment = rest.length > 0 ? `#${rest.join('')}` : ''
    // Where no absolute `$id` stands around it, the library knows the resource by its own `$id` alone.
    const name = base.startsWith(`${ROOT_ORIGIN}/`) ? String(value.$id ?? value.id) : base
    inner = `${name.split('#')[0]}${fragment}`
  }
  return inner
}
