/** Pages of lists: 50 rows and a cursor. */
import { invalid, type Failure } from '#kernel'

const ROWS = 50
const CURSOR = /^[\x21-\x7e]{1,200}$/

/** The page that a query asks for. */
export function pageOf(
  query: URLSearchParams,
): { ok: true; page: { limit: number; cursor: string | null } } | Failure {
  const cursor = query.get('cursor')
  if (cursor !== null && !CURSOR.test(cursor)) {
    return invalid([{ path: '/cursor', message: 'must be nextCursor of the page before' }])
  }
  return { ok: true, page: { limit: ROWS, cursor } }
}
