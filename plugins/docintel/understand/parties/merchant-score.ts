/** How much a line of the head looks like the seller's name. */
import { addressScore, hasPostcode } from '../../lexicon/addresses.ts'
import { MARK_SOURCE } from '../../lexicon/currencies.ts'
import { basicLetters, capitals } from '../../lexicon/fold.ts'
import { hasOtherScript } from '../../lexicon/other-scripts.ts'
import {
  BUSINESS_WORD,
  CHATTER,
  FUEL_BRAND,
  LEGAL_FORM,
  LEGAL_PREFIX,
  PROPRIETOR,
  SELLER_LEAD,
  SURNAME,
} from '../../lexicon/parties.ts'
import type { DocumentText, Row } from '../../model/document.ts'
import { senderOf } from './sender-line.ts'
import { datesOfRow } from '../marks/dates.ts'
import { isNameOf } from '../marks/domains.ts'
import { FOOT_LETTERS, isNamedInFoot } from './named-in-foot.ts'
import { beginsWithLabel, NO_NAMES, type NameSubject } from './no-names.ts'
import { scoreBy, when, type Rule, type Score } from '../marks/rules.ts'
import { isNumberedName } from './street-lines.ts'
import type { Spot, Zones } from './zones.ts'

const HEAD_ROWS = 14
/** A line that looks like a person's name: two to four short words, nothing of a business. */
function looksPersonal(upper: string): boolean {
  return /^(?:[A-Z]{2,6} ){1,3}[A-Z]{2,7}$/.test(upper.trim()) && !BUSINESS_WORD.test(upper)
}

/** Whether a row begins with a field's label or with words to the customer. */
function opensTalk(lead: string): boolean {
  const upper = capitals(lead)
  return beginsWithLabel(upper) || CHATTER.test(upper)
}

const OWNER_FOLLOWS =
  /(?:OWNED BY|OPERATED BY|MANAGED BY|FORMERLY|LICEN[SC]EE OF|A DIVISION OF|SUBSIDIARY OF)\W*$/
