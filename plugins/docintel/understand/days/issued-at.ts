/** Chooses the day of issue among a document's dates by label, place and company. */
import { foldLabel } from '../../lexicon/fold.ts'
import { MONTH_SOURCE } from '../../lexicon/months.ts'
import { DELIVERED, DUE, glued } from '../../lexicon/other-days.ts'
import { cellAt, columnAt, type DocumentText } from '../../model/document.ts'
import { findDates, type FoundDate } from '../marks/dates.ts'
import { headsOver } from '../marks/head-columns.ts'
import { pointsOf, type Score } from '../marks/rules.ts'

const LATIN_ISSUE =
  /\b(INVOICE DATE|INV DATE|DATE OF ISSUE|ISSUE DATE|DATE OF INVOICE|ISSUED|BILL DATE|BILLING DATE|TAX DATE|RECEIPT DATE|TRANSACTION DATE|SALE DATE|PURCHASE DATE|DATE PAID|PAYMENT DATE|TAX POINT|RECHNUNGSDATUM|RECHNUNGS DATUM|BELEGDATUM|AUSSTELLUNGSDATUM|RE DATUM|DATE (?:DE )?(?:LA )?FACTURE|DATE (?:DE )?FACTURATION|DATE D EMISSION|FACTURE DU|EMISE? LE|FACTUURDATUM|FACTUUR DATUM|FECHA (?:DE )?(?:LA )?(?:FACTURA|EMISION|EXPEDICION|FACTURACION)|DATA (?:DELLA )?(?:FATTURA|EMISSIONE|DOCUMENTO)|DATA DE EMISSAO|DATA (?:DA |DE )?(?:FATURA|FACTURA)|TAREHE YA (?:ANKARA|RISITI)|DATED|INV DT|BILL DT|FATTURA (?:N|NR|NUM|NUMERO)?.{0,16} DEL|(?:FACTURE|AVOIR) (?:N|NO|NR|NUMERO)?.{0,24} DU|(?<!ZU (?:DER |IHRER |UNSERER )?)RECHNUNG (?:NR|NUMMER)?.{0,24} VOM|FACTUUR .{0,24} VAN|FACTURA .{0,24} DE(?: FECHA)?|STATEMENT DATE|INVOICED ON|BILLED ON|FAKTURADATUM|FAKTURADATO|FAKTURERINGSDATUM|UTSTALLNINGSDATUM|LASKUN (?:PAIVA|PAIVAYS|PAIVAMAARA|PVM)|LASKUPAIVA|DATA WYSTAWIENIA|(?:DATUM|DEN) VYSTAVENI|DATUM VYHOTOVENIA|SZAMLA KELTE|KIALLITAS (?:DATUMA|KELTE)|FATURA TARIHI|DUZENLEME TARIHI|DATA (?:EMITERII|FACTURII)|DATUM IZDAVANJA|AUSGESTELLT(?: AM)?|RECHNUNG VOM|FAKTUROITU|FAKTURA DATO|DATO FAKTURA|DATUM FAKTURY|DATUM FAKTURACE|DATUM VYSTAVENIA|DATUM VYHOTOVENIA|KELTEZES|DATA DE EMISION|FECHA DE EXPEDICION|DATA FATTURAZIONE|OPPRETTET|UTFARDAD|UTSTEDT|UDSTEDT|WYSTAWIONO|DATA FAKTURY|VYSTAVENE|VYSTAVENO|ARVE KUUPAEV|SASKAITOS DATA|REKINA DATUMS|CREDIT (?:NOTE|MEMO) DATE|GUTSCHRIFTSDATUM)\b/
const LATIN_PLAIN =
  /\b(DATE|KUUPAEV|DATUM|FECHA|DATA|TAREHE|TARIKH|TARIH|TARIHI|PVM|PAIVAYS|KELT|DT|DATE TIME|LE|DEL|DATO)\b/
