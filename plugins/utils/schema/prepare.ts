/**
 * Rewrites a checked schema into the one form that the validation library reads the way its draft
 * means it: `$ref` hides its siblings up to draft-07, draft-04 has `id` and boolean exclusive
 * bounds, and `format` is an annotation from 2019-09 on unless the caller wants it asserted.
 */
import { numericBounds } from '../../shared/exclusive-bounds.ts'
import { canonical, isMap } from '../diff/pointer.ts'
import { DATA_KEYWORDS, type Draft, isSchemaPath, MAP_KEYWORDS } from './dialect.ts'

/**
 * Kept beside `$ref` up to draft-07: they assert nothing, other references lead into them, and without
 * `$schema` the library looks through the whole document at each reference.
 */
const CONTAINERS = new Set(['$ref', '$schema', 'definitions', '$defs'])

/** Whether a format is asserted; the others are dropped. */
export type FormatRule = (format: string) => boolean

export interface Preparation {
  /** Keywords that assert nothing here. */
  ignored?: ReadonlySet<string>
  /** References to write in place of the `$ref` of a schema object (`ReferenceCheck.fromResource`). */
  references?: ReadonlyMap<object, string>
  /** Schemas lose the names that references lead to: every `$ref` is one of `references`. */
  isNameless?: boolean
  /** Gets the copy of each object. */
  copies?: Map<object, unknown>
  /** Gets subschemas that stand behind references (`apartName`); see `isolated`. */
  apart?: unknown[]
}

/** Keywords that ask about a part of the value; what they find there says nothing of the whole. */
const OF_PARTS = new Set(['contains', 'unevaluatedItems', 'unevaluatedProperties'])
/** Keywords that apply to the whole value under a condition. */
const CONDITIONAL = new Set(['if', 'then', 'else'])

/** What a reference to a subschema of `Preparation.apart` says. */
export const apartName = (index: number): string => `#apart${index}`

/**
 * A subschema that shares nothing with its surroundings but what it evaluated if it held. The library keeps
 * what a failed `if` has seen, shows to `then` what stands beside it, and takes places in an item for places
 * in the list.
 */
function isolated(keyword: string, schema: unknown, apart: unknown[]): unknown {
  if (!isMap(schema)) return schema
  if (OF_PARTS.has(keyword)) return { not: { not: schema } }
  if (!CONDITIONAL.has(keyword)) return schema
  apart.push(schema)
  return { $ref: apartName(apart.length - 1) }
}

/** `uniqueItems` by the values themselves: the library's hash is one for [[1], 2] and [[1, 2]]. */
const UNIQUE_ITEMS = {
  check: (value: unknown): boolean =>
    !Array.isArray(value) || new Set(value.map(canonical)).size === value.length,
  error: (): string => 'must not have duplicate items',
}
/** The library's keyword for a check by a function, which JSON cannot hold. */
export const REFINE = '~refine'

/** Names that hold only where a schema stands, not under keywords that the draft does not know. */
const NAMES = new Set(['$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor'])

/** A copy of `schema` with the rules of `draft` applied and without `ignored` keywords. */
export function prepareSchema(
  schema: unknown,
  draft: Draft,
  asserts: FormatRule,
  preparation: Preparation = {},
  inert = false,
): unknown {
  const { ignored, references, isNameless = false, copies, apart } = preparation
  const below = (value: unknown, isInert: boolean) =>
    prepareSchema(value, draft, asserts, preparation, isInert)
  if (Array.isArray(schema)) return schema.map((item) => below(item, inert))
  if (!isMap(schema)) return schema
  const alone = draft <= 7 && typeof schema.$ref === 'string'
  const out: Record<string, unknown> = {}
  copies?.set(schema, out)
  for (const [key, value] of Object.entries(schema)) {
    if (alone && !CONTAINERS.has(key)) continue
    if (!inert && ignored?.has(key)) continue
    if (key === REFINE) continue
    if (!inert && key === 'uniqueItems') {
      if (value === true) define(out, REFINE, [UNIQUE_ITEMS])
      continue
    }
    if (key === 'format' && typeof value === 'string' && !asserts(value)) continue
    const name = draft === 4 && key === 'id' && typeof value === 'string' ? '$id' : key
    if ((inert || isNameless) && NAMES.has(name)) continue
    if (name === '$id' && typeof value === 'string' && value.startsWith('#')) {
      // It names the schema within its document; the library would take it for a document of its own.
      if (/^#[^/]/.test(value)) define(out, '$anchor', value.slice(1))
      continue
    }
    if (key === '$ref' && references?.has(schema)) define(out, name, references.get(schema))
    else if (DATA_KEYWORDS.has(key)) define(out, name, value)
    else if (MAP_KEYWORDS.has(key) && isMap(value)) {
      const map: Record<string, unknown> = {}
      for (const [member, inner] of Object.entries(value)) {
        const copy = below(inner, inert)
        const isApart = apart && !inert && key === 'dependentSchemas'
        define(map, member, isApart ? isolated('then', copy, apart) : copy)
      }
      define(out, name, map)
    } else {
      const copy = below(value, inert || !isSchemaPath([key]))
      define(out, name, apart && !inert ? isolated(key, copy, apart) : copy)
    }
  }
  if (draft === 4) numericBounds(out)
  return out
}

/** Sets an own property whatever its name is; plain assignment of `__proto__` would not. */
export function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}
