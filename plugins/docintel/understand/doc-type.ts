/**
 * Whether a text is a receipt or an invoice at all, and which. Articles, menus and statements speak
 * of money too: without the structure of a sale, nothing numeric may be returned.
 */
import { hasPostcode } from '../lexicon/addresses.ts'
import { capitals } from '../lexicon/fold.ts'
import { BOOK_PAPER, NO_SALE } from '../lexicon/kinds.ts'
import { legible } from '../lexicon/legible.ts'
import type { MoneyLabel } from '../lexicon/money-label.ts'
import { namesOtherNoSale, namesOtherSale } from '../lexicon/other-scripts.ts'
import { LEGAL_FORM, TITLE } from '../lexicon/parties.ts'
import type { Cell, DocumentText, Row } from '../model/document.ts'
import { looksLikeMoney } from './amounts.ts'
import { datesOfRow } from './dates.ts'
import type { MoneyLine } from './money-line.ts'
import { totalPaidInFull } from './paid-totals.ts'
import { TAX_OF_RATE, type ProvenSums } from './proven-sums.ts'
import type { Reading } from './reading.ts'
import { scoreBy, when, type Rule, type Score } from './rules.ts'
import { PROOF_LEAST } from './settled-total.ts'

export type DocType = 'receipt' | 'invoice' | 'tax_invoice' | 'proforma' | 'unknown'

export interface Nature {
  docType: DocType
  /** 0..1 that this is a record of a sale. */
  confidence: number
  isSale: boolean
  /** The rules that applied. */
  because: Score['because']
}

const STOP_WORDS =
  /\b(?:THE|OF|AND|THAT|WITH|WAS|WERE|HAS|HAVE|HAD|SAID|SAYS|WILL|WOULD|BUT|THEY|THEIR|WHO|WHICH|BEEN|FROM|THIS|ITS|IT|HIS|HER|HE|SHE|ABOUT|AFTER|BEFORE|MORE|THAN|NOT|ARE|IS|BE|ON|IN|AT|TO|AS|BY|WHEN|WHERE|WHILE|SOME|ALSO|COULD|SHOULD|OVER|INTO|OUR|DER|DIE|DAS|UND|DASS|NICHT|MIT|EIN|EINE|EINEN|EINEM|EINER|SICH|AUCH|IST|SIND|DEN|DEM|ZU|IM|VON|AUF|WIRD|WURDE|HAT|LE|LES|DES|QUE|QUI|DANS|POUR|EST|SONT|UNE|SUR|AVEC|CE|CETTE|AU|PAR|EL|LOS|LAS|DEL|CON|PARA|UNA|SE|SU|HA|FUE|POR|SON|CHE|NON|PER|DEI|DELLA|DELLE|NEL|SONO|GLI|HET|EEN|VAN|DAT|OP|NIET|ZIJN|VOOR|WORDT|NAO|UMA|DOS|FOI|COM|YANG|DAN|DI|UNTUK|DENGAN|DARI|PADA|INI|ITU|TELAH|AKAN|ADALAH|KEPADA|OLEH|TIDAK|NA|YA|WA|KWA|NI|LA|ZA|KATIKA)\b/g
const SALE_WORDS =
  /\b(?:INVOICE|RECEIPT|TAX INVOICE|RECHNUNG|QUITTUNG|KASSENBON|FACTURE|FACTUUR|FACTURA|FATTURA|FATURA|SCONTRINO|RISITI|ANKARA|CASH SALE|CASH BILL|CASHIER|KASSABON|RECIBO|TICKET|RESIT|BILL NO|FAKTURA|LASKU|SZAMLA|CREDIT NOTE|CREDIT MEMO|GUTSCHRIFT|AVOIR|MOMS|MVA|ALV|DPH|AFA|KDV|KASIR|STRUK|NOTA|PPN|NPWP|GST|VAT|MWST|TVA|BTW|IVA|SUBTOTAL|QTY|FIS NO|NAKIT|HOA DON|PHIEU THANH TOAN|PARAGON|PTU|UCTENKA|KVITTO|KVITTERING|SALGSKVITTERING|KUITTI|NYUGTA|CUPOM FISCAL|NFC-E|NOTA FISCAL|BOLETA|CNPJ|NIT)\b/g
