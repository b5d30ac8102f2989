/** Which products are shown: unlisted and private ones are served, but in no list. */
import type { CatalogSnapshot, MountedSkill } from '../plugins/catalog.ts'
import type { ProductView } from '../plugins/catalog.ts'

/** Whether everybody may learn of the product. */
function isListed({ spec }: Pick<ProductView, 'spec'>): boolean {
  const visibility = spec['visibility']
  return visibility === undefined || visibility === 'public'
}

/** The skills of every listed product. */
export function listedSkills(snapshot: CatalogSnapshot): MountedSkill[] {
  return snapshot.skills.filter(({ product }) => isListed(product))
}

/**
 * Whether the route is one place with one method: `ANY` and a wildcard are no operation that
 * OpenAPI or a crawler of paid resources could name.
 */
export function isOnePlace(route: { method: string; path: string }): boolean {
  return route.method !== 'ANY' && !route.path.endsWith('*')
}
