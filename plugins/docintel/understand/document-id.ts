/** The document's own number, by its label in the row, above it or as a column head. */
import { capitals, capitalsInPlace, foldLabel } from '../lexicon/fold.ts'
import { classifyMoneyLabel } from '../lexicon/money-labels.ts'
import {
  BARE_LABEL,
  INVOICE_LABEL,
  LONE_LABEL,
  OTHER_LABEL,
  RECEIPT_LABEL,
  TRANSACTION_LABEL,
  type IdLabel,
} from '../lexicon/identifiers.ts'
import { TITLE } from '../lexicon/parties.ts'
import { columnAt, type Cell, type DocumentText, type Row } from '../model/document.ts'
import { datesOfRow } from './dates.ts'
import { wordsOfRow, wordsUnder, type Word } from './head-columns.ts'
import { isPlaceLine } from './letter-blocks.ts'
import type { Scored } from './issued-at.ts'
import { pointsOf, type Score } from './rules.ts'

const LABELS = [
  OTHER_LABEL,
  LONE_LABEL,
  INVOICE_LABEL,
  RECEIPT_LABEL,
  BARE_LABEL,
  TRANSACTION_LABEL,
]
/** A code: has a digit; letters, digits and the marks of codes. */
const CODE =
  /^[:#.\s]*((?:(?!N[OR]? )[A-Z]{1,6}[ ]?(?=[-/\d]))?[A-Z0-9](?:[A-Z0-9\-/_.\\]*[A-Z0-9])?)/i
const NOT_OWN =
  /\b(?:GST|VAT|TAX|REG|REGISTRATION|CO|COMPANY|ROC|TEL|FAX|PHONE|ACCOUNT|A\/C|ACC|CUSTOMER|CUST|MEMBER|CARD|CASHIER|TABLE|POS|TERMINAL|PO|P\.O|PURCHASE|SHIPMENT|TRACKING|BATCH|APPROVAL|APPR|AUTH|SALESMAN|STAFF|ORIGINAL|ORIGINAL INVOICE|ZU|SUR|KUNDEN|KUNDE|CLIENT|KLANT|CLIENTE|LIEFERSCHEIN|VEHICLE|REF|CONTRACT|SO|DO|DELIVERY|QUOTATION|QUOTE)\b[\s.:]*$/

/** "Data da fatura: 15.11.2024": the document's day, not its number. */
const DAY_OF =
  /(?<![A-Z])(?:DATE|DATA|DATUM|FECHA|DATO)(?: (?:OF|DE|DA|DI|DO|DU|DEL|DELLA|LA|D|DER|VAN))*\s*$/

export interface Candidate {
  value: string
  score: number
  row: number
  /** What the score is made of. */
  because: Score['because']
}

const candidate = (value: string, row: number, because: Score['because']): Candidate => ({
  value,
  score: pointsOf(because),
  row,
  because,
})

/** A number that one rule found by itself. */
const named = (rule: string, value: string, points: number, row: number): Candidate =>
  candidate(value, row, [{ rule, points }])

/** A number set in groups ("462 118 9034") up to the end of its cell. */
const GROUPED = /^[:#.\s]*((?:[A-Z]{1,4} )?\d{2,6}(?: \d{2,6}){1,5}(?:-\d{1,3})?)(?= {2}|$)/

function codeAt(text: string): string | null {
  const grouped = GROUPED.exec(text)?.[1]
  if (grouped) return grouped
  const match = CODE.exec(text)
  const code = match?.[1]
  if (!code || !/\d/.test(code) || code.length < 2 || code.length > 40) return null
  // Digits that go on after one space: "7808F714 02", "2023 0042".
  if (/^\d{1,2}[:.]\d{2}$/.test(code)) return null
  return code
}

function looksLikeDate(code: string, row: Row): boolean {
  return datesOfRow(row).some((d) => {
    const day = row.text.slice(d.start, d.end)
    if (day.includes(code) && code.length >= 6) return true
    // "INV-04-17-2024" has letters of its own beside the day.
    return /[-/.]\d/.test(day) && code.includes(day) && !/[A-Z]/i.test(code.replace(day, ''))
  })
}

/** "Total 100.00", "roll 4.50": a word before an amount. */
const isAmount = (code: string): boolean => /^(?:\D* )?\d+[.,]\d{2}$/.test(code)

function valueBelow(
  document: DocumentText,
  row: Row,
  cell: Cell,
): { code: string; row: number } | null {
  for (let step = 1; step <= 2; step++) {
    const next = document.rows[row.index + step]
    if (!next || next.page !== row.page) return null
    const under = next.cells.filter(
      (c) => Math.min(c.x1, cell.x1 + 2) - Math.max(c.x0, cell.x0 - 2) > 0,
    )
    const usable =
      under.length > 0 ? under : row.cells.length === 1 && next.cells.length === 1 ? next.cells : []
    for (const c of usable) {
      const code = codeAt(c.text)
      // "Plot 14, Park Road" under the label begins with a number of another kind.
      const most = code !== null && code.length >= 0.5 * c.text.trim().length
      if (code && most && c.text.length <= 40 && !looksLikeDate(code, next) && !isAmount(code))
        return { code, row: next.index }
    }
  }
  return null
}

/** A code in the columns of a head, where its cell holds other values as well. */
function wordBelow(
  document: DocumentText,
  row: Row,
  head: Word,
): { value: string; row: number } | null {
  for (const [{ text }, under] of wordsUnder(document, head, row.index)) {
    const code = codeAt(text)
    if (code && code.length >= 0.8 * text.length && !looksLikeDate(code, under) && !isAmount(code))
      return { value: code, row: under.index }
  }
  return null
}

/** Place of a row's offset: its cell, and the offset inside it. */
function cellAt(row: Row, offset: number): { cell: Cell; inside: number } | null {
  let start = 0
  for (const cell of row.cells) {
    if (offset < start + cell.text.length + 2) return { cell, inside: offset - start }
    start += cell.text.length + 2
  }
  return null
}

/** Taiwan's uniform invoices print their number alone in its row. */
const UNIFORM = /^\s*([A-Z]{2}-?\d{8})\s*$/

const DATE_HEAD =
  /\b(?:DATE|DATUM|DATA|FECHA|DATO|TARIH|PVM|RECHNUNGSDATUM|FACTUURDATUM)\b|(?<!\p{L})ДАТА(?!\p{L})/u
const NUMBER_HEAD =
  /^(?:НОМЕР|№|SORSZAM|SORSZAMA|CISLO|NUMER|NUMRO|NUMER FAKTURY|CISLO FAKTURY|FAKTURA CISLO)$|^(?:(?:DOCUMENT|DOCUMENTO|DOC|BELEG|PIECE) )?(?:NO|NR|N|N[º°]|NUM|NUMERO|NUMBER|NUMMER|NUMER|CISLO)(?: (?:DOCUMENTO|DOCUMENT|PIECE))?$|^(?:(?:TAX |VAT )?INVOICE|RECHNUNG|FACTURE|FACTUUR|FACTURA|FATTURA|FATURA|FAKTURA|CREDIT NOTE|GUTSCHRIFT|BELEG)$/

/** In a cell with other heads; "N.º" there belongs to the word beside it. */
const LONG_NUMBER_HEAD = /^(?:NUMERO|NUMMER|NUMBER|NUMER|SORSZAM|CISLO)[.:]?$/

/** The name of the document alone over its number: "Factura | Fecha | Pedido #". */
const DOCUMENT_HEAD =
  /^(?:INVOICE|RECHNUNG|FACTURE|FACTUUR|FACTURA|FATTURA|FATURA|FAKTURA|LASKU|SZAMLA|НОМЕР)[.:]?$/

/** Whether a row stands over days, as the heads of a document's own data do. */
const datesBelow = (document: DocumentText, row: Row): boolean =>
  document.rows
    .slice(row.index + 1, row.index + 5)
    .some((below) => below.page === row.page && datesOfRow(below).length > 0)

/** A bare "Numéro" or "Factuur" over its value, in a row of heads that names a date too. */
function underNumberHead(document: DocumentText, row: Row): Candidate[] {
  if (row.text.split(' ').length < 2 || /\d{4}/.test(row.text)) return []
  const folded = row.cells.map((c) =>
    capitals(c.text)
      .replaceAll(/[\s.:#]+/g, ' ')
      .trim(),
  )
  const namesDay = folded.some((f) => DATE_HEAD.test(f))
  if (!namesDay && !datesBelow(document, row)) return []
  const head = namesDay && row.cells.find((_, i) => NUMBER_HEAD.test(folded[i]!))
  const below = head ? valueBelow(document, row, head) : null
  if (below) return [named('under a head of numbers', below.code, 3.4, below.row)]
  if (!document.hasGeometry) return []
  const words = wordsOfRow(row)
  const word =
    words.find(({ text }) => LONG_NUMBER_HEAD.test(capitals(text))) ??
    words.slice(0, 1).find(({ text }) => DOCUMENT_HEAD.test(capitals(text)))
  const found = word ? wordBelow(document, row, word) : null
  return found ? [named('under a word for numbers', found.value, 3, found.row)] : []
}

/** Rows below the title in which a bare "Number" is the document's own. */
const TITLE_REACH = 9

/** "No. 88" or "ID: #2024-305" alone in a cell. */
function numberAlone(row: Row): string | null {
  for (const { text } of row.cells) {
    const code =
      /^\s*(?:N(?:[OR]|\.?[°º]|RO)?|[CČ](?=[.:])|SZ(?=[.:])|ID(?=\W))[.:]{0,2} ?#? ?([A-Z\d][A-Z\d/.-]*)\s*$/i.exec(
        text,
      )?.[1]
    if (code && /\d/.test(code)) return codeAt(code)
  }
  return null
}

/** "Nummer  50511" among the lines of a head, not far below or right above the title. */
function besideTitle(document: DocumentText, row: Row): Candidate[] {
  const [first, second] = row.cells
  const label = capitals(first?.text ?? '')
    .replaceAll(/[\s.:#]+/g, ' ')
    .trim()
  const isHead = NUMBER_HEAD.test(label) || /^#[\s.:]*$/.test(first?.text ?? '')
  const beside = isHead && second ? codeAt(second.text) : null
  const code = beside ?? numberAlone(row)
  if (!code || looksLikeDate(code, row) || isAmount(code)) return []
  const near = document.rows.slice(Math.max(0, row.index - TITLE_REACH), row.index + 3)
  if (!near.some((r) => r.page === row.page && r.cells.some((c) => TITLE.test(capitals(c.text)))))
    return []
  return [named('beside the title', code, 2.7, row.index)]
}

/** "Nr. 89679   19.02.2024 17:08": all that a row of a till's roll holds, with or without a title. */
function besideDay(row: Row): Candidate[] {
  const code = row.cells.length <= 3 ? numberAlone(row) : null
  if (!code || !/\d{3}/.test(code) || looksLikeDate(code, row) || isAmount(code)) return []
  const [day, ...others] = datesOfRow(row)
  if (!day || others.length > 0) return []
  // Beside the day stand its label and a time at most.
  const rest = `${row.text.slice(0, day.start)} ${row.text.slice(day.end)}`
  const words = rest.replace(code, '').match(/\p{L}{2,}/gu) ?? []
  return words.length <= 3 ? [named('alone beside the day', code, 2.7, row.index)] : []
}

/** A number alone right under the title, as letters of shops print it. */
function underTitle(document: DocumentText, row: Row): Candidate[] {
  const title = row.cells.find(({ text }) => TITLE.test(capitals(text)) && !/\d/.test(text))
  const next = document.rows[row.index + 1]
  if (!title || !next || next.page !== row.page) return []
  const isAlone = row.cells.length === 1 && next.cells.length === 1
  const under = next.cells.find(
    (cell) => isAlone || Math.min(Math.abs(cell.x0 - title.x0), Math.abs(cell.x1 - title.x1)) <= 2,
  )
  const code = /^\s*#?\s*([A-Z\d][A-Z\d/.-]{3,})\s*$/i.exec(under?.text ?? '')?.[1]
  if (!code || !/\d{3}/.test(code) || looksLikeDate(code, next) || isAmount(code)) return []
  return [named('alone under the title', code, 2.7, next.index)]
}

/** "Facture du 12/06/2023 n° 2023-118": the number's word stands behind the day. */
const NUMBER_WORD =
  /^\W{0,3}(?:N[°ºo]?|NR|NO|NUM|NUMERO|NUMMER|NUMBER)(?![A-Z])[\s.:#°º]*(?=[A-Z\d])/i

/** What follows a label, without the day between it and the number. */
function afterDay(row: Row, end: number): string {
  const rest = row.text.slice(end)
  const day = datesOfRow(row).find((d) => d.start >= end - 4 && d.start - end < 6)
  if (!day) return rest
  const behind = row.text.slice(day.end)
  const word = NUMBER_WORD.exec(behind)
  return word ? behind.slice(word[0].length) : rest
}

/** "Inv No/Date: 2024-51321 / 11-08-2024", "Rechnungs-Nr./Datum  4711 / 1.2.2024". */
const NUMBER_AND_DAY =
  /(?:NO|NR|N[º°]|NUM|NUMBER|NUMMER|NUMERO|NUMER|CISLO|C|CIS|SZ|SZAM|#)\.? ?[/&+] ?(?:DATE|DATUM|DATO|DATA|FECHA|KELT|KUUPAEV|PVM|DATEN?)\W{0,4}/
/** Papers besides the invoice that have a number and a day. */
const OTHER_PAPER =
  /ORDER|AUFTRAG|BESTELL|LIEFER|DELIVERY|KUNDE|CUSTOMER|COMMANDE|PEDIDO|ORDIN|DDT|P\.?O\.?(?![A-Z])|CONTRACT|VERTRAG|CHALLAN|E-?WAY/

/** One field that holds the number and the day. */
function numberWithDay(row: Row): Candidate[] {
  const upper = capitalsInPlace(row.text)
  const head = NUMBER_AND_DAY.exec(upper)
  if (!head || OTHER_PAPER.test(upper.slice(0, head.index))) return []
  const rest = row.text.slice(head.index + head[0].length)
  const code = codeAt(rest)
  const day = datesOfRow(row).find((d) => d.start > head.index + head[0].length)
  if (!code || !day || looksLikeDate(code, row) || isAmount(code)) return []
  // A label with its value counts more than what stands below it.
  return [named('one field with its day', code, 5.2, row.index)]
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
    count('further down', -row.index / Math.max(document.rows.length, 30))
    const code = codeAt(rest)
    const isCode = code && (!looksLikeDate(code, row) || isMonthly(document, row, label, code))
    if (
      isCode &&
      rest.search(/\S/) < 12 &&
      !isAmount(code) &&
      !isTownBeside(row.text.slice(0, end), rest)
    ) {
      if (code.length < 4) count('few letters', label.rank < 3 ? -3 : -0.6)
      if (/\d{3}/.test(code)) count('three digits', 0.3)
      found.push(candidate(code, row.index, because))
      continue
    }
    if (label === BARE_LABEL || label === LONE_LABEL) continue
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

/** Every number that its label calls the document's own, in document order. */
export function documentNumbers(document: DocumentText): { value: string; row: number }[] {
  return numberCandidates(document)
    .filter((c) => c.score >= OWN_NUMBER)
    .toSorted((a, b) => a.row - b.row)
}
const OWN_NUMBER = 2.8

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
    all.push(
      ...underNumberHead(document, row),
      ...besideTitle(document, row),
      ...besideDay(row),
      ...underTitle(document, row),
      ...numberWithDay(row),
    )
    if (uniform && UNIFORM.test(row.text))
      all.push(named('number of a uniform invoice', UNIFORM.exec(row.text)![1]!, 4.3, row.index))
  }
  return all.toSorted((a, b) => b.score - a.score || a.row - b.row)
}
