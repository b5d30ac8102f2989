/** What there is in a text that speaks for or against a sale: read once, for all rules. */
import { addressScore, hasPostcode } from '../../lexicon/addresses.ts'
import { capitals } from '../../lexicon/fold.ts'
import { legible } from '../../lexicon/legible.ts'
import { namesOtherSale } from '../../lexicon/other-scripts.ts'
import { BUSINESS_WORD, LEGAL_FORM, TITLE } from '../../lexicon/parties.ts'
import { FIGURES, SALE_WORDS, STOP_WORDS } from '../../lexicon/sale-papers.ts'
import type { Cell, DocumentText, Row } from '../../model/document.ts'
import { looksLikeMoney } from '../marks/amounts.ts'
import { datesOfRow } from '../marks/dates.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import { totalPaidInFull } from '../sums/paid-totals.ts'
import { TAX_OF_RATE, type ProvenSums } from '../sums/proven-sums.ts'
import type { Reading } from '../result/reading.ts'
import type { RowMoney } from '../marks/row-money.ts'
import { PROOF_LEAST } from '../result/settled-total.ts'

/** What the rules of a sale look at. */
export interface SaleEvidence {
  document: DocumentText
  /** The whole text in capitals. */
  upper: string
  prose: ReturnType<typeof proseShare>
  /** Labelled sums that stand as in a sale, not inside of a sentence. */
  sums: readonly MoneyLine[]
  titles: readonly string[]
  /** The titles without the heads of columns. */
  ownTitles: readonly string[]
  /** Different words that only papers of a sale use. */
  saleWords: number
  /** Amounts that look like money. */
  amounts: number
  items: number
  /** What the goods add up to; null without any. */
  itemsSum: number | null
  /** A net, the tax of a printed rate and their sum are proven. */
  isProven: boolean
  /** A sum, the same taken off, and nothing left. */
  isPaidInFull: boolean
  /** The first rows, in capitals. */
  heads: readonly string[]
  hasSellersHead: boolean
  /** A short paper below the name of a shop, such as "Joe's Bakery": no article, no report of its sales. */
  isShopsSlip: boolean
  /** A short paper that names its seller by a label ("Merchant: Joe's"). */
  namesSeller: boolean
  /** The cells of the first rows, in capitals. */
  headings: readonly string[]
  /** The first rows without the heads of columns, in capitals. */
  headRows: readonly string[]
}

const HEADING_ROWS = 8
const SIGN_ROWS = 2
const SLIP_ROWS = 30
const SLIP_ROW_WORDS = 7

/** The evidence in what was read of a document. */
export function evidenceOf({
  document,
  entries,
  named,
  items,
  itemsSum,
  proven,
}: Reading): SaleEvidence {
  const upper = capitals(document.rows.map((r) => r.text).join('\n'))
  const words = new Set([...upper.matchAll(SALE_WORDS)].map((m) => m[0]))
  const headRows = document.rows
    .slice(0, HEADING_ROWS * 2)
    .filter((r) => !namesColumns(document, r))
  return {
    document,
    upper,
    prose: proseShare(document),
    sums: named.filter((line) => standsAsInSale(line, document)),
    titles: titleRows(document.rows),
    ownTitles: titleRows(document.rows.filter((r) => !namesColumns(document, r))),
    saleWords: words.size + (namesOtherSale(upper) ? 1 : 0),
    amounts: entries.reduce((n, e) => n + e.amounts.filter(looksLikeMoney).length, 0),
    items: items.length,
    itemsSum,
    isProven: isTaxed(proven[0]),
    isPaidInFull: totalPaidInFull(entries) !== null,
    heads: document.rows.slice(0, HEADING_ROWS).map((r) => capitals(r.text)),
    hasSellersHead: hasSellersHead(document),
    isShopsSlip: isShopsSlip(document, entries),
    namesSeller:
      isShort(document) &&
      SELLER_FIELD.test(upper) &&
      !FIGURES.test(upper.replaceAll('SALES TAX', '')),
    headings: headRows
      .flatMap((r) => r.cells.filter((_, place) => !isField(document, r, place)))
      .map((c) => capitals(c.text).trim()),
    headRows: headRows.map((r) => capitals(r.text)),
  }
}

