/** Delimited text (RFC 4180, also with semicolons and tabs): CSV files, and single lines of a text. */
import type { Table } from '../fields/tables.ts'

const MARKS = ['\t', ';', ','] as const
const QUOTE = '"'

/** The records of a text; null where a quoted cell does not end, or something follows it. */
function recordsIn(text: string, mark: string): string[][] | null {
  const end = new RegExp(`[${mark}\\n]`, 'g')
  const records: string[][] = []
  let cells: string[] = []
  for (let at = 0; at <= text.length; at += 1) {
    let cell = ''
    if (text[at] === QUOTE) {
      for (;;) {
        const close = text.indexOf(QUOTE, at + 1)
        if (close === -1) return null
        cell += text.slice(at + 1, close)
        at = close + 1
        if (text[at] !== QUOTE) break
        cell += QUOTE
      }
      if (text[at] === '\r') at += 1
      if (at < text.length && text[at] !== mark && text[at] !== '\n') return null
    } else {
      end.lastIndex = at
      const next = end.exec(text)?.index ?? text.length
      cell = text.slice(at, next)
      at = next
    }
    cells.push(cell)
    if (text[at] === mark) continue
    if (cells.length > 1 || cell.trim() !== '') records.push(cells)
    cells = []
  }
  return records
}

const trimmed = (cells: readonly string[]): string[] => cells.map((cell) => cell.trim())

/** The cells of one line; a quote that does not end is a sign like others. */
export const cellsOf = (line: string, mark: string): string[] =>
  trimmed(recordsIn(line, mark)?.[0] ?? line.split(mark))

/**
 * The table that a text is as a whole, its first record the headers; null for any other text. Two lines
 * or two columns are only one if they are not written as prose is, with a space behind each comma.
 */
export function delimitedTable(text: string): Table | null {
  const bare = text.replace(/^\ufeff/, '').trim()
  for (const mark of MARKS) {
    if (!bare.includes(mark)) continue
    const records = recordsIn(bare, mark) ?? []
    const [headers, ...rows] = records
    if (!headers || headers.length < 2 || rows.length === 0) continue
    if (rows.some(({ length }) => length !== headers.length)) continue
    const isSmall = headers.length === 2 || rows.length === 1
    const isProse = records.some((cells) =>
      cells.some((cell, at) => at > 0 && cell.startsWith(' ')),
    )
    if (isSmall && (isProse || new Set(headers).size < headers.length)) continue
    return { caption: null, headers: trimmed(headers), rows: rows.map(trimmed) }
  }
  return null
}
