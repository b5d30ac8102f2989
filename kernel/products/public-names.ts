/** Names of what is sold in the open: what everybody may see in metrics and readiness. */
import type { Snapshot } from './snapshot.ts'
import { listedSkills } from './visibility.ts'

export interface PublicNames {
  skills: ReadonlySet<string>
  /** Paths and tools as requests are counted by. */
  routes: ReadonlySet<string>
  /** Ids of products that everybody may learn of, and of those that are not for everybody. */
  products: ReadonlySet<string>
  hiddenProducts: ReadonlySet<string>
}

/** The names of `snapshot`. */
export function publicNames(snapshot: Snapshot): PublicNames {
  const sold = listedSkills(snapshot)
  const byId = [...snapshot.products]
  const idsWhere = (isPublic: boolean): Set<string> =>
    new Set(
      byId
        .filter(([, { parts }]) => (parts.spec.visibility === 'public') === isPublic)
        .map(([id]) => id),
    )
  const products = idsWhere(true)
  return {
    skills: new Set(sold.map(({ skill }) => skill.id)),
    routes: new Set([
      ...snapshot.routes.map(({ path }) => path),
      ...[...products].map((id) => `/v1/p/${id}`),
      ...sold.flatMap(({ route, tools }) => [
        ...(route ? [route.path] : []),
        ...tools.map(({ name }) => `mcp://tool/${name}`),
      ]),
    ]),
    products,
    hiddenProducts: idsWhere(false),
  }
}
