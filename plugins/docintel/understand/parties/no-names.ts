/** What cannot be the name of a seller at all: labels, titles, goods, notes. */
import { foldLabel } from '../../lexicon/fold.ts'
import { columnOfHead } from '../../lexicon/items.ts'
import { classifyOtherScript, letterWeight } from '../../lexicon/other-scripts.ts'
import {
  BUYER_LABEL,
  FIELD_LABEL,
  LEGAL_FORM,
  NAME_FIELD,
  SELLER_LABEL,
  TITLE,
} from '../../lexicon/parties.ts'
import { isPrintedLabel } from '../../lexicon/printed-labels.ts'
import type { DocumentText } from '../../model/document.ts'
import { hasUnitAlone } from '../goods/goods-names.ts'
import { sameColumn, type Spot, type Zones } from './zones.ts'

/** What the rules for names look at: a spot, and what is known about it. */
export interface NameSubject {
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

const FIELD_BEGIN =
  /^(?:TEL|PHONE|FAX|MOBILE|EMAIL|E-MAIL|WEB|WWW|HTTP|GST|VAT|TAX|CO\.? ?REG|REG|ROC|NO\.? ?TEL|DATE|TIME|INVOICE|INV|DOC|BILL|RECEIPT|CASHIER|SST|TIN|PIN|KRA|ABN|GSTIN|USER|SALES|ORDER|TERMS|PAGE(?=\W*\d|\W*$)|REF|CLERK|OPERATOR|OP|MEJA|KASIR|NPWP|HOTLINE|CUSTOMER|IBAN|BIC|SWIFT|BANK|ACCOUNT|A\/C|VRN|ATTN|LOCATION|BRANCH|OUTLET|STORE NO|HRB|AMTSGERICHT|GESCHAFTSFUHRER|GESCHAEFTSFUEHRER|ADOSZAM|ICO|DIC|NIP|REGON|P\.? ?IVA|PARTITA IVA|NIF|CNPJ|ORG\.? ?NR|CVR|Y-TUNNUS|BTW|TVA|MWST|UST(?:-?ID\w*)?|STEUER\w*|TELEFON[OE]?|TLF|PUHELIN|SIRET|SIREN|RCS|KVK|CIN|PAN|STATE|COMPANY (?:NO|REG)|DUE|TOTAL|AMOUNT|PAYMENT|CURRENCY|KUNDENN\w*|LIEFER\w*|DATUM|BEARBEITER|SEITE|FECHA|DATA|CODE|PUMP|GALLONS|PRICE\/GAL|LITRES|VEHICULE|IMMATRICULATION|KENNZEICHEN|FAHRZEUG)(?:$|[\s.:#\-/)])/

/** Whether capitals begin with the label of a field. */
export const beginsWithLabel = (upper: string): boolean => FIELD_BEGIN.test(upper)

/** "FACTURA SIMPLIFICADA T-22/10931". */
const NUMBERED_TITLE =
  /^(?:FACTURA|FATTURA|FATURA|FAKTURA|RECHNUNG|FACTURE|FACTUUR|INVOICE|RECEIPT|TICKET|QUITTUNG|KASSENBON|BON|NOTA|RESIT|BILL|ORDER|TAX INVOICE|CASH (?:SALE|BILL)|PARAGON|UCTENKA|KVITTO|KVITTERING|SALGSKVITTERING|KUITTI|NYUGTA|BOLETA|CUPOM|FIS|LASKU|SZAMLA)\b.*\d/
/** Names of fewer than three letters that are known as such. */
const SHORT_NAME = /^(?:3M|BP|HP|H&M|C&A|DM|7-?ELEVEN|O2)$/

/** The head of a field, alone. */
const FIELD_WORD =
  /^(?:NUMBER|NUMERO|NUMMER|NUMER|NUMRO|CISLO|SORSZAM|ORDER|BESTELLUNG|COMMANDE|PEDIDO|ORDINE|ZAMOWIENIE|TILAUS|COD\.? ?CLIENTE|FORMA DE PAGO|CONDITIONS|KONDITIONEN|BETINGELSER|VILLKOR|WARUNKI|(?:DELIVERY|DUE|ISSUE|ISSUED|PAYMENT|SHIPPING|SERVICE|SUPPLY|PRINT) DATE|ZAHLUNGSZIEL|LEISTUNGS(?:ZEITRAUM|DATUM)|DATE DE LIVRAISON|ECHEANCE)[\s.:#]*$/

/** What a page printed from a browser offers to click, and what heads its boxes. */
const BUTTON =
  /^(?:PRINT|EXPORT|DOWNLOAD(?: PDF)?|SHARE|BACK|CLOSE|PAY NOW|VIEW (?:ONLINE|IN BROWSER|ORDER)|UNSUBSCRIBE|DRUCKEN|IMPRIMER|IMPRIMIR|STAMPA|AFDRUKKEN|DRUKUJ|SKRIV UT|PROJECT|PROJEKT|PROYECTO|PROGETTO|PROJETO|DETAILS|DETALLES|DETTAGLI|DETALHES)\W*$/

/** How goods go or money comes, in languages with words of their own for it. */
const WAYS =
  '(?:MAKSU|TOIMITUS)TAPA|FIZETESI MOD|SZALLITASI MOD|SPOSOB (?:PLATNOSCI|DOSTAWY|ZAPLATY)|ZPUSOB (?:PLATBY|DOPRAVY|DORUCENI)'

/** "Delivery information", "Zahlungsdetails", "Informations de livraison": what heads a part of a page. */
const PART = new RegExp(
  String.raw`^\W*(?:(?:DELIVERY|SHIPPING|PAYMENT|BILLING|ORDER|CUSTOMER|CONTACT|ACCOUNT|INVOICE|BANK|TAX|YOUR|OTHER|ADDITIONAL)(?: (?:AND|&) [A-Z]+)? (?:INFORMATION|INFO|DETAILS|DATA|METHOD|SUMMARY|OVERVIEW|STATUS|OPTIONS|INSTRUCTIONS|CONTENTS?)|(?:LIEFER|ZAHLUNGS|BESTELL|KUNDEN|RECHNUNGS|KONTAKT|VERSAND|BANK|AUFTRAGS)-?(?:INFORMATION(?:EN)?|DETAILS|DATEN|ART|WEISE|UBERSICHT|ANGABEN)|(?:INFORMATIONS?|DETAILS?|RECAPITULATIF|MODE|MOYEN) (?:DE |DU |SUR |D')(?:LA |LE |L')?(?:LIVRAISON|PAIEMENT|COMMANDE|FACTURATION|CLIENT|CONTACT)|DETAILS? DE LA FACTURE|DONNEES DE (?:LA )?FACTUR(?:E|ATION)|DANE (?:FAKTURY|ZAMOWIENIA|DOSTAWY|PLATNOSCI|KLIENTA)|UDAJE (?:FAKTURY|O PLATBE)|(?:FAKTURA|BETALNINGS|BETALINGS|LEVERANS|LEVERINGS|ORDER|KUND|KUNDE)(?:INFORMATION|INFORMASJON|UPPGIFTER|OPLYSNINGER|DETALJER|SATT|METODE|MATE)|LASKUN TIEDOT|TILAUKSEN TIEDOT|${WAYS}|(?:INFORMACION|DATOS|DETALLES?|RESUMEN|FORMA|METODO) (?:DE |DEL )(?:LA )?(?:ENVIO|ENTREGA|PAGO|PEDIDO|FACTURA|FACTURACION|CONTACTO|CLIENTE)|(?:INFORMAZIONI|DATI|DETTAGLI|RIEPILOGO|METODO|MODALITA) (?:DI |DEL |DELLA |DELL ?'?|SULLA |SUL )(?:LA )?(?:SPEDIZIONE|CONSEGNA|PAGAMENTO|ORDINE|FATTURA|FATTURAZIONE|CONTATTO|CLIENTE)|(?:BESTEL|BETAAL|BETALINGS|VERZEND|LEVERINGS|KLANT|FACTUUR|CONTACT)(?:GEGEVENS|OVERZICHT|INFORMATIE|WIJZE|METHODE))\W*$`,
)

/** "Payment method", "Versandart" over "Parcel (2-4 days)". */
const WAY = new RegExp(
  String.raw`^\W*(?:(?:PAYMENT|SHIPPING|DELIVERY) METHOD|(?:ZAHLUNGS|VERSAND|LIEFER)-?(?:ART|WEISE)|(?:MODE|MOYEN) (?:DE |D')(?:LIVRAISON|PAIEMENT|EXPEDITION)|(?:FORMA|METODO) DE (?:ENVIO|PAGO|ENTREGA)|(?:METODO|MODALITA) DI (?:SPEDIZIONE|CONSEGNA|PAGAMENTO)|(?:BETAAL|VERZEND)(?:WIJZE|METHODE)|${WAYS}|(?:BETALNINGS|LEVERANS)SATT|(?:BETALINGS|LEVERINGS)(?:METODE|MATE))\W*$`,
)

/** Whether the cell right above says how goods go or money comes. */
const isWay = ({ zones, spot: { row, cell } }: NameSubject): boolean =>
  zones.spots.some(
    (s) => s.row.index === row.index - 1 && sameColumn(s.cell, cell) && WAY.test(s.upper),
  )

/** Whether the label of the buyer alone begins the row: what else stands in it heads other parts. */
const isBesideBuyerLabel = ({ zones, spot, isLegal }: NameSubject): boolean =>
  !isLegal &&
  zones.spots.some(
    (s) =>
      s.row === spot.row &&
      s.cell.x0 < spot.cell.x0 &&
      (BUYER_LABEL.exec(s.upper)?.[0].length ?? -1) >= s.upper.trim().length,
  )

/** How was or is to be paid, alone in its cell. */
const MEANS =
  /^(?:(?:BANK|WIRE|CREDIT) TRANSFER|DIRECT DEBIT|(?:CREDIT|DEBIT) CARD|CASH ON DELIVERY|(?:BANK)?UBERWEISUNG|LASTSCHRIFT|KREDITKARTE|NACHNAHME|VORKASSE|VIREMENT(?: BANCAIRE)?|CARTE (?:BANCAIRE|DE CREDIT)|PRELEVEMENT|TRANSFERENCIA(?: BANCARIA)?|TARJETA(?: DE CREDITO)?|BONIFICO(?: BANCARIO)?|CARTA DI CREDITO|CONTRASSEGNO|(?:BANK)?OVERBOEKING|BANKOVERSCHRIJVING|IDEAL|BANKOVNI PREVOD|BANKOVY PREVOD|PREVODEM|DOBIRKA|PRZELEW(?: BANKOWY)?|GOTOWKA|ATUTALAS|BANKI ATUTALAS|UTANVET|BANKOVERFORSEL|BANKOVERFORING|BANKGIRO|TILISIIRTO|KONTANT|PAYPAL|STRIPE|KLARNA)\W*$/

/** "NOTE : Goods", "Receipt for your order", "Thank you for your order!". */
const NOTE =
  /^RECEIVED (?:FROM|BY|WITH THANKS)\b|^BEING |^YOUR (?:PAYMENT|PURCHASE|ORDER)\b|^(?:SUBJECT|ASUNTO|OGGETTO|ASSUNTO|ONDERWERP|AMNE|EMNE|AIHE|TEMAT|KONU|NOTES?|NOTA|HINWEIS|BEMERKUNG|REMARQUE|OPMERKING|MEMO|RE|BETREFF|OBJET) ?:|^(?:RECEIPT|INVOICE|RECIBO|FATURA|FACTURA) (?:FOR|DO|DE|DA) (?:YOUR|SEU|SUA|SU|TU) |^(?:\S+ ){3,}\S+!$|^#\S*\d/

/** Why a spot cannot be a name at all. */
export const NO_NAMES: readonly { name: string; holds(subject: NameSubject): boolean }[] = [
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
  {
    name: 'the field for a name',
    holds: ({ upper }) => NAME_FIELD.exec(upper)?.[0].length === upper.length,
  },
  {
    name: 'a label before what it names',
    holds: ({ spot, text }) =>
      text.endsWith(':') && spot.row.cells.some((cell) => cell.x0 > spot.cell.x1),
  },
  { name: 'a heading of a part', holds: ({ upper }) => PART.test(upper) },
  { name: 'a way of paying or sending', holds: isWay },
  { name: "a heading beside the buyer's label", holds: isBesideBuyerLabel },
  { name: 'a means of payment', holds: ({ upper }) => MEANS.test(upper) },
  { name: 'a button or box of a page', holds: ({ upper }) => BUTTON.test(upper) },
  { name: 'a note', holds: ({ upper }) => NOTE.test(upper) },
  { name: 'the end of a sentence', holds: ({ text }) => /^\p{Ll}[^.]*[!?.]$/u.test(text) },
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
    holds: ({ upper }) =>
      /@|WWW\.|HTTP/.test(upper) && !/\s/.test(upper.replace(/^[A-Z]+:\s*/, '')),
  },
  { name: 'an amount', holds: ({ upper }) => /^\W*\d+[.,]\d{2}/.test(upper) },
]
