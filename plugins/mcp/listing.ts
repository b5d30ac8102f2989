/**
 * A list in pages. Entries are sorted by name and a cursor is the last name of a page, so it holds
 * across restarts, instances and changes of the catalog.
 */
import { CODE, ProtocolError, type Era } from './protocol.ts'
import { reply, type Reply, type ServerInfo } from './reply.ts'

const PAGE_SIZE = 250

export class Listing {
  readonly #member: string
  readonly #entries: readonly { name: string; text: string }[]
  readonly #info: ServerInfo
  /** First pages and those that follow them, finished; keyed by era and first entry. */
  readonly #finished = new Map<string, Reply>()

  constructor(
    member: string,
    entries: readonly { name: string; value: object }[],
    info: ServerInfo,
  ) {
    this.#member = member
    this.#info = info
    this.#entries = entries
      .map(({ name, value }) => ({ name, text: JSON.stringify(value) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** The page after `cursor`. Throws −32602 for a cursor that this list did not give out. */
  page(era: Era, cursor: unknown): Reply {
    const start = cursor === undefined || cursor === null ? 0 : this.#after(cursor)
    // Many cursors lead to one page, so a caller could fill the map if cursors were its keys.
    const key = `${era} ${start}`
    const known = this.#finished.get(key)
    if (known) return known
    const made = this.#make(era, start)
    if (start % PAGE_SIZE === 0) this.#finished.set(key, made)
    return made
  }

  #make(era: Era, start: number): Reply {
    const end = start + PAGE_SIZE
    const page = this.#entries.slice(start, end)
    const last = page.at(-1)
    const next =
      last && end < this.#entries.length ? `,"nextCursor":"${encodeCursor(last.name)}"` : ''
    return reply({
      era,
      info: this.#info,
      cacheable: true,
      members: `"${this.#member}":[${page.map(({ text }) => text).join(',')}]${next}`,
    })
  }

  #after(cursor: unknown): number {
    const name = typeof cursor === 'string' ? decodeCursor(cursor) : null
    if (name === null) throw unknownCursor()
    const index = this.#entries.findIndex((entry) => entry.name > name)
    return index === -1 ? this.#entries.length : index
  }
}

const PREFIX = 'after:'

function unknownCursor(): ProtocolError {
  return new ProtocolError(CODE.invalidParams, 'Invalid params: unknown cursor')
}

function encodeCursor(name: string): string {
  return Buffer.from(PREFIX + name, 'utf8').toString('base64url')
}

function decodeCursor(cursor: string): string | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  return text.startsWith(PREFIX) ? text.slice(PREFIX.length) : null
}
