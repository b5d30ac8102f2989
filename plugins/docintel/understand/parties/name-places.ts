/** What stands around a name: the label over it, the lines of its block, another name above. */
import { addressScore } from '../../lexicon/addresses.ts'
import { foldLabel } from '../../lexicon/fold.ts'
import { columnOfHead } from '../../lexicon/items.ts'
import {
  BUYER_LABEL,
  DELIVERY_LABEL,
  FIELD_LABEL,
  NAME_FIELD,
  SELLER_LABEL,
  TITLE,
} from '../../lexicon/parties.ts'
import type { Cell, DocumentText } from '../../model/document.ts'
import { isAligned, isOwnData } from './letter-blocks.ts'
import { isHouseLine } from './street-lines.ts'
import { below, type Spot, type Zones } from './zones.ts'

/** Characters that the name of a party has at most. */
export const NAME_MAX = 70
const BLOCK_ROWS = 5

/** The lines under a name that belong to it, to its town. */
export function blockUnder(document: DocumentText, zones: Zones, spot: Spot): Spot[] {
  const lines: Spot[] = []
  for (const line of below(document, zones.spots, spot, BLOCK_ROWS)) {
    const isNext = line.row.index - (lines.at(-1) ?? spot).row.index <= 2
    const endsBlock = [FIELD_LABEL, BUYER_LABEL, SELLER_LABEL, TITLE].some((one) =>
      one.test(line.upper),
    )
    if (!isNext || line.row.gapAbove >= 1 || zones.tableRows.has(line.row.index)) break
    if (endsBlock && !isOwnData(line.upper)) break
    lines.push(line)
  }
  return lines
}

/** Whether a label names the buyer right above or left of a name, and not where goods go. */
export const isUnderBuyerLabel = (zones: Zones, spot: Spot): boolean =>
  isUnderLabel(zones, spot, BUYER_LABEL) && !isUnderLabel(zones, spot, DELIVERY_LABEL)

/** Whether two lines are set around one middle, as on rolls of tills. */
const isCentred = (a: Cell, b: Cell): boolean => Math.abs(a.x0 + a.x1 - b.x0 - b.x1) <= 4

/** Whether a line right above in the same column can be a name. */
export const hasNameAbove = (zones: Zones, spot: Spot): boolean => {
  const { row, cell } = spot
  return zones.spots.some(
    (s) =>
      s.row.index === row.index - 1 &&
      row.gapAbove < 1 &&
      (isAligned(s, spot) || isCentred(s.cell, cell)) &&
      ![FIELD_LABEL, BUYER_LABEL, SELLER_LABEL, TITLE].some((one) => one.test(s.upper)) &&
      isBlockName(zones, s),
  )
}

/** Whether the first line of a block can be a name. */
export const isBlockName = (zones: Zones, spot: Spot): boolean =>
  isName(spot) && !isHouseLine(zones, spot)

const isName = ({ upper, cell }: Spot): boolean =>
  /[A-Z]{3}/.test(upper) &&
  !/\d{3}|[:@]/.test(upper) &&
  !FIELD_LABEL.test(upper) &&
  !NAME_FIELD.test(upper) &&
  BUYER_LABEL.exec(upper)?.[0].length !== upper.length &&
  addressScore(upper) < 2 &&
  columnOfHead(foldLabel(cell.text), new Set()) === null &&
  cell.text.length <= NAME_MAX

/** Whether a label stands right above a name in its column, or left of it in its row. */
export function isUnderLabel(zones: Zones, { row, cell }: Spot, label: RegExp): boolean {
  return zones.spots.some((s) => {
    if (!label.test(s.upper)) return false
    if (s.row === row)
      return (
        s.cell !== cell && /:\s*$/.test(s.upper) && s.cell.x0 < cell.x0 && cell.x0 - s.cell.x1 < 20
      )
    const holdsName = /\p{L}{2}/u.test(s.upper.replaceAll(/\([^)]*\)/g, '').replace(label, ''))
    return !holdsName && s.row.index === row.index - 1 && Math.abs(s.cell.x0 - cell.x0) <= 3
  })
}