const LATIN_OTHER =
  /\b(DUE|DEADLINE|(?:PAYER|REGLER) AVANT|VENCIDA|SCADENTA?|TERMEN DE PLATA|DOSPIJECA|DOSPIJECE|DOSPECA|ZAPADLOSTI|ZAPADE|ROK PLACILA|ROK PLACANJA|MOKETI|APMOKETI|APMOKEJIMO|APMAKSAT|APMAKSAS|SAMAKSAS|TASUDA|FORFALDEN|ERAPVM|UITERLIJK|VENCE|VTO|SCADE|FORFALD|ERAANTYY|TERMIN ZAPLATY|BEZAHLBAR|VERSCHULDIGD|BETALINGSDATO|BETALNINGSDATUM|BETALEN|FORFALLER|FORFALDER|ESEDEKESSEG|ESEDEKES|PAYABLE|SPLATNA|SPLATNY|PLATNOSC|PLATNOSCI|MAKSETAHTAEG|PAGAMENTO|PAGO|A PAGAR|TO BE PAID|LEVERANS|TOIMITUS|DOSTAWA|DODANIA|DODANIE|FORFALLODATUM|FORFALLODAG|FORFALDSDATO|FORFALLSDATO|FORFALL|BETALINGSFRIST|ERAPAIVA|TERMIN PLATNOSCI|DATA SPRZEDAZY|SPLATNOSTI|SPLATNOST|USKUTECNENI|DUZP|PLNENI|DODANI|TELJESITES|HATARIDO|VADE|SON ODEME|ODEME|LEVERANSDATUM|LEVERINGSDATO|LEVERERET|TOIMITUSPAIVA|VERVALDAG|ZU RECHNUNG|ORIGINAL INVOICE|PRELEVEMENT|PRELEVE|EINZUG|LASTSCHRIFT|ABGEBUCHT|DOMICILIATION|DEBITED|COLLECTED|INCASSO|ADDEBITO|CARGO|FALLIG|FALLIGKEIT|ZAHLBAR|ZAHLUNGSZIEL|ECHEANCE|VERVALDATUM|VERVAL|VENCIMIENTO|SCADENZA|VENCIMENTO|LIMITE|EXPIRY|EXPIRES?|EXP|VALID|VALIDITY|UNTIL|BEST BEFORE|BIRTH|DOB|JOIN|MEMBER SINCE|LIEFERDATUM|LEISTUNGSDATUM|LEISTUNGSZEITRAUM|LIEFERUNG|DELIVERY|DELIVERED|SHIP|SHIPPED|SHIPPING|ORDER DATE|ORDERED|DATE OF ORDER|BESTELLDATUM|BESTELLUNG|DATE DE COMMANDE|COMMANDE|LIVRAISON|BESTELDATUM|LEVERDATUM|FECHA DE PEDIDO|ENTREGA|CONSEGNA|PERIOD|PERIODE|PERIODO|ZEITRAUM|ABRECHNUNGSZEITRAUM|FROM|TO|CHECK IN|CHECK OUT|ARRIVAL|DEPARTURE|CHECKIN|CHECKOUT|EFFECTIVE|STARTING|SINCE|COMMENCING|PROMOTION|PROMO|REDEEM|RETURN|EXCHANGE|WARRANTY|PRINTED|PRINT|IMPRIMEE?|IMPRESSION|IMPRES[OA]|IMPRESSO|STAMPAT[OA]|GEDRUCKT|DRUCKDATUM|AFGEDRUKT|WYDRUKOWANO|STATEMENT|LAST|PREVIOUS|NEXT|READING|AUTHORI[SZ]ED|APPROVED|LICEN[CS]E|TRAVEL|DOC(?:UMENT)? DUE|PAY BY|PAYABLE BY|MAKE PAYMENT BEFORE|RETENTION|BIS|VOM.*BIS|PO DATE|CARD EXPIRY|CLAIM|SURVEY|WITHIN|THROUGH)\b/
/** With words in Cyrillic letters, to which \b is blind. */
const orCyrillic = (latin: RegExp, words: string): RegExp =>
  new RegExp(String.raw`${latin.source}|(?<!\p{L})(?:${words})(?!\p{L})`, 'u')
