/** How much a line of the head looks like the seller's name. */
import { addressScore, hasPostcode } from '../lexicon/addresses.ts'
import { basicLetters, capitals, foldLabel } from '../lexicon/fold.ts'
import { columnOfHead } from '../lexicon/items.ts'
import { classifyOtherScript, hasOtherScript, letterWeight } from '../lexicon/other-scripts.ts'
import {
  BUSINESS_WORD,
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
import type { Spot, Zones } from './zones.ts'

const HEAD_ROWS = 14
const LABELLED =
  /^(?:TEL|PHONE|FAX|MOBILE|EMAIL|E-MAIL|WEB|WWW|HTTP|GST|VAT|TAX|CO\.? ?REG|REG|ROC|NO\.? ?TEL|DATE|TIME|INVOICE|INV|DOC|BILL|RECEIPT|CASHIER|SST|TIN|PIN|KRA|ABN|GSTIN|USER|SALES|ORDER|TERMS|PAGE(?=\W*\d|\W*$)|REF|CLERK|OPERATOR|OP|MEJA|KASIR|NPWP|HOTLINE|CUSTOMER|IBAN|BIC|SWIFT|BANK|ACCOUNT|A\/C|VRN|ATTN|LOCATION|BRANCH|OUTLET|STORE NO|HRB|AMTSGERICHT|GESCHAFTSFUHRER|GESCHAEFTSFUEHRER|SIRET|SIREN|RCS|KVK|CIN|PAN|STATE|COMPANY (?:NO|REG)|DUE|TOTAL|AMOUNT|PAYMENT|CURRENCY|KUNDENN\w*|LIEFER\w*|DATUM|BEARBEITER|SEITE|FECHA|DATA|CODE|PUMP|GALLONS|PRICE\/GAL|LITRES|VEHICULE|IMMATRICULATION|KENNZEICHEN|FAHRZEUG)(?:$|[\s.:#\-/)])/
/** "FACTURA SIMPLIFICADA T-22/10931". */
const NUMBERED_TITLE =
  /^(?:FACTURA|FATTURA|FATURA|FAKTURA|RECHNUNG|FACTURE|FACTUUR|INVOICE|RECEIPT|TICKET|QUITTUNG|KASSENBON|BON|NOTA|RESIT|BILL|ORDER|TAX INVOICE|CASH (?:SALE|BILL)|PARAGON|UCTENKA|KVITTO|KVITTERING|SALGSKVITTERING|KUITTI|NYUGTA|BOLETA|CUPOM|FIS|LASKU|SZAMLA)\b.*\d/
const DOMAIN = /(?:WWW\.|@|HTTPS?:\/\/(?:WWW\.)?)([A-Z\d-]{3,})\.(?:[A-Z]{2,3}\.)?[A-Z]{2,6}/g
const FREE_MAIL =
  /^(?:GMAIL|YAHOO|HOTMAIL|OUTLOOK|LIVE|ICLOUD|GMX|WEB|AOL|FACEBOOK|INSTAGRAM|TWITTER|PAYPAL|EXAMPLE|MSN|YMAIL|GOOGLE|LINKEDIN)$/

/** Names of the domains that the document prints, in letters alone; those of mail for all aside. */
export function domainsOf(document: DocumentText): string[] {
  const names: string[] = []
  for (const row of document.rows)
    for (const match of capitals(row.text).matchAll(DOMAIN))
      if (!FREE_MAIL.test(match[1]!)) names.push(basicLetters(match[1]!))
  return names.filter((n) => n.length >= 3)
}

/** A line that looks like a person's name: two to four short words, nothing of a business. */
function looksPersonal(upper: string): boolean {
  return /^(?:[A-Z]{2,6} ){1,3}[A-Z]{2,7}$/.test(upper.trim()) && !BUSINESS_WORD.test(upper)
}

/** Whether a row begins with a field's label or with words to the customer. */
function opensTalk(lead: string): boolean {
  const upper = capitals(lead)
  return LABELLED.test(upper) || CHATTER.test(upper)
}

/** The score of a spot, or null where it cannot be the name; a name has 0.6 and more. */
export function scoreSpot(
  spot: Spot,
  document: DocumentText,
  zones: Zones,
  domains: string[],
  preferred: 'receipt' | 'invoice',
): number | null {
  const text = spot.cell.text.trim()
  const upper = spot.upper.trim()
  const letters = basicLetters(upper)
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
  if (spot.cell !== lead) score -= !legal && opensTalk(lead.text) ? 3 : 0.3
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
