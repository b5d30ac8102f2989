/** Compares results with truth, field by field, as an accountant would accept them. */
import type { ParseResult } from '../../../plugins/docintel/schema.ts'
import type { Truth } from './types.ts'

const squash = (text: string): string =>
  text
    .toUpperCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Similarity 0..1 by edit distance. */
export function similar(a: string, b: string): number {
  const [x, y] = [squash(a), squash(b)]
  if (x === y) return 1
  const row = Array.from({ length: y.length + 1 }, (_, i) => i)
  for (let i = 1; i <= x.length; i++) {
    let diagonal = row[0]!
    row[0] = i
    for (let j = 1; j <= y.length; j++) {
      const above = row[j]!
      row[j] = Math.min(above + 1, row[j - 1]! + 1, diagonal + (x[i - 1] === y[j - 1] ? 0 : 1))
      diagonal = above
    }
  }
  return 1 - row[y.length]! / Math.max(x.length, y.length, 1)
}

export type Verdict = 'right' | 'wrong' | 'missing'
export type Verdicts = Record<string, Verdict>

/** A verdict for every field that the truth names. */
export function judge(result: ParseResult, truth: Truth): Verdicts {
  const verdicts: Verdicts = {}
  const put = (field: string, value: unknown, right: boolean): void => {
    verdicts[field] = value === null || value === undefined ? 'missing' : right ? 'right' : 'wrong'
  }
  const near = (value: number | null, wanted: number): boolean =>
    value !== null && Math.abs(value - wanted) < 0.006
  if (truth.total === null) verdicts.total = result.total === null ? 'right' : 'wrong'
  else if (truth.total !== undefined) put('total', result.total, near(result.total, truth.total))
  if (truth.date) put('date', result.issued_at, result.issued_at === truth.date)
  if (truth.merchant)
    put(
      'merchant',
      result.merchant.name,
      similar(result.merchant.name ?? '', truth.merchant) >= 0.85,
    )
  if (truth.buyer)
    put('buyer', result.buyer?.name, similar(result.buyer?.name ?? '', truth.buyer) >= 0.85)
  if (truth.merchant)
    put(
      'name =',
      result.merchant.name,
      squash(result.merchant.name ?? '') === squash(truth.merchant),
    )
  if (truth.address)
    put(
      'address =',
      result.merchant.address,
      squash(result.merchant.address ?? '') === squash(truth.address),
    )
  if (truth.address)
    put(
      'address',
      result.merchant.address,
      similar(result.merchant.address ?? '', truth.address) >= 0.8,
    )
  if (truth.id) put('id', result.document_id, squash(result.document_id ?? '') === squash(truth.id))
  if (truth.subtotal !== undefined)
    put('subtotal', result.subtotal, near(result.subtotal, truth.subtotal))
  if (truth.tax !== undefined)
    put('tax', result.tax.vat_amount, near(result.tax.vat_amount, truth.tax))
  if (truth.currency) put('currency', result.currency, result.currency === truth.currency)
  if (truth.items !== undefined)
    put('items', result.line_items.length, result.line_items.length === truth.items)
  if (truth.goods) {
    const found = result.line_items
    put(
      'goods',
      found.length === 0 ? null : found,
      found.length === truth.goods.length &&
        truth.goods.every(
          (good, i) =>
            near(found[i]!.amount, good.amount) &&
            (found[i]!.quantity ?? 1) === (good.quantity ?? 1) &&
            similar(found[i]!.description, good.description) >= 0.8,
        ),
    )
  }
  if (truth.docTypes) put('doc_type', result.doc_type, truth.docTypes.includes(result.doc_type))
  return verdicts
}
/** Field path of the result's confidence for a judged field. */
export const CONFIDENCE_OF: Readonly<Record<string, string>> = {
  total: 'total',
  date: 'issued_at',
  merchant: 'merchant.name',
  address: 'merchant.address',
  id: 'document_id',
  subtotal: 'subtotal',
  tax: 'tax.vat_amount',
  currency: 'currency',
}

/** Whether the tax is the sum of the taxes by rate, which are printed each by itself. */
function isSumOfRates({ tax, tax_lines: lines }: ParseResult): boolean {
  const sum = lines.reduce((all, { amount }) => all + (amount ?? 0), 0)
  return lines.length > 1 && tax.vat_amount !== null && Math.abs(sum - tax.vat_amount) < 0.005
}

/** Every number of a result that is not printed in the text; of a tax that is a sum, its parts count. */
export function inventedNumbers(result: ParseResult, text: string): number[] {
  const digits = text.replaceAll(/[^\d]/g, ' ').replaceAll(/\s+/g, '')
  const values = [
    result.total,
    result.subtotal,
    isSumOfRates(result) ? null : result.tax.vat_amount,
    ...result.tax_lines.flatMap(({ base, amount }) => [base, amount]),
    result.amount_paid,
    result.balance_due,
    ...result.line_items.flatMap((i) => [i.amount, i.unit_price, i.quantity]),
  ]
  const compact = text.replaceAll(/[^\d]/g, '')
  return values
    .filter((v): v is number => v !== null && v !== 0)
    .filter((v) => {
      const forms = [Math.abs(v).toFixed(2), String(Math.abs(v))].map((f) => f.replace('.', ''))
      // "TAX .84": hundredths printed without their zero.
      const cents = Math.abs(v) < 1 ? Math.abs(v).toFixed(2).slice(2) : null
      if (cents && new RegExp(String.raw`(?<![\d.])[.]${cents}(?!\d)`).test(text)) return false
      return !forms.some((f) => compact.includes(f) || digits.includes(f))
    })
}
