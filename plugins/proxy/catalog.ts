/** What a metered upstream product sells, at its own base_path: an upstream need not say it. */
import { atomicToCredits, isFlatPrice, priceView, type ProductSpec, type Route } from '#kernel'

/** The catalog route, or null when the spec gives that path to the upstream. */
export function catalogRoute(spec: ProductSpec): Route | null {
  const isTaken = spec.skills.some(
    ({ route }) =>
      route !== null &&
      (route.method === 'GET' || route.method === 'ANY') &&
      (route.path === '/' || route.path === '/*'),
  )
  if (isTaken) return null
  return {
    method: 'GET',
    path: spec.basePath,
    auth: 'public',
    tag: spec.title,
    summary: `What ${spec.title} sells, with prices`,
    handler: () => Response.json(catalogOf(spec)),
  }
}

/** Skills with their places and prices; amounts in credits and, as text, in USDC atomic units. */
function catalogOf(spec: ProductSpec): object {
  return {
    product_id: spec.productId,
    title: spec.title,
    description: spec.description,
    base_path: spec.basePath,
    skills: spec.skills.map(({ id, route, tools, title, metered, amountAtomic, price }) => ({
      skill: id,
      ...(title !== null && { title }),
      ...(route !== null && { method: route.method, path: spec.basePath + route.path }),
      tools: tools ?? [],
      metered,
      price: metered
        ? {
            credits: atomicToCredits(amountAtomic),
            usdc_atomic: amountAtomic.toString(),
            ...(!isFlatPrice(price) && { rule: priceView(price) }),
          }
        : null,
    })),
  }
}
