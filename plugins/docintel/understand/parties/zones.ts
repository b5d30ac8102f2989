/** Which rows of a document name the seller, the buyer, the goods, and which are talk. */
import { capitals } from '../../lexicon/fold.ts'
import { legible } from '../../lexicon/legible.ts'
import {
  ATTENTION_LINE,
  BUYER_LABEL,
  CHATTER,
  FIELD_LABEL,
  NAME_FIELD,
  SELLER_LABEL,
  TITLE,
} from '../../lexicon/parties.ts'
import type { Cell, DocumentText, Row } from '../../model/document.ts'
import { isGoodsHead } from '../goods/goods-heads.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** A cell with its row, the unit in which names and addresses are looked for. */
export interface Spot {
  row: Row
  cell: Cell
  upper: string
}

export interface Zones {
  spots: Spot[]
  /** Spots under a buyer's label, label's own cell included. */
  buyer: ReadonlySet<Spot>
  /** Spots right under (or after) a seller's label. */
  seller: ReadonlySet<Spot>
  /** First row with a phone, a tax number or a title: names stand above it. */
  contactRow: number
  /** First row that belongs to the goods or sums. */
  bodyStart: number
  /** Rows that carry amounts or head a table of goods. */
  tableRows: ReadonlySet<number>
  /** Text after the label in the label's own cell ("Bill to: ACME"). */
  buyerInline: { text: string; spot: Spot } | null
}

const BUYER_ROWS = 6
/** A label may have name and address behind it in one line. */
const LABEL_LINE_MAX = 180
const CONTACT =
  /^\W*(?:TEL|PHONE|FAX|GST (?:ID|REG|NO)|SST|TAX INVOICE|SIMPLIFIED TAX|INVOICE NO|CASH SALES?|RECEIPT|DATE|CASHIER)(?:\W|$)/
const COLUMN_SLACK = 3
/** Japan and Korea name the customer with an honorific behind the name. */
const HONORIFIC = /(?<=\p{L}{2})\s*(?:御中|様|殿|귀하|귀중)\s*$/u

/** Whether two cells stand in one column. */
export function sameColumn(a: Cell, b: Cell): boolean {
  return (
    Math.abs(a.x0 - b.x0) <= COLUMN_SLACK ||
    Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0) > 0.5 * Math.min(a.x1 - a.x0, b.x1 - b.x0)
  )
}

/** "Your  Guest  #  is  12": a label within a line that speaks to the customer names nobody. */
const speaksBefore = ({ row, cell }: Spot): boolean =>
  row.cells[0] !== cell && CHATTER.test(capitals(row.cells[0]!.text))

const byRow = new WeakMap<readonly Spot[], ReadonlyMap<number, readonly Spot[]>>()

/** The spots of the row at this place; all rows of a document are gone through once. */
export function spotsInRow(spots: readonly Spot[], index: number): readonly Spot[] {
  const rows = byRow.get(spots) ?? Map.groupBy(spots, ({ row }) => row.index)
  byRow.set(spots, rows)
  return rows.get(index) ?? []
}

/** Cells below `spot` in its column, nearest first, while rows follow closely. */
export function below(document: DocumentText, spots: Spot[], spot: Spot, rows: number): Spot[] {
  const found: Spot[] = []
  let misses = 0
  for (let at = spot.row.index + 1; at < document.rows.length && found.length < rows; at++) {
    const row = document.rows[at]!
    if (row.page !== spot.row.page || row.gapAbove > 2.5) break
    // A heading over the middle of its part stands over none of the fields.
    const next =
      spotsInRow(spots, row.index).find((s) => sameColumn(s.cell, spot.cell)) ??
      (spot.row.cells.length === 1
        ? spotsInRow(spots, row.index).find((s) => NAME_FIELD.test(s.upper))
        : undefined)
    if (!next) {
      if (++misses > 1) break
      continue
    }
    found.push(next)
  }
  return found
}

/** A label that its name follows in the row: with a mark, or a word that leads on to it. */
const LEADS_ON = /[:.]$|^(?:INVOICE|RECEIPT|BILL) FOR$|^SPETT\.? ?LE$|^CLIENTE$/

/** The name right of a label, in the next cell of its row. */
function beside(spots: readonly Spot[], label: Spot): Spot | undefined {
  const right = spotsInRow(spots, label.row.index).find(
    (s) => s.cell.x0 > label.cell.x0 && s.cell.x0 - label.cell.x1 < 20,
  )
  const isName =
    right &&
    /\p{L}{3}/u.test(right.cell.text) &&
    !BUYER_LABEL.test(right.upper) &&
    !SELLER_LABEL.test(right.upper)
  return isName ? right : undefined
}

