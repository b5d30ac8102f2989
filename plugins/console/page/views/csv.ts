/** What a table shows, as a file of comma-separated values. */
import { csvLine, type Cell } from '../../../shared/csv.ts'
import { button } from '../../../shared/pages/dom.ts'

/** A button that saves the rows, the first of which names the columns. */
export function csvButton(title: string, rows: readonly (readonly Cell[])[]): HTMLElement {
  return button('CSV', () => save(title, rows.map(csvLine).join('')), {
    class: 'small',
    'aria-label': `Save ${title} as CSV`,
  })
}

function save(title: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `coinop-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
