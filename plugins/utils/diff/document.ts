/**
 * One of the two documents: internal references resolved on demand, every object knowing its
 * pointer. External references are never fetched; two equal ones count as the same schema.
 */
import { pointerKeys, pointerOfFragment } from '../../shared/json-pointer.ts'
import { isMap, type JsonMap, join } from './pointer.ts'

/** A place in a document: the value and the pointer by which a reader finds it. */
export interface Place {
  raw: unknown
  pointer: string
}

/** Deepest chain of references followed before it counts as endless. */
const REFERENCE_HOPS_MAX = 64

export type Family = 'openapi' | 'json-schema'

export class Document {
  static #count = 0
  /** Tells documents apart that read alike. */
  readonly serial = Document.#count++
  readonly root: JsonMap | boolean
  readonly family: Family
  /** Swagger 2, OpenAPI 3.0: schema dialect of its own. Others: JSON Schema proper. */
  readonly version: '2.0' | '3.0' | '3.1' | 'json-schema'
  /** Whether keywords beside `$ref` count (2019-09 and later, so OpenAPI 3.1 too). */
  readonly siblings: boolean
  readonly #homes = new WeakMap<object, string>()
  readonly #unresolved = new Map<string, string>()
  readonly #outside = new Map<string, string>()
  #names: Map<string, Place> | null = null

  constructor(root: JsonMap | boolean, family: Family) {
    this.root = root
    this.family = family
    this.version = versionOf(root, family)
    this.siblings =
      this.version === '3.1' ||
      (this.version === 'json-schema' && !/draft-0[3-7]/.test(dialectOf(root)))
  }

  /** Remembers where `raw` stands, for objects that are compared outside their place. */
  adopt(raw: unknown, pointer: string): Place {
    if (typeof raw === 'object' && raw !== null && !this.#homes.has(raw))
      this.#homes.set(raw, pointer)
    return { raw, pointer: this.home(raw) ?? pointer }
  }

  home(raw: unknown): string | undefined {
    return typeof raw === 'object' && raw !== null ? this.#homes.get(raw) : undefined
  }

  /** The place below `place` at `keys`. */
  child(place: Place, ...keys: (string | number)[]): Place {
    let raw = place.raw
    for (const key of keys)
      raw = typeof raw === 'object' && raw !== null ? (raw as JsonMap)[key] : undefined
    return { raw, pointer: this.home(raw) ?? join(place.pointer, ...keys) }
  }

  /** Follows `$ref` to its end. `external` names the reference that cannot be followed. */
  resolve(place: Place): Place & { external?: string } {
    let current = place
    for (let hops = 0; isMap(current.raw) && typeof current.raw.$ref === 'string'; hops++) {
      const target = hops < REFERENCE_HOPS_MAX ? this.target(current.raw.$ref) : null
      if (!target) return { ...current, external: current.raw.$ref }
      current = target
    }
    return current
  }

  /** A part of an OpenAPI description, behind its references; remembers one that cannot be followed. */
  part(place: Place): Place & { external?: string } {
    const found = this.resolve(place)
    if (found.external !== undefined) {
      this.noteUnresolved(found.external, found.pointer)
      this.#outside.set(place.pointer, found.external)
    }
    return found
  }

  /** Parts that stand in other documents: their references by the pointers at which they are used. */
  get outside(): ReadonlyMap<string, string> {
    return this.#outside
  }

  /** Remembers a reference that could not be followed, and where it was first met. */
  noteUnresolved(reference: string, pointer: string): void {
    if (!this.#unresolved.has(reference)) this.#unresolved.set(reference, pointer)
  }

  /** References that were met and not followed, each with the pointer of its first use. */
  get unresolved(): ReadonlyMap<string, string> {
    return this.#unresolved
  }

  /** What one reference points at; null when that is outside the document or nowhere. */
  target(reference: string): Place | null {
    if (reference === '#') return { raw: this.root, pointer: '' }
    // OpenAPI 3.2: the address by which a document calls itself.
    const self = isMap(this.root) && typeof this.root.$self === 'string' ? this.root.$self : null
    if (self && reference.startsWith(`${self}#`)) return this.target(reference.slice(self.length))
    if (!reference.startsWith('#/'))
      return this.#named().get(reference) ?? this.#namedFragment(reference)
    return this.#walk({ raw: this.root, pointer: '' }, reference.slice(1))
  }

  #walk(from: Place, fragment: string): Place | null {
    let raw = from.raw
    const keys = pointerKeys(pointerOfFragment(fragment))
    for (const key of keys) {
      if (typeof raw !== 'object' || raw === null || !Object.hasOwn(raw, key)) return null
      raw = (raw as JsonMap)[key]
    }
    return { raw, pointer: this.home(raw) ?? join(from.pointer, ...keys) }
  }

  #namedFragment(reference: string): Place | null {
    const [name = '', fragment = ''] = reference.split('#')
    const resource = this.#named().get(name)
    return resource && fragment.startsWith('/') ? this.#walk(resource, fragment) : null
  }

  /** Schemas by `$id` and `#anchor`, read once. */
  #named(): Map<string, Place> {
    if (this.#names) return this.#names
    const names = new Map<string, Place>()
    const stack: Place[] = [{ raw: this.root, pointer: '' }]
    for (let place = stack.pop(); place; place = stack.pop()) {
      const { raw, pointer } = place
      if (typeof raw !== 'object' || raw === null) continue
      const map = raw as JsonMap
      for (const key of ['$anchor', '$dynamicAnchor']) {
        if (typeof map[key] === 'string') names.set(`#${map[key]}`, place)
      }
      if (typeof map.$id === 'string') {
        names.set(map.$id, place)
        names.set(map.$id.split('/').at(-1)!, place)
      }
      for (const [key, value] of Object.entries(map))
        stack.push({ raw: value, pointer: join(pointer, key) })
    }
    return (this.#names = names)
  }
}

function dialectOf(root: JsonMap | boolean): string {
  return isMap(root) && typeof root.$schema === 'string' ? root.$schema : ''
}

function versionOf(root: JsonMap | boolean, family: Family): Document['version'] {
  if (family === 'json-schema' || !isMap(root)) return 'json-schema'
  if (root.swagger !== undefined) return '2.0'
  // YAML reads `openapi: 3.0` as the number 3.
  return /^3(?:\.0|$)/.test(String(root.openapi ?? '3.0')) ? '3.0' : '3.1'
}
