/** The `options.pages` selection: "1-3,8" or a list of numbers. */
const NUMBERS_MAX = 1000
const PAGE_MAX = 1_000_000
const RANGE = /^(\d{1,7})(?:-(\d{1,7}))?$/

/** Ascending page numbers without doubles, or what is wrong with the selection. */
export function pageNumbers(
  selection: string | readonly number[],
): { ok: true; numbers: number[] } | { ok: false; message: string } {
  const numbers = new Set<number>()
  const parts = typeof selection === 'string' ? selection.split(',') : selection.map(String)
  for (const part of parts) {
    const range = RANGE.exec(part.trim())
    if (!range) return { ok: false, message: `has '${part.slice(0, 20)}', not a page or a range` }
    const from = Number(range[1])
    const to = Number(range[2] ?? range[1])
    if (from < 1 || to < from || to > PAGE_MAX)
      return { ok: false, message: `has '${part.trim()}', not an ascending range from 1` }
    for (let number = from; number <= to; number++) {
      numbers.add(number)
      if (numbers.size > NUMBERS_MAX)
        return { ok: false, message: `selects more than ${NUMBERS_MAX} pages` }
    }
  }
  return { ok: true, numbers: [...numbers].toSorted((a, b) => a - b) }
}
