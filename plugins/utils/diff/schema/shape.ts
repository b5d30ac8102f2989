/** What a schema says, in the form in which equivalent spellings are the same (`shapes.ts` makes it). */
import type { Document, Place } from '../document.ts'
import type { JsonMap } from '../pointer.ts'

/** A list of alternatives; several per schema are possible through allOf. */
export interface Union {
  keyword: 'oneOf' | 'anyOf'
  branches: Place[]
  location: string
}
export interface Bounds {
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minProperties?: number
  maxProperties?: number
}
/** Between `min` and `max` items must match the schema at `place`. */
export interface Contains {
  place: Place
  /** 1 where the schema does not say (2020-12 Validation §6.4.5). */
  min: number
  max?: number
  /** Whether `min` was written. */
  stated: boolean
}
/** One if with its branches; allOf members keep theirs apart. */
export type Conditional = ReadonlyMap<'if' | 'then' | 'else', Place>

export interface Shape {
  /** Unique, for memoising pairs. */
  key: number
  /** Gives the shapes of this one's parts. */
  owner: ShapesOfDocument
  location: string
  /** Accepts nothing (`false`). */
  never: boolean
  /** External or broken references that could not be followed, sorted: it accepts no more than they do. */
  externals: readonly string[]
  /** Accepted types without 'null'; null: every type. */
  types: ReadonlySet<string> | null
  nullable: boolean
  format?: string
  enum?: unknown[]
  /** `enum` was written as const. */
  isConst: boolean
  extensible?: unknown[]
  bounds: Bounds
  multipleOf?: number
  patterns: string[]
  uniqueItems: boolean
  properties: Map<string, Place>
  required: ReadonlySet<string>
  /** undefined: open without a word. */
  additional?: Place | boolean
  /** `additional` was written as unevaluatedProperties. */
  isUnevaluated?: boolean
  patternProperties: Map<string, Place>
  /** Keyword → schema, for those with one schema each: items, propertyNames, not … */
  parts: Map<string, Place>
  contains: readonly Contains[]
  conditionals: readonly Conditional[]
  prefixItems: Place[]
  dependentRequired: Map<string, string[]>
  dependentSchemas: Map<string, Place>
  unions: Union[]
  /** Keyword of a list of alternatives that had one member and was merged. */
  single?: Union['keyword']
  discriminator?: { propertyName?: unknown; mapping: JsonMap }
  content: { mediaType?: unknown; encoding?: unknown }
  default?: { value: unknown }
  deprecated: boolean
  sunset?: unknown
  readOnly: boolean
  writeOnly: boolean
  /** How each allOf member was written, to name the added and removed ones. */
  members: Place[]
}

/** Gives the shapes of one document. */
export interface ShapesOfDocument {
  readonly document: Document
  /** The shape of the schema at `place`; the same object always gives the same shape. */
  of(place: Place): Shape
  /** The schema that `shape` was read from; undefined for one that was made of others. */
  origin(shape: Shape): Place | undefined
  /** The same shape under a key of its own, for one that was made of others. */
  fresh(shape: Shape): Shape
  /** The shape that accepts everything. */
  blank(location: string): Shape
}