const STATEMENT =
  /\b(?:STATEMENT OF ACCOUNT|ACCOUNT STATEMENT|BANK STATEMENT|OPENING BALANCE|CLOSING BALANCE|KONTOAUSZUG|RELEVE DE COMPTE|ESTADO DE CUENTA|REKENINGAFSCHRIFT|ESTRATTO CONTO|EXTRATO|BALANCE BROUGHT FORWARD|RUNNING BALANCE|BALANCE SHEET|INCOME STATEMENT|PROFIT AND LOSS|CASH FLOWS?|NET INCOME|REVENUES?|SHAREHOLDERS?|PAYSLIP|PAY SLIP|PAYROLL|NET PAY|TOTAL (?:CURRENT )?(?:ASSETS|LIABILITIES|EQUITY)|TRADE (?:PAYABLES|RECEIVABLES)|ACCOUNTS (?:PAYABLE|RECEIVABLE)|DIVIDENDS?|EBITDA|GROSS PAY|MINI STATEMENT)\b/g
const SCALED =
  /\d\s?(?:MILLION|BILLION|TRILLION|MILLIARDEN?|MILLIONEN|MILLIONS|MILLIARDS?|BN|MLN|MRD|MIO|CRORE|LAKH|MILLONES|MILIONI|MILJOEN|MILJARD)\b/g

/** Papers of a bank's counter and machines: money moves, nothing is sold. */
const BANKING =
  /\b(?:WITHDRAWAL|CASH WITHDRAWAL|WITHDRAWN|DEPOSIT SLIP|PAY-?IN SLIP|CASH DEPOSIT|PENARIKAN(?: TUNAI)?|SETORAN(?: TUNAI)?|PENGELUARAN TUNAI|TARIK TUNAI|AVAILABLE BALANCE|LEDGER BALANCE|ACCOUNT BALANCE|SALDO(?: AKHIR| DISPONIBLE| DISPONIVEL)?|ATM(?: ID| NO)?|RETRAIT|RETIRO(?: DE EFECTIVO)?|PRELIEVO|AUSZAHLUNG|ABHEBUNG|GELDAUSGABE|SAQUE|LEVANTAMENTO|OPNAME|TRANSFER (?:TO|FROM|KE|DARI)|BENEFICIARY|FUND TRANSFER|BANK SLIP)\b/g

/** Lists of prices, tills' own reports and papers that go with goods, by their heading. */
const PRICE_LIST =
  /^\W*(?:OUR )?(?:PRICE ?LIST|PRICES|PREISLISTE|SPEISEKARTE|GETRANKEKARTE|MENU|DAFTAR (?:HARGA|MENU)|SENARAI HARGA|LISTINO(?: PREZZI)?|LISTE DE PRIX|TARIFS?|TARIFAS|LISTA DE PRECIOS|TABELA DE PRECOS|PRIJSLIJST|PRISLISTA|PRISLISTE|CENNIK|CENIK|FIYAT LISTESI|料金表|価格表|价目表|メニュー)\b/
const TILL_REPORT =
  /^\W*(?:[ZX][ -]?(?:REPORT|READ(?:ING)?|BON|BERICHT|RAPPORT|TAPE)|(?:SHIFT|DAILY|END OF DAY|CASHIER|SALES SUMMARY|DAY END)[ -]?(?:REPORT|SUMMARY|CLOSING|SALES REPORT)|TAGESABSCHLUSS|KASSENABSCHLUSS|CIERRE (?:DE CAJA|Z)|CLOTURE (?:DE CAISSE|Z)|CHIUSURA (?:CASSA|FISCALE)|PACKING (?:LIST|SLIP)|DELIVERY (?:NOTE|ORDER)|LIEFERSCHEIN|BON DE LIVRAISON|SURAT JALAN|LAPORAN (?:PENJUALAN|HARIAN))\b/
const HEADING_ROWS = 8

