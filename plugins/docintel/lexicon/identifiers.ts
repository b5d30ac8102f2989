/** Labels of document numbers in the languages that are read; on capitals without accents. */

const INVOICE =
  'DOCUMENTO DI VENDITA|PARCELLA|NOTULA|RACUN|SASKAIT(?:A|OS)(?: FAKTURA)?|SERIJA [A-Z]{1,5}|REKIN[SA]|(?:HANDELS|WAREN|EXPORT|DIENSTLEISTUNGS|TEIL|END|GESAMT)RECHNUNG|COMMERCIAL INVOICE|FACTURE (?:COMMERCIALE|D EXPORTATION|DEFINITIVE)|FATTURA COMMERCIALE|FACTURA COMERCIAL|(?:HANDELS|VERKOOP)FACTUUR|FAKTURA HANDLOWA|FATURA COMERCIAL|(?:HANDELS|SALGS)FAKTURA|TAX INVOICE|INVOICE|INV|INVOIS|RECHNUNGS?|RE|RG|FACTURE|FACT|FACTUUR|FACTURA|FAC|FATTURA|FATURA|ANKARA|PROFORMA(?: INVOICE)?|CREDIT NOTE|GUTSCHRIFTS?|CU INVOICE|CASH INV|SIMPLIFIED INVOICE|VAT INVOICE|GST INVOICE|FATTURA ELETTRONICA|FACTURA SIMPLIFICADA|FATURA SIMPLIFICADA|FATURA[ -]RECIBO|FAKTURA?(?: VAT| PAJAK)?|FAKTURY|FAKTURERINGS|LASKUN?|ARVE|SZAMLA|RACUN|KREDITNOTA|KREDITFAKTURA|CREDIT MEMO|CREDIT INVOICE|RECHNUNGSKORREKTUR|KORREKTURRECHNUNG|STORNORECHNUNG|AUSGANGSRECHNUNG|(?:FACTURE D )?AVOIR|NOTA DE CREDITO|NOTA DI CREDITO|CREDITNOTA|CREDITFACTUUR|DANOVY DOKLAD|FOLIO|BOLLETTA|SERIA [A-Z]{1,5}|BEITRAGSRECHNUNG|SAMMELRECHNUNG|ABSCHLAGSRECHNUNG|SCHLUSSRECHNUNG|MONATSRECHNUNG|NOTA FISCAL|NFC?-?E|NFS-?E|NOTA'
const RECEIPT =
  'RECEIPT|RECPT|RCPT|RECEIP|BELEG|RESIT|RISITI|BON|KASSENBON|QUITTUNGS?|TICKET|TIQUE|SCONTRINO|RICEVUTA|RECIBO|KASSABON|BILL|BIL|SLIP|DOC|DOCUMENT|DOCUMENTO|CASH SALES?|CASH BILL|SALES? RETURN|RETURN|SALES?|CHECK|CHEQUE|CHK|DOKUMENT|OFFICIAL RECEIPT|TALAO|PARAGON|KVITTO|KVITTERING|KUITTI|UCTENKA|NYUGTA|STAKABADHI|BUCHUNGS?|VOUCHER|FISCAL|STATEMENT'
const TRANSACTION =
  'REFERENZ|RECHNUNGSREFERENZ|REFERENCIA|REFERENTIE|RIFERIMENTO|REFERANSE|REFERENS|BETALINGSREFERANSE|UNSER ZEICHEN|OUR REF|NOS? REFERENCES?|VAR REF|VAR REFERENS|ONS KENMERK|NS RIF|N REFERENCIA|BOOKING|RESERVATION|TRANS(?:ACTION)?|TRX|TRN|TXN|TRAN|ORDER|ORD|REF(?:ERENCE)?|OR|BESTELL|COMMANDE|BESTELLING|PEDIDO|ORDINE|ENCOMENDA|CS|RECEIPT REF|SERIAL'
const NUMBER =
  '(?:NUMBERS?|NUMMER|NUMER|CISLO|BROJ|BR(?=[.:])|STEVILKA|ST(?=[.:])|SORSZAMA?|SZAMA?|SZ(?=[.:])|NRO|C(?=[.:]|\\s*$| {2})|NUM|NUMERO|N\\.?[º°]|NOS?|NR|N|NO\\(S\\)|ID|CODE|#|NAMBA|NOMBOR|NUMBE?R?|NUN)'

