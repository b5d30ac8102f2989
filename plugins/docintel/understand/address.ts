/** Address and phone of the seller: the lines under the name, or the address nearest the top. */
import { capitals } from '../lexicon/fold.ts'
import { addressScore, CHATTER, LEGAL_FORM, PLACE, TITLE } from '../lexicon/parties.ts'
import type { DocumentText } from '../model/document.ts'
import { datesOfRow } from './dates.ts'
import type { Scored } from './issued-at.ts'
import { sameColumn, type Spot, type Zones } from './zones.ts'

const SEARCH_ROWS = 12
/** What ends an address within its line. */
const TAIL =
  /[\s,(;|]*(?:\b(?:TEL|TEL\.?NO|TELP|PHONE|PH|HP|H\/P|FAX|MOBILE|MOB|EMAIL|E-MAIL|WEBSITE|WWW\.|HTTP|GST|VAT|SST|TIN|PIN NO|HOTLINE|CALL|TÉL|TELEFON|TELEFONO|TELEFONE|TELEFAX|SIRET|KVK|USTID|UST-ID|TEL\/FAX|CO\.? ?REG|COMPANY REG|ROC|INVOICE|RECEIPT|DATE|WHATSAPP|CONTACT|P\.? ?IVA|NIF|CIF|BTW|TVA|C\.?F\.?)\b\s*[.:#)(/]*.*|\b\d{2,3}-\d{6,8}\b.*)$/i
const STOP =
  /^(?:\W)*(?:TEL|PHONE|PH|HP|FAX|MOBILE|EMAIL|E-MAIL|WEB|WWW|HTTP|GST|VAT|SST|TAX|INVOICE|DATE|TIME|CASHIER|RECEIPT|TIN|PIN|VRN|BILL|DOC|HOTLINE|SHOPPING HOURS|CASH SALES|SIRET|UST|ST\.?-?NR|KVK|NIF|CIF|P\.? ?IVA|ABN|GSTIN|DESCRIPTION|QTY|ITEM|TABLE|SERVER|ORDER|TO|BILL TO|CUSTOMER|INV|TRANS|RCPT|MEMBER|SALES)(?:$|[\s.:#\-/(])/
const SKIP =
  /^(?:\W)*(?:\(?(?:CO|COMPANY|REG|ROC|SSM|BRN)[\s.]*(?:REG|NO|NUMBER)?|\(?[A-Z]{0,3}\d{5,9}[ -]*[A-Z]{0,2}\)?$|\(?\d{12}\)?|OWNED BY|FORMERLY|LICEN[SC]EE)/

/** One line of an address without what is not part of it, or null when it is none. */
function addressPart(text: string): string | null {
  const cut = text
    .replace(TAIL, '')
    .trim()
    .replace(/^[\s:;*|-]+/, '')
    .replace(/[\s;:*|(-]+$/, '')
  return cut.length >= 2 ? cut : null
}

interface Line {
  text: string
  upper: string
  score: number
}

/** Lines of the seller's column from the row under `from`, in order. */
function linesFrom(document: DocumentText, zones: Zones, from: Spot | null, first: number): Line[] {
  const lines: Line[] = []
  for (let at = first; at < document.rows.length && at < first + SEARCH_ROWS; at++) {
    const row = document.rows[at]!
    let spots = zones.spots.filter((s) => s.row === row && !zones.buyer.has(s))
    if (from && row.cells.length > 1) {
      const own = spots.filter((s) => sameColumn(s.cell, from.cell))
      // Two pieces close together are one line; far apart they are two columns.
      const start = own[0] ?? (row.cells.length === 2 ? undefined : spots[0])
      if (start)
        spots = spots.filter(
          (s) =>
            s === start ||
            (s.cell.x0 > start.cell.x0 &&
              s.cell.x0 - start.cell.x1 < 7 &&
              addressScore(s.upper) > 0),
        )
      else spots = spots.slice(0, 1)
    }
    const text = spots.map((s) => s.cell.text).join(' ')
    const upper = capitals(text).trim()
    lines.push({
      text,
      upper,
      score: upper === '' ? 0 : addressScore(capitals(addressPart(text) ?? '')),
    })
  }
  return lines
}

/** Whether nothing but names of places stands in a line. */
function isPlaceOnly(upper: string): boolean {
  let rest = ` ${upper} `
  for (let i = 0; i < 4 && PLACE.test(rest); i++) rest = rest.replace(PLACE, ' ')
  return !/[A-Z]{2}/.test(rest)
}

const breaks = (line: Line): boolean =>
  TITLE.test(line.upper) ||
  (STOP.test(line.upper) && line.score < 2) ||
  (CHATTER.test(line.upper) && line.score < 2)

/** Joins the address lines at and after the first that looks like one. */
function collect(lines: Line[]): { parts: string[]; strength: number } | null {
  let start = -1
  for (const [i, line] of lines.entries()) {
    if (
      line.score > 0 &&
      !(LEGAL_FORM.test(line.upper) && line.score < 2) &&
      !/^\W*\(.*\)\W*$/.test(line.text)
    ) {
      start = i
      break
    }
    if (breaks(line) && !SKIP.test(line.upper) && i > 5) return null
  }
  if (start === -1) return null
  const parts: string[] = []
  let strength = 0
  let hasPostcode = false
  for (let i = start; i < lines.length && parts.length < 7; i++) {
    const line = lines[i]!
    const startsOther = STOP.test(line.upper)
    const part = startsOther && line.score < 2 ? null : addressPart(line.text)
    const next = lines[i + 1]
    const continues =
      parts.length > 0 &&
      /[,&-]$/.test(parts.at(-1)!) &&
      !startsOther &&
      !/\d{2}[:/]\d{2}/.test(line.text)
    const bridges =
      parts.length > 0 &&
      line.score === 0 &&
      next !== undefined &&
      next.score > 0 &&
      !startsOther &&
      !breaks(line) &&
      !/^\W*\(.*\)\W*$/.test(line.text) &&
      line.text.length < 45
    if (
      !part ||
      (line.score === 0 && !continues && !bridges) ||
      TITLE.test(line.upper) ||
      (CHATTER.test(line.upper) && line.score < 2)
    )
      break
    if (
      datesOfRow({ index: 0, page: 0, text: line.text, cells: [], gapAbove: 0, scale: 1 }).length >
        0 &&
      line.score < 2
    )
      break
    if (/^\W*\(.*\)\W*$/.test(part) && line.score < 2) break
    // After the postcode only the rest of the place follows, not the name of a branch.
    if (hasPostcode && line.score <= 1 && !continues && !isPlaceOnly(capitals(part))) break
    hasPostcode ||= /(?:^|\D)\d{5}(?:\D|$)/.test(part)
    strength += line.score
    parts.push(part)
    // Something followed the address in its line: that is its end.
    if (part.length < line.text.trim().length - 3 && TAIL.test(line.text)) break
  }
  // A lone place name is the mark of a branch, not an address.
  if (strength < 2) return null
  return { parts, strength }
}

/** The seller's address as printed, its lines joined by one space. */
export function findAddress(
  document: DocumentText,
  zones: Zones,
  merchant: Spot | null,
): Scored<string> | null {
  const firsts: [Spot | null, number][] = []
  if (merchant) firsts.push([merchant, merchant.row.index + 1])
  firsts.push([null, 0])
  for (const [from, first] of firsts) {
    const found = collect(linesFrom(document, zones, from, first))
    if (!found) continue
    const value = found.parts
      .join(' ')
      .replaceAll(/\s+/g, ' ')
      .replace(/[\s,;]+$/, '')
    if (value.length < 8) continue
    let confidence = found.strength >= 5 ? 0.88 : found.strength >= 3 ? 0.82 : 0.65
    if (!from) confidence -= 0.15
    if (PLACE.test(capitals(value))) confidence += 0.03
    return { value, confidence }
  }
  return null
}

const PHONE_LABEL =
  /(?:TEL(?:EPHONE|EFON|EFONO|EFONE|EFOON|P)?|TÉL(?:ÉPHONE)?|PHONE|PH|MOBILE|MOB|CELL|HOTLINE|CALL(?: US)?|CONTACT|H\/?P|SIMU|WHATSAPPS?|TLF|FON)[\s.:#()\-/]*(?:(?:NO|NUMBER|NR|LINE)[\s.:#]*)?/gi
const PHONE = /^[\s:.]*(\+?\(?\d[\d\s().\-/]{5,18}\d)/

/** The first phone number as printed, labelled or in an unmistakable form; never a fax. */
export function findPhone(document: DocumentText, zones: Zones): Scored<string> | null {
  for (const { row, cell } of zones.spots.filter((s) => !zones.buyer.has(s))) {
    for (const match of cell.text.matchAll(PHONE_LABEL)) {
      if (/[A-Za-z]$/.test(cell.text.slice(0, match.index))) continue
      const rest = cell.text.slice(match.index + match[0].length)
      const after =
        rest.trim() === ''
          ? row.text.slice(row.text.indexOf(cell.text) + cell.text.length).trim()
          : rest
      const number = PHONE.exec(after)?.[1]
      if (!number) continue
      const value = number
        .replace(/\s*[/-]\s*$/, '')
        .split(/\s{2,}|\s?\/\s?(?=\d{6})/)[0]!
        .trim()
      const digits = value.replaceAll(/\D/g, '').length
      if (digits >= 7 && digits <= 15) return { value, confidence: 0.93 }
    }
  }
  for (const { row, cell } of zones.spots.slice(0, 30)) {
    if (/FAX|INV|NO\b|#|GST|VAT|IBAN|REG/i.test(cell.text) || row.index > 14) continue
    const match =
      /(?:^|\s)(\+\d{1,3}[\s-]?\(?\d[\d\s().-]{6,14}\d|\(0?\d{2,4}\)\s?\d{3,4}[\s-]?\d{3,4}|\(\d{3}\) \d{3}-\d{4}|0\d{1,2}-\d{3,4}[ -]?\d{4})(?=\s|$)/.exec(
        cell.text,
      )
    if (match) return { value: match[1]!.trim(), confidence: 0.85 }
  }
  return null
}
