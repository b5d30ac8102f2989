/** The kernel's static routes: a table for 405, OPTIONS and conflict checks with products. */
import type { Route } from '../plugins/route.ts'
import { RouteTree } from '../products/route-tree.ts'

/** A `{name}` pattern in Elysia's syntax. */
export function elysiaPath(pattern: string): string {
  return pattern.replaceAll(/\{([^}]+)\}/g, ':$1')
}

export class KernelRoutes {
  readonly list: readonly Route[]
  readonly #tree: RouteTree<Route>

  constructor(routes: readonly Route[]) {
    this.list = routes
    this.#tree = new RouteTree(routes.map((route) => ({ ...route, target: route })))
  }

  /** The route for `method` at a path, with its decoded parameters; null if there is none. */
  find(
    method: string,
    pathname: string,
  ): { route: Route; params: Readonly<Record<string, string>> } | null {
    const found = this.#tree.match(method, pathname)
    return found.kind === 'found' ? { route: found.target, params: found.params } : null
  }

  /** The routes at a path with any method; empty if the kernel has none there. */
  at(pathname: string): Route[] {
    const found = this.#tree.match('', pathname)
    const methods = found.kind === 'method_not_allowed' ? found.allow : []
    return methods.flatMap((method) => this.find(method, pathname)?.route ?? [])
  }
}
