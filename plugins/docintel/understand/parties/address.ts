/** Address of the seller: the lines under the name around its postcode, or those nearest the top. */
import { addressScore, hasPostcode, PLACE } from '../../lexicon/addresses.ts'
import { capitals } from '../../lexicon/fold.ts'
import { legible } from '../../lexicon/legible.ts'
import { BUSINESS_WORD, CHATTER, LEGAL_FORM, TITLE } from '../../lexicon/parties.ts'
import type { DocumentText } from '../../model/document.ts'
import { datesOfRow } from '../marks/dates.ts'
import type { Scored } from '../days/issued-at.ts'
import { isDigitsAlone } from '../marks/telephone.ts'
import { sameColumn, type Spot, type Zones } from './zones.ts'

const SEARCH_ROWS = 14
const PARTS_MAX = 7
/** What ends an address within its line. */
const TAIL =
  /[\s,(;|]*(?:\b(?:TEL|TEL\.?NO|TELP|PHONE|PH|HP|H\/P|FAX|MOBILE|MOB|EMAIL|E-MAIL|WEBSITE|WWW\.|HTTP|GST|VAT|SST|TIN|PIN NO|HOTLINE|CALL|TÉL|TELEFON|TELEFONO|TELEFONE|TELEFAX|SIRET|KVK|USTID|UST-ID|TEL\/FAX|CO\.? ?REG|COMPANY REG|ROC|INVOICE|RECEIPT|NON-?VAT|DATE|WHATSAPP|CONTACT|P\.? ?IVA|NIF|CIF|BTW|TVA|C\.F\.)\b\s*[.:#)(/]*.*|\b\d{2,3}-\d{6,8}\b.*)$/i
const STOP =
  /^(?:\W)*(?:TEL|PHONE|PH|HP|FAX|MOBILE|EMAIL|E-MAIL|WEB|WWW|HTTP|GST|VAT|SST|TAX|INVOICE|DATE|TIME|CASHIER|RECEIPT|TIN|PIN|VRN|BILL|DOC|HOTLINE|SHOPPING HOURS|CASH SALES|SIRET|UST|ST\.?-?NR|KVK|NIF|CIF|P\.? ?IVA|ABN|GSTIN|DESCRIPTION|QTY|ITEM|TABLE|SERVER|ORDER|TO|BILL TO|CUSTOMER|INV|TRANS|RCPT|MEMBER|SALES|STORE|REG|TRAN|TRX|POS|TILL|KASSE|UEN|UID|FSSAI|NPWP|EIN|SHOPPING|BUSINESS|OPEN|STATION|SITE|CHECK|CHK|RESIT|NOTA|BON|KASIR|GUEST|COVER|PAX|NO\.? TEL)(?:$|[\s.:#\-/(])/
const SKIP =
  /^(?:\W)*(?:\(?(?:CO|COMPANY|REG|ROC|SSM|BRN)[\s.]*(?:REG|NO|NUMBER)?|\(?[A-Z]{0,3}\d{5,9}[ -]*[A-Z]{0,2}\)?$|\(?\d{12}\)?|OWNED BY|FORMERLY|LICEN[SC]EE)/
/** A label that names the address itself. */
const OWN_LABEL =
  /^[\s:;*|-]*(?:(?:HQ|HEAD OFFICE|H\.?O\.?|BUSINESS ADDRESS|REGISTERED (?:OFFICE|ADDRESS)|ADDRESS|ADDR|ALAMAT|ADRESSE|ADRES|DIRECCION|INDIRIZZO|MORADA|ANWANI)\b[\s.:]*)?(?:[([](?=[^()[\]]*\d{4})[^()[\]]{5,24}[)\]]\s*(?=\S))?/i

/** One line of an address without what is not part of it, or null when it is none. */
function addressPart(text: string): string | null {
  const cut = text
    .replace(TAIL, '')
    .trim()
    .replace(OWN_LABEL, '')
    .replace(/[\s;:*|(-]+$/, '')
  return cut.length >= 2 ? cut : null
}

interface Line {
  text: string
  upper: string
  score: number
}

function lineOf(text: string): Line {
  const upper = legible(capitals(text)).trim()
  const part = addressPart(text)
  return { text, upper, score: part === null ? 0 : addressScore(legible(capitals(part))) }
}

/** Lines of the seller's column from the row `first`, in order. */
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
    lines.push(lineOf(spots.map((s) => s.cell.text).join(' ')))
  }
  return lines
}

/** Whether nothing but names of places stands in a line. */
function isPlaceOnly(upper: string): boolean {
  let rest = ` ${upper} `
  for (let i = 0; i < 4 && PLACE.test(rest); i++) rest = rest.replace(PLACE, ' ')
  return !/[A-Z]{2}/.test(rest)
}

const inBrackets = (line: Line): boolean => /^\W*\(.*\)\W*$/.test(line.text)
const isDated = (line: Line): boolean =>
  datesOfRow({ index: 0, page: 0, text: line.text, cells: [], gapAbove: 0, scale: 1 }).length > 0
const breaks = (line: Line): boolean =>
  TITLE.test(line.upper) ||
  isDigitsAlone(line.text) ||
  (STOP.test(line.upper) && line.score < 2) ||
  (CHATTER.test(line.upper) && line.score < 2)
const isOther = (line: Line): boolean =>
  line.upper === '' ||
  breaks(line) ||
  SKIP.test(line.upper) ||
  inBrackets(line) ||
  (LEGAL_FORM.test(line.upper) && line.score < 2) ||
  isDated(line)
/** No street and no place, but the punctuation of an address: "B1-20, PASAR MODERN,". */
const looksWeak = (line: Line): boolean =>
  line.score > 0 || line.text.trim().endsWith(',') || /^\W*[A-Z]{0,3}-?\d.*,/.test(line.upper)

/** "Am Gewerbepark 12" over a bare postcode line. */
const isNumberedStreet = (line: Line, next: Line): boolean =>
  /^[^\d#:]{5,40} \d{1,4} ?[A-Z]?(?:[-/]\d+)?$/.test(line.upper) &&
  /^\W*(?:[A-Z]{1,2}-)?\d{4,5} /.test(next.upper)

/** "RUBY BAKERY TAMAN MAJU" over "30, JALAN 7": the name with its branch, not yet the address. */
const isNameOver = (line: Line, next: Line | undefined): boolean =>
  BUSINESS_WORD.test(line.upper) &&
  !/[\d,]/.test(line.upper) &&
  next !== undefined &&
  next.score >= 2 &&
  /^\W*(?:NO\W*)?\d/.test(next.upper)

/** The first line of the address; lines above it are taken in by their punctuation. */
function startOf(lines: Line[]): number {
  let start = -1
  for (const [i, line] of lines.entries()) {
    if (
      line.score > 0 &&
      !(LEGAL_FORM.test(line.upper) && line.score < 2) &&
      !inBrackets(line) &&
      !isNameOver(line, lines[i + 1]) &&
      !isDigitsAlone(line.text) &&
      !(SKIP.test(line.upper) && line.score < 2)
    ) {
      start = i
      break
    }
    if (breaks(line) && !SKIP.test(line.upper) && i > 5) return -1
  }
  for (let i = start - 1; i >= 0; i--) {
    const line = lines[i]!
    if (isOther(line) || isNameOver(line, lines[i + 1])) break
    if (looksWeak(line) || isNumberedStreet(line, lines[i + 1]!)) start = i
    // A line that says nothing belongs to it where the one above does.
    else if (i > 0 && !isOther(lines[i - 1]!) && looksWeak(lines[i - 1]!)) continue
    else break
  }
  return start
}

/** Joins the address lines at and after the first that looks like one. */
function collect(lines: Line[]): { parts: string[]; strength: number } | null {
  const start = startOf(lines)
  if (start === -1) return null
  const parts: string[] = []
  let strength = 0
  let ended = false
  let townDue = false
  for (let i = start; i < lines.length && parts.length < PARTS_MAX; i++) {
    const line = lines[i]!
    const startsOther = STOP.test(line.upper) || isDigitsAlone(line.text)
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
      !inBrackets(line) &&
      line.text.length < 45
    const opens = i === start
    // A phone set between two lines of one address, which the comma before it leaves open.
    if (
      startsOther &&
      !ended &&
      !opens &&
      parts.at(-1)?.endsWith(',') &&
      next !== undefined &&
      next.score > 0 &&
      hasPostcode(next.upper)
    )
      continue
    if (
      !part ||
      (line.score === 0 && !continues && !bridges && !opens) ||
      TITLE.test(line.upper) ||
      isDigitsAlone(line.text) ||
      (CHATTER.test(line.upper) && line.score < 2)
    )
      break
    if (isDated(line) && line.score < 2) break
    if (inBrackets(line) && line.score < 2) break
    const upper = legible(capitals(part))
    // After the postcode only the rest of the place follows, not the name or number of a branch.
    const place = isPlaceOnly(upper) || isPlaceOnly(`${capitals(parts.at(-1) ?? '')} ${upper}`)
    if (ended && !place && !(continues && !/\d/.test(upper))) break
    // A postcode that ends its line has its town in the next.
    const townNext =
      /(?:^|[\s,])\d{5}[.,]?$/.test(upper) &&
      next !== undefined &&
      /^[A-Z][A-Z .,'/-]{2,40}$/.test(next.upper) &&
      !isOther(next)
    if (townNext) next.score = Math.max(next.score, 1)
    ended ||= townDue || (hasPostcode(upper) && !townNext)
    townDue = townNext
    strength += line.score
    parts.push(part)
    // Something followed the address in its line: that is its end.
    if (part.length < line.text.trim().length - 3 && TAIL.test(line.text)) break
  }
  // A lone place name is the mark of a branch, not an address.
  if (strength < 2) return null
  return { parts, strength }
}

/** What follows the name in the name's own line, where that is the beginning of the address. */
function restOfNameLine(merchant: Spot, name: string): Line | null {
  const at = merchant.cell.text.indexOf(name)
  if (at === -1) return null
  const rest = lineOf(merchant.cell.text.slice(at + name.length).replace(/^[\s,.;:|–-]+/, ''))
  return rest.score >= 2 && !inBrackets(rest) ? rest : null
}

/** The seller's address as printed, its lines joined by one space. `merchant` is its name's place. */
export function findAddress(
  document: DocumentText,
  zones: Zones,
  merchant: { spot: Spot; value: string } | null,
): Scored<string> | null {
  const tries: { lines: Line[]; under: boolean }[] = []
  if (merchant) {
    const lines = linesFrom(document, zones, merchant.spot, merchant.spot.row.index + 1)
    const rest = restOfNameLine(merchant.spot, merchant.value)
    tries.push({ lines: rest ? [rest, ...lines] : lines, under: true })
  }
  tries.push({ lines: linesFrom(document, zones, null, 0), under: false })
  for (const { lines, under } of tries) {
    const found = collect(lines)
    if (!found) continue
    const value = found.parts
      .join(' ')
      .replaceAll(/\s+/g, ' ')
      .replace(/[\s,;]+$/, '')
    if (value.length < 8) continue
    let confidence = found.strength >= 5 ? 0.88 : found.strength >= 3 ? 0.82 : 0.65
    if (!under) confidence -= 0.15
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