const ISSUE = orCyrillic(
  LATIN_ISSUE,
  'ДАТА (?:СЧЕТА|ВЫСТАВЛЕНИЯ|ВЫПИСКИ|СОСТАВЛЕНИЯ|ДОКУМЕНТА|ИНВОИСА|РАХУНКУ)',
)
const PLAIN = orCyrillic(LATIN_PLAIN, 'ДАТА|ОТ|ВІД')
const OTHER = orCyrillic(
  LATIN_OTHER,
  'СРОК (?:ОПЛАТЫ|ПЛАТЕЖА|ЗА ПЛАЩАНЕ)|ОПЛАТИТЬ (?:ДО|НЕ ПОЗДНЕЕ)|ПАДЕЖ|СТРОК ОПЛАТИ|ОПЛАТИТИ ДО|ДАТА (?:ОПЛАТЫ|ПЛАТЕЖА|ПОСТАВКИ|ОТГРУЗКИ)|ОПЛАТА ДО|К ОПЛАТЕ ДО|ТЕРМИН ОПЛАТИ|СПЛАТИТИ ДО',
)
/** Labels that OCR and some programs print without their spaces: "Deliverydate", "Datedefacture". */
const isGluedOther = (label: string): boolean =>
  [DELIVERED, DUE].some((words) => words.test(label) || glued(words).test(label))
const GLUED_ISSUE =
  /\b(?:(?:INVOICE|BILL|ISSUE|RECEIPT)DATE|DATE(?:OF|DE|D)?(?:LA)?(?:INVOICE|ISSUE|FACTURE|FACTURATION|EMISSION)|FECHA(?:DE)?(?:LA)?(?:FACTURA|EMISION)|DATA(?:DI|DE|DELLA|DA)?(?:FATTURA|EMISSIONE|EMISSAO|FATURA))\b/
const UNTIL_DAY = 'until that day'
/** What stands right before a day until which something is done: "antes del 7 de febrero". */
const UNTIL =
  /\b(?:BEFORE|BY|UNTIL|BIS(?: ZUM)?|AVANT(?: LE)?|ANTES DEL?|PRIMA DEL|ENTRO(?: IL)?|VOOR|DO DNIA|INNAN|INDEN|SENAST)$/
const TIME = /\b\d{1,2}[:.h]\d{2}(?::\d{2})?\s?(?:AM|PM|am|pm|Uhr)?\b|\b\d{1,2}:\d{2}/
/** The next invoice or the last one: days of other documents. */
const OTHER_ISSUE =
  /\b(?:NEXT|PREVIOUS|LAST|PROCHAINE?|PRECEDENTE?|NACHSTE[NR]?|LETZTE[NR]?|VORIGE[NR]?|VOLGENDE|PROXIM[AO]|ANTERIOR|PROSSIM[AO])\b/
/** "du 03.02.14" under a heading that names the invoice. */
const OF_HEADING = /^(?:DU|VOM|VAN|DEL|DE|OF)$/
/** "Invoice No. R27 of 20/05/2024": the day in the title. */
const TITLE_DAY =
  /^(?:[A-Z]+ ){0,2}[A-Z]*(?:INVOICE|RECHNUNG|FACTURE|FATTURA|FACTURA|FACTUUR|FATURA|FAKTURA|CREDIT NOTE|GUTSCHRIFT|AVOIR)(?: [A-Z]+)?(?: \(?\d{3}\)?)? (?:NO|NR|N|NUM|NUMBER|NUMMER|NUMERO) .*\d.* (?:OF|VOM|DU|DEL|DE|DATED|D D|DEN|DE FECHA|Z DNIA|AV|VAN)$/
