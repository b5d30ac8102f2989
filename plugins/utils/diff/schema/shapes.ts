/**
 * The canonical form of a schema, in which equivalent spellings are the same: references
 * followed, allOf merged, `nullable`, null types and null branches as one flag, boolean and
 * numeric exclusive bounds alike, const as a one-value enum, one-branch unions unwrapped.
 */
import { Document, type Place } from '../document.ts'
import { isMap, type JsonMap } from '../pointer.ts'
import { intersect } from './intersect.ts'
import { readKeywords } from './keywords.ts'
import type { Shape, ShapesOfDocument } from './shape.ts'
import { withUnevaluated } from './unevaluated.ts'
import { normaliseUnion } from './unions.ts'

/** Keywords whose value leads to another schema; `$recursiveRef` of 2019-09 to a whole document. */
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** Keywords that evaluate no member and no element. */
const PLAIN = new Set([
  'type',
  'enum',
  'const',
  'format',
  'pattern',
  'multipleOf',
  'required',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
])

/** Makes and remembers the shapes of one document. */
export class Shapes implements ShapesOfDocument {
  readonly document: Document
  readonly #known = new Map<object, Shape>()
  readonly #trivials = new Map<string, Shape>()
  readonly #active = new Set<object>()
  readonly #origins = new WeakMap<Shape, Place>()
  static #next = 0

  constructor(document: Document) {
    this.document = document
  }

  of(place: Place): Shape {
    const { raw } = place
    if (!isMap(raw)) return this.#trivial(place)
    const known = this.#known.get(raw)
    if (known) return known
    // An allOf or $ref that leads back to itself adds no constraint of its own.
    if (this.#active.has(raw)) return this.blank(place.pointer)
    this.#active.add(raw)
    const shape = this.#make(raw, place)
    this.#active.delete(raw)
    this.#known.set(raw, shape)
    if (!this.#origins.has(shape)) this.#origins.set(shape, place)
    return shape
  }

  /** One shape for each place, as for objects: a schema that leads to itself would never end. */
  #trivial({ raw, pointer }: Place): Shape {
    const never = raw === false
    const known = this.#trivials.get(`${never} ${pointer}`)
    if (known) return known
    const shape = { ...this.blank(pointer), never }
    this.#origins.set(shape, { raw: !never, pointer })
    this.#trivials.set(`${never} ${pointer}`, shape)
    return shape
  }

  origin(shape: Shape): Place | undefined {
    return this.#origins.get(shape)
  }

  fresh(shape: Shape): Shape {
    return { ...shape, key: Shapes.#next++ }
  }

  blank(location: string): Shape {
    return {
      key: Shapes.#next++,
      owner: this,
      location,
      never: false,
      externals: [],
      types: null,
      nullable: false,
      isConst: false,
      bounds: {},
      patterns: [],
      uniqueItems: false,
      properties: new Map(),
      required: new Set(),
      patternProperties: new Map(),
      parts: new Map(),
      contains: [],
      conditionals: [],
      prefixItems: [],
      dependentRequired: new Map(),
      dependentSchemas: new Map(),
      unions: [],
      content: {},
      deprecated: false,
      readOnly: false,
      writeOnly: false,
      members: [],
    }
  }

  #make(raw: JsonMap, place: Place): Shape {
    for (const keyword of REFERENCES) {
      const reference = raw[keyword]
      if (typeof reference === 'string') return this.#referred(raw, keyword, reference, place)
    }
    const whole = withUnevaluated(this.#stated(raw, place), raw, this.document, place)
    return { ...whole, key: Shapes.#next++, location: place.pointer }
  }

  /** The shape of a schema without a reference, what it leaves unevaluated not yet considered. */
  #stated(raw: JsonMap, place: Place): Shape {
    let shape = readKeywords(this.blank(place.pointer), raw, place, this.document)
    const demanded = this.#deniedTwice(place)
    if (demanded) {
      shape.parts.delete('not')
      shape = intersect(shape, this.of(demanded), this)
    }
    if (Array.isArray(raw.allOf)) {
      raw.allOf.forEach((_, index) => {
        const member = this.document.child(place, 'allOf', index)
        shape.members.push(member)
        const { members } = shape
        shape = { ...intersect(shape, this.of(member), this), members }
      })
    }
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      if (!Array.isArray(raw[keyword])) continue
      const branches = raw[keyword].map((_, index) => this.document.child(place, keyword, index))
      const location = this.document.child(place, keyword).pointer
      shape = normaliseUnion(shape, { keyword, branches, location }, this)
    }
    return shape
  }

  /**
   * What `not: {not: …}` demands; null for any other schema, and where that would count members or
   * elements as evaluated, which a denial never does.
   */
  #deniedTwice(place: Place): Place | null {
    const denied = this.document.child(place, 'not')
    if (!isMap(denied.raw) || Object.keys(denied.raw).join() !== 'not') return null
    const demanded = this.document.child(denied, 'not')
    const isPlain = isMap(demanded.raw) && Object.keys(demanded.raw).every((key) => PLAIN.has(key))
    return isPlain ? demanded : null
  }

  #referred(
    raw: JsonMap,
    keyword: (typeof REFERENCES)[number],
    reference: string,
    place: Place,
  ): Shape {
    const target = this.document.target(reference, raw)
    if (!target) this.document.noteUnresolved(reference, place.pointer)
    const shape = target
      ? this.of(target)
      : { ...this.blank(place.pointer), externals: [reference] }
    const beside = Object.entries(raw).filter(([key]) => key !== keyword)
    if (!this.document.siblings || beside.length === 0) return shape
    const own = Object.fromEntries(beside)
    const isLast = !REFERENCES.some((other) => typeof own[other] === 'string')
    const stated = isLast ? this.#stated(own, place) : this.#make(own, place)
    const merged = intersect(stated, shape, this)
    // What the reference evaluates is not left over.
    const whole = isLast ? withUnevaluated(merged, own, this.document, place) : merged
    return { ...whole, key: Shapes.#next++, location: shape.location }
  }
}
