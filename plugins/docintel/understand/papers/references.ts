/** What a document says of other papers and of the seller's account. */
import { capitalsInPlace } from '../../lexicon/fold.ts'
import type { DocumentText } from '../../model/document.ts'
import type { Scored } from '../days/issued-at.ts'
import { isIban } from '../marks/iban.ts'

const NUMBER = String.raw`(?:\s*(?:NUMBER|NUMMER|NUMERO|NUMER|NUM|NO|NR|N[°º]|REF|REFERENCE|#))?[\s.:#]*`
/** A code with a digit, to the end of its cell or a wide gap. */
const CODE = String.raw`([A-Z]{0,8}[-/ ]?[A-Z\d]*\d[A-Z\d\-/._]*)`

const ORIGINAL = new RegExp(
  String.raw`(?<![A-Z])(?:ORIGINAL INVOICE|INVOICE REFERENCE|REFERENCE INVOICE|(?:AGAINST|FOR|TO|RE) INVOICE|ZU(?:R)? RECHNUNG|BEZUG(?: AUF)?(?: RECHNUNG)?|URSPRUNGSRECHNUNG|ORIGINALRECHNUNG|STORNO (?:ZU|DER) RECHNUNG|(?:SUR|CONCERNE|RELATIVE? A)(?: LA)? FACTURE|FACTURE D[ ']?ORIGINE|FACTURE INITIALE|RIF(?:\.|ERIMENTO)? FATTURA|FATTURA DI RIFERIMENTO|FACTURA (?:ORIGINAL|RECTIFICADA|DE REFERENCIA)|OORSPRONKELIJKE FACTUUR|BETREFT FACTUUR|FATURA (?:ORIGINAL|DE ORIGEM)|(?:DO|DOTYCZY) FAKTURY|ORIGINALFAKTURA|AVSER FAKTURA|VEDR\.? FAKTURA)${NUMBER}${CODE}`,
)
const PURCHASE_ORDER = new RegExp(
  String.raw`(?<![A-Z])(?:P\.?O\.?|PURCHASE ORDER|YOUR ORDER|CUSTOMER (?:ORDER|PO)|ORDER REFERENCE|IHRE (?:BESTELLUNG|BESTELL)|BESTELL(?:UNG|NUMMER)?|BESTELLNR|VOTRE COMMANDE|BON DE COMMANDE|(?:NUMERO DE )?COMMANDE|SU PEDIDO|PEDIDO|VS\.? ORDINE|VOSTRO ORDINE|ORDINE|UW (?:ORDER|BESTELLING)|INKOOPORDER|BESTELNUMMER|ENCOMENDA|ZAMOWIENIE|ER(?:T)? ORDER|DERES ORDRE|ORDRENUMMER|ORDERNUMMER|TILAUSNUMERO)(?![A-Z])${NUMBER}${CODE}`,
)
const IBAN = /(?<![A-Z\d])([A-Z]{2}\d{2}(?: ?[A-Z\d]{2,4}){3,8})(?![A-Z\d])/g
const BIC =
  /(?<![A-Z])(?:BIC|SWIFT)(?: ?\/ ?(?:BIC|SWIFT))?(?:[ -]?CODE)?[\s.:#]*([A-Z]{4} ?[A-Z]{2} ?[A-Z\d]{2}(?: ?[A-Z\d]{3})?)(?![A-Z\d])/
const TERMS =
  /(?<![A-Z])(?:PAYMENT TERMS?|TERMS(?: OF PAYMENT)?(?! (?:AND|&) CONDITIONS)|ZAHLUNGS(?:BEDINGUNG(?:EN)?|ZIEL|KONDITIONEN)|ZAHLBAR|CONDITIONS DE (?:PAIEMENT|REGLEMENT)|CONDICIONES DE PAGO|FORMA DE PAGO|CONDIZIONI DI PAGAMENTO|BETALINGS(?:CONDITIES|BETINGELSER|VILLKOR|TERMIJN)|CONDICOES DE PAGAMENTO|TERMIN PLATNOSCI|MAKSUEHTO)[\s.:]*/

export interface References {
  original_document_id: Scored<string> | null
  purchase_order: Scored<string> | null
  payment_terms: Scored<string> | null
  iban: Scored<string> | null
  bic: Scored<string> | null
}

/** The references of a document; each null where none is printed. */
export function findReferences(document: DocumentText): References {
  const found: References = {
    original_document_id: null,
    purchase_order: null,
    payment_terms: null,
    iban: null,
    bic: null,
  }
  for (const row of document.rows) {
    if (row.text.length > 240) continue
    const upper = capitalsInPlace(row.text)
    // Capitals keep their places, so that a code comes out as it is printed.
    const code = (pattern: RegExp): string | null => {
      const match = pattern.exec(upper)
      const value = match?.[1]
      if (!match || !value) return null
      const start = match.index + match[0].length - value.length
      const printed = row.text.slice(start, start + value.length).trim()
      return /\d/.test(printed) && !/^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(printed)
        ? printed
        : null
    }
    found.original_document_id ??= scored(code(ORIGINAL), 0.85)
    found.purchase_order ??= scored(code(PURCHASE_ORDER), 0.8)
    found.iban ??= scored(ibanIn(upper), 0.98)
    found.bic ??= scored(BIC.exec(upper)?.[1]?.replaceAll(' ', '') ?? null, 0.9)
    found.payment_terms ??= scored(termsIn(row.text, upper), 0.75)
  }
  return found
}

const scored = (value: string | null, confidence: number): Scored<string> | null =>
  value === null ? null : { value, confidence }

/** The first text of a row whose check digits say that it is an IBAN. */
function ibanIn(upper: string): string | null {
  for (const match of upper.matchAll(IBAN)) {
    const compact = match[1]!.replaceAll(' ', '')
    // Letters behind it may have been taken along: the check decides how long it is.
    for (let length = Math.min(compact.length, 34); length >= 15; length--)
      if (isIban(compact.slice(0, length))) return compact.slice(0, length)
  }
  return null
}

function termsIn(text: string, upper: string): string | null {
  const match = TERMS.exec(upper)
  if (!match || (match.index > 0 && !/\s{2}$|^\W*$/.test(text.slice(0, match.index)))) return null
  const whole = /^(?:ZAHLBAR)/.test(match[0])
  const from = whole ? match.index : match.index + match[0].length
  const value = text.slice(from).split('  ')[0]!.trim()
  return value.length >= 3 && value.length <= 120 ? value : null
}
