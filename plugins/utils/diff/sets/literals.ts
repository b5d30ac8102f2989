/**
 * What a schema demands of a value of one sort, taken apart: literals, which are plain facts about the
 * value, and other schemas that it must or must not meet.
 */
import type { Document, Place } from '../document.ts'

/** The sorts of JSON values; whole numbers are numbers that are multiples of one. */
export const SORTS = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const
export type Sort = (typeof SORTS)[number]

/** A schema that a value meets (`positive`) or does not. */
export interface Signed {
  document: Document
  place: Place
  positive: boolean
}

/** What one schema object says of the members of an object. */
export interface Group {
  properties: ReadonlyMap<string, Signed>
  patterns: ReadonlyMap<string, Signed>
  additional: Signed | null
}

/** Which members a literal speaks of: one by name, those of a pattern, those that a group leaves over. */
export type Region =
  | { kind: 'name'; name: string }
  | { kind: 'pattern'; pattern: string }
  | { kind: 'rest'; group: Group }

export type Literal =
  | { kind: 'enum' | 'except'; values: readonly unknown[] }
  /** Greater than `limit`, or less; equal as well unless `strict`. */
  | { kind: 'above' | 'below'; limit: number; strict: boolean }
  /** A multiple of `step`, or none. */
  | { kind: 'multiple' | 'fraction'; step: number }
  /** Characters, elements or members. */
  | { kind: 'least' | 'most'; size: number }
  /** A demand that is not looked into: it contradicts its own opposite and nothing else. */
  | { kind: 'opaque'; key: string; positive: boolean; test?: (value: unknown) => boolean }
  | { kind: 'tuple'; prefix: readonly Signed[]; rest: Signed | null }
  /** Some element from position `from` on (or just there, if `only`) is like this. */
  | { kind: 'element'; from: number; only: boolean; like: Signed }
  /** All elements are like this. */
  | { kind: 'every'; like: Signed }
  | { kind: 'has' | 'lacks'; name: string }
  | { kind: 'group'; group: Group }
  /** Some member of the region is like this. */
  | { kind: 'member'; region: Region; like: Signed }
  /** All names are like this, or some name is. */
  | { kind: 'names' | 'name'; like: Signed }

/** One way in which a demand can be met: all of these together. */
export interface Branch {
  literals: readonly Literal[]
  schemas: readonly Signed[]
}

/** The ways in which one keyword is met, and those in which it is not. */
export interface Constraint {
  yes: readonly Branch[]
  no: readonly Branch[]
}

/** Thrown where a schema says what cannot be taken apart: nothing is proved then. */
export class NotDecided extends Error {}

export const EMPTY: Branch = { literals: [], schemas: [] }

/** A branch of literals alone. */
export function facts(...literals: Literal[]): Branch {
  return { literals, schemas: [] }
}

/** A branch of schemas alone. */
export function schemas(...list: Signed[]): Branch {
  return { literals: [], schemas: list }
}

/** The opposite demand. */
export function denied(signed: Signed): Signed {
  return { ...signed, positive: !signed.positive }
}

/** The sort of a JSON value. */
export function sortOf(value: unknown): Sort {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as Sort
}

/** Whether the pattern matches; NotDecided for one that is none. */
export function matchesName(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name)
  } catch {
    throw new NotDecided(`not a pattern: ${pattern}`)
  }
}
