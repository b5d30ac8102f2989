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
import { isPrintedLabel } from '../lexicon/printed-labels.ts'
import type { DocumentText, Row } from '../model/document.ts'
import { senderOf } from './sender-line.ts'
import { datesOfRow } from './dates.ts'
import { hasUnitAlone } from './goods-names.ts'
import { FOOT_LETTERS, isNamedInFoot } from './named-in-foot.ts'
import { scoreBy, when, type Rule, type Score } from './rules.ts'
import type { Spot, Zones } from './zones.ts'

const HEAD_ROWS = 14
const LABELLED =
  /^(?:TEL|PHONE|FAX|MOBILE|EMAIL|E-MAIL|WEB|WWW|HTTP|GST|VAT|TAX|CO\.? ?REG|REG|ROC|NO\.? ?TEL|DATE|TIME|INVOICE|INV|DOC|BILL|RECEIPT|CASHIER|SST|TIN|PIN|KRA|ABN|GSTIN|USER|SALES|ORDER|TERMS|PAGE(?=\W*\d|\W*$)|REF|CLERK|OPERATOR|OP|MEJA|KASIR|NPWP|HOTLINE|CUSTOMER|IBAN|BIC|SWIFT|BANK|ACCOUNT|A\/C|VRN|ATTN|LOCATION|BRANCH|OUTLET|STORE NO|HRB|AMTSGERICHT|GESCHAFTSFUHRER|GESCHAEFTSFUEHRER|ADOSZAM|ICO|DIC|NIP|REGON|P\.? ?IVA|PARTITA IVA|NIF|CNPJ|ORG\.? ?NR|CVR|Y-TUNNUS|BTW|TVA|MWST|UST(?:-?ID\w*)?|STEUER\w*|TELEFON[OE]?|TLF|PUHELIN|SIRET|SIREN|RCS|KVK|CIN|PAN|STATE|COMPANY (?:NO|REG)|DUE|TOTAL|AMOUNT|PAYMENT|CURRENCY|KUNDENN\w*|LIEFER\w*|DATUM|BEARBEITER|SEITE|FECHA|DATA|CODE|PUMP|GALLONS|PRICE\/GAL|LITRES|VEHICULE|IMMATRICULATION|KENNZEICHEN|FAHRZEUG)(?:$|[\s.:#\-/)])/
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

/** What the rules look at: a spot of the head, and what is known about it. */
interface Subject {
  spot: Spot
  document: DocumentText
  zones: Zones
  /** Names of the domains that the document prints. */
  domains: readonly string[]
  preferred: 'receipt' | 'invoice'
  /** The text of the cell. */
  text: string
  /** The name in it, where it is a sender's line; else the text. */
  nameText: string
  /** The same in capitals. */
  upper: string
  /** Its letters alone. */
  letters: string
  /** The row's place in the document. */
  index: number
  /** Names a company form. */
  isLegal: boolean
  /** Begins with the label of a field. */
  hasLabel: boolean
  /** How much it looks like an address. */
  address: number
}

/** Names of fewer than three letters that are known as such. */
const SHORT_NAME = /^(?:3M|BP|HP|H&M|C&A|DM|7-?ELEVEN|O2)$/
const OWNER_FOLLOWS =
  /(?:OWNED BY|OPERATED BY|MANAGED BY|FORMERLY|LICEN[SC]EE OF|A DIVISION OF|SUBSIDIARY OF)\W*$/
const REGISTRATION =
  /^\W*(?:\(|CO\.?|REG|NO)[^A-Z]*(?:(?:CO|REG|NO|ROC|SSM|GST|COMPANY|BRN)\W*)*[A-Z]{0,3}\d/

/** The head of a field, alone. */
const FIELD_WORD =
  /^(?:NUMBER|NUMERO|NUMMER|NUMER|NUMRO|CISLO|SORSZAM|ORDER|BESTELLUNG|COMMANDE|PEDIDO|ORDINE|ZAMOWIENIE|TILAUS|COD\.? ?CLIENTE|FORMA DE PAGO|CONDITIONS|KONDITIONEN|BETINGELSER|VILLKOR|WARUNKI|(?:DELIVERY|DUE|ISSUE|ISSUED|PAYMENT|SHIPPING|SERVICE|SUPPLY|PRINT) DATE|ZAHLUNGSZIEL|LEISTUNGS(?:ZEITRAUM|DATUM)|DATE DE LIVRAISON|ECHEANCE)[\s.:#]*$/

/** "NOTE : Goods", "Receipt for your order", "Thank you for your order!". */
const NOTE =
  /^(?:NOTES?|NOTA|HINWEIS|BEMERKUNG|REMARQUE|OPMERKING|MEMO|RE|BETREFF|OBJET) ?:|^(?:RECEIPT|INVOICE|RECIBO|FATURA|FACTURA) (?:FOR|DO|DE|DA) (?:YOUR|SEU|SUA|SU|TU) |^(?:\S+ ){3,}\S+!$|^#\S*\d/

/** Why a spot cannot be a name at all. */
const EXCLUSIONS: readonly { name: string; holds(subject: Subject): boolean }[] = [
  {
    name: 'too short',
    holds: ({ upper, letters }) =>
      letters.length < 3 &&
      letterWeight(upper) < 4 &&
      !/[A-Z] ?& ?[A-Z]/.test(upper) &&
      !SHORT_NAME.test(upper),
  },
  {
    name: 'a label in another script',
    holds: ({ text, upper }) => classifyOtherScript(text) !== null && !LEGAL_FORM.test(upper),
  },
  { name: 'the buyer', holds: ({ spot, zones }) => zones.buyer.has(spot) },
  { name: 'a numbered title', holds: ({ upper }) => NUMBERED_TITLE.test(upper) },
  {
    name: 'a label',
    holds: ({ upper, letters }) =>
      FIELD_LABEL.test(upper) || FIELD_WORD.test(upper) || isPrintedLabel(letters),
  },
  {
    name: 'a name of goods',
    holds: ({ spot, document }) => {
      const next = document.rows[spot.row.index + 1]
      return (
        next !== undefined &&
        spot.row.cells.length === 1 &&
        hasUnitAlone(next.text) &&
        /\d[.,]\d{2}(?!\d)/.test(next.text)
      )
    },
  },
  { name: 'a note', holds: ({ upper }) => NOTE.test(upper) },
  {
    name: 'the head of a table of goods',
    holds: ({ text }) => columnOfHead(foldLabel(text), new Set()) !== null,
  },
  {
    name: 'a company number',
    holds: ({ upper }) => /^\W*(?:CO|COMPANY)\b\W*(?:NO|N0|REG|NUMBER)\b/.test(upper),
  },
  { name: 'a title', holds: ({ upper }) => TITLE.test(upper) },
  {
    name: 'a labelled field',
    holds: ({ upper, hasLabel }) => hasLabel && !LEGAL_FORM.test(upper),
  },
  {
    name: "the seller's label alone",
    holds: ({ upper }) => SELLER_LABEL.test(upper) && !/:\s*\S/.test(upper),
  },
  {
    name: 'an address on the net',
    holds: ({ upper }) => /@|WWW\.|HTTP/.test(upper) && !/\s/.test(upper),
  },
  { name: 'an amount', holds: ({ upper }) => /^\W*\d+[.,]\d{2}/.test(upper) },
]

const NAME_RULES: readonly Rule<Subject>[] = [
  { name: 'company form', look: ({ isLegal }) => when(isLegal, 4.2) },
  { name: 'word of a business', look: ({ upper }) => when(BUSINESS_WORD.test(upper), 2.2) },
  { name: 'labelled as the seller', look: ({ spot, zones }) => when(zones.seller.has(spot), 4) },
  {
    name: 'place in the document',
    look: ({ index, isLegal }) => (index < HEAD_ROWS ? 2.6 - 0.22 * index : isLegal ? -1.2 : -4),
  },
  {
    name: 'not the first of its row',
    look: ({ spot, isLegal }) => {
      const lead = spot.row.cells[0]!
      return when(spot.cell !== lead, !isLegal && opensTalk(lead.text) ? -3 : -0.3)
    },
  },
  {
    name: 'size of its letters',
    look: ({ spot }) => Math.max(-0.5, Math.min(2, (spot.row.scale - 1) * 2)),
  },
  {
    name: 'looks like an address',
    look: ({ upper, index, isLegal, address }) => {
      // "Muster GmbH, Hauptstr. 5, 80331 Stadt" in one line is the sender above an address window.
      if (isLegal && address >= 2 && /[,•·|–-].*\d{4,5}/.test(upper)) return 1.2
      if (index <= 1 && senderOf(upper) !== null) return 1.2
      if (address <= 0) return null
      // "OLD LANE 1938" above everything is a name; a house number, a comma or a postcode is not.
      const leads = index === 0 && !/^\W*\d|,/.test(upper) && !hasPostcode(upper)
      return isLegal || leads ? -(Math.min(address, 3) * 0.5) : -(address * 1.6)
    },
  },
  {
    name: 'words to the customer',
    look: ({ upper, isLegal }) => when(CHATTER.test(upper), isLegal ? -2 : -4),
  },
  { name: 'proprietor', look: ({ upper }) => when(PROPRIETOR.test(upper), -4) },
  { name: 'begins with a label', look: ({ hasLabel }) => when(hasLabel, -2.5) },
  {
    name: 'date',
    look: ({ spot, text }) => when(datesOfRow({ ...spot.row, text }).length > 0, -5.5),
  },
  {
    name: 'digits',
    look: ({ nameText, isLegal }) => {
      // The number of a branch is part of a name: "QUIKFUEL #118".
      const digits = nameText.replace(/#\s?\d{1,5}$/, '').replaceAll(/\D/g, '')
      const share = digits.length / nameText.length
      return when(share > 0.15 && !isLegal, share > 0.35 ? -3 : -1)
    },
  },
  {
    name: 'under the heads of other fields',
    look: ({ document, spot, isLegal }) => when(!isLegal && isFieldUnderHead(document, spot), -4),
  },
  { name: 'below the head', look: ({ index, zones }) => when(index > zones.bodyStart, -1.5) },
  {
    name: 'a heading between blocks',
    look: ({ document, spot, isLegal }) => when(!isLegal && isHeading(document, spot), -3),
  },
  {
    name: 'begins the line above everything',
    look: ({ document, spot, letters, index }) =>
      when(index > FOOT_ROW && letters.length >= 6 && opensSender(document, spot, letters), 9),
  },
  {
    name: 'named beside register, bank or tax number',
    look: ({ spot, document, zones, letters, preferred }) =>
      when(preferred === 'invoice' && isNamedInFoot(document, zones, spot, letters), 3),
  },
  {
    name: "the buyer's name",
    look: ({ letters, zones }) =>
      when(
        zones.buyerInline !== null &&
          basicLetters(capitals(zones.buyerInline.text)) === letters &&
          letters.length >= FOOT_LETTERS,
        -6,
      ),
  },
  {
    name: 'named in a sender line',
    look: ({ document, letters }) =>
      when(letters.length >= 4 && isSenderNamed(document, letters), SENDER_POINTS),
  },
  { name: 'in a table', look: ({ index, zones }) => when(zones.tableRows.has(index), -4) },
  // A line in brackets is a registration or a branch.
  { name: 'in brackets', look: ({ upper }) => when(/^\W*\([^)]*\)?\W*$/.test(upper), -4) },
  {
    name: 'below the contacts',
    look: ({ spot, index, zones, preferred }) =>
      when(
        index > zones.contactRow && !zones.seller.has(spot),
        preferred === 'receipt' ? -2.8 : -0.6,
      ),
  },
  {
    name: 'owner of the shop above',
    look: ({ document, index }) =>
      when(OWNER_FOLLOWS.test(capitals(document.rows[index - 1]?.text ?? '')), -4),
  },
  {
    name: 'ends in an amount',
    look: ({ upper }) => when(/\d[.,]\d{2}\s*[A-Z]{0,2}$/.test(upper), -4),
  },
  { name: 'registration', look: ({ upper }) => when(REGISTRATION.test(upper), -5) },
  { name: 'many words', look: ({ nameText }) => when(nameText.split(/\s+/).length > 9, -2.5) },
  { name: 'long', look: ({ nameText }) => when(nameText.length > 70, -2) },
  { name: 'ends in a comma', look: ({ text }) => when(text.endsWith(','), -1) },
  {
    name: 'label and value',
    look: ({ spot, text, zones }) => when(/:\s*\S/.test(text) && !zones.seller.has(spot), -2),
  },
  { name: 'begins small', look: ({ text }) => when(/^[a-z]/.test(text), -0.7) },
  {
    name: 'name of a domain',
    look: ({ letters, domains }) =>
      when(
        domains.some((d) => isNameOf(d, letters)),
        2.6,
      ),
  },
  {
    name: 'name of a person',
    look: ({ upper, index }) =>
      when(looksPersonal(upper), index === 0 && SURNAME.test(upper) ? -2.6 : -0.6),
  },
  {
    name: 'brand above the station',
    look: ({ upper, document, index }) => {
      const next = capitals(document.rows[index + 1]?.text ?? '')
      const hasStation = BUSINESS_WORD.test(next) || LEGAL_FORM.test(next)
      return when(FUEL_BRAND.test(upper) && hasStation, -3)
    },
  },
  {
    name: 'few letters',
    look: ({ upper, letters }) => when(letters.length < 5 && !hasOtherScript(upper), -0.8),
  },
]

/** Rows below which a name is that of a footer. */
const FOOT_ROW = 6
/** Digits of a house number and a postcode. */
const ADDRESS_DIGITS = 5

/**
 * Whether the small line above everything, a sender's name and address, begins with this name, however
 * the line is parted; OCR loses the dots and spaces in it.
 */
function opensSender({ rows }: DocumentText, { row }: Spot, letters: string): boolean {
  const lead = rows
    .slice(0, 2)
    .find((other) => other.text.replaceAll(/\D/g, '').length >= ADDRESS_DIGITS)
  if (!lead || row.cells.length > 3) return false
  const sender = basicLetters(capitals(lead.text))
  return sender.startsWith(letters.slice(0, -1)) && sender.length > letters.length + 6
}

/** Rows of the head among which the small line over an address window stands. */
const SENDER_ROWS = 14
/** Above whatever makes an addressee look like the issuer. */
const SENDER_POINTS = 6

/** Whether a sender's line, "Name, street 1, 12345 town", names these letters. */
const isSenderNamed = ({ rows }: DocumentText, letters: string): boolean =>
  rows.slice(0, SENDER_ROWS).some(({ cells }) =>
    cells.some((cell) => {
      const name = senderOf(cell.text.trim())
      return name !== null && basicLetters(capitals(name)) === letters
    }),
  )

/** Columns from the left edge at which a line stands apart. */
const APART_COLUMNS = 12

/** Whether a line in capitals stands alone away from the left edge, where lines above and below begin. */
function isHeading({ rows, hasGeometry }: DocumentText, { row, cell }: Spot): boolean {
  if (!hasGeometry || row.cells.length > 1 || !/^[\p{Lu}\s.'-]{6,}$/u.test(cell.text)) return false
  const beginsLeft = (other: Row | undefined): boolean =>
    other !== undefined && other.page === row.page && cell.x0 - other.cells[0]!.x0 > APART_COLUMNS
  const at = row.index
  return (
    rows.slice(Math.max(0, at - 2), at).some(beginsLeft) &&
    rows.slice(at + 1, at + 3).some(beginsLeft)
  )
}

const HEADS_REACH = 3
const DATE_HEAD = /(?:^|[^A-Z])(?:DATE|DATUM|DATA|FECHA|DATO|PVM|DUE|FALLIG)(?![A-Z])/

/** Whether a row of heads with a day's stands over this cell: "Date | Due | Salesperson". */
function isFieldUnderHead({ rows }: DocumentText, { row }: Spot): boolean {
  const hasDays = (at: number): boolean => {
    const near = rows[at]
    return near !== undefined && near.page === row.page && datesOfRow(near).length > 0
  }
  if (![-2, -1, 0, 1, 2].some((step) => hasDays(row.index + step))) return false
  return rows
    .slice(Math.max(0, row.index - HEADS_REACH), row.index)
    .some(
      (above) =>
        above.page === row.page &&
        above.text.split(/\s+/).length >= 4 &&
        !/\d/.test(above.text) &&
        DATE_HEAD.test(capitals(above.text)),
    )
}

/** Whether letters are the name in a domain. */
export const isNameOf = (domain: string, letters: string): boolean =>
  letters.includes(domain) ||
  (letters.length >= 5 &&
    domain.includes(letters.slice(0, 8)) &&
    letters.length <= domain.length + 12)

/** The points of a spot, or null where it cannot be the name; a name has 0.6 and more. */
export const scoreSpot = (...subject: Parameters<typeof rateSpot>): number | null =>
  rateSpot(...subject)?.points ?? null

/** The same with the rules that applied. */
export function rateSpot(
  spot: Spot,
  document: DocumentText,
  zones: Zones,
  domains: readonly string[],
  preferred: 'receipt' | 'invoice',
): Score | null {
  const upper = spot.upper.trim()
  const subject: Subject = {
    spot,
    document,
    zones,
    domains,
    preferred,
    text: spot.cell.text.trim(),
    nameText: (spot.row.index <= 1 && senderOf(spot.cell.text.trim())) || spot.cell.text.trim(),
    upper,
    letters: basicLetters(upper),
    index: spot.row.index,
    isLegal: LEGAL_FORM.test(upper) || LEGAL_PREFIX.test(upper),
    hasLabel: LABELLED.test(upper),
    address: addressScore(upper),
  }
  if (EXCLUSIONS.some((exclusion) => exclusion.holds(subject))) return null
  return scoreBy(NAME_RULES, subject)
}
