/** The free routes of the product: its catalog, its prices and whether it works. */
import { atomicToCredits, atomicToUsd, type Health, type ProductSpec, type Route } from '#kernel'

interface Entry {
  skill: string
  method?: string
  path?: string
  tools: readonly string[]
  metered: boolean
  price: { credits: number; usd: number; usdc_atomic: string } | null
}

function entriesOf(spec: ProductSpec, toolsOf: (skillId: string) => readonly string[]): Entry[] {
  return spec.skills.map(({ id, route, tools, metered, amountAtomic }) => ({
    skill: id,
    ...(route && { method: route.method, path: spec.basePath + route.path }),
    tools: tools ?? toolsOf(id),
    metered,
    price: metered
      ? {
          credits: atomicToCredits(amountAtomic),
          usd: atomicToUsd(amountAtomic),
          usdc_atomic: amountAtomic.toString(),
        }
      : null,
  }))
}

/** GET at base_path, /pricing and /health; none is metered. */
export function freeRoutes(
  spec: ProductSpec,
  toolsOf: (skillId: string) => readonly string[],
  checks: readonly Health[],
): Route[] {
  const { basePath, productId, title, description } = spec
  const skills = entriesOf(spec, toolsOf)
  const open = { method: 'GET', auth: 'public', tag: title } as const
  return [
    {
      ...open,
      path: basePath,
      summary: `What ${title} sells, with prices`,
      handler: () =>
        Response.json({ product_id: productId, title, description, base_path: basePath, skills }),
    },
    {
      ...open,
      path: `${basePath}/pricing`,
      summary: `Prices of ${title}`,
      handler: () =>
        Response.json({
          currency: 'USDC',
          credit_usd: 0.01,
          prices: skills.filter(({ metered }) => metered),
        }),
    },
    {
      ...open,
      path: `${basePath}/health`,
      summary: `Whether ${title} works`,
      async handler({ signal }) {
        const states = await Promise.all(
          checks.map(async ({ name, probe }) => ({ name, ...(await probe(signal)) })),
        )
        const isUp = states.every(({ state }) => state !== 'down')
        return Response.json({ status: isUp ? 'ok' : 'degraded', checks: states })
      },
    },
  ]
}
