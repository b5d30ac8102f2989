/** GET /v1/prices: which tables are packed. */
import { expect, it } from 'vitest'
import { PEG, type PriceTable, type RouteRequest } from '../../../../kernel/index.ts'
import { priceRoutes } from '../../../../plugins/documents/price-routes.ts'

const table = (version: number): PriceTable => ({
  version,
  hash: String(version).repeat(64),
  effectiveAt: new Date(0).toISOString(),
  peg: PEG,
  skills: Array.from({ length: 20 }, (_, n) => ({
    skill: `many.skill_${n}`,
    tool: null,
    tools: [],
    product: 'many',
    method: 'GET',
    path: `/many/${n}`,
    credits: version,
    usd: version / 100,
    usdcAtomic: String(version * 10_000),
  })),
})

it('the table in force is packed, older ones are not, which there are any number of', async () => {
  const [{ handler }] = priceRoutes({
    priceTable: () => table(9),
    priceTableAt: async (version) => table(version),
    visibleTo: async () => null,
  }) as [ReturnType<typeof priceRoutes>[number]]
  const request = new Request('http://x/', { headers: { 'accept-encoding': 'br, gzip' } })
  const asked = async (query: string) => {
    const answer = await handler({ request, query: new URLSearchParams(query) } as RouteRequest)
    return answer instanceof Response ? answer.headers.get('content-encoding') : answer
  }
  expect(await asked('')).toBe('br')
  expect(await asked('version=9')).toBe('br')
  expect(await asked('version=8')).toBe(null)
})
