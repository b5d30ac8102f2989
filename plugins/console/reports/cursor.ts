/** `nextCursor` of the list of calls: how far each rail's list was read, as text. */

/** Per rail: where to go on, null from its newest call, END when nothing is left. */
export type CallsCursor = ReadonlyMap<string, string | null>

export const END = 'end'

const PART = '[a-z][a-z0-9_-]*~[A-Za-z0-9-]*'
/** `<rail>~<position>` for each rail with a dot between; no position: from its newest call. */
const CURSOR = new RegExp(`^${PART}(?:\\.${PART})*$`)
/** Before the list took any rail it was the positions of these two, with a dot between. */
const OLD_RAILS = ['credits', 'x402']
const OLD_CURSOR = /^([1-9]\d{0,17}|end|)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|end|)$/i

/** Null for a text that is not a cursor. */
export function parseCursor(text: string): CallsCursor | null {
  const old = OLD_CURSOR.exec(text)
  if (old) return new Map(OLD_RAILS.map((rail, at) => [rail, old[at + 1] || null]))
  if (!CURSOR.test(text)) return null
  const parts = text.split('.').map((part) => part.split('~'))
  return new Map(parts.map(([rail, position]) => [rail!, position || null]))
}

export function cursorText(cursor: CallsCursor): string {
  return [...cursor].map(([rail, position]) => `${rail}~${position ?? ''}`).join('.')
}