/** Words that may stand beside a plain "total". */
const PLAIN_SUM =
  /^(?:TOTALS?|TOTALE|TOTAAL|TOT|TTL|JUMLA|JUMLAH|GESAMT|SUMME|MONTANT|IMPORTE|AMOUNT|AMT|SALES?|VALUE|SUM|IN|RM|[A-Z]{3}|EUROS?|EAT|OUT|TAKEOUT|TAKE|DINE|FUEL|RECEIPT|BILL|\d+)$/

/**
 * Share of words in rows that read as prose (long, many small words), and the share of small words
 * in the whole: about a twentieth on tills, a fourth and more in articles, however they are wrapped.
 * Only the first page counts: bills carry their terms on the next ones, articles begin as prose.
 */
function proseShare(document: DocumentText): { share: number; small: number; words: number } {
  let prose = 0
  let small = 0
  let all = 0
  const first = document.rows[0]?.page
  for (const row of document.rows) {
    if (row.page !== first) break
    const upper = capitals(row.text)
    const words = (upper.match(/\S*[A-Z]\S*/g) ?? []).length
    all += words
    const stops = [...upper.matchAll(STOP_WORDS)].length
    small += stops
    if (words >= 8 && stops / words >= 0.22 && row.cells.length <= 2) prose += words
  }
  const of = (part: number): number => (all === 0 ? 0 : part / all)
  return { share: of(prose), small: of(small), words: all }
}

