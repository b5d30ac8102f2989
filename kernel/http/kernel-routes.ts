/** The kernel's static routes: a table for 405, OPTIONS and conflict checks with products. */
import type { Route } from '../plugins/contract.ts'

/** `{name}` patterns as Elysia writes them. */
export function elysiaPath(pattern: string): string {
  return pattern.replaceAll(/\{([^}]+)\}/g, ':$1')
}

export class KernelRoutes {
  readonly list: readonly Route[]
  readonly #patterns: { route: Route; expression: RegExp }[]

  constructor(routes: readonly Route[]) {
    this.list = routes
    this.#patterns = routes.map((route) => ({
      route,
      expression: new RegExp(
        `^${route.path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`,
      ),
    }))
  }

  /** The routes at a path whatever their method; empty when the kernel has none there. */
  at(pathname: string): Route[] {
    return this.#patterns
      .filter(({ expression }) => expression.test(pathname))
      .map(({ route }) => route)
  }
}