/** The name right above a line to somebody's attention: whoever is addressed there. */
function nameOver(spots: readonly Spot[], attention: Spot): Spot | undefined {
  const over = spots.find(
    (s) =>
      s.row.index === attention.row.index - 1 &&
      attention.row.gapAbove < 1.6 &&
      Math.abs(s.cell.x0 - attention.cell.x0) <= 2,
  )
  const isName =
    over &&
    /\p{L}{3}/u.test(over.cell.text) &&
    !/\d{3}|[:@]/.test(over.cell.text) &&
    ![BUYER_LABEL, SELLER_LABEL, FIELD_LABEL, TITLE].some((label) => label.test(over.upper))
  return isName ? over : undefined
}

/** Places the zones; `entries` tells where money begins. */
export function findZones(document: DocumentText, entries: RowMoney[]): Zones {
  const spots = document.rows.flatMap((row) =>
    row.cells.map((cell): Spot => ({ row, cell, upper: legible(capitals(cell.text)) })),
  )
  const buyer = new Set<Spot>()
  const seller = new Set<Spot>()
  let buyerInline: Zones['buyerInline'] = null
  for (const spot of spots) {
    const over = ATTENTION_LINE.test(spot.upper) ? nameOver(spots, spot) : undefined
    if (over) {
      if (!buyer.has(over)) {
        buyer.add(over)
        buyerInline ??= { text: over.cell.text, spot: over }
      }
      buyer.add(spot)
      continue
    }
    if (
      BUYER_LABEL.test(spot.upper) &&
      spot.upper.length < LABEL_LINE_MAX &&
      !TITLE.test(spot.upper) &&
      !speaksBefore(spot)
    ) {
      buyer.add(spot)
      const label = BUYER_LABEL.exec(spot.upper)![0]
      // Accents and Korean syllables are several letters in capitals: then the colon parts them.
      const same = spot.upper.length === spot.cell.text.length
      const from = same ? label.length : spot.cell.text.indexOf(':') + 1
      const rest = from === 0 ? '' : spot.cell.text.slice(from).trim()
      // A department or person to the attention of whom is no buyer where lines name one.
      if (/\p{L}{2}/u.test(rest)) {
        if (!/^\W*(?:ATTN|ATTENTION)/.test(label) || buyer.size < 2)
          buyerInline ??= { text: rest, spot }
      } else if (!buyerInline) {
        const right = LEADS_ON.test(spot.upper.trim()) ? beside(spots, spot) : undefined
        if (right) {
          buyer.add(right)
          buyerInline = { text: right.cell.text, spot: right }
        }
      }
      for (const next of below(document, spots, spot, BUYER_ROWS)) {
        if (SELLER_LABEL.test(next.upper) || next.row.gapAbove > 1.6) break
        buyer.add(next)
      }
    } else if (HONORIFIC.test(spot.cell.text) && !buyerInline) {
      buyer.add(spot)
      buyerInline = { text: spot.cell.text.replace(HONORIFIC, ''), spot }
    } else if (SELLER_LABEL.test(spot.upper)) {
      for (const next of below(document, spots, spot, 5)) {
        if (BUYER_LABEL.test(next.upper)) break
        seller.add(next)
        const named = NAME_FIELD.test(next.upper) ? beside(spots, next) : undefined
        if (named) seller.add(named)
      }
      if (spot.upper.includes(':') && !/:\s*$/.test(spot.upper)) seller.add(spot)
      const right = /[:.]\s*$/.test(spot.upper) ? beside(spots, spot) : undefined
      if (right) seller.add(right)
    }
  }
  const firstMoney = entries.findIndex(({ row, amounts }) =>
    amounts.some(
      (a) =>
        (a.decimals === 2 && !a.percent) ||
        a.whole ||
        // "Rice ₹350": a currency tells too, where the sum ends its row.
        (a.mark !== null && !a.percent && a.end >= row.text.trimEnd().length),
    ),
  )
  // Where no amount has decimals, whole numbers at the end of a row are prices.
  const whole = !entries.some((e) =>
    e.amounts.some((a) => (a.decimals === 2 && !a.percent) || a.whole),
  )
  const firstContact = document.rows.findIndex(
    (row) => row.index > 0 && CONTACT.test(capitals(row.text)),
  )
  return {
    spots,
    buyer,
    seller,
    buyerInline,
    tableRows: new Set(
      entries
        .filter(
          (e) =>
            isGoodsHead(e) ||
            e.amounts.some(
              (a) =>
                !a.percent &&
                (a.decimals === 2 || a.whole || (whole && a.value >= 100 && e.row.index > 2)),
            ),
        )
        .map((e) => e.row.index),
    ),
    contactRow: firstContact === -1 ? document.rows.length : firstContact,
    bodyStart: firstMoney === -1 ? document.rows.length : firstMoney,
  }
}
