/**
 * oneOf and anyOf in canonical form: a null branch becomes the nullable flag, a single branch is
 * merged, branches that are plain types become a type list, branches that are plain values an
 * enum. What is left is a list of alternatives.
 */
import { canonical, isMap } from '../pointer.ts'
import { intersect } from './intersect.ts'
import type { Shape, ShapesOfDocument, Union } from './shape.ts'
import { listedTypes } from './type-list.ts'

const PLAIN = new Set([
  'type',
  'title',
  'description',
  'nullable',
  'example',
  'examples',
  '$comment',
])
const VALUE = new Set([...PLAIN, 'const', 'enum', 'deprecated'])

/** `shape` with the alternatives of `union` added in their simplest form. */
export function normaliseUnion(shape: Shape, union: Union, shapes: ShapesOfDocument): Shape {
  const { document } = shapes
  const resolved = union.branches.map((branch) => document.resolve(branch))
  const kept = union.branches.filter((_, index) => !isNull(resolved[index]!.raw))
  const hadNull = kept.length < union.branches.length
  if (kept.length === 0) {
    const onlyNull = { ...shapes.blank(union.location), types: new Set<string>(), nullable: true }
    return intersect(shape, onlyNull, shapes)
  }
  if (kept.length === 1) {
    const merged = intersect(shape, shapes.of(kept[0]!), shapes)
    // null fits both, which oneOf refuses.
    if (hadNull) return { ...merged, nullable: union.keyword === 'anyOf' || !merged.nullable }
    return { ...merged, single: union.keyword }
  }
  const raws = kept.map((branch) => document.resolve(branch).raw)
  const inline = kept.every(({ raw }) => isMap(raw) && raw.$ref === undefined)
  const shapesOf = kept.map((branch) => shapes.of(branch))
  const simple = isExclusive(union, shapesOf) ? null : simpleForm(raws, shapesOf, inline)
  if (simple) {
    const together = { ...shapes.blank(union.location), ...simple }
    together.nullable ||= hadNull
    return intersect(shape, together, shapes)
  }
  const nullable = shape.types ? shape.nullable : shape.nullable || hadNull
  return { ...shape, nullable, unions: [...shape.unions, { ...union, branches: kept }] }
}

/** Keywords that null is no exception to. */
const CONDITIONS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if']

function isNull(raw: unknown): boolean {
  if (!isMap(raw) || CONDITIONS.some((keyword) => keyword in raw)) return false
  if ('const' in raw && raw.const !== null) return false
  if (raw.type === 'null') return !Array.isArray(raw.enum) || raw.enum.includes(null)
  return Array.isArray(raw.enum) && raw.enum.length === 1 && raw.enum[0] === null
}

/** oneOf refuses what two of its types or values say, as integer and number do: no list says that. */
function isExclusive({ keyword }: Union, branches: readonly Shape[]): boolean {
  if (keyword !== 'oneOf') return false
  const named = branches.flatMap(({ types, nullable, enum: values }) =>
    values ? values.map(canonical) : [...(types ?? []), ...(nullable ? ['null'] : [])],
  )
  const isBoth = named.includes('integer') && named.includes('number')
  return isBoth || new Set(named).size < named.length
}

/** Values keep their names when they are written as references. */
function simpleForm(raws: unknown[], branches: Shape[], inline: boolean): Partial<Shape> | null {
  const nullable = branches.some((branch) => branch.nullable)
  const types = new Set(branches.flatMap((branch) => [...(branch.types ?? [])]))
  const plain = (keys: Set<string>) =>
    raws.every((raw) => isMap(raw) && Object.keys(raw).every((key) => keys.has(key)))
  if (branches.every((branch) => branch.types && branch.types.size > 0) && plain(PLAIN)) {
    return listedTypes([...types], nullable)
  }
  if (inline && branches.every((branch) => branch.enum) && plain(VALUE)) {
    return { types, nullable, enum: branches.flatMap((branch) => branch.enum!) }
  }
  return null
}
