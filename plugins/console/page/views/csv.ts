/** What a table shows, as a file of comma-separated values (RFC 4180). */
import { button } from '../../../shared/pages/dom.ts'

export type Cell = string | number | null

/** A button that saves the rows, the first of which names the columns. */
export function csvButton(title: string, rows: readonly (readonly Cell[])[]): HTMLElement {
  return button('CSV', () => save(title, csvText(rows)), {
    class: 'small',
    'aria-label': `Save ${title} as CSV`,
  })
}

export function csvText(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

/** A text that a spreadsheet would take for a formula, which callers may have written, stays a text. */
function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function save(title: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `coinop-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
