/** Lists of a gateway elsewhere, page by page. */
import type { Remote } from '../../shared/commands/remote.ts'

const PAGE = 200
/** As many as the commands list from the database here. */
const LISTED_MAX = 500

/** The first members of the list at `path`, at most 500, whose pages hold them as `member`. */
export async function allOf<T>(remote: Remote, path: string, member: string): Promise<T[]> {
  const found: T[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor !== null && { cursor }) })
    const joint = path.includes('?') ? '&' : '?'
    const page: Record<string, unknown> & { nextCursor: string | null } = await remote.ask(
      'GET',
      `${path}${joint}${query.toString()}`,
    )
    found.push(...(page[member] as T[]))
    cursor = page.nextCursor
  } while (cursor !== null && found.length < LISTED_MAX)
  return found.slice(0, LISTED_MAX)
}
