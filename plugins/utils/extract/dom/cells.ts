/** Cells of a row of a table. */
import { attr, childElements, type Element } from './tree.ts'

export const cellsOf = (row: Element): Element[] =>
  childElements(row).filter(({ tagName }) => tagName === 'td' || tagName === 'th')

/** Over how many columns or rows a cell reaches, at least one and at most `most`. */
export const spanIn = (cell: Element, name: 'colspan' | 'rowspan', most: number): number =>
  Math.min(most, Math.max(1, Math.trunc(Number(attr(cell, name))) || 1))
