/** A list of types in its shortest form. */
import type { Shape } from './shape.ts'

/** Every type beside null; whole numbers are numbers. */
const EVERY = ['string', 'number', 'boolean', 'array', 'object']

/** `names` as the types of a shape: numbers take in integers, and every type together is no limit. */
export function listedTypes(
  names: readonly string[],
  nullable: boolean,
): Pick<Shape, 'types' | 'nullable'> {
  const types = new Set(names.filter((type) => type !== 'null'))
  if (types.has('number')) types.delete('integer')
  if (nullable && EVERY.every((type) => types.has(type))) return { types: null, nullable: false }
  return { types, nullable }
}
