/** GET /v1/admin/topup/flagged: what an operator must look at, page by page. */
import { Type } from 'typebox'
import { invalid, privateJson, queryInteger, type Issue, type Route } from '#kernel'
import type { TopupStore } from './store.ts'

const PAGE = { min: 1, max: 500, fallback: 200 }
const Query = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: PAGE.min, maximum: PAGE.max, default: PAGE.fallback }),
  ),
  cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })),
})

export function flaggedRoute(store: Pick<TopupStore, 'flagged'>, tag: string): Route {
  return {
    method: 'GET',
    path: '/v1/admin/topup/flagged',
    auth: 'admin',
    tag,
    summary: 'Callbacks and purchases that were not credited, newest first, with the reason',
    query: Query,
    async handler({ query }) {
      const issues: Issue[] = []
      const limit = queryInteger(query, 'limit', PAGE, issues)
      const cursor = query.get('cursor')
      if (cursor !== null && !/^[1-9]\d{0,17}$/.test(cursor))
        issues.push({ path: '/cursor', message: 'must be nextCursor of the page before' })
      if (issues.length > 0) return invalid(issues)
      const rows = await store.flagged(limit, cursor)
      return privateJson({
        rows,
        nextCursor: rows.length === limit ? rows.at(-1)!.id : null,
      })
    },
  }
}
