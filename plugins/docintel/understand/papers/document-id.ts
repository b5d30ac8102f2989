/** The document's own number, by its label in the row, above it or as a column head. */
import { capitals, capitalsInPlace, foldLabel } from '../../lexicon/fold.ts'
import { classifyMoneyLabel } from '../../lexicon/money-labels.ts'
import {
  BARE_LABEL,
  INVOICE_LABEL,
  LONE_LABEL,
  OTHER_LABEL,
  RECEIPT_LABEL,
  TRANSACTION_LABEL,
  type IdLabel,
} from '../../lexicon/identifiers.ts'
import { cellAt, columnAt, type DocumentText, type Row } from '../../model/document.ts'
import { datesOfRow } from '../marks/dates.ts'
import {
  candidate,
  codeAt,
  isAmount,
  looksLikeDate,
  named,
  valueBelow,
  wholeCode,
  wordBelow,
  type Candidate,
} from './document-codes.ts'
import { isPlaceLine } from '../parties/letter-blocks.ts'
import type { Scored } from '../days/issued-at.ts'
import { pointsOf, type Score } from '../marks/rules.ts'
import { datesBelow, unlabelledNumbers } from './unlabelled-numbers.ts'

const LABELS = [
  OTHER_LABEL,
  LONE_LABEL,
  INVOICE_LABEL,
  RECEIPT_LABEL,
  BARE_LABEL,
  TRANSACTION_LABEL,
]
const NOT_OWN =
  /\b(?:GST|VAT|TAX|REG|REGISTRATION|CO|COMPANY|ROC|TEL|FAX|PHONE|ACCOUNT|A\/C|ACC|CUSTOMER|CUST|MEMBER|CARD|CASHIER|TABLE|POS|TERMINAL|PO|P\.O|PURCHASE|SHIPMENT|TRACKING|BATCH|APPROVAL|APPR|AUTH|SALESMAN|STAFF|ORIGINAL|ORIGINAL INVOICE|ZU|SUR|KUNDEN|KUNDE|CLIENT|KLANT|CLIENTE|LIEFERSCHEIN|VEHICLE|REF|CONTRACT|SO|DO|DELIVERY|QUOTATION|QUOTE)\b[\s.:]*$/

/** "Data da fatura: 15.11.2024": the document's day, not its number. */
const DAY_OF =
  /(?<![A-Z])(?:DATE|DATA|DATUM|FECHA|DATO)(?: (?:OF|DE|DA|DI|DO|DU|DEL|DELLA|LA|D|DER|VAN))*\s*$/

/** Taiwan's uniform invoices print their number alone in its row. */
const UNIFORM = /^\s*([A-Z]{2}-?\d{8})\s*$/

