/** Rows of comma-separated values (RFC 4180). */

export type Cell = string | number | Date | null

/** The row with its line end. */
export const csvLine = (row: readonly Cell[]): string => `${row.map(cellText).join(',')}\r\n`

/**
 * Spreadsheets run a text that begins like a formula, which callers may have written: it stays a text. In
 * Chinese and Japanese they also take full-width signs for that.
 */
function cellText(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = value instanceof Date ? value.toISOString() : value
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
