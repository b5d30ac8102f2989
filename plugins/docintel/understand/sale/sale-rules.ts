/** The rules by which a text is, or is not, the record of a sale. */
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import { capitals } from '../../lexicon/fold.ts'
import { BOOK_PAPER, NO_SALE } from '../../lexicon/kinds.ts'
import { namesOtherNoSale, namesOtherSale } from '../../lexicon/other-scripts.ts'
import {
  BANKING,
  CALLED_RECEIPT,
  CARD_SLIP,
  DOCUMENT_NUMBER,
  INVOICE_TITLE,
  PRICE_LIST,
  RECEIPT_TITLE,
  SCALED,
  STATEMENT,
  TILL_REPORT,
} from '../../lexicon/sale-papers.ts'
import type { DocumentText } from '../../model/document.ts'
import { datesOfRow } from '../marks/dates.ts'
import { isNear } from '../marks/near.ts'
import { when, type Rule } from '../marks/rules.ts'
import type { SaleEvidence } from './sale-evidence.ts'

/** Rows that open with a day and carry an amount, as in statements of account. */
function datedAmounts(document: DocumentText): number {
  return document.rows.filter((r) =>
    /^\W*(?:\d{4}-\d{2}-\d{2}|\d{1,2}[/.-](?:\d{1,2}|[A-Za-z]{3}))\b.*\d[.,]\d{2}\b/.test(r.text),
  ).length
}

/** Labels that only a sale has. */
const SALE_LABELS = new Set([
  'cash',
  'change',
  'tendered',
  'card',
  'mobile',
  'tax',
  'subtotal',
  'rounding',
  'total_rounded',
  'total_payable',
  'total_inclusive',
])

const TOTAL_LABELS = ['total_rounded', 'total_payable', 'total_inclusive', 'total'] as const
const BILL_TITLE = new RegExp(`${INVOICE_TITLE.source}|${RECEIPT_TITLE.source}`)

/** Whether a cell in capitals is the title of an offer, an order or a delivery note. */
const namesNoSale = (cell: string): boolean => NO_SALE.test(cell) || namesOtherNoSale(cell)

/** Whether such a title alone heads the one page: an invoice of which a field gives the number is another paper. */
const headsNoSale = ({ rows, pages }: DocumentText): boolean => {
  const [cell, more] = rows[0]?.cells ?? []
  if (pages !== 1 || !cell || more || /\d/.test(cell.text)) return false
  return namesNoSale(capitals(cell.text).trim())
}

const hasLabel = ({ sums }: SaleEvidence, ...labels: readonly MoneyLabel[]): boolean =>
  sums.some((l) => labels.includes(l.label))
const countOf = ({ upper }: SaleEvidence, words: RegExp): number =>
  [...upper.matchAll(words)].length
const hasTitle = ({ titles }: SaleEvidence, words: RegExp): boolean =>
  titles.some((title) => words.test(title))

/** A way of paying alone in its row: "Payment: Credit Card", "cash". */
const WAY_OF_PAYING =
  /^\W*(?:(?:PAYMENT(?: METHOD| TYPE)?|PAID(?: BY| WITH| IN)?|METHOD OF PAYMENT|BEZAHLT(?: MIT| PER)?|PAYE(?: PAR| EN)?|PAGADO(?: CON| EN)?|PAGATO(?: CON)?|BETAALD(?: MET)?|BETALT(?: MED)?)\W+)?(?:CASH|(?:(?:CREDIT|DEBIT|BANK|CORPORATE) ?)?CARD|VISA|MASTERCARD|AMEX|APPLE PAY|GOOGLE PAY|PAYPAL|BAR|(?:EC|GIRO|KREDIT)?-?KARTE|ESPECES|CARTE|EFECTIVO|TARJETA|CONTANTI|DINHEIRO|CARTAO|KONTANT|KORT|NAKIT)\W*$/

/** Whether it stands below a total; above one it may head a part of a report. */
const namesPayment = ({ document, sums }: SaleEvidence): boolean => {
  const total = sums.find((l) => (TOTAL_LABELS as readonly string[]).includes(l.label))
  return (
    total !== undefined &&
    document.rows.some(({ index, text }) => index > total.row && WAY_OF_PAYING.test(capitals(text)))
  )
}