/** "Facture du 12/06/2023 n° 2023-118": the number's word stands behind the day. */
const NUMBER_WORD =
  /^\W{0,3}(?:N[°ºo]?|NR|NO|NUM|NUMERO|NUMMER|NUMBER)(?![A-Z])[\s.:#°º]*(?=[A-Z\d])/i

/** "Invoice 42" as a title stands in one of them. */
const TITLE_ROWS = 6

const RIGHT_TO_LEFT = /[\u0590-\u06FF]/
/** What stands left of a label in Hebrew or Arabic follows it: "INV-5521 رقم الفاتورة:". */
const lastCode = (before: string): string | null =>
  codeAt(before.slice(before.trimEnd().lastIndexOf(' ') + 1).trimEnd())

/** "No: 7": a number of one digit, which ends its cell. */
const loneDigit = (rest: string): string | null =>
  /^[:#.\s]*(\d)(?= {2}|\s*$)/.exec(rest)?.[1] ?? null

/** What follows a label, without the day between it and the number. */
function afterDay(row: Row, end: number): string {
  const rest = row.text.slice(end)
  const day = datesOfRow(row).find((d) => d.start >= end - 4 && d.start - end < 6)
  if (!day) return rest
  const behind = row.text.slice(day.end)
  const word = NUMBER_WORD.exec(behind)
  return word ? behind.slice(word[0].length) : rest
}

/** "Faktura nr 12/05/2024": the twelfth of its month, where other rows say which day it is. */
const isMonthly = (document: DocumentText, row: Row, label: IdLabel, code: string): boolean =>
  label === INVOICE_LABEL &&
  /^\d{1,4}\/\d{1,2}\/20\d{2}$/.test(code) &&
  document.rows.some((other) => other !== row && datesOfRow(other).length > 0)

/** A label alone in its cell, and right of it a town with its postcode: a line of somebody's address. */
function isTownBeside(before: string, rest: string): boolean {
  if (!/(?: {2}|^)$/.test(before + /^\s*/.exec(rest)![0])) return false
  const cell = capitals(rest.trim().split('  ')[0]!)
  return /^\S+ +[A-Z]{3}/.test(cell) && isPlaceLine(cell)
}

function candidatesOf(document: DocumentText, row: Row, label: IdLabel): Candidate[] {
  const found: Candidate[] = []
  const upper = capitalsInPlace(row.text)
  for (const match of upper.matchAll(label.pattern)) {
    const before = upper.slice(0, match.index)
    if (NOT_OWN.test(before) || DAY_OF.test(before)) continue
    const end = match.index + match[0].length
    const rest = afterDay(row, end)
    const device =
      /\b(?:CU|ETR|FISCAL|CONTROL UNIT|DEVICE)\b/.test(match[0]) ||
      /\b(?:CU|ETR|SCU)\s*$/.test(before)
        ? 1.6
        : 0
    const because: Score['because'] = []
    const count = (rule: string, points: number): void => {
      if (points !== 0) because.push({ rule, points })
    }
    count('its label', label.rank)
    count('a number of a device', -device)
    count(FURTHER, -row.index / Math.max(document.rows.length, 30))
    const isAlone = row.index < TITLE_ROWS && /^\W*$/.test(before)
    const begun = codeAt(rest) ?? (label.rank >= 4 || isAlone ? loneDigit(rest) : null)
    const holder = begun && cellAt(row, row.text.length - rest.length + rest.indexOf(begun))
    const code = begun && (holder ? wholeCode(document, row, holder.cell, begun) : begun)
    const isCode = code && (!looksLikeDate(code, row) || isMonthly(document, row, label, code))
    if (
      isCode &&
      rest.search(/\S/) < 12 &&
      !isAmount(code) &&
      !isTownBeside(row.text.slice(0, end), rest)
    ) {
      const isTitle =
        row.index < TITLE_ROWS && capitals(row.text).trim() === `${match[0].trim()} ${code}`
      if (code.length < 4) count('few letters', label.rank < 3 && !isTitle ? -3 : -0.6)
      if (/\d{3}/.test(code)) count('three digits', 0.3)
      found.push(candidate(code, row.index, because))
      continue
    }
    if (label === BARE_LABEL || label === LONE_LABEL) continue
    const behind = begun === null && RIGHT_TO_LEFT.test(match[0]) ? lastCode(before) : null
    if (behind && !looksLikeDate(behind, row) && !isAmount(behind)) {
      found.push(candidate(behind, row.index, because))
      continue
    }
    const place = cellAt(row, match.index)
    if (!place) continue
    // What follows the label in its own cell; the same label in a second language says nothing new.
    const tail = capitalsInPlace(place.cell.text)
      .slice(place.inside + match[0].length)
      .replace(/^\s*\/[^\d/]*$/, '')
    const isSentence = /^[\s:]*\S+ \S+ \S+/.test(tail)
    const below = isSentence ? null : valueBelow(document, row, place.cell)
    if (below) {
      count('below its label', -0.4)
      found.push(candidate(below.code, below.row, because))
    } else if (document.hasGeometry && (!isSentence || datesBelow(document, row))) {
      const head = {
        text: match[0],
        x0: columnAt(place.cell, place.inside),
        x1: columnAt(place.cell, place.inside + match[0].trimEnd().length),
      }
      const word = wordBelow(document, row, head)
      if (!word) continue
      count('a word below its label', -0.6)
      found.push(candidate(word.value, word.row, because))
    }
  }
  return found
}

/** The document's number as printed, with its confidence, or null. */
export function findDocumentId(document: DocumentText): Scored<string> | null {
  const ranked = numberCandidates(document)
  const best = ranked[0]
  if (!best || best.score < 0.4) return null
  const rival = ranked.find((c) => c.value !== best.value)
  let confidence = best.score >= 4.2 ? 0.94 : best.score >= 3 ? 0.88 : best.score >= 2 ? 0.72 : 0.6
  if (rival && best.score - rival.score < 0.4) confidence -= 0.12
  return { value: best.value, confidence }
}

/** Every number that its label calls a document's own, wherever that begins, in document order. */
export function documentNumbers(document: DocumentText): { value: string; row: number }[] {
  return numberCandidates(document)
    .filter(({ because }) => pointsOf(because.filter(({ rule }) => rule !== FURTHER)) >= OWN_NUMBER)
    .toSorted((a, b) => a.row - b.row)
}
const OWN_NUMBER = 2.8
const FURTHER = 'further down'

/** "Invoice book 50 sheets  3.20": a line of goods, its price at the end. */
function isGoods({ text }: Row): boolean {
  const price = /\s\p{Sc}?\d[\d,.' ]*[.,]\d{2}\s*\p{Sc}?(?: ?[A-Z])?$/u.exec(text)
  if (!price) return false
  const before = text.slice(0, price.index)
  return (
    /\p{L}/u.test(before) && classifyMoneyLabel(foldLabel(before)) === null && !/[:#]/.test(before)
  )
}

/** The numbers that a label names, the likeliest first. */
export function numberCandidates(document: DocumentText): Candidate[] {
  const all: Candidate[] = []
  const uniform = document.rows.some((row) => /電子發票|統一發票/.test(row.text))
  for (const row of document.rows) {
    if (row.text.split(' ').length > 24 || !/\p{L}/u.test(row.text)) continue
    if (isGoods(row)) continue
    for (const label of LABELS) all.push(...candidatesOf(document, row, label))
    all.push(...unlabelledNumbers(document, row))
    if (uniform && UNIFORM.test(row.text))
      all.push(named('number of a uniform invoice', UNIFORM.exec(row.text)![1]!, 4.3, row.index))
  }
  return all.toSorted((a, b) => b.score - a.score || a.row - b.row)
}
