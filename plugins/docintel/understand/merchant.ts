/** The seller's name: scored among the lines of the head, with company forms and web domains. */
import { addressScore, hasPostcode } from '../lexicon/addresses.ts'
import { capitals, foldLabel } from '../lexicon/fold.ts'
import { legible, malaysianForm } from '../lexicon/legible.ts'
import { columnOfHead } from '../lexicon/items.ts'
import { classifyOtherScript, hasOtherScript, letterWeight } from '../lexicon/other-scripts.ts'
import {
  BUSINESS_WORD,
  BUYER_LABEL,
  CHATTER,
  FIELD_LABEL,
  FUEL_BRAND,
  LEGAL_FORM,
  LEGAL_PREFIX,
  PROPRIETOR,
  SELLER_LABEL,
  SURNAME,
  TITLE,
} from '../lexicon/parties.ts'
import type { DocumentText } from '../model/document.ts'
import { datesOfRow } from './dates.ts'
import type { Scored } from './issued-at.ts'
import { continuesName } from './name-lines.ts'
import type { Spot, Zones } from './zones.ts'

export interface FoundMerchant extends Scored<string> {
  spot: Spot
}

const HEAD_ROWS = 14
const LABELLED =
  /^(?:TEL|PHONE|FAX|MOBILE|EMAIL|E-MAIL|WEB|WWW|HTTP|GST|VAT|TAX|CO\.? ?REG|REG|ROC|NO\.? ?TEL|DATE|TIME|INVOICE|INV|DOC|BILL|RECEIPT|CASHIER|SST|TIN|PIN|KRA|ABN|GSTIN|USER|SALES|ORDER|TERMS|PAGE(?=\W*\d|\W*$)|REF|CLERK|OPERATOR|OP|MEJA|KASIR|NPWP|HOTLINE|CUSTOMER|IBAN|BIC|SWIFT|BANK|ACCOUNT|A\/C|VRN|ATTN|LOCATION|BRANCH|OUTLET|STORE NO|HRB|AMTSGERICHT|GESCHAFTSFUHRER|GESCHAEFTSFUEHRER|SIRET|SIREN|RCS|KVK|CIN|PAN|STATE|COMPANY (?:NO|REG)|DUE|TOTAL|AMOUNT|PAYMENT|CURRENCY|KUNDENN\w*|LIEFER\w*|DATUM|BEARBEITER|SEITE|FECHA|DATA|CODE|PUMP|GALLONS|PRICE\/GAL|LITRES|VEHICULE|IMMATRICULATION|KENNZEICHEN|FAHRZEUG)(?:$|[\s.:#\-/)])/
const REGISTRATION =
  /\s*[([{]?\s*(?:(?:CO|COMPANY|REG|ROC|SSM|BUSINESS|GST|BRN)[\s.]*)*(?:NO|REG|NUMBER)?[\s.:#]*(?=[A-Z\d-]*\d{4})[A-Z]{0,4}-?\d[\dA-Z\s/-]{3,}[A-Z]?\s*[)\]}]?\s*[.,]?$/
/** "FACTURA SIMPLIFICADA T-22/10931". */
const NUMBERED_TITLE =
  /^(?:FACTURA|FATTURA|FATURA|FAKTURA|RECHNUNG|FACTURE|FACTUUR|INVOICE|RECEIPT|TICKET|QUITTUNG|KASSENBON|BON|NOTA|RESIT|BILL|ORDER|TAX INVOICE|CASH (?:SALE|BILL)|PARAGON|UCTENKA|KVITTO|KVITTERING|SALGSKVITTERING|KUITTI|NYUGTA|BOLETA|CUPOM|FIS|LASKU|SZAMLA)\b.*\d/
const DOMAIN = /(?:WWW\.|@|HTTPS?:\/\/(?:WWW\.)?)([A-Z\d-]{3,})\.(?:[A-Z]{2,3}\.)?[A-Z]{2,6}/g
const FREE_MAIL =
  /^(?:GMAIL|YAHOO|HOTMAIL|OUTLOOK|LIVE|ICLOUD|GMX|WEB|AOL|FACEBOOK|INSTAGRAM|TWITTER|PAYPAL|EXAMPLE|MSN|YMAIL|GOOGLE|LINKEDIN)$/

const lettersOf = (text: string): string => text.replaceAll(/[^A-Z]/g, '')

/** What stands right of a name in one line where columns were lost. */
const FOLLOWS_NAME =
  /^\W*(?:TEL|TELEFON|TELEPHONE|PHONE|FAX|EMAIL|E-MAIL|WEB|DATE|DATUM|(?:TAX )?INVOICE|RECHNUNG|FACTUUR|FACTURE|PAGE|GST|VAT|UST|REG|CO\.? REG|COMPANY (?:NO|REG)|AU CAPITAL|REGISTERED|INCORPORATED|CAPITAL|SIEGE|SITZ|CON SEDE|SEDE)\b/

/** "FACTURA DE ELECTRICIDAD": the title of the paper right of the name. */
const TITLED =
  /^\W*(?:TAX )?(?:INVOICE|RECHNUNG|FACTURE|FACTUUR|FACTURA|FATTURA|FATURA|FAKTURA|RECEIPT|BILL)\b/

/** What is kept of the marks that end a name: the quote that its beginning opened. */
const closingQuote = (text: string, end: string): string =>
  end.startsWith('"') && /\p{L}\W*"\p{L}/u.test(text) ? '"' : ''

/** Without registration numbers, asterisks and labels around the name. */
function cleanName(text: string): string {
  let name = text
    .trim()
    .replace(/^[*\-=_~#.:,'"<>|\s]+/, '')
    .replace(/[*\-=_~#:,'"<>|\s]+$/, (end) => closingQuote(text, end))
  name = name.replace(
    /^(?:seller|supplier|vendor|sold by|issued by|merchant(?: name)?|company(?: name)?|business name|shop|store|billed by|from|lieferant|fournisseur|proveedor|emisor|fornitore|fornecedor|prestador|muuzaji|sprzedawca|dodavatel|(?:nome|nombre)(?: comercial)?(?: ?\/ ?raz[aãoó]+n? social)?|raz[aãoó]+n? social|raison sociale|ragione sociale|(?:销售方|销方|賣方|卖方|공급자)?\s*(?:名称|名稱|상호)|店名|店舗名|商户名称|商户|상호명?|매장명|가맹점명)\s*:\s*/i,
    '',
  )
  // One letter for the sharp s, so that offsets in capitals are those of the name.
  const upper = legible(capitals(name.replaceAll('ß', 's')))
  if (upper.length === name.length) {
    const legal = LEGAL_FORM.exec(upper)
    if (legal) {
      let end = legal.index + legal[0].length
      if (upper[end] === '.') end++
      const rest = upper.slice(end)
      if (TITLE.test(rest.trim()) || BUYER_LABEL.test(rest.trim()) || TITLED.test(rest))
        name = name.slice(0, end)
      // Another company in the same line: two columns whose gap was lost.
      const second = LEGAL_FORM.exec(rest)
      if (second && /[A-Z]{3}/.test(rest.slice(0, second.index)) && !/[([/]/.test(rest))
        name = name.slice(0, end)
      // What follows the company form: a registration, or an address in a sender's line.
      if (
        /^[\s.,)]*[([{]?[^\p{L}]*\d/u.test(rest) ||
        /^\s*[-–—·•|,]\s*\S/.test(rest) ||
        FOLLOWS_NAME.test(rest) ||
        /^\s*[([{](?:CO|REG|ROC|GST|SST|FORMERLY|\d)/.test(rest)
      )
        name = name.slice(0, end)
    }
  }
  // Registrations in brackets, also several: "(CO. NO. 113825-W) (GST REG NO. 001492992000)".
  for (let i = 0; i < 3; i++) {
    const bracket = /\s*[([{][^()[\]{}]*\d{4,}[^()[\]{}]*[)\]}]?\s*[.,]?$/.exec(name)
    if (!bracket || bracket.index < 3) break
    name = name.slice(0, bracket.index)
  }
  const registered = REGISTRATION.exec(capitals(name))
  // A short number of its own is that of the branch: "CIRCLE K #2741".
  if (
    registered &&
    registered.index >= 3 &&
    capitals(name).length === name.length &&
    !/^\s*#?\s*\d{1,5}\s*$/.test(registered[0])
  )
    name = name.slice(0, registered.index)
  const open = name.lastIndexOf('(')
  if (open > 3 && !name.includes(')', open)) {
    const inside = name.slice(open)
    if (/\d{3}/.test(inside) || inside.length < 4) name = name.slice(0, open)
  }
  return name
    .trim()
    .replace(
      /(?<=\p{L}{3})\s+(?:tax )?(?:invoice|receipt|rechnung|facture|factuur|factura|fattura)$/iu,
      '',
    )
    .replace(/[,;:\-–|([]+$/, '')
    .trim()
}

function domainsOf(document: DocumentText): string[] {
  const names: string[] = []
  for (const row of document.rows)
    for (const match of capitals(row.text).matchAll(DOMAIN))
      if (!FREE_MAIL.test(match[1]!)) names.push(lettersOf(match[1]!))
  return names.filter((n) => n.length >= 3)
}

/** A line that looks like a person's name: two to four short words, nothing of a business. */
function looksPersonal(upper: string): boolean {
  return /^(?:[A-Z]{2,6} ){1,3}[A-Z]{2,7}$/.test(upper.trim()) && !BUSINESS_WORD.test(upper)
}

function scoreSpot(
  spot: Spot,
  document: DocumentText,
  zones: Zones,
  domains: string[],
  preferred: 'receipt' | 'invoice',
): number | null {
  const text = spot.cell.text.trim()
  const upper = spot.upper.trim()
  const letters = lettersOf(upper)
  if (
    letters.length < 3 &&
    letterWeight(upper) < 4 &&
    !/[A-Z] ?& ?[A-Z]/.test(upper) &&
    !/^(?:3M|BP|HP|H&M|C&A|DM|7-?ELEVEN|O2)$/.test(upper)
  )
    return null
  if (classifyOtherScript(text) !== null && !LEGAL_FORM.test(upper)) return null
  if (zones.buyer.has(spot) || NUMBERED_TITLE.test(upper) || FIELD_LABEL.test(upper)) return null
  const label = LABELLED.test(upper)
  // Heads of a table of goods.
  if (columnOfHead(foldLabel(text), new Set()) !== null) return null
  if (/^\W*(?:CO|COMPANY)\b\W*(?:NO|N0|REG|NUMBER)\b/.test(upper)) return null
  if (TITLE.test(upper) || (label && !LEGAL_FORM.test(upper))) return null
  if (SELLER_LABEL.test(upper) && !/:\s*\S/.test(upper)) return null
  if (/@|WWW\.|HTTP/.test(upper) && !/\s/.test(upper)) return null
  if (/^\W*\d+[.,]\d{2}/.test(upper)) return null
  let score = 0
  const { index } = spot.row
  const legal = LEGAL_FORM.test(upper) || LEGAL_PREFIX.test(upper)
  const business = BUSINESS_WORD.test(upper)
  if (legal) score += 4.2
  if (business) score += 2.2
  if (zones.seller.has(spot)) score += 4
  if (index < HEAD_ROWS) score += 2.6 - 0.22 * index
  else score -= legal ? 1.2 : 4
  const lead = spot.row.cells[0]!
  if (spot.cell !== lead) score -= !legal && LABELLED.test(capitals(lead.text)) ? 3 : 0.3
  score += Math.max(-0.5, Math.min(2, (spot.row.scale - 1) * 2))
  const address = addressScore(upper)
  // "Muster GmbH, Hauptstr. 5, 80331 Stadt" in one line is the sender above an address window.
  if (legal && address >= 2 && /[,•·|–-].*\d{4,5}/.test(upper)) score += 1.2
  else if (address > 0) {
    // "OLD LANE 1938" above everything is a name; a house number, a comma or a postcode is not.
    const leads = index === 0 && !/^\W*\d|,/.test(upper) && !hasPostcode(upper)
    score -= legal || leads ? Math.min(address, 3) * 0.5 : address * 1.6
  }

  if (CHATTER.test(upper)) score -= legal ? 2 : 4
  if (PROPRIETOR.test(upper)) score -= 4
  if (label) score -= 2.5
  if (datesOfRow({ ...spot.row, text }).length > 0) score -= 5.5
  // The number of a branch is part of a name: "QUIKFUEL #118".
  const digitShare = text.replace(/#\s?\d{1,5}$/, '').replaceAll(/\D/g, '').length / text.length
  if (digitShare > 0.35 && !legal) score -= 3
  else if (digitShare > 0.15 && !legal) score -= 1
  if (index > zones.bodyStart) score -= 1.5
  if (zones.tableRows.has(index)) score -= 4
  // A line in brackets is a registration or a branch.
  if (/^\W*\([^)]*\)?\W*$/.test(upper)) score -= 4
  if (index > zones.contactRow && !zones.seller.has(spot))
    score -= preferred === 'receipt' ? 2.8 : 0.6
  if (
    /(?:OWNED BY|OPERATED BY|MANAGED BY|FORMERLY|LICEN[SC]EE OF|A DIVISION OF|SUBSIDIARY OF)\W*$/.test(
      capitals(document.rows[index - 1]?.text ?? ''),
    )
  )
    score -= 4
  if (/\d[.,]\d{2}\s*[A-Z]{0,2}$/.test(upper)) score -= 4
  if (
    /^\W*(?:\(|CO\.?|REG|NO)[^A-Z]*(?:(?:CO|REG|NO|ROC|SSM|GST|COMPANY|BRN)\W*)*[A-Z]{0,3}\d/.test(
      upper,
    )
  )
    score -= 5
  const words = text.split(/\s+/).length
  if (words > 9) score -= 2.5
  if (text.length > 70) score -= 2
  if (text.endsWith(',')) score -= 1
  if (/:\s*\S/.test(text) && !zones.seller.has(spot)) score -= 2
  if (/^[a-z]/.test(text)) score -= 0.7
  if (
    domains.some(
      (d) =>
        letters.includes(d) ||
        (letters.length >= 5 && d.includes(letters.slice(0, 8)) && letters.length <= d.length + 12),
    )
  )
    score += 2.6
  if (looksPersonal(upper)) score -= index === 0 && SURNAME.test(upper) ? 2.6 : 0.6
  const next = capitals(document.rows[index + 1]?.text ?? '')
  if (FUEL_BRAND.test(upper) && (BUSINESS_WORD.test(next) || LEGAL_FORM.test(next))) score -= 3
  if (letters.length < 5 && !hasOtherScript(upper)) score -= 0.8
  return score
}

/** The name with the lines above and below that it is continued in; `spot` is its last line. */
function wholeName(
  best: Spot,
  scored: readonly { spot: Spot }[],
  zones: Zones,
): { value: string; spot: Spot; used: Spot[] } {
  const repeats = (a: string, b: string): boolean =>
    lettersOf(capitals(a)).length >= 4 && lettersOf(capitals(b)).includes(lettersOf(capitals(a)))
  const beside = (from: Spot, step: number): Spot | undefined =>
    zones.spots.find(
      (s) =>
        s.row.index === from.row.index + step &&
        s.row.gapAbove + from.row.gapAbove < 3 &&
        Math.abs(s.cell.x0 - from.cell.x0) < 30,
    )
  const used = [best]
  let value = malaysianForm(cleanName(best.cell.text))
  const above = beside(best, -1)
  if (
    above &&
    scored.some((s) => s.spot === above) &&
    continuesName(above.upper, legible(capitals(cleanName(best.cell.text))) || best.upper)
  ) {
    const lead = cleanName(above.cell.text)
    value = repeats(lead, value) ? value : `${lead} ${value}`
    used.push(above)
  }
  const below = beside(best, 1)
  // "COMPANY NO: 12345-A" without its number is no part of a name.
  if (
    below &&
    !/^(?:CO|COMPANY)\b.*\d{4}/.test(below.upper) &&
    continuesName(best.upper, legible(capitals(cleanName(below.cell.text))) || below.upper)
  ) {
    const more = cleanName(below.cell.text)
    if (repeats(value, more)) value = more
    else if (more !== '') value = `${value} ${more}`
    used.push(below)
    return { value, spot: below, used }
  }
  return { value, spot: best, used }
}

/** "Dr. Ada Brun", "Katrin Hollweg": given name and surname, perhaps with a title. */
const PERSON =
  /^(?:(?:Dr|Prof|Dipl|Ing|Mag|Me|Maître)\.?[-\p{L}.]* )*\p{Lu}\p{Ll}+(?:[- ]\p{Lu}\p{Ll}+){1,2}$/u

/** Who works under her own name above what she does: "Katrin Hollweg" over "Grafik & Illustration". */
function personAbove(best: Spot, scored: readonly { spot: Spot }[]): Spot | null {
  if (LEGAL_FORM.test(best.upper) || best.row.index > 6) return null
  const above = scored.find(
    ({ spot }) =>
      spot.row.index === best.row.index - 1 &&
      best.row.gapAbove < 1.5 &&
      Math.abs(spot.cell.x0 - best.cell.x0) < 3,
  )?.spot
  if (!above || BUSINESS_WORD.test(above.upper) || !PERSON.test(above.cell.text.trim())) return null
  return above
}

/** Where nothing looks like a name: the first line that could be one, above everything else. */
function firstLine(scored: readonly { spot: Spot; score: number }[]): FoundMerchant | null {
  const first = scored
    .filter((s) => s.spot.row.index < 5 && s.score > -3.5 && !CHATTER.test(s.spot.upper))
    .toSorted((a, b) => a.spot.row.index - b.spot.row.index)[0]
  if (!first || addressScore(first.spot.upper) >= 3) return null
  const value = cleanName(first.spot.cell.text)
  return value.length < 3 ? null : { value, confidence: 0.5, spot: first.spot }
}

/** The name with its confidence, or null. */
export function findMerchant(
  document: DocumentText,
  zones: Zones,
  preferred: 'receipt' | 'invoice',
): FoundMerchant | null {
  const domains = domainsOf(document)
  const scored: { spot: Spot; score: number }[] = []
  for (const spot of zones.spots) {
    const score = scoreSpot(spot, document, zones, domains, preferred)
    if (score !== null) scored.push({ spot, score })
  }
  scored.sort((a, b) => b.score - a.score || a.spot.row.index - b.spot.row.index)
  const best = scored[0]
  if (!best) return null
  if (best.score < 0.6) return firstLine(scored)
  const person = preferred === 'invoice' ? personAbove(best.spot, scored) : null
  const { value, spot, used } = person
    ? { value: cleanName(person.cell.text), spot: person, used: [best.spot, person] }
    : wholeName(best.spot, scored, zones)
  if (value.length < 2) return null
  const rival = scored.find((s) => !used.includes(s.spot))
  const margin = rival ? best.score - rival.score : 3
  let confidence =
    best.score >= 6 ? 0.93 : best.score >= 4.5 ? 0.87 : best.score >= 2.5 ? 0.75 : 0.6
  if (margin < 0.5) confidence -= 0.18
  else if (margin < 1.2) confidence -= 0.07
  return { value, confidence, spot }
}
