/** Where the values of a result stand: the page, the box and the text of the row they were read in. */
import { capitals } from '../../lexicon/fold.ts'
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import type { Row } from '../../model/document.ts'
import type { ParseResult } from '../../schema.ts'
import { findDates } from '../marks/dates.ts'
import { isNear } from '../marks/near.ts'
import type { Reading } from './reading.ts'

export type Evidence = NonNullable<ParseResult['evidence']>

/** Labels beside which the sum of a field stands. */
const LABELS = {
  total: ['total_rounded', 'total_payable', 'total_inclusive', 'total', 'balance_due'],
  subtotal: ['subtotal', 'taxable', 'total'],
  amount_paid: ['paid', 'card', 'mobile', 'cash', 'tendered'],
  tendered: ['tendered', 'cash', 'paid'],
  change: ['change', 'balance_due'],
  balance_due: ['balance_due', 'total_payable'],
  discount: ['discount'],
  tip: ['tip'],
  rounding: ['rounding'],
} as const satisfies Record<string, readonly MoneyLabel[]>

const DAYS = ['issued_at', 'due_date', 'delivery_date'] as const
const TEXTS = [
  'document_id',
  'issued_time',
  'payment_terms',
  'purchase_order',
  'original_document_id',
  'iban',
  'bic',
] as const

const squash = (text: string): string => capitals(text).replaceAll(/[^\p{L}\d]/gu, '')

/** The evidence of every value that stands in one row as it is in the result. */
export function evidenceOf(result: ParseResult, reading: Reading): Evidence {
  const { rows } = reading.document
  const found: Evidence = {}
  const put = (field: string, row: Row | undefined): void => {
    if (row) found[field] = { page: row.page + 1, box: row.box ?? null, text: row.text }
  }
  for (const [field, labels] of Object.entries(LABELS)) {
    const value = result[field as keyof typeof LABELS]
    if (value !== null) put(field, rows[rowOfSum(reading, value, labels) ?? -1])
  }
  const tax = result.tax.vat_amount
  if (tax !== null) put('tax.vat_amount', rows[rowOfSum(reading, tax, ['tax']) ?? -1])
  const dates = findDates(reading.document)
  for (const field of DAYS) put(field, rows[dates.find((d) => d.iso === result[field])?.row ?? -1])
  const texts = rows.map((row) => squash(row.text))
  const putText = (field: string, value: string | null | undefined): void => {
    const wanted = value ? squash(value) : ''
    if (wanted !== '') put(field, rows[texts.findIndex((text) => text.includes(wanted))])
  }
  for (const field of TEXTS) putText(field, result[field])
  for (const field of ['name', 'tax_id', 'phone', 'address'] as const)
    putText(`merchant.${field}`, result.merchant[field])
  putText('buyer', result.buyer?.name)
  for (const [at, item] of result.line_items.entries()) {
    const wanted = squash(item.description)
    const own = reading.entries.find(
      (e) =>
        e.amounts.some((a) => isNear(a.value, item.amount)) &&
        wanted !== '' &&
        texts[e.row.index]!.includes(wanted),
    )
    if (own) put(`line_items.${at}`, own.row)
    else putText(`line_items.${at}`, item.description)
  }
  return found
}

/** The row of a labelled sum, else the last row that prints the value. */
function rowOfSum(
  { lines, entries }: Reading,
  value: number,
  labels: readonly MoneyLabel[],
): number | null {
  const isIt = (amount: number): boolean => isNear(Math.abs(amount), Math.abs(value))
  const line = lines.find((l) => labels.includes(l.label) && isIt(l.amount.value))
  const entry = entries.findLast((e) => e.amounts.some((a) => !a.percent && isIt(a.value)))
  return line?.row ?? entry?.row.index ?? null
}
