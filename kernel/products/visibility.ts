/** Which products are listed: unlisted and private products are served, but appear in no list. */
import type { CatalogSnapshot, MountedSkill, ProductView } from '../plugins/catalog.ts'

/** Whether the product is listed publicly. */
function isListed({ spec }: Pick<ProductView, 'spec'>): boolean {
  const visibility = spec['visibility']
  return visibility === undefined || visibility === 'public'
}

/** The skills of every listed product. */
export function listedSkills(snapshot: CatalogSnapshot): MountedSkill[] {
  return snapshot.skills.filter(({ product }) => isListed(product))
}

/**
 * Whether the route has a single path and method: OpenAPI and crawlers of paid resources cannot
 * describe `ANY` or a wildcard as an operation.
 */
export function isOnePlace(route: { method: string; path: string }): boolean {
  return route.method !== 'ANY' && !route.path.endsWith('*')
}
