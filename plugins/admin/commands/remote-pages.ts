/** Lists of a gateway elsewhere, page by page. */
import type { PluginCommandContext } from '#kernel'
import type { Remote } from '../../shared/commands/remote.ts'

/** A whole number of them is `LISTED_MAX`. */
const PAGE = 100
/** As many as a command lists, of the database here or of a gateway elsewhere. */
export const LISTED_MAX = 500

/** Says on stderr that a list has more than is shown; `cursor`: where the rest begins, null for none. */
export function tellOfMore({ warn }: PluginCommandContext, cursor: string | null): void {
  if (cursor !== null) warn(`Only the newest ${LISTED_MAX} are listed.`)
}

/** The first members of the list at `path`, at most 500, whose pages hold them as `member`. */
export async function allOf<T>(
  context: PluginCommandContext,
  remote: Remote,
  path: string,
  member: string,
): Promise<T[]> {
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
  tellOfMore(context, cursor)
  return found.slice(0, LISTED_MAX)
}
