/** Whether two schemas exclude each other. */
import { without } from '../pointer.ts'
import type { Shape } from './shape.ts'

/** Whether it is plain that no value fits both: by type, or by the values of a required property. */
export function areDisjoint(x: Shape, y: Shape, depth = 0): boolean {
  if (x.nullable && y.nullable) return false
  if (x.types && y.types) {
    const types = y.types
    const isNumber = (one: string): boolean =>
      /^(?:integer|number)$/.test(one) && (types.has('integer') || types.has('number'))
    if (![...x.types].some((type) => types.has(type) || isNumber(type))) return true
  }
  if (x.enum && y.enum && without(x.enum, y.enum).length === x.enum.length) return true
  if (depth > 0) return false
  const isObject = [x, y].every(({ types }) => types?.size === 1 && types.has('object'))
  if (!isObject) return false
  for (const [name, place] of x.properties) {
    const twin = y.properties.get(name)
    if (!twin || !x.required.has(name) || !y.required.has(name)) continue
    if (areDisjoint(x.owner.of(place), y.owner.of(twin), depth + 1)) return true
  }
  return false
}
