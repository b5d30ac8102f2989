/** Comma-separated values (RFC 4180). */

export type Cell = string | number | Date | null

/** Rows under their headings, as a file that the browser keeps. */
export function csvResponse(
  name: string,
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): Response {
  const text = [headings, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')
  return new Response(`${text}\r\n`, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
      'x-content-type-options': 'nosniff',
    },
  })
}

/** Spreadsheets run a text that begins like a formula: an apostrophe keeps it a text. */
function cell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = value instanceof Date ? value.toISOString() : value
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
