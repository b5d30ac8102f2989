/**
 * Ownership: base paths, routes, tools, skill ids and rails belong to one product each, and a
 * plugin's reserved paths to the products of that plugin. A new revision claims in addition to the
 * old one; a conflict names both products.
 */
import type { Route } from '../plugins/route.ts'
import type { ProductSpec } from './spec.ts'
import type { Unpriced } from './mount.ts'
import { isWithin, parameterOf, valueIn, withAncestors } from './path.ts'
import { toolNames } from './snapshot.ts'

/** Paths of the kernel: no product is mounted at, below or above one. */
const RESERVED = [
  '/v1/keys',
  '/v1/credits',
  '/v1/admin',
  '/v1/p',
  '/v1/products',
  '/v1/prices',
  '/v1/ledger',
  '/v1/usage',
  '/v1/sandbox',
  '/health',
  '/ready',
  '/metrics',
  '/docs',
  '/openapi.json',
  '/llms.txt',
  '/.well-known',
]
const KERNEL = 'the kernel'
/** Prefixes of the kernel below which a plugin may reserve paths. */
const SHARED = ['/.well-known', '/v1/sandbox', '/v1/admin', '/v1/credits']

export interface Wanted {
  pluginId: string
  basePath: string
  /** Full paths of its routes and skills, with parameters. */
  paths: readonly string[]
  /** Names that only one product can own: 'tool parse.receipt', 'skill demo.echo'. */
  keys: ReadonlySet<string>
  absolutePaths: readonly string[]
}

export class Ownership {
  readonly #owners = new Map<string, string>()
  readonly #wanted = new Map<string, Wanted[]>()
  /** Base paths and every path above them, with the products below. */
  readonly #above = new Map<string, Set<string>>()
  readonly #absolute = new Map<string, string>()
  #reserved: readonly string[] = RESERVED
  /** Reserved path → the plugin whose products alone may serve it and everything below it. */
  readonly #ofPlugins = new Map<string, string>()

  /** Makes the kernel the owner of its routes, before any product is built. */
  reserve(kernelRoutes: readonly Pick<Route, 'method' | 'path'>[]): void {
    const literal = kernelRoutes.map((route) => route.path.replace(/\/?\{.*$/, ''))
    this.#reserved = [...new Set([...RESERVED, ...literal])].filter((path) => path.length > 1)
    for (const route of kernelRoutes) this.#owners.set(routeKey(route), KERNEL)
  }

  /**
   * Makes a plugin the owner of its reserved paths, whether or not a product uses it. Returns the
   * reasons for paths that it cannot have; it gets the others. The nearest reservation counts, so
   * that a plugin can have a page below the pages of another.
   */
  reserveFor(pluginId: string, paths: readonly string[]): string[] {
    return paths.flatMap((path) => {
      const kernels = this.#reserved.find(
        (one) => isWithin(one, path) || (isWithin(path, one) && !SHARED.includes(one)),
      )
      if (kernels !== undefined)
        return [`reserved path ${path} of plugin ${pluginId} meets ${kernels} of ${KERNEL}`]
      const owner = this.#ofPlugins.get(path)
      if (owner !== undefined && owner !== pluginId)
        return [`reserved path ${path} of plugin ${pluginId} is reserved by plugin ${owner}`]
      this.#ofPlugins.set(path, pluginId)
      return []
    })
  }

