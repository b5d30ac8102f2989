/**
 * Schemas that no value meets, because their keywords contradict each other. Only a comparison with
 * `false` asks: elsewhere such a schema is a mistake of its author, whose parts are still compared.
 */
import { matchesPattern } from './objects.ts'
import type { Bounds, Shape } from './shape.ts'

/** Deepest chain of required properties and alternatives that is followed. */
const DEPTH_MAX = 8

/** What was found of each shape; one that is asked about inside itself counts as accepting something. */
const KNOWN = new WeakMap<Shape, boolean>()

/** Whether `shape` refuses every value, as far as its own keywords and required parts show. */
export function acceptsNothing(shape: Shape, depth = 0): boolean {
  if (shape.never) return true
  if (shape.externals.length > 0 || depth > DEPTH_MAX) return false
  const known = KNOWN.get(shape)
  if (known !== undefined) return known
  KNOWN.set(shape, false)
  const isEmpty = isVacuous(shape, (one) => acceptsNothing(one, depth + 1))
  KNOWN.set(shape, isEmpty)
  return isEmpty
}

function isVacuous(shape: Shape, below: (one: Shape) => boolean): boolean {
  const isRefused = shape.unions.some(({ branches }) =>
    branches.every((branch) => below(shape.owner.of(branch))),
  )
  if (isRefused) return true
  if (!shape.types || shape.nullable) return false
  return [...shape.types].every((type) => isContradicted(shape, type, below))
}

function isContradicted(shape: Shape, type: string, below: (one: Shape) => boolean): boolean {
  const { bounds } = shape
  switch (type) {
    case 'number':
    case 'integer':
      return hasNoNumber(bounds, type)
    case 'string':
      return isCrossed(bounds.minLength, bounds.maxLength)
    case 'array':
      return hasNoLength(shape, below)
    case 'object':
      return hasNoMembers(shape, below)
    default:
      return false
  }
}

const isCrossed = (least = 0, most = Infinity): boolean => least > most

function hasNoNumber(bounds: Bounds, type: string): boolean {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity } = bounds
  const { maximum = Infinity, exclusiveMaximum = Infinity } = bounds
  const [least, most] = [Math.max(minimum, exclusiveMinimum), Math.min(maximum, exclusiveMaximum)]
  if (least > most) return true
  if (least === most) return exclusiveMinimum === least || exclusiveMaximum === most
  if (type === 'number' || !Number.isFinite(least) || !Number.isFinite(most)) return false
  const first = exclusiveMinimum === least ? Math.floor(least) + 1 : Math.ceil(least)
  const last = exclusiveMaximum === most ? Math.ceil(most) - 1 : Math.floor(most)
  return first > last
}

function hasNoLength(shape: Shape, below: (one: Shape) => boolean): boolean {
  const { minItems = 0, maxItems } = shape.bounds
  if (isCrossed(minItems, maxItems)) return true
  const items = shape.parts.get('items')
  const asked = shape.prefixItems.slice(0, minItems)
  if (items && asked.length < minItems) asked.push(items)
  return asked.some((place) => below(shape.owner.of(place)))
}

function hasNoMembers(shape: Shape, below: (one: Shape) => boolean): boolean {
  const { minProperties = 0, maxProperties = Infinity } = shape.bounds
  const { properties, required, patternProperties } = shape
  const isClosed = shape.additional === false && patternProperties.size === 0
  if (minProperties > maxProperties || required.size > maxProperties) return true
  if (isClosed && minProperties > properties.size) return true
  return [...required].some((name) => {
    const place = properties.get(name)
    if (place) return below(shape.owner.of(place))
    return shape.additional === false && !matchesPattern(shape, name)
  })
}