/** "This is your receipt from X of June 24, 2024", also where the day begins the next line. */
const SENTENCE_DAY = new RegExp(
  String.raw`\b(?:YOUR|IHRE?|VOTRE|VOSTRA|SU|UW|TU) (?:[A-Z]+ )?(?:RECEIPT|INVOICE|BILL|RECHNUNG|QUITTUNG|FACTURE|RECU|FATTURA|RICEVUTA|FACTURA|RECIBO|FACTUUR|BON)\b.* (?:OF|DATED|ON|VOM|DU|DEL|VAN|DE)(?: (?:${MONTH_SOURCE})(?: \d{1,2})?)?$`,
)
const DOCUMENT_WORD =
  /\b(?:INVOICE|BILL|FACTURE|RECHNUNG|FATTURA|BOLLETTA|FACTURA|FACTUUR|FATURA)\b/
/** The invoice that a credit note or correction is about, with its day. */
const REFERRED =
  /\b(?:ORIGINAL INVOICE|REFERENCE INVOICE|AGAINST INVOICE|TO INVOICE|ZU(?:R)? RECHNUNG|BEZUG|URSPRUNGSRECHNUNG|ORIGINALRECHNUNG|STORNO (?:ZU|DER)|(?:SUR|RELATIVE? A|CONCERNE)(?: LA)? FACTURE|FACTURE (?:D ORIGINE|INITIALE)|RIF(?:ERIMENTO)? FATTURA|FACTURA (?:ORIGINAL|RECTIFICADA)|OORSPRONKELIJKE FACTUUR|BETREFT FACTUUR|FATURA ORIGINAL|(?:DO|DOTYCZY) FAKTURY|ORIGINALFAKTURA|AVSER FAKTURA)\b/
/** Delivery notes and orders that a line of goods names with their day. */
const OTHER_PAPER =
  /\b(?:DDT|D D T|BOLLA|ORDINE|ORDER|PEDIDO|ALBARAN|LIEFERSCHEIN|BESTELLUNG|AUFTRAG|BON DE LIVRAISON|COMMANDE)\b/

/** What stands over a day of any kind. */
const NAMES_DAY = new RegExp(`${ISSUE.source}|${PLAIN.source}|${OTHER.source}`)

export interface Scored<T> {
  value: T
  confidence: number
}

/** Label left of a date in its row, or the label row or column head above it. */
export function labelsOf(
  document: DocumentText,
  date: FoundDate,
): { own: string; above: string; whole: boolean } {
  const row = document.rows[date.row]!
  const left = row.text.slice(0, date.start).replace(/.*\d{2}[:/.]\d{2}\S*/, '')
  const printed = cellAt(row, date.start)
  // A cell that brings its own label needs none of its neighbours'.
  const lead = printed?.cell.text.slice(0, printed.inside) ?? ''
  const own = foldLabel(/\p{L}{4}\W*:\s*$/u.test(lead) ? lead : left)
  const previous = document.rows[date.row - 1]
  if (!previous || !printed || previous.page !== row.page) return { own, above: '', whole: false }
  const x = printed.cell
  const over = previous.cells.filter((c) => Math.min(c.x1, x.x1) - Math.max(c.x0, x.x0) > 0)
  const above = (
    over.length > 0
      ? over
      : previous.cells.length === 1 && row.cells.length === 1
        ? previous.cells
        : []
  )
    .map((c) => c.text)
    .join(' ')
  const whole = x.text.trim().replace(/[.,;]$/, '').length <= date.end - date.start
  const wide =
    /\d[.,]\d{2}(?!\d)/.test(previous.text) || (/\d{3}/.test(above) && !/[A-Za-z]{4}/.test(above))
      ? ''
      : foldLabel(above)
  // A word among others names nothing: only numbers stand left of a value under a head.
  if (!document.hasGeometry || /(?:^| )\p{L}{2,}(?: |$)/u.test(own))
    return { own, above: wide, whole }
  const { inside } = printed
  const end = inside + date.end - date.start
  const place = { text: '', x0: columnAt(x, inside), x1: columnAt(x, end) }
  const heads = headsOver(document, place, date.row).map((text) => foldLabel(text))
  // As many cells as values: each is a head of its own, however wide.
  const isOwnHead = whole && over.length === 1 && previous.cells.length === row.cells.length
  const near = isOwnHead ? [wide, heads[0] ?? ''] : [heads[0] ?? '', wide]
  const named = [...near, ...heads.slice(1)].find((text) => NAMES_DAY.test(text))
  return named === undefined
    ? { own, above: wide, whole }
    : { own: '', above: named, whole: whole || named !== wide }
}

