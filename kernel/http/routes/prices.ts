/** GET /v1/prices: the versioned price table. */
import { Type } from 'typebox'
import { invalid, type Issue } from '../../errors.ts'
import type { Route } from '../../plugins/route.ts'
import type { PriceRegistry } from '../../pricing/registry.ts'
import { PEG, shownTable, type PriceTable } from '../../pricing/table.ts'
import { PriceRef } from '../../pricing/view.ts'
import { isKnown, notFound, nullable, queryInteger } from '../json.ts'

const Row = Type.Object({
  skill: Type.String(),
  tool: nullable('string'),
  tools: Type.Array(Type.String()),
  product: Type.String(),
  method: nullable('string'),
  path: nullable('string'),
  credits: Type.Number({ description: 'The most that a call costs; it is what is held' }),
  usd: Type.Number(),
  usdcAtomic: Type.String({ description: 'USDC atomic units, in digits' }),
  rule: PriceRef,
})
const Prices = Type.Object({
  version: Type.Integer(),
  hash: Type.String(),
  effectiveAt: Type.String({ format: 'date-time' }),
  peg: Type.Object({
    creditUsd: Type.Number(),
    creditUsdcAtomic: Type.String(),
    usdUsdcAtomic: Type.String(),
  }),
  skills: Type.Array(Row),
})

/** Before the first snapshot nothing is for sale. */
const NOTHING: PriceTable = {
  version: 0,
  hash: '',
  effectiveAt: new Date(0).toISOString(),
  peg: PEG,
  skills: [],
}

export function priceRoutes(prices: PriceRegistry): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/prices',
      auth: 'public',
      tag: 'Prices',
      summary: 'The price table in force, or an older version',
      description:
        'Every priced skill with what a call costs at most, in credits, dollars and USDC atomic units, and the whole rule. A numbered version never changes.',
      query: Type.Object({ version: Type.Optional(Type.Integer({ minimum: 1 })) }),
      statuses: [304, 404],
      output: Prices,
      async handler({ query, request }) {
        const issues: Issue[] = []
        const range = { min: 1, max: 2_147_483_647, fallback: 0 }
        const version = queryInteger(query, 'version', range, issues)
        if (issues.length > 0) return invalid(issues)
        const table = version === 0 ? (prices.current() ?? NOTHING) : await prices.at(version)
        if (!table) return notFound('No price table has this version')
        const etag = `"prices-${table.version}-${table.hash.slice(0, 16)}"`
        const headers = {
          etag,
          'x-price-version': String(table.version),
          // A numbered version never changes; the one in force may at any moment.
          'cache-control': version === 0 ? 'no-cache' : 'public, max-age=86400',
        }
        if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
        return Response.json(shownTable(table), { headers })
      },
    },
  ]
}
