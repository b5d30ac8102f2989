/** Small edits of schemas, as authors make them from one version to the next. */
import fc from 'fast-check'

type Json = Record<string, unknown>
interface Spot {
  schema: unknown
  replace: (value: unknown) => void
}

const OF_NAMES = ['properties', 'patternProperties', 'dependentSchemas']
const OF_ONE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains']
const OF_LIST = ['allOf', 'anyOf', 'prefixItems']

/** Every schema in `schema`, itself first, with the way to put another one into its place. */
function spots(schema: unknown, replace: Spot['replace']): Spot[] {
  const found: Spot[] = [{ schema, replace }]
  if (typeof schema !== 'object' || schema === null) return found
  const map = schema as Json
  const inside = (holder: Json, key: string) =>
    found.push(...spots(holder[key], (value) => (holder[key] = value)))
  for (const key of Object.keys(map)) {
    if (OF_NAMES.includes(key))
      for (const name of Object.keys(map[key] as Json)) inside(map[key] as Json, name)
    if (OF_ONE.includes(key)) inside(map, key)
    if (OF_LIST.includes(key))
      (map[key] as unknown[]).forEach((_, at) => inside(map[key] as Json, String(at)))
  }
  return found
}

/** `schema` with one place edited: replaced, extended, shortened or wrapped. */
function edited(schema: unknown, at: number, how: number, piece: unknown): unknown {
  const box = { schema: structuredClone(schema) }
  const all = spots(box.schema, (value) => (box.schema = value))
  const spot = all[at % all.length]!
  const [old, add] = [spot.schema as Json, structuredClone(piece) as Json]
  const keys = Object.keys(old)
  if (how === 0) spot.replace(add)
  else if (how === 1) spot.replace({ ...old, ...add })
  else if (how === 2) spot.replace({ allOf: [old, add] })
  else if (how === 3) spot.replace({ anyOf: [old, add] })
  else if (keys.length > 0) {
    const { [keys[how % keys.length]!]: _, ...rest } = old
    spot.replace(rest)
  }
  return box.schema
}

/** Pairs of a schema and an edit of it. */
export function editedPairs(schema: fc.Arbitrary<unknown>): fc.Arbitrary<[unknown, unknown]> {
  return fc
    .tuple(schema, fc.nat(20), fc.nat(8), schema)
    .map(([one, at, how, piece]) => [one, edited(one, at, how, piece)])
}
