/**
 * One served revision of a product: its routes and their look-up by path, its skills, and the
 * number of running calls. It never changes; a new revision is a new object, and the old one
 * drains.
 */
import type { MountedSkill } from '../plugins/catalog.ts'
import type { Route } from '../plugins/route.ts'
import type { Started } from '../plugins/lifecycle.ts'
import { priceListOf, type PriceList } from '../pricing/table.ts'
import type { Unpriced } from './mount.ts'
import { isWithin } from './path.ts'
import type { Rail } from '../rails/contract.ts'
import type { ProductSpec } from './spec.ts'
import { within } from '../work/timeout.ts'

export type Target = { kind: 'skill'; entry: SkillEntry } | { kind: 'route'; route: Route }

/** Ids of the rails that are mounted: those of the kernel first, then by precedence. */
export type MountedRails = readonly string[]

/**
 * A skill with the price version and rails of the snapshot: the same object as long as neither
 * changes, so that quotes are made only once.
 */
export class SkillEntry {
  readonly product: MountedProduct
  readonly unpriced: Unpriced
  #priced: MountedSkill | null = null
  #mountedRails: MountedRails | null = null

  constructor(product: MountedProduct, unpriced: Unpriced) {
    this.product = product
    this.unpriced = unpriced
  }

  at(priceVersion: number, mountedRails: MountedRails): MountedSkill {
    if (this.#priced?.priceVersion !== priceVersion || this.#mountedRails !== mountedRails) {
      const { rails: allowed } = this.unpriced
      const rails = allowed ? mountedRails.filter((id) => allowed.includes(id)) : mountedRails
      this.#mountedRails = mountedRails
      this.#priced = { ...this.unpriced, priceVersion, rails }
      owners.set(this.#priced, this.product)
    }
    return this.#priced
  }
}

const owners = new WeakMap<MountedSkill, MountedProduct>()

/** The product revision that a mounted skill belongs to. */
export function ownerOf(mounted: MountedSkill): MountedProduct | undefined {
  return owners.get(mounted)
}

const railOwners = new WeakMap<Rail, MountedProduct>()

/**
 * Counts a call as running in the product revision that provides the rail it pays by, so that the
 * rail is not stopped before; the returned function ends that.
 */
export function enterRail(rail: Rail): () => void {
  return railOwners.get(rail)?.enter() ?? (() => {})
}

export interface ProductParts {
  spec: ProductSpec
  document: unknown
  hash: string
  revision: number
  source: 'file' | 'api'
  started: Started
  skills: readonly Unpriced[]
  routes: readonly Route[]
}

export class MountedProduct {
  readonly parts: ProductParts
  readonly entries: readonly SkillEntry[]
  readonly prices: PriceList
  /** Routes outside of base_path, which the snapshot looks up. */
  readonly absoluteRoutes: readonly Route[]
  readonly #tree: RouteTree<Target>
  #inside = 0
  readonly #waiting = new Set<() => void>()

