/** Heads of a table of goods ("Qty | Description | Price | Amount") and what stands under them. */
import { foldLabel } from '../../lexicon/fold.ts'
import type { Column } from '../../lexicon/column.ts'
import { columnOfHead } from '../../lexicon/items.ts'
import { looksLikeMoney, type Amount } from '../marks/amounts.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** One head with its columns on the page. */
export interface HeadColumn {
  column: Column
  x0: number
  x1: number
  /** The printed head, folded; absent where only arithmetic tells the column. */
  label?: string
}

/** "Total items: 3" has the words of two heads. */
const COUNT_OF_GOODS = /^TOTAL ITEMS?(?: \d+)?$/

/** "Amount | Item | Price": how many, in front of what, of which each has a price behind it. */
function isCountHead({ row }: Pick<RowMoney, 'row'>, label: string): boolean {
  if (label !== 'AMOUNT' || foldLabel(row.cells[0]!.text) !== label) return false
  const behind = row.cells.slice(1).map((cell) => columnOfHead(foldLabel(cell.text), new Set()))
  return behind[0] === 'description' && behind.includes('unit_price')
}

/** Heads of a goods table in this row: at least a description or quantity, and a price or amount. */
export function headsOf(entry: Pick<RowMoney, 'row' | 'amounts' | 'folded'>): HeadColumn[] | null {
  if (entry.amounts.some((a) => looksLikeMoney(a)) || COUNT_OF_GOODS.test(entry.folded)) return null
  // "Terms: 30 days net" has the words of heads, and a number among them.
  if (entry.row.cells.length === 1 && entry.amounts.some((a) => !a.percent)) return null
  const taken = new Set<Column>()
  const heads: HeadColumn[] = []
  for (const cell of entry.row.cells) {
    const label = foldLabel(cell.text)
    const whole = isCountHead(entry, label) ? 'quantity' : columnOfHead(label, taken)
    if (whole) {
      taken.add(whole)
      heads.push({ column: whole, x0: cell.x0, x1: cell.x1, label })
      continue
    }
    // Heads set one space apart: try pairs of words, then single words.
    const words = [...cell.text.matchAll(/\S+/g)]
    for (let i = 0; i < words.length; i++) {
      for (const span of [3, 2, 1]) {
        const run = words.slice(i, i + span)
        if (run.length < span) continue
        const start = run[0]!.index
        const end = run.at(-1)!.index + run.at(-1)![0].length
        const part = foldLabel(cell.text.slice(start, end))
        const column = columnOfHead(part, taken)
        if (!column) continue
        taken.add(column)
        const scale = (cell.x1 - cell.x0) / Math.max(cell.text.length, 1)
        heads.push({
          column,
          x0: cell.x0 + start * scale,
          x1: cell.x0 + end * scale,
          label: part,
        })
        i += span - 1
        break
      }
    }
  }
  const priced = taken.has('amount') || taken.has('unit_price')
  const named = taken.has('description') || taken.has('quantity') || taken.has('code')
  if (!priced || !named || heads.length < 2) return null
  if (!taken.has('amount'))
    for (const h of heads) if (h.column === 'unit_price') h.column = 'amount'
  return heads
}

/** Whether a row is the head of a table of goods. */
export function isGoodsHead(entry: RowMoney): boolean {
  return headsOf(entry) !== null
}

const center = (a: { x0: number; x1: number }): number => (a.x0 + a.x1) / 2

/** The head an amount stands under: overlap first, then the nearest edge. */
export function headOf(amount: Amount, heads: readonly HeadColumn[]): Column | null {
  let best: HeadColumn | null = null
  let bestDistance = 9
  for (const head of heads) {
    const overlap = Math.min(amount.x1, head.x1) - Math.max(amount.x0, head.x0)
    const distance =
      overlap > 0
        ? -overlap / 100
        : Math.min(
            Math.abs(amount.x1 - head.x1),
            Math.abs(amount.x0 - head.x0),
            Math.abs(center(amount) - center(head)),
          )
    if (distance < bestDistance) {
      best = head
      bestDistance = distance
    }
  }
  return best?.column ?? null
}

/** The one sum that ends a row under no head of sums, as where the text lost its columns. */
export function onlySum(entry: RowMoney, heads: HeadColumn[]): Amount | null {
  const [sum, more] = entry.amounts.filter(looksLikeMoney)
  if (!sum || more || !heads.some((h) => h.column === 'description')) return null
  const column = headOf(sum, heads)
  const ends = /^\W*[A-Z]{0,3}\W*$/.test(entry.row.text.slice(sum.end))
  return ends && (column === null || column === 'code' || column === 'description') ? sum : null
}
