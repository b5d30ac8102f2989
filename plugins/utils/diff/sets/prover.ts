/**
 * Proves that one schema takes in another: what the first accepts and the second does not is split
 * into cases, one for each way to meet every keyword, and each case must contradict itself. Values
 * are finite, so a case that leads back to itself needs no value of its own. Whatever cannot be taken
 * apart, or takes too many steps, is not proved.
 */
import type { Document, Place } from '../document.ts'
import { canonical, isMap, type JsonMap } from '../pointer.ts'
import { isEmptyArray } from './array-case.ts'
import { constraintsOf } from './constraints.ts'
import {
  type Branch,
  type Constraint,
  denied,
  EMPTY,
  type Literal,
  NotDecided,
  type Signed,
  type Sort,
  SORTS,
  sortOf,
} from './literals.ts'
import { isEmptyObject } from './object-case.ts'
import { isContradicted, isEmptyNumber, isEmptyString } from './scalar-cases.ts'
import { fact } from './sizes.ts'
import { meets, type Values } from './values.ts'

/** Steps for one proof, and for all of one prover together. */
const STEPS_MAX = 4_000
const ALL_STEPS_MAX = 60_000
/** Deepest value that is looked at. */
const DEPTH_MAX = 24
/** Longest chain of references at one place. */
const REFERENCES_MAX = 32

interface Proof {
  steps: number
}

export class Prover implements Values {
  readonly #known = new Map<string, boolean>()
  /** Goals being worked on, in order. */
  readonly #open = new Map<string, number>()
  readonly #serials = new WeakMap<Document, WeakMap<object, string>>()
  /** Schemas taken apart, by sort. */
  readonly #taken = new Map<string, readonly Branch[]>()
  readonly #texts = new Map<string, string>()
  #count = 0
  #allSteps = 0
  #proof: Proof = { steps: 0 }
  /** The outermost open goal that something was assumed of. */
  #leaned = Infinity