  constructor(parts: ProductParts) {
    this.parts = parts
    this.entries = parts.skills.map((skill) => new SkillEntry(this, skill))
    this.prices = priceListOf(parts.skills)
    for (const rail of this.rails) railOwners.set(rail, this)
    const base = parts.spec.basePath
    const isOwn = (route: Route): boolean => isWithin(route.path, base)
    const below = (path: string): string => path.slice(base.length) || '/'
    this.absoluteRoutes = parts.routes.filter((route) => !isOwn(route))
    this.#tree = new RouteTree<Target>([
      ...this.entries.flatMap((entry) => {
        const { route } = entry.unpriced
        if (!route) return []
        return [
          {
            method: route.method,
            path: below(route.path),
            target: { kind: 'skill', entry } as const,
          },
        ]
      }),
      ...parts.routes.filter(isOwn).map((route) => ({
        method: route.method,
        path: below(route.path),
        target: { kind: 'route', route } as const,
      })),
    ])
  }

  /** The rails that its plugin provides. */
  get rails(): readonly Rail[] {
    return this.parts.started.instance.rails ?? []
  }

  get id(): string {
    return this.parts.spec.productId
  }

  /** Looks up a path below base_path ('' or '/…', still encoded). */
  match(method: string, subPath: string): Found<Target> {
    return this.#tree.match(method, subPath)
  }

  /** Counts a call as running; the returned function ends that, once. */
  enter(): () => void {
    this.#inside++
    let left = false
    return () => {
      if (left) return
      left = true
      this.#inside--
      if (this.#inside === 0) for (const resume of this.#waiting) resume()
    }
  }

  /** Resolves with the number of calls running at the deadline, or with 0 once all have ended. */
  async drained(deadline: Date): Promise<number> {
    if (this.#inside === 0) return 0
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    await within(promise, deadline.getTime() - Date.now(), () => {})
    this.#waiting.delete(resolve)
    return this.#inside
  }
}

export interface RoutePattern<T> {
  /** 'ANY' matches every method that may be forwarded. */
  method: string
  /** Starts with '/'; segments may be {name}; may end in '/*'. */
  path: string
  target: T
}
export type Found<T> =
  | { kind: 'found'; target: T; params: Readonly<Record<string, string>> }
  | { kind: 'method_not_allowed'; allow: string[] }
  | { kind: 'bad_path'; message: string }
  | { kind: 'not_found' }

interface Leaf<T> {
  target: T
  names: readonly string[]
}
interface Branch<T> {
  fixed: Map<string, Branch<T>>
  parameter: Branch<T> | null
  methods: Map<string, Leaf<T>>
  rest: Map<string, Leaf<T>>
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({})
const MAX_SEGMENTS = 64
const ALL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Never forwarded: tunnels are not requests to a path, and echoes reveal upstream headers. */
const NEVER_ANY: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

/**
 * Looks a method and a path up among patterns: whole static paths in a Map, the rest in a tree of
 * segments. Static segments win over parameters, and those over '/*'.
 */
export class RouteTree<T> {
  readonly #static = new Map<string, Map<string, T>>()
  readonly #root = branch<T>()

  constructor(patterns: Iterable<RoutePattern<T>>) {
    for (const { method, path, target } of patterns) {
      const isStatic = !path.includes('{') && !path.endsWith('/*')
      if (isStatic) memberOf(this.#static, path, () => new Map()).set(method, target)
      this.#insert(method, path, target)
    }
  }

  #insert(method: string, path: string, target: T): void {
    const names: string[] = []
    const segments = path.split('/').slice(1)
    const isRest = segments.at(-1) === '*'
    if (isRest) segments.pop()
    if (segments.length === 1 && segments[0] === '') segments.pop()
    let at = this.#root
    for (const segment of segments) {
      const name = /^\{(.+)\}$/.exec(segment)?.[1]
      if (name === undefined) at = memberOf(at.fixed, segment, () => branch<T>())
      else {
        names.push(name)
        at = at.parameter ??= branch<T>()
      }
    }
    const methods = isRest ? at.rest : at.methods
    methods.set(method, { target, names })
  }

  /**
   * The target of a path, whose segments are percent-decoded once. A decoded '/', '.', '..' or
   * control character is refused, because upstreams could read it as a different path.
   */
  match(method: string, path: string): Found<T> {
    const known = this.#static.get(path)
    const direct = known && answering(known, method)
    if (direct !== undefined) return { kind: 'found', target: direct, params: NO_PARAMS }
    const segments = path === '' || path === '/' ? [] : path.slice(1).split('/')
    if (segments.length > MAX_SEGMENTS)
      return { kind: 'bad_path', message: `The path has more than ${MAX_SEGMENTS} segments` }
    const decoded: string[] = []
    for (const [index, segment] of segments.entries()) {
      const plain = decodeSegment(segment)
      if (plain === null)
        return { kind: 'bad_path', message: 'The path holds a malformed or forbidden escape' }
      if (plain === '' && index < segments.length - 1)
        return { kind: 'bad_path', message: 'The path has an empty segment' }
      decoded.push(plain)
    }
    const allow = new Set<string>()
    const values: string[] = []
    const leaf = find(this.#root, decoded, 0, method, values, allow)
    if (leaf) return { kind: 'found', target: leaf.target, params: paramsOf(leaf, values) }
    return allow.size > 0
      ? { kind: 'method_not_allowed', allow: [...allow] }
      : { kind: 'not_found' }
  }
}

function branch<T>(): Branch<T> {
  return { fixed: new Map(), parameter: null, methods: new Map(), rest: new Map() }
}

function memberOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

function find<T>(
  at: Branch<T>,
  segments: readonly string[],
  depth: number,
  method: string,
  values: string[],
  allow: Set<string>,
): Leaf<T> | null {
  const segment = segments[depth]
  if (segment === undefined) {
    const leaf = answering(at.methods, method)
    if (leaf) return leaf
    note(at.methods, allow)
  } else {
    const next = at.fixed.get(segment)
    const inFixed = next ? find(next, segments, depth + 1, method, values, allow) : null
    if (inFixed) return inFixed
    if (at.parameter && segment !== '') {
      values.push(segment)
      const inParameter = find(at.parameter, segments, depth + 1, method, values, allow)
      if (inParameter) return inParameter
      values.pop()
    }
  }
  const rest = answering(at.rest, method)
  if (rest) return rest
  note(at.rest, allow)
  return null
}

function answering<V>(methods: ReadonlyMap<string, V>, method: string): V | undefined {
  return methods.get(method) ?? (NEVER_ANY.has(method) ? undefined : methods.get('ANY'))
}

function note(methods: ReadonlyMap<string, unknown>, allow: Set<string>): void {
  for (const method of methods.keys()) {
    for (const one of method === 'ANY' ? ALL_METHODS : [method]) allow.add(one)
  }
}

function paramsOf<T>(leaf: Leaf<T>, values: readonly string[]): Readonly<Record<string, string>> {
  if (leaf.names.length === 0) return NO_PARAMS
  return Object.fromEntries(leaf.names.map((name, index) => [name, values[index] ?? '']))
}

function decodeSegment(segment: string): string | null {
  let plain = segment
  if (segment.includes('%')) {
    try {
      plain = decodeURIComponent(segment)
    } catch {
      return null
    }
  }
  if (plain === '.' || plain === '..' || plain.includes('/') || plain.includes('\\')) return null
  for (let i = 0; i < plain.length; i++) {
    const code = plain.charCodeAt(i)
    if (code < 0x20 || code === 0x7f) return null
  }
  return plain
}