/** What a sentence says before a day, from the line above on. */
function wordsBefore({ rows }: DocumentText, { row, start }: FoundDate): string {
  const own = rows[row]!
  const over = rows[row - 1]
  const left = own.text.slice(0, start)
  return foldLabel(
    over?.page === own.page && over.cells.length === 1 ? `${over.text} ${left}` : left,
  )
}

/** What speaks for a day as that of issue, and against it. */
function rateDay(document: DocumentText, date: FoundDate, now: Date): Score['because'] {
  const row = document.rows[date.row]!
  const { own, above, whole } = labelsOf(document, date)
  const because: Score['because'] = [{ rule: 'a day', points: 1 }]
  const count = (rule: string, points: number): void => {
    because.push({ rule, points })
  }
  const near = own.split(' ').slice(-6).join(' ')
  // A line of goods or hours begins with its day and ends with its price: "2.40" in it is no time.
  const priced = near === '' && /\s\S?\d[\d.,]*[.,]\d{2}\s*\p{Sc}?$/u.test(row.text)
  // A cell that holds nothing but the day belongs to the head above it, whatever stands to the left.
  const headed = whole && near !== '' && !ISSUE.test(near) && !OTHER.test(near) && !PLAIN.test(near)
  if (OTHER_ISSUE.test(own)) count('next or last invoice', -3)
  else if (REFERRED.test(own)) count('invoice that it is about', -4)
  else if (TITLE_DAY.test(own)) count('in the title', 4)
  else if (SENTENCE_DAY.test(wordsBefore(document, date)))
    count('in the sentence that names the document', 4)
  else if (headed && ISSUE.test(above)) count('under a head for the day of issue', 3.5)
  else if (headed && OTHER.test(above)) count('under a head for another day', -2.5)
  else if (headed && PLAIN.test(above)) count('under a head for days', 2)
  else if (OF_HEADING.test(near) && DOCUMENT_WORD.test(above) && !OTHER_ISSUE.test(above))
    count('under the heading of the invoice', 4)
  else if (ISSUE.test(near)) count('label of the day of issue', 4)
  else if (OTHER.test(near) || OTHER_PAPER.test(near)) count('label of another day', -3)
  else if (GLUED_ISSUE.test(near)) count('label of the day of issue without spaces', 3.5)
  else if (isGluedOther(near)) count('label of another day without spaces', -3)
  else if (UNTIL.test(near)) count(UNTIL_DAY, -3)
  else if (PLAIN.test(near)) count('label of a day', 2.5)
  else if (near === '' || near.length < 3) {
    if (ISSUE.test(above)) count('under the label of the day of issue', 3.5)
    else if (OTHER.test(above)) count('under the label of another day', -2.5)
    else if (GLUED_ISSUE.test(above)) count('under the label of the day of issue', 3)
    else if (isGluedOther(above)) count('under the label of another day', -2.5)
    else if (PLAIN.test(above) && !priced) count('under the label of a day', 2)
  }
  if (
    /\b(?:INVOICE|FACTURE|RECHNUNG|FATTURA|FACTURA|FACTUUR|FATURA|RECEIPT)\b/.test(own) &&
    !OTHER.test(near)
  )
    count('beside the name of the document', 1.2)
  if (priced && !/\d:\d{2}/.test(row.text)) count('a line of goods', -1)
  else if (TIME.test(row.text)) count('beside a time', 1.2)
  else if (
    TIME.test(document.rows[date.row + 1]?.text ?? '') &&
    document.rows[date.row + 1]!.text.length < 24
  )
    count('above a time', 0.6)
  // The end of a period, the second date of a row.
  if (
    /(?:-|to|bis|au|al|until|tot)\s*$/i.test(row.text.slice(0, date.start)) &&
    datesBefore(row.text, date.start)
  )
    count('end of a period', -2.5)
  if (/^\s*(?:-|to|bis|au|al|until|tot)\s*\d/i.test(row.text.slice(date.end)))
    count('begin of a period', -1.5)
  const words = row.text.split(/\s+/).length
  if (words > 12) count('in a sentence', -1.5)
  if (date.weak) count('an unusual form', -0.3)
  const at = date.row / Math.max(document.rows.length, 1)
  if (at < 0.4) count('in the upper part', 0.5)
  const day = Date.parse(date.iso)
  if (day > now.getTime() + 366 * 86_400_000) count('a year and more ahead', -3)
  else if (day > now.getTime() + 2 * 86_400_000) count('ahead', -0.8)
  if (day < Date.UTC(2000, 0, 1)) count('before 2000', -1)
  return because
}