/** A Tunisian tax number ("matricule fiscal"), on capitals: "1234567 A/A/M/000". */
export const MATRICULE_FISCAL = String.raw`(?<!\d)\d{7} ?/? ?[A-Z](?: ?/ ?[ABDNP])? ?/ ?[CEMNP] ?/ ?\d{3}(?!\d)`

/** A number's word alone at the start of a cell ("No : A-3341", "Numéro : FA211123"). */
const LONE_LABEL_SOURCE = String.raw`(?<=^|  )(?:(?:NO|NR|N[º°]|NUM|NUMERO|NUMBER|NUMMER|NUMER|CISLO|NOMBOR|NAMBA|НОМЕР)\.? ?[:#] {0,2}|N[º°]\.? ?|# ?)(?=[A-Z]{0,5}[-/]?\d)`

export interface IdLabel {
  pattern: RegExp
  /** Higher wins. */
  rank: number
}
const label = (names: string, rank: number): IdLabel => ({
  // "INVOICE NO. :", "INV#", "RECHNUNGSNUMMER", "FACTURE N°"; the number word or a sign must follow,
  // and is no part of a label of its own in the next cell ("DAŇOVÝ DOKLAD  ČÍSLO FAKTURY").
  pattern: new RegExp(
    String.raw`(?<![A-Z])(?:NO|NUMERO|NUMBER|NUMMER|NUMER|CISLO|N°|Nº|(?:N|NR|NUM)\.?) (?:DE |DA |DI |OF |VAN |DEL |DELLA )?(?:LA )?(?:${names})(?![A-Z\d])\s*[:.#]*\s*|(?<![A-Z])(?:${names})(?: ?\(\d{3}\))?(?! {2}${NUMBER} (?:${names})(?![A-Z]))[\s.\-_]*(?:DE )?(?:N\.?[º°](?=[A-Z]{1,4}-?\d)|${NUMBER}(?![A-Z])\.?[\s.:#=]*|[:#]+\s*)+`,
    'g',
  ),
  rank,
})

export const INVOICE_LABEL = label(INVOICE, 5)
export const RECEIPT_LABEL = label(RECEIPT, 4)
export const TRANSACTION_LABEL = label(TRANSACTION, 2)
/** "Invoice INV-0042", "Rechnung 2023-115": the name alone before a code. */
export const BARE_LABEL: IdLabel = {
  pattern: new RegExp(
    String.raw`(?<![A-Z])(?:${INVOICE}|RECEIPT|BELEG)\s+(?=[A-Z]{0,6}[-/ ]?\d)`,
    'g',
  ),
  rank: 2.5,
}
/** The same in other scripts. */
export const OTHER_LABEL: IdLabel = {
  pattern:
    /(?:(?:請求書|領収書|領収証|伝票|取引|レシート)(?:番号|NO\.?)|(?:일련|문서|거래|영수증|계산서) ?번호|(?:發票|发票)(?:號碼|号码|編號|编号|號|号)|(?:订单|單|单|流水|小票|帳單|账单)[号號]|(?:ใบเสร็จ|เอกสาร|ใบกำกับภาษี)? ?เลขที่(?:ใบเสร็จ|เอกสาร)?|(?:رقم الفاتورة|فاتورة رقم)|(?:СЧ[ЕЁ]Т(?:[ -]?ФАКТУРА)?(?: НА ОПЛАТУ)?|ФАКТУРА|РАХУНОК(?:[ -]?ФАКТУРА)?|НАКЛАДНАЯ|ИНВО[ЙИ]С|ЧЕК|ДОКУМЕНТ|КВИТАНЦИЯ) ?(?:№|#|НОМЕР|N[O°º]?(?![A-Z]))|(?:№|НОМЕР) ?(?:СЧ[ЕЁ]ТА(?:[ -]?ФАКТУРЫ)?|РАХУНКУ|НАКЛАДНО[ЙИ]|ИНВО[ЙИ]СА|ЧЕКА|ДОКУМЕНТА)|חשבונית(?: מס)?(?: מספר| מס'))\s*[.:#№]*\s*/g,
  rank: 4,
}
export const LONE_LABEL: IdLabel = { pattern: new RegExp(LONE_LABEL_SOURCE, 'g'), rank: 2.6 }