const REGISTRATION =
  /^\W*(?:\(|CO\.?|REG|NO)[^A-Z]*(?:(?:CO|REG|NO|ROC|SSM|GST|COMPANY|BRN)\W*)*[A-Z]{0,3}\d/

/** "4.50", "4.50 A", "AED 5", "7 AED". */
const ENDS_IN_AMOUNT = new RegExp(
  String.raw`\d[.,]\d{2}\s*[A-Z]{0,2}$|(?<![\p{L}\d])(?:(?:${MARK_SOURCE})\s?\d+|\d+\s?(?:${MARK_SOURCE}))$`,
  'u',
)

const NAME_RULES: readonly Rule<NameSubject>[] = [
  { name: 'company form', look: ({ isLegal }) => when(isLegal, 4.2) },
  { name: 'word of a business', look: ({ upper }) => when(BUSINESS_WORD.test(upper), 2.2) },
  { name: 'labelled as the seller', look: ({ spot, zones }) => when(zones.seller.has(spot), 4) },
  {
    name: 'place in the document',
    look: ({ index, isLegal }) => (index < HEAD_ROWS ? 2.6 - 0.22 * index : isLegal ? -1.2 : -4),
  },
  {
    name: 'not the first of its row',
    look: ({ spot, zones, isLegal }) => {
      const lead = spot.row.cells[0]!
      // "Name:  Taller 300" in the seller's own part.
      if (zones.seller.has(spot)) return null
      return when(spot.cell !== lead, !isLegal && opensTalk(lead.text) ? -3 : -0.3)
    },
  },
  {
    name: 'size of its letters',
    look: ({ spot }) => Math.max(-0.5, Math.min(2, (spot.row.scale - 1) * 2)),
  },
  {
    name: 'looks like an address',
    look: ({ upper, index, isLegal, address }) => {
      // "Muster GmbH, Hauptstr. 5, 80331 Stadt" in one line is the sender above an address window.
      if (isLegal && address >= 2 && /^\D*[,•·|–-].*\d{4,5}/.test(upper)) return 1.2
      if (index <= 1 && senderOf(upper) !== null) return 1.2
      if (address <= 0) return null
      // "OLD LANE 1938" above everything is a name; a house number, a comma or a postcode is not.
      const leads = index === 0 && !/^\W*\d|,/.test(upper) && !hasPostcode(upper)
      return isLegal || leads ? -(Math.min(address, 3) * 0.5) : -(address * 1.6)
    },
  },
  {
    name: 'words to the customer',
    look: ({ upper, isLegal }) => when(CHATTER.test(upper), isLegal ? -2 : -4),
  },
  { name: 'proprietor', look: ({ upper }) => when(PROPRIETOR.test(upper), -4) },
  { name: 'begins with a label', look: ({ hasLabel }) => when(hasLabel, -2.5) },
  {
    name: 'date',
    look: ({ spot, text }) => when(datesOfRow({ ...spot.row, text }).length > 0, -5.5),
  },
  {
    name: 'digits',
    look: ({ nameText, isLegal, spot, zones }) => {
      if (isNumberedName(zones, spot)) return null
      // The number of a branch is part of a name: "QUIKFUEL #118".
      const digits = nameText.replace(/#\s?\d{1,5}$/, '').replaceAll(/\D/g, '')
      const share = digits.length / nameText.length
      return when(share > 0.15 && !isLegal, share > 0.35 ? -3 : -1)
    },
  },
  {
    name: 'under the heads of other fields',
    look: ({ document, spot, isLegal }) => when(!isLegal && isFieldUnderHead(document, spot), -4),
  },
  { name: 'below the head', look: ({ index, zones }) => when(index > zones.bodyStart, -1.5) },
  {
    name: 'a heading between blocks',
    look: ({ document, spot, isLegal }) => when(!isLegal && isHeading(document, spot), -3),
  },
  {
    name: 'begins the line above everything',
    look: ({ document, spot, letters, index }) =>
      when(index > FOOT_ROW && letters.length >= 6 && opensSender(document, spot, letters), 9),
  },
  {
    name: 'named beside register, bank or tax number',
    look: ({ spot, document, zones, letters, preferred }) =>
      when(preferred === 'invoice' && isNamedInFoot(document, zones, spot, letters), 3),
  },
  {
    name: "the buyer's name",
    look: ({ letters, zones }) =>
      when(
        zones.buyerInline !== null &&
          basicLetters(capitals(zones.buyerInline.text)) === letters &&
          letters.length >= FOOT_LETTERS,
        -6,
      ),
  },
  {
    name: 'named in a sender line',
    look: ({ document, letters }) =>
      when(letters.length >= 4 && isSenderNamed(document, letters), SENDER_POINTS),
  },
  { name: 'in a table', look: ({ index, zones }) => when(zones.tableRows.has(index), -4) },
  // A line in brackets is a registration or a branch.
  { name: 'in brackets', look: ({ upper }) => when(/^\W*\([^)]*\)?\W*$/.test(upper), -4) },
  {
    name: 'below the contacts',
    look: ({ spot, index, zones, preferred }) =>
      when(
        index > zones.contactRow && !zones.seller.has(spot),
        preferred === 'receipt' ? -2.8 : -0.6,
      ),
  },
  {
    name: 'owner of the shop above',
    look: ({ document, index }) =>
      when(OWNER_FOLLOWS.test(capitals(document.rows[index - 1]?.text ?? '')), -4),
  },
  {
    name: 'ends in an amount',
    look: ({ upper }) => when(ENDS_IN_AMOUNT.test(upper), -4),
  },
  { name: 'registration', look: ({ upper }) => when(REGISTRATION.test(upper), -5) },
  { name: 'many words', look: ({ nameText }) => when(nameText.split(/\s+/).length > 9, -2.5) },
  { name: 'long', look: ({ nameText }) => when(nameText.length > 70, -2) },
  { name: 'ends in a comma', look: ({ text }) => when(text.endsWith(','), -1) },
  {
    name: 'label and value',
    look: ({ spot, text, zones }) => when(/:\s*\S/.test(text) && !zones.seller.has(spot), -2),
  },
  { name: 'begins small', look: ({ text }) => when(/^[a-z]/.test(text), -0.7) },
  {
    name: 'name of a domain',
    look: ({ letters, domains }) =>
      when(
        domains.some((d) => isNameOf(d, letters)),
        2.6,
      ),
  },
  {
    name: 'name of a person',
    look: ({ upper, index }) =>
      when(looksPersonal(upper), index === 0 && SURNAME.test(upper) ? -2.6 : -0.6),
  },
  {
    name: 'brand above the station',
    look: ({ upper, document, index }) => {
      const next = capitals(document.rows[index + 1]?.text ?? '')
      const hasStation = BUSINESS_WORD.test(next) || LEGAL_FORM.test(next)
      return when(FUEL_BRAND.test(upper) && hasStation, -3)
    },
  },
  {
    name: 'few letters',
    look: ({ upper, letters }) => when(letters.length < 5 && !hasOtherScript(upper), -0.8),
  },
]

/** Rows below which a name is that of a footer. */
const FOOT_ROW = 6
/** Digits of a house number and a postcode. */
const ADDRESS_DIGITS = 5

/**
 * Whether the small line above everything, a sender's name and address, begins with this name, however
 * the line is parted; OCR loses the dots and spaces in it.
 */
function opensSender({ rows }: DocumentText, { row }: Spot, letters: string): boolean {
  const lead = rows
    .slice(0, 2)
    .find((other) => other.text.replaceAll(/\D/g, '').length >= ADDRESS_DIGITS)
  if (!lead || row.cells.length > 3) return false
  const sender = basicLetters(capitals(lead.text))
  return sender.startsWith(letters.slice(0, -1)) && sender.length > letters.length + 6
}

/** Rows of the head among which the small line over an address window stands. */
const SENDER_ROWS = 14
/** Above whatever makes an addressee look like the issuer. */
const SENDER_POINTS = 6

/** Whether a sender's line, "Name, street 1, 12345 town", names these letters. */
const isSenderNamed = ({ rows }: DocumentText, letters: string): boolean =>
  rows.slice(0, SENDER_ROWS).some(({ cells }) =>
    cells.some((cell) => {
      const name = senderOf(cell.text.trim())
      return name !== null && basicLetters(capitals(name)) === letters
    }),
  )

/** Columns from the left edge at which a line stands apart. */
const APART_COLUMNS = 12

/** Whether a line in capitals stands alone away from the left edge, where lines above and below begin. */
function isHeading({ rows, hasGeometry }: DocumentText, { row, cell }: Spot): boolean {
  if (!hasGeometry || row.cells.length > 1 || !/^[\p{Lu}\s.'-]{6,}$/u.test(cell.text)) return false
  const beginsLeft = (other: Row | undefined): boolean =>
    other !== undefined && other.page === row.page && cell.x0 - other.cells[0]!.x0 > APART_COLUMNS
  const at = row.index
  return (
    rows.slice(Math.max(0, at - 2), at).some(beginsLeft) &&
    rows.slice(at + 1, at + 3).some(beginsLeft)
  )
}

const HEADS_REACH = 3
const DATE_HEAD = /(?:^|[^A-Z])(?:DATE|DATUM|DATA|FECHA|DATO|PVM|DUE|FALLIG)(?![A-Z])/

/** Whether a row of heads with a day's stands over this cell: "Date | Due | Salesperson". */
function isFieldUnderHead({ rows }: DocumentText, { row }: Spot): boolean {
  const hasDays = (at: number): boolean => {
    const near = rows[at]
    return near !== undefined && near.page === row.page && datesOfRow(near).length > 0
  }
  if (![-2, -1, 0, 1, 2].some((step) => hasDays(row.index + step))) return false
  return rows
    .slice(Math.max(0, row.index - HEADS_REACH), row.index)
    .some(
      (above) =>
        above.page === row.page &&
        above.text.split(/\s+/).length >= 4 &&
        !/\d/.test(above.text) &&
        DATE_HEAD.test(capitals(above.text)),
    )
}

/** The points of a spot, or null where it cannot be the name; a name has 0.6 and more. */
export const scoreSpot = (...subject: Parameters<typeof rateSpot>): number | null =>
  rateSpot(...subject)?.points ?? null

/** The same with the rules that applied. */
export function rateSpot(
  spot: Spot,
  document: DocumentText,
  zones: Zones,
  domains: readonly string[],
  preferred: 'receipt' | 'invoice',
): Score | null {
  const upper = spot.upper.trim()
  const subject: NameSubject = {
    spot,
    document,
    zones,
    domains,
    preferred,
    text: spot.cell.text.trim(),
    nameText: (spot.row.index <= 1 && senderOf(spot.cell.text.trim())) || spot.cell.text.trim(),
    upper,
    letters: basicLetters(upper),
    index: spot.row.index,
    isLegal: LEGAL_FORM.test(upper) || LEGAL_PREFIX.test(upper),
    hasLabel: beginsWithLabel(upper) && !SELLER_LEAD.test(upper),
    address: addressScore(upper),
  }
  if (NO_NAMES.some((exclusion) => exclusion.holds(subject))) return null
  return scoreBy(NAME_RULES, subject)
}
