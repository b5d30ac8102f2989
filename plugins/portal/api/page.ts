/** Pages of lists: 50 rows and a cursor. */
import { invalid, type Failure } from '#kernel'

const ROWS = 50
const CURSOR = /^[\x21-\x7e]{1,200}$/

/** Every page of a list, as long as its reader takes them; what `read` gives goes on at `nextCursor`. */
export async function* everyPage<Page extends { nextCursor: string | null }>(
  read: (cursor: string | null) => Promise<Page>,
  signal: AbortSignal,
): AsyncGenerator<Page, void> {
  let cursor: string | null = null
  do {
    signal.throwIfAborted()
    const page: Page = await read(cursor)
    yield page
    cursor = page.nextCursor
  } while (cursor !== null)
}

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