/** Words that may stand beside a plain "total", and letters of the rows that it adds up: "Total (A+B+C)". */
const PLAIN_SUM =
  /^(?:TOTALS?|TOTALE|TOTAAL|TOT|TTL|JUMLA|JUMLAH|GESAMT|SUMME|MONTANT|IMPORTE|AMOUNT|AMT|SALES?|VALUE|SUM|IN|RM|[A-Z](?:[A-Z]{2})?|EUROS?|EAT|OUT|TAKEOUT|TAKE|DINE|FUEL|RECEIPT|BILL|\d+)$/

/**
 * Share of words in rows that read as prose (long, many small words), and the share of small words
 * in the whole: about a twentieth on tills, a fourth and more in articles, however they are wrapped.
 * Only the first page counts: bills carry their terms on the next ones, articles begin as prose.
 */
function proseShare(document: DocumentText): { share: number; small: number; words: number } {
  let prose = 0
  let small = 0
  let all = 0
  const first = document.rows[0]?.page
  for (const row of document.rows) {
    if (row.page !== first) break
    const upper = capitals(row.text)
    const words = (upper.match(/\S*[A-Z]\S*/g) ?? []).length
    all += words
    const stops = [...upper.matchAll(STOP_WORDS)].length
    small += stops
    if (words >= 8 && stops / words >= 0.22 && row.cells.length <= 2) prose += words
  }
  const of = (part: number): number => (all === 0 ? 0 : part / all)
  return { share: of(prose), small: of(small), words: all }
}

/** A company form or a postcode among the first rows. */
const hasSellersHead = (document: DocumentText): boolean =>
  document.rows.slice(0, 8).some((r) => {
    const upper = legible(capitals(r.text))
    return LEGAL_FORM.test(upper) || hasPostcode(upper)
  })

const signsOf = ({ rows }: DocumentText): string[] =>
  rows.slice(0, SIGN_ROWS).map((r) => capitals(r.text))

/** A few rows of a few words, not headed by figures that somebody keeps. */
const isShort = (document: DocumentText): boolean =>
  document.rows.length <= SLIP_ROWS &&
  document.rows.every((r) => (r.text.match(/\p{L}{2,}/gu) ?? []).length <= SLIP_ROW_WORDS) &&
  !signsOf(document).some((sign) => FIGURES.test(sign))

/** "BOLT  5  0.20": goods, not the sign of a shop. */
const PRICED = /\d[.,]\d{2}\W*$/

const isShopsSlip = (document: DocumentText, entries: readonly RowMoney[]): boolean =>
  isShort(document) &&
  (signsOf(document).some((sign) => BUSINESS_WORD.test(sign) && !PRICED.test(sign)) ||
    hasPlaceOrHour(document.rows, entries))

const SELLER_FIELD =
  /^\W*(?:MERCHANT|STORE|SHOP|SELLER|SUPPLIER|VENDOR|RESTAURANT)(?: NAME)?[^\S\n]*:[^\S\n]*[^\s:]/m

/** Rows below a shop's name in which its street, or the day and hour of the sale, stand. */
const PLACE_ROWS = 4
/** Points of an address that has a street with its number, or a street and a town. */
const STREET_POINTS = 3
const HOUR = /(?<![\d:.])(?:[01]?\d|2[0-3]):[0-5]\d(?!\d)/

/** Whether a street, or a day and its hour beside sums that have a currency, stands below the first row. */
function hasPlaceOrHour(rows: readonly Row[], entries: readonly RowMoney[]): boolean {
  const below = rows.slice(1, PLACE_ROWS)
  const hasHour = below.some((r) => HOUR.test(r.text) && datesOfRow(r).length > 0)
  return (
    below.some((r) => addressScore(capitals(r.text)) >= STREET_POINTS) ||
    (hasHour && entries.some(({ amounts }) => amounts.some((a) => a.mark !== null)))
  )
}

