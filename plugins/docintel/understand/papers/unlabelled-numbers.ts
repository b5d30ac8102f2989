/** Numbers of a document that no label of its own names: by heads, beside or under its title or its day. */
import { capitals, capitalsInPlace } from '../../lexicon/fold.ts'
import { TITLE } from '../../lexicon/parties.ts'
import type { DocumentText, Row } from '../../model/document.ts'
import { datesOfRow } from '../marks/dates.ts'
import { wordsOfRow } from '../marks/head-columns.ts'
import {
  codeAt,
  isAmount,
  looksLikeDate,
  named,
  valueBelow,
  wordBelow,
  type Candidate,
} from './document-codes.ts'

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
export const datesBelow = (document: DocumentText, row: Row): boolean =>
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

/** "No. 88" or "ID: #2024-305" alone in a cell; OCR reads "n.º" as "n.9" and loses the hook of "č.". */
function numberAlone(row: Row): string | null {
  for (const { text } of row.cells) {
    const code =
      /^\s*(?:N(?:[OR]|\.?[°º]|\.9(?= )|RO)?|(?=\. [A-Z\d])|[CČ](?=[.:])|SZ(?=[.:])|ID(?=\W))[.:]{0,2} ?#? ?([A-Z\d][A-Z\d/.-]*)\s*$/i.exec(
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

/** The numbers that the row holds, or heads. */
export const unlabelledNumbers = (document: DocumentText, row: Row): Candidate[] => [
  ...underNumberHead(document, row),
  ...besideTitle(document, row),
  ...besideDay(row),
  ...underTitle(document, row),
  ...numberWithDay(row),
]
