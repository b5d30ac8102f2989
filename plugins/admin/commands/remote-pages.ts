/** Lists of a gateway elsewhere, page by page. */
import type { Remote } from '../../shared/commands/remote.ts'

const PAGE = 200

/** The first `most` members of the list at `path`, whose pages hold them as `member`. */
export async function allOf<T>(
  remote: Remote,
  path: string,
  member: string,
  most: number,
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
  } while (cursor !== null && found.length < most)
  return found.slice(0, most)
}
