/** Heads over sums whose columns are so narrow that their words stand in one cell. */
import { foldLabel } from '../../lexicon/fold.ts'
import { classifyMoneyLabel } from '../../lexicon/money-labels.ts'
import { columnAt, type Cell } from '../../model/document.ts'
import type { Amount } from './amounts.ts'

/** A head with its place; the words of heads that narrow columns glued together stand apart. */
export type Head = Pick<Cell, 'text' | 'x0' | 'x1'>

/**
 * The heads that a cell over several sums holds: its words part where the next sum begins or the one
 * before ends, whichever makes a label of every part. The cell itself where no way does.
 */
export function partedHeads(cell: Cell, next: Cell | undefined, values: readonly Amount[]): Head[] {
  const end = next?.x0 ?? Infinity
  const under = values.filter((a) => a.x0 + a.x1 > 2 * cell.x0 && a.x0 + a.x1 < 2 * end)
  if (under.length < 2) return [cell]
  const words = [...cell.text.matchAll(/\S+/g)].map((word) => ({
    text: word[0],
    x0: columnAt(cell, word.index),
    x1: columnAt(cell, word.index + word[0].length),
  }))
  const ends = [
    under.slice(1).map((a) => a.x0 - 0.5),
    under.slice(0, -1).map((a) => a.x1 + 0.5),
    under.slice(1).map((a, at) => (a.x0 + under[at]!.x1) / 2),
  ]
  for (const borders of ends) {
    const parts = under.map((_, at) => {
      const from = borders[at - 1] ?? -Infinity
      const to = borders[at] ?? Infinity
      return words.filter((word) => word.x0 + word.x1 > 2 * from && word.x0 + word.x1 <= 2 * to)
    })
    const heads = parts.map((part) => ({
      text: part.map((word) => word.text).join(' '),
      x0: part[0]?.x0 ?? 0,
      x1: part.at(-1)?.x1 ?? 0,
    }))
    if (heads.every(({ text }) => classifyMoneyLabel(foldLabel(text)) !== null)) return heads
  }
  return [cell]
}
