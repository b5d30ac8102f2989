/** How the lists of the admin routes are paged: newest first, by the id that ended the page before. */
import { queryInteger, type Issue } from '#kernel'
import { Type } from 'typebox'

const PAGE = { min: 1, max: 200, fallback: 50 }
/** Anything that an id may look like; PostgreSQL refuses NUL in a text. */
const ID = /^[\x21-\x7e]{1,200}$/

/** The paging parameters, for OpenAPI. */
export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: PAGE.min, maximum: PAGE.max, default: PAGE.fallback }),
  ),
  cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })),
})

/** The page that is asked for; what is wrong with it goes into `issues`. */
export function pageOf(
  query: URLSearchParams,
  issues: Issue[],
): { limit: number; before: string | null } {
  return {
    limit: queryInteger(query, 'limit', PAGE, issues),
    before: idOf(query, 'cursor', issues),
  }
}

/** An id among the query parameters, or null where it is absent or wrong. */
export function idOf(query: URLSearchParams, name: string, issues: Issue[]): string | null {
  const id = query.get(name)
  if (id === null || ID.test(id)) return id
  issues.push({ path: `/${name}`, message: 'must be an id' })
  return null
}