  /** Whether every value that `inner` accepts is accepted by `outer`, as far as that is proved. */
  includes(outer: Omit<Signed, 'positive'>, inner: Omit<Signed, 'positive'>): boolean {
    if (this.#allSteps >= ALL_STEPS_MAX) return false
    this.#proof = { steps: 0 }
    try {
      return this.isEmpty([
        { ...inner, positive: true },
        { ...outer, positive: false },
      ])
    } catch (error) {
      if (error instanceof NotDecided) return false
      throw error
    }
  }

  /** Whether no value meets all of `goal`; false where that is not proved. */
  isEmpty(goal: readonly Signed[]): boolean {
    this.#step()
    const keys = [...new Set(goal.map((one) => this.#keyOf(one)))].sort()
    const signs = new Set(keys)
    if (keys.some((key) => key.startsWith('+') && signs.has(`-${key.slice(1)}`))) return true
    const key = keys.join(' ')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const at = this.#open.get(key)
    if (at !== undefined) {
      this.#leaned = Math.min(this.#leaned, at)
      return true
    }
    const own = this.#open.size
    if (own >= DEPTH_MAX) return false
    this.#open.set(key, own)
    const before = this.#leaned
    this.#leaned = Infinity
    let isEmpty = false
    try {
      isEmpty = SORTS.every((sort) => !this.#isOpen(sort, goal, [], goal, []))
    } finally {
      this.#open.delete(key)
      // What rests on a goal further out is known only when that is; what took too long stays unproved.
      if (!isEmpty || this.#leaned >= own) this.#known.set(key, isEmpty)
      this.#leaned = Math.min(this.#leaned >= own ? Infinity : this.#leaned, before)
    }
    return isEmpty
  }

  /** Whether `value` meets `signed`; null where that is not known. */
  holds(signed: Signed, value: unknown): boolean | null {
    this.#step()
    const branches = this.#alternatives(signed, sortOf(value))
    let isUnknown = false
    for (const branch of branches) {
      const verdict = this.#branchHolds(branch, value)
      if (verdict) return true
      if (verdict === null) isUnknown = true
    }
    return isUnknown ? null : false
  }

  #branchHolds({ literals, schemas }: Branch, value: unknown): boolean | null {
    let isUnknown = false
    for (const literal of literals) {
      const verdict = meets(literal, value, this)
      if (verdict === false) return false
      if (verdict === null) isUnknown = true
    }
    for (const one of schemas) {
      const verdict = this.holds(one, value)
      if (verdict === false) return false
      if (verdict === null) isUnknown = true
    }
    return isUnknown ? null : true
  }

  #step(): void {
    this.#allSteps++
    if (++this.#proof.steps > STEPS_MAX) throw new NotDecided('too many steps')
  }

  /** A text for one demand: equal for schemas of one dialect that say the same without references. */
  #keyOf({ document, place, positive }: Signed): string {
    const { raw } = place
    if (typeof raw === 'boolean') return raw === positive ? '+true' : '-true'
    if (typeof raw !== 'object' || raw === null) return positive ? '+true' : '-true'
    let serials = this.#serials.get(document)
    if (!serials) this.#serials.set(document, (serials = new WeakMap()))
    let serial = serials.get(raw)
    if (serial === undefined) serials.set(raw, (serial = this.#serialOf(document, raw)))
    return `${positive ? '+' : '-'}${serial}`
  }

  #serialOf(document: Document, raw: object): string {
    const text = canonical(raw)
    if (text.includes('"$')) return String(this.#count++)
    const key = `${document.version} ${text}`
    const known = this.#texts.get(key) ?? String(this.#count++)
    this.#texts.set(key, known)
    return known
  }

  /** The ways in which values of one sort meet `signed`. */
  #alternatives(signed: Signed, sort: Sort): readonly Branch[] {
    this.#step()
    const key = `${sort} ${this.#keyOf(signed)}`
    const known = this.#taken.get(key)
    if (known) return known
    const branches = this.#takenApart(signed, sort)
    this.#taken.set(key, branches)
    return branches
  }

  #takenApart(signed: Signed, sort: Sort): readonly Branch[] {
    const { document, positive } = signed
    const { place, beside } = this.#resolved(signed)
    const { raw } = place
    if (typeof raw === 'boolean') return raw === positive ? [EMPTY] : []
    // What is no schema says nothing.
    if (!isMap(raw)) return positive ? [EMPTY] : []
    const constraints = isReference(raw)
      ? [external(raw.$ref)]
      : constraintsOf({ document, place, positive: true }, raw, sort)
    if (positive) {
      const single = constraints.filter(({ yes }) => yes.length === 1).map(({ yes }) => yes[0]!)
      const several = constraints.filter(({ yes }) => yes.length !== 1).map(({ yes }) => yes)
      const base = joined([...single, { literals: [], schemas: beside }])
      return several.reduce<readonly Branch[]>(
        (all, next) => all.flatMap((one) => next.map((other) => this.#both(one, other))),
        [base],
      )
    }
    const others = beside.map((one): Branch => ({ literals: [], schemas: [denied(one)] }))
    return [...constraints.flatMap(({ no }) => no), ...others]
  }

  #both(one: Branch, other: Branch): Branch {
    this.#step()
    return joined([one, other])
  }

  /** The schema behind references, or the one out of the document, and the schemas that stand beside them. */
  #resolved({ document, place }: Signed): { place: Place; beside: Signed[] } {
    const beside: Signed[] = []
    let current = place
    for (let hops = 0; isReference(current.raw); hops++) {
      const { $ref, ...rest } = current.raw
      if (hops > REFERENCES_MAX) throw new NotDecided('a reference to itself')
      if (document.siblings && Object.keys(rest).length > 0)
        beside.push({ document, place: this.#rest(current.raw, rest, current), positive: true })
      const target = document.target($ref, current.raw)
      if (!target) break
      current = target
    }
    return { place: current, beside }
  }

  readonly #rests = new WeakMap<object, object>()

  /** What stands beside a reference, the same object each time. */
  #rest(raw: object, rest: object, place: Place): Place {
    const known = this.#rests.get(raw) ?? rest
    this.#rests.set(raw, known)
    return { raw: known, pointer: place.pointer }
  }

  /**
   * Whether some case of `agenda` may have a value, beside `literals`, which are settled, and
   * `choices`, which are put off until nothing plain is left.
   */
  #isOpen(
    sort: Sort,
    goal: readonly Signed[],
    literals: readonly Literal[],
    agenda: readonly Signed[],
    choices: readonly (readonly Branch[])[],
  ): boolean {
    this.#step()
    const settled = [...literals]
    const waiting = [...choices]
    const queue = [...agenda]
    for (let one = queue.pop(); one; one = queue.pop()) {
      const branches = this.#alternatives(one, sort)
      if (branches.length === 0) return false
      if (branches.length > 1) waiting.push(branches)
      else {
        settled.push(...branches[0]!.literals)
        queue.push(...branches[0]!.schemas)
      }
    }
    if (isContradicted(settled)) return false
    waiting.sort((a, b) => b.length - a.length)
    const next = waiting.pop()
    if (!next) return !this.#isEmptyCase(sort, goal, settled)
    return next.some((branch) =>
      this.#isOpen(sort, goal, [...settled, ...branch.literals], branch.schemas, waiting),
    )
  }

  #isEmptyCase(sort: Sort, goal: readonly Signed[], literals: readonly Literal[]): boolean {
    const listed = valuesOf(sort, literals)
    if (listed) return listed.every((value) => goal.some((one) => this.holds(one, value) === false))
    switch (sort) {
      case 'number':
        return isEmptyNumber(literals)
      case 'string':
        return isEmptyString(literals)
      case 'array':
        return isEmptyArray(literals, this)
      case 'object':
        return isEmptyObject(literals, this)
      default:
        return false
    }
  }
}

/** All values that a case can have, where they are listed. */
function valuesOf(sort: Sort, literals: readonly Literal[]): readonly unknown[] | null {
  if (sort === 'null') return [null]
  if (sort === 'boolean') return [true, false]
  for (const literal of literals)
    if (literal.kind === 'enum') return literal.values.filter((value) => sortOf(value) === sort)
  return null
}

function joined(branches: readonly Branch[]): Branch {
  return {
    literals: branches.flatMap(({ literals }) => literals),
    schemas: branches.flatMap(({ schemas }) => schemas),
  }
}

function isReference(raw: unknown): raw is JsonMap & { $ref: string } {
  return isMap(raw) && typeof raw.$ref === 'string'
}

/** A reference out of the document: two equal ones are the same schema. */
function external(reference: string): Constraint {
  const key = `reference ${reference}`
  return fact({ kind: 'opaque', key, positive: true }, { kind: 'opaque', key, positive: false })
}
