/** Keeps /metrics to what is there: the series of products that were removed are dropped. */
import type { Metrics, MountedProduct, ProductRegistry } from '#kernel/host'

/** What the series of a product are named by: skill ids and, for requests, routes and tools. */
interface Labels {
  skills: Set<string>
  routes: Set<string>
}

/** Follows every change of the mounted products; returns the end of following. */
export function followGoneSeries(
  registry: Pick<ProductRegistry, 'current' | 'onChange'>,
  metrics: Pick<Metrics, 'forget'>,
): () => void {
  let before = registry.current().products
  /** A call may end after its product: what it counts then is dropped with the next change. */
  let gone = new Map<string, Labels>()
  return registry.onChange(() => {
    const now = registry.current().products
    const again = gone
    gone = new Map()
    for (const [id, product] of before) {
      if (now.get(id) !== product) gone.set(id, labelsOf(product))
    }
    before = now
    // Skill ids, routes and tools belong to one product each: only its next revision can keep them.
    for (const [id, labels] of [...again, ...gone]) metrics.forget(without(labels, now.get(id)))
  })
}

function labelsOf(product: MountedProduct): Labels {
  const labels: Labels = { skills: new Set(), routes: new Set([`/v1/p/${product.id}`]) }
  for (const { path } of product.parts.routes) labels.routes.add(path)
  for (const { unpriced } of product.entries) {
    labels.skills.add(unpriced.skill.id)
    if (unpriced.route) labels.routes.add(unpriced.route.path)
    for (const { name } of unpriced.tools) labels.routes.add(`mcp://tool/${name}`)
  }
  return labels
}

function without(labels: Labels, product: MountedProduct | undefined): Labels {
  if (!product) return labels
  const kept = labelsOf(product)
  return {
    skills: labels.skills.difference(kept.skills),
    routes: labels.routes.difference(kept.routes),
  }
}