function datesBefore(text: string, end: number): boolean {
  return /\d{1,4}[-/. ][\w]{1,9}[-/. ]\d{2,4}\s*(?:-|to|bis|au|al|until|tot)\s*$/i.test(
    text.slice(0, end),
  )
}

/** Where no other day is printed, the order's is the document's. */
const ORDERED =
  /\b(?:ORDER DATE|ORDERED|ORDER PLACED|DATE OF ORDER|BESTELLDATUM|DATE DE (?:LA )?COMMANDE|BESTELDATUM|FECHA DEL? PEDIDO|DATA (?:DELL )?ORDINE|DATA DO PEDIDO|DATA DA ENCOMENDA|ORDERDATUM|ORDREDATO|BESTILLINGSDATO|TILAUSPAIVA|DATA ZAMOWIENIA|DATUM OBJEDNAVKY|RENDELES (?:DATUMA|KELTE))\b/

/** Whether a day is called the order's, in its row or by the heads in the row above. */
const isOrdersDay = ({ rows }: DocumentText, { row }: FoundDate): boolean =>
  [rows[row], rows[row - 1]].some((near) => near && ORDERED.test(foldLabel(near.text)))

export interface WeighedDay {
  date: FoundDate
  score: number
  /** What the score is made of. */
  because: Score['because']
}

/** The days of a document, the likeliest to be that of issue first. */
export function weighDays(document: DocumentText, now: Date): WeighedDay[] {
  const days = findDates(document)
  const rated = days.map((date) => ({ date, because: rateDay(document, date, now) }))
  const weighed = rated.map(({ date, because: own }) => {
    const again = rated.filter(
      ({ date: other }) => other !== date && other.iso === date.iso && other.row !== date.row,
    )
    const because = [...own]
    // The same day printed again elsewhere supports it, unless something is to be done until then.
    if (again.some((other) => other.because.some(({ rule }) => rule === UNTIL_DAY)))
      because.push({ rule: 'until that day, elsewhere', points: -2.5 })
    else if (again.length > 0) because.push({ rule: 'printed again', points: 0.7 })
    return { date, score: pointsOf(because), because }
  })
  return weighed.toSorted((a, b) => b.score - a.score || a.date.row - b.date.row)
}

/** The day of issue with its confidence, or null. `now` only weighs dates far in the future down. */
export function findIssuedAt(document: DocumentText, now: Date): Scored<string> | null {
  const ranked = weighDays(document, now)
  const best = ranked[0]
  if (best && best.score < -0.9 && isOrdersDay(document, best.date))
    return { value: best.date.iso, confidence: 0.5 }
  if (!best || best.score < -0.9) return null
  const rival = ranked.find((r) => r.date.iso !== best.date.iso)
  const margin = rival ? best.score - rival.score : 3
  let confidence = best.score >= 3 ? 0.97 : best.score >= 2 ? 0.94 : best.score >= 1 ? 0.87 : 0.6
  if (margin < 0.5) confidence -= 0.15
  else if (margin < 1.2) confidence -= 0.05
  if (best.date.ambiguous) confidence -= 0.02
  if (best.date.weak) confidence -= 0.01
  return { value: best.date.iso, confidence: Math.max(0.3, confidence) }
}
