/** The kernel's static routes: a table for 405, OPTIONS and conflict checks with products. */
import type { Route } from '../plugins/route.ts'

/** `{name}` patterns as Elysia writes them. */
export function elysiaPath(pattern: string): string {
  return pattern.replaceAll(/\{([^}]+)\}/g, ':$1')
}

export class KernelRoutes {
  readonly list: readonly Route[]
  readonly #patterns: { route: Route; names: string[]; expression: RegExp }[]

  constructor(routes: readonly Route[]) {
    this.list = routes
    this.#patterns = routes.map((route) => ({
      route,
      names: [...route.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!),
      expression: new RegExp(
        `^${route.path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '([^/]+)')}$`,
      ),
    }))
  }

  /** The route that answers `method` at a path, with its decoded parameters; null when there is none. */
  find(
    method: string,
    pathname: string,
  ): { route: Route; params: Readonly<Record<string, string>> } | null {
    for (const { route, names, expression } of this.#patterns) {
      if (route.method !== method) continue
      const values = expression.exec(pathname)?.slice(1).map(decoded)
      if (values === undefined || values.includes(null)) continue
      return { route, params: Object.fromEntries(names.map((name, at) => [name, values[at]!])) }
    }
    return null
  }

  /** The routes at a path whatever their method; empty when the kernel has none there. */
  at(pathname: string): Route[] {
    return this.#patterns
      .filter(({ expression }) => expression.test(pathname))
      .map(({ route }) => route)
  }
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
