/**
 * Whether a text is a receipt or an invoice at all, and which. Articles, menus and statements speak
 * of money too: without the structure of a sale, nothing numeric may be returned.
 */
import { CALLED_RECEIPT, INVOICE_TITLE } from '../../lexicon/sale-papers.ts'
import type { Reading } from '../result/reading.ts'
import { scoreBy, type Score } from '../marks/rules.ts'
import { evidenceOf, type SaleEvidence } from './sale-evidence.ts'
import { LEAST_POINTS, SALE_RULES } from './sale-rules.ts'

export type DocType = 'receipt' | 'invoice' | 'tax_invoice' | 'proforma' | 'unknown'

export interface Nature {
  docType: DocType
  /** 0..1 that this is a record of a sale. */
  confidence: number
  isSale: boolean
  /** The rules that applied. */
  because: Score['because']
}

/** The nature of what was read; `preferred` names the document when no title does. */
export function natureOf(reading: Reading): Nature {
  const evidence = evidenceOf(reading)
  const { points, because } = scoreBy(SALE_RULES, evidence)
  const isSale = points >= LEAST_POINTS
  const docType = isSale ? typeOf(evidence, reading.preferred) : 'unknown'
  const confidence = Math.max(0.3, Math.min(0.97, 0.5 + points * 0.07))
  return { docType, isSale, confidence, because }
}

function typeOf({ upper, titles, sums }: SaleEvidence, preferred: Reading['preferred']): DocType {
  if (
    /\bPRO ?-?FORMA\b|\b(?:QUOTATION|ESTIMATE|KOSTENVORANSCHLAG|DEVIS|PRESUPUESTO|PREVENTIVO|OFFERTE|ORCAMENTO|ANGEBOT)\b/.test(
      titles.join('\n'),
    ) ||
    /\bPRO ?-?FORMA INVOICE\b/.test(upper)
  )
    return 'proforma'
  if (/\b(?:TAX|GST|VAT)[ -]?INVOICE\b/.test(upper)) return 'tax_invoice'
  const paidAtTill = sums.some((l) =>
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
