/** GET /v1/prices: the versioned price table. */
import {
  flatPriceView,
  invalid,
  isKnown,
  type Issue,
  notFound,
  nullable,
  PEG,
  type PriceRow,
  type PriceTable,
  queryInteger,
  type QuoteBook,
  type Route,
} from '#kernel'
import { Type } from 'typebox'
import { Packer } from '../shared/packed.ts'
import { PriceRef } from './price-schema.ts'

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

/** The table as everybody sees it: a flat price has its rule as well. */
export function shownTable(table: PriceTable) {
  const shown = (row: PriceRow) => ({
    ...row,
    rule: row.rule ?? flatPriceView(BigInt(row.usdcAtomic)),
  })
  return { ...table, skills: table.skills.map(shown) }
}

/**
 * A caller without a credential sees what is sold in the open now, in older versions too: what a
 * product was once named and cost is not told when it is private or gone.
 */
export function priceRoutes(
  quotes: Pick<QuoteBook, 'priceTable' | 'priceTableAt' | 'visibleTo'>,
): Route[] {
  const packer = new Packer()
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
        const table =
          version === 0 ? (quotes.priceTable() ?? NOTHING) : await quotes.priceTableAt(version)
        if (!table) return notFound('No price table has this version')
        const isVisible = await quotes.visibleTo(asked)
        const skills = isVisible ? table.skills.filter(isVisible) : table.skills
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
        const text = JSON.stringify(shownTable({ ...table, skills }))
        const all = { ...headers, 'content-type': 'application/json;charset=utf-8' }
        // Few ask for older tables, and there are any number of them to pack anew at each request.
        const isOlder = table.version !== quotes.priceTable()?.version
        return isOlder
          ? new Response(text, { headers: all })
          : packer.answer(request, text, { headers: all })
      },
    },
  ]
}
