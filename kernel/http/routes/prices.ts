/** GET /v1/prices: the versioned price table. */
import { Type } from 'typebox'
import { invalid, type Issue } from '../../errors.ts'
import type { Route, RouteRequest } from '../../plugins/route.ts'
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

export interface PriceRouteDeps {
  prices: PriceRegistry
  /** Which products, by id, whoever asks may learn of; null: all that there ever were. */
  visibleTo(
    asked: Pick<RouteRequest, 'request' | 'clientAddress' | 'operator'>,
  ): Promise<((productId: string) => boolean) | null>
}

/**
 * A caller without a credential sees what is sold in the open now, in older versions too: what a
 * product was once named and cost is not told when it is private or gone.
 */
export function priceRoutes({ prices, visibleTo }: PriceRouteDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/prices',
      auth: 'public',
      tag: 'Prices',
      summary: 'The price table in force, or an older version',
      description:
        'Every priced skill with what a call costs at most, in credits, dollars and USDC atomic units, and the whole rule. Private products stand there for callers with an API key that may buy them, products that are gone for the admin token.',
      query: Type.Object({ version: Type.Optional(Type.Integer({ minimum: 1 })) }),
      statuses: [304, 404],
      output: Prices,
      async handler(asked) {
        const { query, request } = asked
        const issues: Issue[] = []
        const range = { min: 1, max: 2_147_483_647, fallback: 0 }
        const version = queryInteger(query, 'version', range, issues)
        if (issues.length > 0) return invalid(issues)
        const table = version === 0 ? (prices.current() ?? NOTHING) : await prices.at(version)
        if (!table) return notFound('No price table has this version')
        const isVisible = await visibleTo(asked)
        const skills = isVisible
          ? table.skills.filter(({ product }) => isVisible(product))
          : table.skills
        const isWhole = skills.length === table.skills.length
        const part = isWhole ? '' : `-${Bun.hash(JSON.stringify(skills)).toString(36)}`
        const etag = `"prices-${table.version}-${table.hash.slice(0, 16)}${part}"`
        const headers = {
          etag,
          'x-price-version': String(table.version),
          vary: 'X-Api-Key, Authorization',
          // A numbered version never changes where all of it is shown; what is hidden may.
          'cache-control': version !== 0 && isWhole ? 'private, max-age=86400' : 'no-cache',
        }
        if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
        return Response.json(shownTable({ ...table, skills }), { headers })
      },
    },
  ]
}
