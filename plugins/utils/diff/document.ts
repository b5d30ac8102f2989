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
  #known: Index | null = null

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
      const target = hops < REFERENCE_HOPS_MAX ? this.target(current.raw.$ref, current.raw) : null
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

  /**
   * What a reference of `holder` points at; null when that is outside the document or nowhere. A schema
   * with an `$id` is a resource of its own, in which references begin; many are written from the root
   * all the same.
   */
  target(reference: string, holder: object): Place | null {
    const { root, resources } = this.#index()
    const { place, base } = resources.get(holder) ?? root
    if (reference === '#') return place
    // OpenAPI 3.2: the address by which a document calls itself.
    const self = isMap(this.root) && typeof this.root.$self === 'string' ? this.root.$self : null
    if (self && reference.startsWith(`${self}#`))
      return this.target(reference.slice(self.length), holder)
    if (reference.startsWith('#/'))
      return this.#walk(place, reference.slice(1)) ?? this.#walk(root.place, reference.slice(1))
    const absolute = URL.parse(reference, base)?.href ?? reference
    return this.#named(absolute) ?? this.#named(reference)
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

  #named(reference: string): Place | null {
    const { names } = this.#index()
    const known = names.get(reference)
    if (known) return known
    const [name = '', fragment = ''] = reference.split('#')
    const resource = names.get(name)
    return resource && fragment.startsWith('/') ? this.#walk(resource, fragment) : null
  }

  /** Schemas by `$id` and `#anchor`, and the resources around objects; read once. */
  #index(): Index {
    if (this.#known) return this.#known
    const names = new Map<string, Place>()
    const resources = new Map<object, Resource>()
    const root: Resource = { place: { raw: this.root, pointer: '' }, base: '' }
    const stack = [{ at: root.place, resource: root }]
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { at } = next
      let { resource } = next
      if (typeof at.raw !== 'object' || at.raw === null) continue
      const map = at.raw as JsonMap
      if (typeof map.$id === 'string') {
        names.set(map.$id, at)
        names.set(map.$id.split('/').at(-1)!, at)
        if (!map.$id.startsWith('#')) {
          const [base = ''] = (URL.parse(map.$id, resource.base)?.href ?? map.$id).split('#')
          names.set(base, at)
          if (at === root.place) root.base = base
          else resource = { place: at, base }
        }
      }
      for (const key of ['$anchor', '$dynamicAnchor']) {
        if (typeof map[key] !== 'string') continue
        names.set(`#${map[key]}`, at)
        if (resource.base !== '') names.set(`${resource.base}#${map[key]}`, at)
      }
      if (resource !== root) resources.set(map, resource)
      for (const [key, value] of Object.entries(map))
        stack.push({ at: { raw: value, pointer: join(at.pointer, key) }, resource })
    }
    return (this.#known = { names, root, resources })
  }
}

/** A schema with an address of its own, or the root. */
interface Resource {
  place: Place
  /** Absolute, without fragment; '' where there is none. */
  base: string
}
interface Index {
  names: ReadonlyMap<string, Place>
  root: Resource
  /** By each object that stands in one: the resources that are not the root. */
  resources: ReadonlyMap<object, Resource>
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