const hasDay = ({ document }: SaleEvidence): boolean =>
  document.rows.some((r) => datesOfRow(r).length > 0)

/** Whether the goods are what a total says; bare numbers may count anything where no day is told. */
const addsUp = (of: SaleEvidence): boolean =>
  of.itemsSum !== null &&
  of.sums.some(
    ({ label, amount }) =>
      (TOTAL_LABELS as readonly string[]).includes(label) &&
      isNear(amount.value, of.itemsSum!) &&
      (amount.decimals > 0 || amount.mark !== null || hasDay(of)),
  )

/** The last head of a table whose numbers are no money. */
const MEASURE =
  /^(?:WEIGHT|GEWICHT|POIDS|PESO|SCORES?|POINTS?|PUNKTE|VOLUME|LENGTH|DISTANCE|DURATION|REPS|CALORIES|KCAL|PROTEIN|VOTES|RANK)(?: \(?(?:KG|G|LBS?|KM|M|MIN|CM)\)?)?$/

/** What speaks for a record of a sale, and what for a paper that only speaks of money. */
export const SALE_RULES: readonly Rule<SaleEvidence>[] = [
  { name: 'total', look: (of) => when(hasLabel(of, ...TOTAL_LABELS), 2) },
  {
    name: 'paid in full',
    look: (of) => when(of.isPaidInFull && !hasLabel(of, ...TOTAL_LABELS), 2),
  },
  { name: 'balance due', look: (of) => when(hasLabel(of, 'balance_due'), 0.7) },
  { name: 'subtotal', look: (of) => when(hasLabel(of, 'subtotal', 'taxable'), 1.2) },
  { name: 'tax', look: (of) => when(hasLabel(of, 'tax'), 1.2) },
  { name: 'cash', look: (of) => when(hasLabel(of, 'cash', 'change', 'tendered'), 1.4) },
  { name: 'card', look: (of) => when(hasLabel(of, 'card', 'mobile', 'paid'), 0.8) },
  {
    name: 'way of paying',
    look: (of) => when(namesPayment(of) && !hasLabel(of, 'cash', 'card', 'mobile', 'paid'), 1),
  },
  {
    name: 'extras of a till',
    look: (of) => when(hasLabel(of, 'rounding', 'service', 'count', 'discount'), 0.6),
  },
  { name: 'title', look: ({ titles }) => when(titles.length > 0, 1.8) },
  {
    // What shops send by e-mail has no title but a sentence.
    name: 'calls itself a receipt',
    look: ({ upper, titles }) => when(titles.length === 0 && CALLED_RECEIPT.test(upper), 1.8),
  },
  {
    // Payslips and articles on taxes have such sums too, but no rate, or no title and no seller.
    name: 'net, tax and total agree',
    look: ({ isProven, titles, hasSellersHead }) =>
      when(isProven && (titles.length > 0 || hasSellersHead), 1.8),
  },
  {
    name: 'words of a sale',
    look: ({ saleWords }) => when(saleWords > 0, Math.min(saleWords, 4) * 0.4),
  },
  { name: 'items', look: ({ items }) => when(items > 0, Math.min(items, 3) * 0.35) },
  {
    // Short papers of small shops have nothing else: a name, the goods and their sum.
    name: 'goods of a shop add up',
    look: (of) => when(of.isShopsSlip && addsUp(of), 2.2),
  },
  { name: 'labelled seller', look: (of) => when(of.namesSeller, 0.8) },
  { name: 'number of the document', look: ({ upper }) => when(DOCUMENT_NUMBER.test(upper), 0.9) },
  { name: 'telephone', look: ({ upper }) => when(/\b(?:TEL|PHONE|FAX)\b/.test(upper), 0.3) },
  {
    name: 'date',
    look: (of) => when(hasDay(of), 0.3),
  },
  {
    name: 'prose',
    look: ({ prose: { share, words } }) =>
      when(share > 0.12, -(5 * Math.max(0, share - 0.12) * Math.min(1, words / 60))),
  },
  {
    name: 'small words',
    look: ({ prose: { small, words } }) =>
      when(small > 0.18, -(20 * Math.max(0, small - 0.18) * Math.min(1, words / 40))),
  },
  {
    name: 'statement of account',
    look: (of) => {
      const each = hasTitle(of, /INVOICE|RECEIPT|RECHNUNG|FACTURE|FACTURA/) ? 0.3 : 1.2
      const words = countOf(of, STATEMENT)
      return when(words > 0, -(Math.min(words, 4) * each))
    },
  },
  {
    name: 'millions',
    look: (of) => {
      const words = countOf(of, SCALED)
      return when(words > 0, -(Math.min(words, 4) * 0.8))
    },
  },
  {
    name: 'banking',
    look: ({ upper, items }) => {
      const words = new Set([...upper.matchAll(BANKING)].map((m) => m[0])).size
      return when(words >= 2 && items === 0, -2.5)
    },
  },
  {
    name: 'no money',
    look: (of) => when(of.amounts === 0 && !hasLabel(of, ...TOTAL_LABELS), -2.5),
  },
  {
    name: 'report of a till',
    look: (of) =>
      when(
        of.heads.some(
          (h) => TILL_REPORT.test(h) && !(namesNoSale(h) && DOCUMENT_NUMBER.test(of.upper)),
        ) && !hasTitle(of, /INVOICE|RECHNUNG|FACTUR/),
        -6,
      ),
  },
  {
    // An invoice names its order and delivery note too: only their own papers are headed so.
    name: 'offer, order or delivery note',
    look: ({ document, headings, ownTitles, upper }) => {
      const bills = ownTitles.filter(
        (t) => !namesNoSale(t) && (BILL_TITLE.test(t) || namesOtherSale(t)),
      )
      const isOther = headsNoSale(document)
        ? !bills.some((title) => !/\d/.test(title))
        : bills.length === 0 && !DOCUMENT_NUMBER.test(upper)
      return when(headings.some(namesNoSale) && isOther && !/\bPRO ?-?FORMA\b/.test(upper), -12)
    },
  },
  {
    // They have columns for numbers of invoices too, but none of their own.
    name: 'paper of pay, books, stock, a contract or dunning',
    look: ({ headings, headRows, ownTitles }) =>
      when(
        headings.some((heading) => BOOK_PAPER.test(heading)) &&
          !ownTitles.some((t) => BILL_TITLE.test(t) || namesOtherSale(t)) &&
          !headRows.some((row) => DOCUMENT_NUMBER.test(row)),
        -12,
      ),
  },
  {
    name: 'price list',
    look: (of) =>
      when(!hasLabel(of, ...TOTAL_LABELS) && of.heads.some((h) => PRICE_LIST.test(h)), -3),
  },
  {
    name: 'table of measures',
    look: ({ document }) =>
      when(
        document.rows.some(
          ({ cells, text }) =>
            cells.length > 1 && !/\d/.test(text) && MEASURE.test(capitals(cells.at(-1)!.text)),
        ),
        -2,
      ),
  },
  { name: 'card slip', look: ({ upper }) => when(CARD_SLIP.test(upper), 0.8) },
  { name: "seller's head", look: ({ hasSellersHead }) => when(hasSellersHead, 0.5) },
  {
    name: 'dated amounts',
    look: ({ document, titles }) => when(datedAmounts(document) >= 3 && titles.length === 0, -1.4),
  },
  {
    // A sum alone is a table of anything: something must speak of paying, taxing or selling.
    name: 'a sum alone',
    look: (of) => {
      const { titles, saleWords, sums, hasSellersHead } = of
      const speaksOfSale =
        of.namesSeller ||
        saleWords > 0 ||
        sums.some((l) => SALE_LABELS.has(l.label)) ||
        namesPayment(of)
      return when(titles.length === 0 && !speaksOfSale && !hasSellersHead, -1.6)
    },
  },
]
/** Points from which on it is a sale. */
export const LEAST_POINTS = 2.8