  /** Claims for `owner`; returns the conflicts, naming the other owner, or an empty list. */
  take(owner: string, wanted: Wanted): string[] {
    const conflicts = this.#conflicts(owner, wanted)
    if (conflicts.length > 0) return conflicts
    this.#wanted.set(owner, [...(this.#wanted.get(owner) ?? []), wanted])
    for (const key of wanted.keys) this.#owners.set(key, owner)
    for (const path of wanted.absolutePaths) {
      if (!this.#isReservedFor(wanted.pluginId, path)) this.#absolute.set(path, owner)
    }
    // A reserved path does not conflict with the owner of a path above it.
    const reserved = this.#reservation(wanted.basePath)?.path ?? ''
    for (const path of withAncestors(wanted.basePath)) {
      if (!path.startsWith(reserved)) break
      const below = this.#above.get(path)
      if (below) below.add(owner)
      else this.#above.set(path, new Set([owner]))
    }
    return []
  }

  /** Releases one claim of `owner`; what its other claims cover stays owned. */
  give(owner: string, wanted: Wanted): void {
    const rest = (this.#wanted.get(owner) ?? []).filter((one) => one !== wanted)
    if (rest.length > 0) this.#wanted.set(owner, rest)
    else this.#wanted.delete(owner)
    for (const key of wanted.keys) {
      if (!rest.some((one) => one.keys.has(key))) this.#owners.delete(key)
    }
    for (const path of wanted.absolutePaths) {
      if (!rest.some((one) => one.absolutePaths.includes(path))) this.#absolute.delete(path)
    }
    const kept = new Set(rest.flatMap((one) => withAncestors(one.basePath)))
    for (const path of withAncestors(wanted.basePath)) {
      if (kept.has(path)) continue
      const below = this.#above.get(path)
      below?.delete(owner)
      if (below?.size === 0) this.#above.delete(path)
    }
  }

  #conflicts(owner: string, wanted: Wanted): string[] {
    const conflicts: string[] = []
    const { basePath, pluginId } = wanted
    const reserved = this.#reserved.find(
      (path) => isWithin(basePath, path) || isWithin(path, basePath),
    )
    const isOwn = this.#isReservedFor(pluginId, basePath)
    if (reserved !== undefined && !isOwn)
      conflicts.push(`base_path ${basePath} of ${owner} meets ${reserved} of ${KERNEL}`)
    const above = this.#reservation(basePath)
    if (above !== null && above.plugin !== pluginId)
      conflicts.push(
        `base_path ${basePath} of ${owner} meets ${above.path} of plugin ${above.plugin}`,
      )
    for (const [path, plugin] of this.#ofPlugins) {
      if (plugin === pluginId) continue
      for (const route of wanted.paths) {
        if (reaches(route, path) && this.#reservation(route)?.plugin !== pluginId)
          conflicts.push(`route ${route} of ${owner} lies in ${path} of plugin ${plugin}`)
      }
    }
    for (const other of this.#above.get(basePath) ?? []) {
      if (other !== owner)
        conflicts.push(`base_path ${basePath} of ${owner} is taken by ${other}, at it or below it`)
    }
    for (const [path, other] of this.#absolute) {
      if (other !== owner && isWithin(path, basePath))
        conflicts.push(`base_path ${basePath} of ${owner} covers route ${path} of ${other}`)
    }
    for (const path of withAncestors(basePath).slice(1)) {
      const other = this.#owners.get(`base_path ${path}`)
      if (other !== undefined && other !== owner && !isOwn)
        conflicts.push(`base_path ${basePath} of ${owner} lies below ${path} of ${other}`)
    }
    for (const key of wanted.keys) {
      const other = this.#owners.get(key)
      if (other !== undefined && other !== owner && !key.startsWith('base_path'))
        conflicts.push(`${key} of ${owner} is taken by ${other}`)
    }
    for (const absolute of wanted.absolutePaths) {
      if (this.#isReservedFor(pluginId, absolute)) continue
      for (const path of withAncestors(absolute)) {
        const other = this.#owners.get(`base_path ${path}`)
        if (other !== undefined && other !== owner)
          conflicts.push(`route ${absolute} of ${owner} lies below ${path} of ${other}`)
      }
    }
    return conflicts.slice(0, 20)
  }

  /** The nearest reservation at the path or above it. */
  #reservation(path: string): { path: string; plugin: string } | null {
    for (const one of withAncestors(path)) {
      const plugin = this.#ofPlugins.get(one)
      if (plugin !== undefined) return { path: one, plugin }
    }
    return null
  }

  #isReservedFor(pluginId: string, path: string): boolean {
    return this.#reservation(path)?.plugin === pluginId
  }
}

/** Whether a route can match `path` or below: '/v1/{id}' and '/v1/*' match '/v1/keys'. */
function reaches(route: string, path: string): boolean {
  const segments = route.split('/')
  for (const [at, wanted] of path.split('/').entries()) {
    const segment = segments[at]
    if (segment === '*') return true
    if (segment === undefined) return false
    const parameter = parameterOf(segment)
    if (parameter === null ? segment !== wanted : valueIn(wanted, parameter) === null) return false
  }
  return true
}

/** The claims of a product with these skills and routes. */
export function wantedBy(
  spec: ProductSpec,
  skills: readonly Unpriced[],
  routes: readonly Route[],
  rails: readonly { id: string }[],
): Wanted {
  const keys = new Set<string>([`base_path ${spec.basePath}`])
  for (const { skill, tools } of skills) {
    keys.add(`skill ${skill.id}`)
    for (const tool of tools) for (const name of toolNames(tool.name)) keys.add(`tool ${name}`)
  }
  for (const route of routes) keys.add(routeKey(route))
  for (const rail of rails) keys.add(`rail ${rail.id}`)
  const absolutePaths = routes
    .map((route) => route.path)
    .filter((path) => !isWithin(path, spec.basePath))
  const paths = [
    ...skills.flatMap(({ route }) => route?.path ?? []),
    ...routes.map(({ path }) => path),
  ]
  return { pluginId: spec.pluginId, basePath: spec.basePath, paths, keys, absolutePaths }
}

/** Tools, skills and routes that occur twice within one product. */
export function repeatedWithin(
  spec: ProductSpec,
  skills: readonly Unpriced[],
  routes: readonly Route[],
): string[] {
  const seen = new Map<string, string>()
  const repeated: string[] = []
  const add = (key: string, by: string): void => {
    const other = seen.get(key)
    if (other !== undefined && other !== by) repeated.push(`${key} is used by ${other} and ${by}`)
    seen.set(key, by)
  }
  for (const { skill, tools, route } of skills) {
    for (const tool of tools)
      for (const name of toolNames(tool.name)) add(`tool ${name}`, `${skill.id} (${tool.name})`)
    if (route) add(routeKey(route), skill.id)
  }
  for (const [index, route] of routes.entries())
    add(routeKey(route), `route ${index + 1} of plugin ${spec.pluginId}`)
  return repeated
}

/** Names a route; the names of its parameters do not tell it from another. */
export function routeKey(route: { method: string; path: string }): string {
  return `route ${route.method} ${route.path.replaceAll(/\{[^}]+\}/g, '{}')}`
}
