/** Puts the references of an OpenAPI document in place. */
import { isObject } from '#kernel'
import { pointerOfFragment, valueAt } from '../../shared/json-pointer.ts'
import { withoutDiscriminator } from './discriminator.ts'
import { asJsonSchema, isNullable, isReadPattern, type Json } from './terms.ts'

/** Values of the document with its references in place; nested ones multiply. */
export const VALUES_MAX = 1_000_000

/** A document whose references are put in place. */
export interface Source {
  document: Json
  /** How many of its values may still be put in place. */
  left: number
  /** Patterns that were left out of what was put in place. */
  patterns: Set<string>
  /** Header parameters that the product must name so that they pass, by their names in small letters. */
  headers: Map<string, string>
  /** Header parameters that are credentials, which the gateway sends. */
  credentials: Set<string>
}
export class TooManyValues extends Error {}

/**
 * The value with local references put in place; one that leads back to itself becomes {}. Throws
 * `TooManyValues`. `open` are the references that lead to the value.
 */
export function inline(
  source: Source,
  value: unknown,
  open: ReadonlySet<string> = new Set(),
): unknown {
  source.left -= 1
  if (source.left < 0) throw new TooManyValues()
  if (Array.isArray(value)) return value.map((member) => inline(source, member, open))
  if (!isObject(value)) return value
  const reference = value['$ref']
  if (typeof reference === 'string') {
    if (!reference.startsWith('#/') || open.has(reference)) return {}
    const found = resolvePointer(source.document, reference)
    const placed = inline(source, found, new Set([...open, reference]))
    return isNullable(value) && isObject(placed)
      ? asJsonSchema({ ...placed, nullable: true })
      : placed
  }
  const placed = Object.entries(value)
    .filter(([name, member]) => isSaid(source, value, name, member))
    .map(([name, member]) => [name, inline(source, member, open)])
  return asJsonSchema(withoutDiscriminator(value, Object.fromEntries(placed) as Json))
}

/** Whether a member says something to the gateway: no pattern of another dialect, no `required: true` of a schema. */
function isSaid(source: Source, value: Json, name: string, member: unknown): boolean {
  if (name === 'required') return typeof member !== 'boolean' || !isSchema(value)
  if (name !== 'pattern' || typeof member !== 'string' || isReadPattern(member)) return true
  source.patterns.add(member)
  return false
}

/** Else it is a parameter or a body. */
const isSchema = (value: Json): boolean =>
  typeof value['in'] !== 'string' && !isObject(value['content'])

function resolvePointer(document: Json, reference: string): unknown {
  return valueAt(document, pointerOfFragment(reference.slice(1))) ?? {}
}

/** What a reference inside the document leads to, else the value itself. */
export function targetOf(document: Json, value: unknown): unknown {
  const reference = isObject(value) ? value['$ref'] : undefined
  if (typeof reference !== 'string' || !reference.startsWith('#')) return value
  return valueAt(document, pointerOfFragment(reference.slice(1)))
}

/** The document with the items of its `paths` where they are references inside it. */
export function withPathItems(document: Json, paths: Json): Json {
  const items = Object.entries(paths).map(([path, item]) => [path, targetOf(document, item)])
  return { ...document, paths: Object.fromEntries(items) }
}