/** "invoices." alone in a row of a narrow column ends a sentence; it is no title. */
const ENDS_SENTENCE = /^\s*\p{Ll}.*\.\s*$/u

/** "Invoice F-46171", "Faktura #INV20518": the number of the document, with letters, behind its title. */
const NUMBER_BEHIND =
  /\s(?:(?:(?:NO|NR|N[°º]?)\.? ?:?|#)\s*)?[A-Z]{0,4}[-/]?\d[\dA-Z/.-]{2,}(?=\W|$).{0,20}$/

/** Cells that begin or end so near to one another stand in one column. */
const COLUMN_REACH = 1.3
const isUnder = (a: Cell, b: Cell): boolean =>
  Math.abs(a.x0 - b.x0) < COLUMN_REACH || Math.abs(a.x1 - b.x1) < COLUMN_REACH

/** Whether a cell labels the value right of it in a list of fields ("Purchase Order  4500123"). */
function isField({ rows }: DocumentText, { cells, index, page }: Row, place: number): boolean {
  const [label, value] = cells.slice(place, place + 2)
  if (!label || !value) return false
  return [rows[index - 1], rows[index + 1]].some(
    (other) =>
      other?.page === page &&
      other.cells.some((cell, at) => {
        const behind = other.cells[at + 1]
        return behind !== undefined && isUnder(cell, label) && isUnder(behind, value)
      }),
  )
}

/** What a letter is about: "Objet : Facture nº F92636". */
const SUBJECT =
  /^(?:SUBJECT|OBJET|BETREFF|BETRIFFT|ASUNTO|OGGETTO|ASSUNTO|ONDERWERP|AMNE|EMNE|AIHE)\s?: ?/

/** The titles; what a label names ("Payment method:  Invoice") is none. */
const titleRows = (rows: readonly Row[]): string[] =>
  rows
    .flatMap((r) =>
      r.cells.filter(
        (c, at) => !ENDS_SENTENCE.test(c.text) && !/\p{L}:\s*$/u.test(r.cells[at - 1]?.text ?? ''),
      ),
    )
    .map((c) => legible(capitals(c.text)).trim().replace(SUBJECT, ''))
    .filter((t) => t.length <= 48 && (TITLE.test(t) || TITLE.test(t.replace(NUMBER_BEHIND, ''))))

/** Whether a row names columns, one of which may be called as another paper is ("Albarán | Fecha | Factura"). */
const namesColumns = ({ rows }: DocumentText, { cells, text, index, page }: Row): boolean => {
  const next = rows[index + 1]
  return (
    cells.length > 2 &&
    !/\d/.test(text) &&
    next?.page === page &&
    next.cells.filter((cell) => /\d/.test(cell.text)).length > 1
  )
}

/** Whether a labelled sum stands as in a sale. */
function standsAsInSale(
  { pairing, label, folded, row }: MoneyLine,
  { rows }: DocumentText,
): boolean {
  // "Chg" over a column of a price table is no change given.
  if (pairing === 'column' && ['change', 'cash', 'card'].includes(label)) return false
  // "Food" heads a line of any budget.
  if (/^(?:FOOD|BEVERAGE)$/.test(folded)) return false
  // "TOTAL JOURNEY TIME" is no sum: a plain total stands nearly alone.
  const words = folded.split(' ').filter((w) => !PLAIN_SUM.test(w)).length
  const { text, cells } = rows[row]!
  return (
    words <= (label === 'total' ? 1 : 6) && (text.split(/\s+/).length <= 12 || cells.length > 1)
  )
}

const isTaxed = (best: ProvenSums | undefined): boolean =>
  best !== undefined &&
  best.score.points >= PROOF_LEAST &&
  best.score.because.some(({ rule }) => rule === TAX_OF_RATE)
