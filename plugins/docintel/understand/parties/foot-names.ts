/** Names at the foot of an invoice by which its issuer signs, or beside which its bank data stand. */
import { addressScore } from '../../lexicon/addresses.ts'
import { capitals } from '../../lexicon/fold.ts'
import { LEGAL_FORM } from '../../lexicon/parties.ts'
import type { DocumentText } from '../../model/document.ts'
import { isOwnData, isPlaceLine } from './letter-blocks.ts'
import { isBlockName, NAME_MAX } from './name-places.ts'
import { FOOT_DATA } from './named-in-foot.ts'
import type { Spot, Zones } from './zones.ts'

const AMOUNT = /\d[.,]\d{2}(?!\d)/

/** Whether a name signs a mail: below all sums, with its street and town in the next line. */
export function isSignature({ rows }: DocumentText, zones: Zones, spot: Spot): boolean {
  const next = rows[spot.row.index + 1]
  return (
    next !== undefined &&
    spot.row.cells.length === 1 &&
    isBlockName(zones, spot) &&
    // Lines of a digital seal have digits, heads of their fields capitals alone.
    !/\d/.test(spot.cell.text) &&
    (/\p{Ll}/u.test(spot.cell.text) || LEGAL_FORM.test(spot.upper)) &&
    (!/[.!?]$/.test(spot.cell.text.trim()) || LEGAL_FORM.test(spot.upper)) &&
    isPlaceLine(capitals(next.text)) &&
    addressScore(capitals(next.text)) >= 2 &&
    /\d.*\d{4}/.test(next.text) &&
    !rows.slice(spot.row.index).some(({ text }) => AMOUNT.test(text))
  )
}

/** "Studio 54  IBAN: NL91 …": a name that begins the row in which its bank data begin. */
export const isBesideBank = (zones: Zones, spot: Spot): boolean => {
  const [lead, data] = spot.row.cells
  return (
    lead === spot.cell &&
    data !== undefined &&
    FOOT_DATA.test(capitals(data.text)) &&
    isBlockName(zones, spot) &&
    !isOwnData(spot.upper)
  )
}

/** Names in the foot that stand in one cell, or side by side, with data of a register or a bank. */
export function namesInFoot(document: DocumentText, zones: Zones): Spot[] {
  const { rows } = document
  return zones.spots.filter((spot) => {
    const { row, cell, upper } = spot
    if (row.index <= zones.bodyStart || zones.tableRows.has(row.index)) return false
    if (isSignature(document, zones, spot) || isBesideBank(zones, spot)) return true
    if (!LEGAL_FORM.test(upper) || cell.text.length > NAME_MAX || isOwnData(upper)) return false
    return [row, rows[row.index + 1]].some((near) => near && FOOT_DATA.test(capitals(near.text)))
  })
}