/** What a card terminal adds to a till receipt. */
const CARD_SLIP =
  /X{4}[X ]*\d{4}|\*{4}[* ]*\d{4}|\b(?:APPR(?:OVAL)?|AUTH(?:ORI[SZ]ATION)?)[ .]*(?:CODE|NO|#)|\bAID ?: ?A0/

/** Rows that open with a day and carry an amount, as in statements of account. */
function datedAmounts(document: DocumentText): number {
  return document.rows.filter((r) =>
    /^\W*\d{1,2}[/.-](?:\d{1,2}|[A-Za-z]{3})\b.*\d[.,]\d{2}\b/.test(r.text),
  ).length
}

/** Labels that only a sale has. */
const SALE_LABELS = new Set([
  'cash',
  'change',
  'tendered',
  'card',
  'mobile',
  'tax',
  'subtotal',
  'rounding',
  'total_rounded',
  'total_payable',
  'total_inclusive',
])

/** A company form or a postcode among the first rows. */
const hasSellersHead = (document: DocumentText): boolean =>
  document.rows.slice(0, 8).some((r) => {
    const upper = legible(capitals(r.text))
    return LEGAL_FORM.test(upper) || hasPostcode(upper)
  })

/** "invoices." alone in a row of a narrow column ends a sentence; it is no title. */
const ENDS_SENTENCE = /^\s*\p{Ll}.*\.\s*$/u

/** "Invoice F-46171", "Faktura #INV20518": the number of the document, with letters, behind its title. */
const NUMBER_BEHIND =
  /\s(?:(?:(?:NO|NR|N[°º]?)\.? ?:?|#)\s*)?[A-Z]{0,4}[-/]?\d[\dA-Z/.-]{2,}(?=\W|$).{0,20}$/

/** Cells that begin or end so near to one another stand in one column. */
const COLUMN_REACH = 1.3
const isUnder = (a: Cell, b: Cell): boolean =>
  Math.abs(a.x0 - b.x0) < COLUMN_REACH || Math.abs(a.x1 - b.x1) < COLUMN_REACH

/** Whether a cell labels the value right of it in a list of fields ("Purchase Order  4500123"). */
function isField({ rows }: DocumentText, { cells, index, page }: Row, place: number): boolean {
  const [label, value] = cells.slice(place, place + 2)
  if (!label || !value) return false
  return [rows[index - 1], rows[index + 1]].some(
    (other) =>
      other?.page === page &&
      other.cells.some((cell, at) => {
        const behind = other.cells[at + 1]
        return behind !== undefined && isUnder(cell, label) && isUnder(behind, value)
      }),
  )
}

/** The titles; what a label names ("Payment method:  Invoice") is none. */
const titleRows = (rows: readonly Row[]): string[] =>
  rows
    .flatMap((r) =>
      r.cells.filter(
        (c, at) => !ENDS_SENTENCE.test(c.text) && !/\p{L}:\s*$/u.test(r.cells[at - 1]?.text ?? ''),
      ),
    )
    .map((c) => legible(capitals(c.text)).trim())
    .filter((t) => t.length <= 48 && (TITLE.test(t) || TITLE.test(t.replace(NUMBER_BEHIND, ''))))

/** Whether a row names columns, one of which may be called as another paper is ("Albarán | Fecha | Factura"). */
const namesColumns = ({ rows }: DocumentText, { cells, text, index, page }: Row): boolean => {
  const next = rows[index + 1]
  return (
    cells.length > 2 &&
    !/\d/.test(text) &&
    next?.page === page &&
    next.cells.filter((cell) => /\d/.test(cell.text)).length > 1
  )
}

/** What the rules of a sale look at. */
interface Evidence {
  document: DocumentText
  /** The whole text in capitals. */
  upper: string
  prose: ReturnType<typeof proseShare>
  /** Labelled sums that stand as in a sale, not inside of a sentence. */
  sums: readonly MoneyLine[]
  titles: readonly string[]
  /** The titles without the heads of columns. */
  ownTitles: readonly string[]
  /** Different words that only papers of a sale use. */
  saleWords: number
  /** Amounts that look like money. */
  amounts: number
  items: number
  /** A net, the tax of a printed rate and their sum are proven. */
  isProven: boolean
  /** A sum, the same taken off, and nothing left. */
  isPaidInFull: boolean
  /** The first rows, in capitals. */
  heads: readonly string[]
  hasSellersHead: boolean
  /** The cells of the first rows, in capitals. */
  headings: readonly string[]
}

const TOTAL_LABELS = ['total_rounded', 'total_payable', 'total_inclusive', 'total'] as const
const DOCUMENT_NUMBER =
  /\b(?:INVOICE|RECEIPT|BILL|DOC|RECHNUNGS?|FACTUUR|FACTURE|FACTURA|FATTURA|FATURA|FAKTURA|LASKUN|SZAMLA)[\s.-]*(?:NO|SZAM|CISLO|NR|NUMBER|NUMMER|N°|#|ID)/

const INVOICE_TITLE =
  /INVOICE|RECHNUNG|SASKAITA|RACUN|PARCELLA|FACTURE|FACTUUR|FACTURA|FATTURA|FATURA|FAKTURA|LASKU|SZAMLA|INVOIS|ANKARA|BILL|CREDIT|GUTSCHRIFT|KREDIT|AVOIR/

/** What the papers that prove a payment are called. */
const RECEIPT_TITLE =
  /RECEIPT|QUITTUNG|KASSENB|RECU|RECIBO|RICEVUTA|SCONTRINO|KVITTO|KVITTERING|KUITTI|TICKET DE CAISSE/
const BILL_TITLE = new RegExp(`${INVOICE_TITLE.source}|${RECEIPT_TITLE.source}`)

/** Whether a cell in capitals is the title of an offer, an order or a delivery note. */
const namesNoSale = (cell: string): boolean => NO_SALE.test(cell) || namesOtherNoSale(cell)

/** Whether such a title alone heads the one page: an invoice of which a field gives the number is another paper. */
const headsNoSale = ({ rows, pages }: DocumentText): boolean => {
  const [cell, more] = rows[0]?.cells ?? []
  if (pages !== 1 || !cell || more || /\d/.test(cell.text)) return false
  return namesNoSale(capitals(cell.text).trim())
}

const hasLabel = ({ sums }: Evidence, ...labels: readonly MoneyLabel[]): boolean =>
  sums.some((l) => labels.includes(l.label))
const countOf = ({ upper }: Evidence, words: RegExp): number => [...upper.matchAll(words)].length
const hasTitle = ({ titles }: Evidence, words: RegExp): boolean =>
  titles.some((title) => words.test(title))

/** "This is your receipt from …", "Voici votre facture". */
const CALLED_RECEIPT =
  /\b(?:(?:THIS|HERE) IS YOUR|HERE.S YOUR) (?:[A-Z]+ )?(?:RECEIPT|INVOICE)\b|\b(?:HIER IST|ANBEI|DIES IST) IHRE? (?:QUITTUNG|RECHNUNG|BELEG)\b|\bVOICI VOTRE (?:RECU|FACTURE)\b|\b(?:AQUI TIENES?|ESTE ES|ESTA ES) (?:SU|TU) (?:RECIBO|FACTURA)\b|\bECCO LA (?:TUA|SUA) (?:RICEVUTA|FATTURA)\b|\b(?:HIERBIJ|DIT IS|HIER IS) (?:UW|JE) (?:FACTUUR|BON)\b|\b(?:AQUI ESTA|ESTE E) (?:O SEU|A SUA) (?:RECIBO|FATURA)\b|\b(?:HAR AR|HER ER) (?:DIN|DITT) (?:FAKTURA|KVITTO|KVITTERING)\b/

/** What speaks for a record of a sale, and what for a paper that only speaks of money. */
const SALE_RULES: readonly Rule<Evidence>[] = [
  { name: 'total', look: (of) => when(hasLabel(of, ...TOTAL_LABELS), 2) },
  {
    name: 'paid in full',
    look: (of) => when(of.isPaidInFull && !hasLabel(of, ...TOTAL_LABELS), 2),
  },
  { name: 'balance due', look: (of) => when(hasLabel(of, 'balance_due'), 0.7) },
  { name: 'subtotal', look: (of) => when(hasLabel(of, 'subtotal', 'taxable'), 1.2) },
  { name: 'tax', look: (of) => when(hasLabel(of, 'tax'), 1.2) },
  { name: 'cash', look: (of) => when(hasLabel(of, 'cash', 'change', 'tendered'), 1.4) },
  { name: 'card', look: (of) => when(hasLabel(of, 'card', 'mobile', 'paid'), 0.8) },
  {
    name: 'extras of a till',
    look: (of) => when(hasLabel(of, 'rounding', 'service', 'count', 'discount'), 0.6),
  },
  { name: 'title', look: ({ titles }) => when(titles.length > 0, 1.8) },
  {
    // What shops send by e-mail has no title but a sentence.
    name: 'calls itself a receipt',
    look: ({ upper, titles }) => when(titles.length === 0 && CALLED_RECEIPT.test(upper), 1.8),
  },
  {
    // Payslips and articles on taxes have such sums too, but no rate, or no title and no seller.
    name: 'net, tax and total agree',
    look: ({ isProven, titles, hasSellersHead }) =>
      when(isProven && (titles.length > 0 || hasSellersHead), 1.8),
  },
  {
    name: 'words of a sale',
    look: ({ saleWords }) => when(saleWords > 0, Math.min(saleWords, 4) * 0.4),
  },
  { name: 'items', look: ({ items }) => when(items > 0, Math.min(items, 3) * 0.35) },
  { name: 'number of the document', look: ({ upper }) => when(DOCUMENT_NUMBER.test(upper), 0.9) },
  { name: 'telephone', look: ({ upper }) => when(/\b(?:TEL|PHONE|FAX)\b/.test(upper), 0.3) },
  {
    name: 'date',
    look: ({ document }) =>
      when(
        document.rows.some((r) => datesOfRow(r).length > 0),
        0.3,
      ),
  },
  {
    name: 'prose',
    look: ({ prose: { share, words } }) =>
      when(share > 0.12, -(5 * Math.max(0, share - 0.12) * Math.min(1, words / 60))),
  },
  {
    name: 'small words',
    look: ({ prose: { small, words } }) =>
      when(small > 0.18, -(20 * Math.max(0, small - 0.18) * Math.min(1, words / 40))),
  },
  {
    name: 'statement of account',
    look: (of) => {
      const each = hasTitle(of, /INVOICE|RECEIPT|RECHNUNG|FACTURE|FACTURA/) ? 0.3 : 1.2
      const words = countOf(of, STATEMENT)
      return when(words > 0, -(Math.min(words, 4) * each))
    },
  },
  {
    name: 'millions',
    look: (of) => {
      const words = countOf(of, SCALED)
      return when(words > 0, -(Math.min(words, 4) * 0.8))
    },
  },
  {
    name: 'banking',
    look: ({ upper, items }) => {
      const words = new Set([...upper.matchAll(BANKING)].map((m) => m[0])).size
      return when(words >= 2 && items === 0, -2.5)
    },
  },
  {
    name: 'no money',
    look: (of) => when(of.amounts === 0 && !hasLabel(of, ...TOTAL_LABELS), -2.5),
  },
  {
    name: 'report of a till',
    look: (of) =>
      when(
        of.heads.some(
          (h) => TILL_REPORT.test(h) && !(namesNoSale(h) && DOCUMENT_NUMBER.test(of.upper)),
        ) && !hasTitle(of, /INVOICE|RECHNUNG|FACTUR/),
        -6,
      ),
  },
  {
    // An invoice names its order and delivery note too: only their own papers are headed so.
    name: 'offer, order or delivery note',
    look: ({ document, headings, ownTitles, upper }) => {
      const bills = ownTitles.filter(
        (t) => !namesNoSale(t) && (BILL_TITLE.test(t) || namesOtherSale(t)),
      )
      const isOther = headsNoSale(document)
        ? !bills.some((title) => !/\d/.test(title))
        : bills.length === 0 && !DOCUMENT_NUMBER.test(upper)
      return when(headings.some(namesNoSale) && isOther && !/\bPRO ?-?FORMA\b/.test(upper), -12)
    },
  },
  {
    // They have columns for numbers of invoices too, but none of their own.
    name: 'paper of pay, books, stock, a contract or dunning',
    look: ({ document, headings, ownTitles }) =>
      when(
        headings.some((heading) => BOOK_PAPER.test(heading)) &&
          !ownTitles.some((t) => BILL_TITLE.test(t) || namesOtherSale(t)) &&
          !document.rows
            .slice(0, HEADING_ROWS * 2)
            .some((r) => !namesColumns(document, r) && DOCUMENT_NUMBER.test(capitals(r.text))),
        -12,
      ),
  },
  {
    name: 'price list',
    look: (of) =>
      when(!hasLabel(of, ...TOTAL_LABELS) && of.heads.some((h) => PRICE_LIST.test(h)), -3),
  },
  { name: 'card slip', look: ({ upper }) => when(CARD_SLIP.test(upper), 0.8) },
  { name: "seller's head", look: ({ hasSellersHead }) => when(hasSellersHead, 0.5) },
  {
    name: 'dated amounts',
    look: ({ document, titles }) => when(datedAmounts(document) >= 3 && titles.length === 0, -1.4),
  },
  {
    // A sum alone is a table of anything: something must speak of paying, taxing or selling.
    name: 'a sum alone',
    look: ({ titles, saleWords, sums, hasSellersHead }) => {
      const speaksOfSale = saleWords > 0 || sums.some((l) => SALE_LABELS.has(l.label))
      return when(titles.length === 0 && !speaksOfSale && !hasSellersHead, -1.6)
    },
  },
]
const LEAST_EVIDENCE = 2.8

/** Whether a labelled sum stands as in a sale. */
function standsAsInSale(
  { pairing, label, folded, row }: MoneyLine,
  { rows }: DocumentText,
): boolean {
  // "Chg" over a column of a price table is no change given.
  if (pairing === 'column' && ['change', 'cash', 'card'].includes(label)) return false
  // "Food" heads a line of any budget.
  if (/^(?:FOOD|BEVERAGE)$/.test(folded)) return false
  // "TOTAL JOURNEY TIME" is no sum: a plain total stands nearly alone.
  const words = folded.split(' ').filter((w) => !PLAIN_SUM.test(w)).length
  const { text, cells } = rows[row]!
  return (
    words <= (label === 'total' ? 1 : 6) && (text.split(/\s+/).length <= 12 || cells.length > 1)
  )
}

const isTaxed = (best: ProvenSums | undefined): boolean =>
  best !== undefined &&
  best.score.points >= PROOF_LEAST &&
  best.score.because.some(({ rule }) => rule === TAX_OF_RATE)

/** Reads the nature of a text. `preferred` names the document when no title does. */
export function natureOf({ document, entries, named, items, proven, preferred }: Reading): Nature {
  const upper = capitals(document.rows.map((r) => r.text).join('\n'))
  const words = new Set([...upper.matchAll(SALE_WORDS)].map((m) => m[0]))
  const evidence: Evidence = {
    document,
    upper,
    prose: proseShare(document),
    sums: named.filter((line) => standsAsInSale(line, document)),
    titles: titleRows(document.rows),
    ownTitles: titleRows(document.rows.filter((r) => !namesColumns(document, r))),
    saleWords: words.size + (namesOtherSale(upper) ? 1 : 0),
    amounts: entries.reduce((n, e) => n + e.amounts.filter(looksLikeMoney).length, 0),
    items: items.length,
    isProven: isTaxed(proven[0]),
    isPaidInFull: totalPaidInFull(entries) !== null,
    heads: document.rows.slice(0, HEADING_ROWS).map((r) => capitals(r.text)),
    hasSellersHead: hasSellersHead(document),
    headings: document.rows
      .slice(0, HEADING_ROWS * 2)
      .filter((r) => !namesColumns(document, r))
      .flatMap((r) => r.cells.filter((_, place) => !isField(document, r, place)))
      .map((c) => capitals(c.text).trim()),
  }
  const { points, because } = scoreBy(SALE_RULES, evidence)
  const isSale = points >= LEAST_EVIDENCE
  const docType = isSale ? typeOf(upper, evidence.titles, evidence.sums, preferred) : 'unknown'
  const confidence = Math.max(0.3, Math.min(0.97, 0.5 + points * 0.07))
  return { docType, isSale, confidence, because }
}

function typeOf(
  upper: string,
  titles: readonly string[],
  lines: readonly MoneyLine[],
  preferred: 'receipt' | 'invoice',
): DocType {
  if (
    /\bPRO ?-?FORMA\b|\b(?:QUOTATION|ESTIMATE|KOSTENVORANSCHLAG|DEVIS|PRESUPUESTO|PREVENTIVO|OFFERTE|ORCAMENTO|ANGEBOT)\b/.test(
      titles.join('\n'),
    ) ||
    /\bPRO ?-?FORMA INVOICE\b/.test(upper)
  )
    return 'proforma'
  if (/\b(?:TAX|GST|VAT)[ -]?INVOICE\b/.test(upper)) return 'tax_invoice'
  const paidAtTill = lines.some((l) =>
    ['cash', 'change', 'tendered', 'card', 'mobile'].includes(l.label),
  )
  const invoiceTitle = titles.some((t) => INVOICE_TITLE.test(t))
  const receiptTitle = titles.some((t) =>
    /RECEIPT|SLIP|QUITTUNG|BON|BELEG|TICKET|SCONTRINO|RICEVUTA|RECIBO|RISITI|RESIT|TALAO|CHECK|CASH SALE/.test(
      t,
    ),
  )
  if (receiptTitle && !invoiceTitle) return 'receipt'
  if (
    titles.length === 0 &&
    /RECEIPT|QUITTUNG|RECU|RECIBO|RICEVUTA|BON|KVITTO|KVITTERING/.test(
      CALLED_RECEIPT.exec(upper)?.[0] ?? '',
    )
  )
    return 'receipt'
  if (invoiceTitle && !receiptTitle)
    return preferred === 'receipt' && paidAtTill ? 'receipt' : 'invoice'
  if (paidAtTill) return 'receipt'
  if (
    /\b(?:INVOICE (?:NO|NUMBER|DATE|#)|RECHNUNGS?(?:NR|NUMMER|DATUM)|BILL TO|DUE DATE|PAYMENT TERMS|NUMERO DE FACTURE|FACTUURNUMMER)\b/.test(
      upper,
    )
  )
    return 'invoice'
  return preferred
}
