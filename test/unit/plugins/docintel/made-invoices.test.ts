/** Invoices drawn in 12 layouts and 9 languages: shares that are right, and what confidence is worth. */
import { expect, it } from 'vitest'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'
import { LAYOUTS, madeInvoice } from '../../../support/docintel-fixtures/made/layouts.ts'
import { LANGUAGES } from '../../../support/docintel-fixtures/made/words.ts'

const near = (a: number | null, b: number): boolean => a !== null && Math.abs(a - b) < 0.006

it('are read in any layout and language, and 0.95 is right in 95 %', () => {
  const verdicts: { field: string; right: boolean; confidence: number }[] = []
  for (const language of Object.keys(LANGUAGES))
    for (const layout of LAYOUTS.keys()) {
      const { document, truth } = madeInvoice(language, layout, 21)
      const now = new Date(Date.UTC(2025, 0, 1))
      const result = understand(document, { preferred: 'invoice', now })
      const { fields } = result.confidence
      const put = (field: string, right: boolean, name = field): void => {
        verdicts.push({ field, right, confidence: fields[name] ?? 0 })
      }
      put('total', near(result.total, truth.total))
      put('issued_at', result.issued_at === truth.date)
      put('document_id', result.document_id === truth.id)
      put('due_date', result.due_date === truth.due)
      put('subtotal', near(result.subtotal, truth.subtotal))
      put('tax', near(result.tax.vat_amount, truth.tax), 'tax.vat_amount')
      for (const good of truth.goods)
        put(
          'goods',
          result.line_items.some(
            (item) => near(item.amount, good.amount) && item.description.includes(good.description),
          ),
          'line_items',
        )
    }
  const shareOf = (chosen: typeof verdicts): number =>
    chosen.filter((v) => v.right).length / chosen.length
  const of = (field: string): number => shareOf(verdicts.filter((v) => v.field === field))
  expect(of('total')).toBeGreaterThan(0.95)
  for (const field of ['issued_at', 'document_id', 'due_date', 'goods'])
    expect([field, of(field)]).toEqual([field, expect.toSatisfy((n: number) => n > 0.95)])
  for (const field of ['subtotal', 'tax']) expect(of(field)).toBeGreaterThan(0.88)
  const sure = verdicts.filter((v) => v.confidence >= 0.95)
  expect(sure.length).toBeGreaterThan(400)
  expect(shareOf(sure)).toBeGreaterThan(0.95)
})

it('have the parts of the buyer’s address and the rates of the lines, or none', () => {
  let addresses = 0
  const rates = { right: 0, all: 0 }
  for (const language of Object.keys(LANGUAGES))
    for (const layout of LAYOUTS.keys()) {
      const { document, truth, name } = madeInvoice(language, layout, 21)
      const now = new Date(Date.UTC(2025, 0, 1))
      const {
        merchant,
        buyer,
        line_items: items,
      } = understand(document, { preferred: 'invoice', now })
      const [street, town] = truth.buyerAddress
      const parts = buyer?.address_parts
      if (parts) {
        expect([name, parts.street]).toEqual([name, street])
        const towns = [`${parts.postcode} ${parts.city}`, `${parts.city} ${parts.postcode}`]
        expect(towns, name).toContain(town)
        addresses++
      } else expect([name, merchant.address]).toEqual([name, expect.stringContaining(street)])
      for (const good of truth.goods) {
        const item = items.find(({ amount }) => near(amount, good.amount))
        if (good.rate !== null) rates.all++
        if (item?.tax_rate === undefined) continue
        expect([name, item.tax_rate]).toEqual([name, good.rate])
        rates.right++
      }
    }
  // The rest were drawn with one address for both parties.
  expect(addresses).toBeGreaterThan(90)
  expect(rates.all).toBeGreaterThan(50)
  expect(rates.right / rates.all).toBeGreaterThan(0.95)
})
