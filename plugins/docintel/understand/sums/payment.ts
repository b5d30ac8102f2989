/** How the document says it was paid: method, mobile-money code, bank reference. */
import { capitals } from '../../lexicon/fold.ts'
import type { DocumentText } from '../../model/document.ts'
import type { MoneyLine } from '../marks/money-line.ts'

export interface FoundPayment {
  method: 'cash' | 'card' | 'mobile_money' | 'bank_transfer' | 'cheque' | 'pos' | 'wallet'
  mobile_money: { provider: string; code: string | null; phone: string | null } | null
  bank_ref: string | null
}

const PROVIDERS: readonly [RegExp, string][] = [
  [/M-?\s?PESA|LIPA NA/, 'M-PESA'],
  [/AIRTEL MONEY/, 'Airtel Money'],
  [/MTN ?(?:MOMO|MOBILE MONEY)|\bMOMO\b/, 'MTN MoMo'],
  [/TIGO ?PESA/, 'Tigo Pesa'],
  [/HALOPESA/, 'HaloPesa'],
  [/ECOCASH/, 'EcoCash'],
  [/T-?KASH/, 'T-Kash'],
  [/ORANGE MONEY/, 'Orange Money'],
  [/VODAFONE CASH|TELECEL CASH/, 'Vodafone Cash'],
]
/** M-PESA codes: ten characters, letters first, at least one digit. */
const MOBILE_CODE = /(?<![A-Z\d])(?=[A-Z\d]*\d)([A-Z]{2,3}[A-Z\d]{7,8})(?![A-Z\d])/
const CARD =
  /\b(?:VISA|MASTER ?CARD|AMEX|AMERICAN EXPRESS|MAESTRO|GIROCARD|EC-?CASH|EC-?KARTE|KREDITKARTE|KARTENZAHLUNG|CARTE BANCAIRE|BANCONTACT|PINPAS|BANKPAS|TARJETA|BANCOMAT|MULTIBANCO|CARTAO|DEBIT CARD|CREDIT CARD|MYDEBIT|EFTPOS|CONTACTLESS|DISCOVER|V ?PAY|PAGAMENTO ELETTRONICO)\b/
const CHEQUE = /\bCHE(?:QUE|CK) NO\b|\bPAID BY CHEQUE\b/
const TRANSFER =
  /\b(?:BANK TRANSFER|WIRE TRANSFER|BANKUBERWEISUNG|UBERWEISUNG|VIREMENT|OVERBOEKING|TRANSFERENCIA|BONIFICO|SEPA|DIRECT DEBIT|LASTSCHRIFT|RTGS|NEFT|EFT PAYMENT|PESALINK)\b/
const BANK_REF =
  /\b(?:BANK REF(?:ERENCE)?|PAYMENT REF(?:ERENCE)?|APPR(?:OVAL)?(?: CODE| NO)?|AUTH(?:ORISATION|ORIZATION)?(?: CODE| NO)?|RRN|RETRIEVAL REF(?: NO)?|REF(?:ERENCE)? NO|VERWENDUNGSZWECK|TRACE NO)[\s.:#]+([A-Z\d][A-Z\d-]{3,24})/

/** The payment, or null when nothing tells of one. */
export function findPayment(document: DocumentText, lines: MoneyLine[]): FoundPayment | null {
  const upper = capitals(document.rows.map((r) => r.text).join('\n'))
  const provider = PROVIDERS.find(([pattern]) => pattern.test(upper))
  const paidWith = (...labels: string[]): boolean =>
    lines.some((l) => labels.includes(l.label) && l.amount.value > 0)
  const reference = BANK_REF.exec(upper)?.[1]
  const bankRef = reference && /\d/.test(reference) ? reference : null
  if (
    provider &&
    (paidWith('mobile') || MOBILE_CODE.test(upper.slice(upper.search(provider[0]))))
  ) {
    const near = upper.slice(
      Math.max(0, upper.search(provider[0]) - 120),
      upper.search(provider[0]) + 240,
    )
    const code =
      MOBILE_CODE.exec(near.replaceAll(/\b(?:M-?PESA|LIPA|TILL|PAYBILL)\b/g, ' '))?.[1] ?? null
    const phone = /(?<!\d)((?:\+?2\d{2}|0)7\d{2}[\d*X]{3}\d{3})(?!\d)/.exec(near)?.[1] ?? null
    return {
      method: 'mobile_money',
      mobile_money: { provider: provider[1], code, phone },
      bank_ref: bankRef,
    }
  }
  const cash = paidWith('cash', 'change') || (paidWith('tendered') && !CARD.test(upper))
  const card = paidWith('card') && !/^\W*(?:BANK TRANSFER|CHEQUE)/m.test(upper)
  if (cash && !card) return { method: 'cash', mobile_money: null, bank_ref: null }
  if (card || (CARD.test(upper) && paidWith('paid', 'tendered', 'total', 'total_payable')))
    if (CARD.test(upper) || card) return { method: 'card', mobile_money: null, bank_ref: bankRef }
  if (paidWith('mobile')) return { method: 'wallet', mobile_money: null, bank_ref: bankRef }
  if (CHEQUE.test(upper)) return { method: 'cheque', mobile_money: null, bank_ref: bankRef }
  if (TRANSFER.test(upper))
    return { method: 'bank_transfer', mobile_money: null, bank_ref: bankRef }
  if (/\bPOS (?:PAYMENT|SALE|PURCHASE)\b|PAID (?:BY|VIA) POS/.test(upper))
    return { method: 'pos', mobile_money: null, bank_ref: bankRef }
  return null
}
