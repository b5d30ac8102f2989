import { expect, it } from 'vitest'
import { fillGaps } from '../../../../plugins/docintel/enrich/grounding.ts'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'

const read = (text: string) =>
  understand(documentFromText(text), { preferred: 'invoice', now: new Date('2025-01-01') })
const TEXT =
  'INVOICE\nInvoice No: 77\nWork done as agreed for Foo Partners, 12.50 in all\nSubtotal 10.00\nVAT 2.50'

it('takes from the model what the document says, and nothing else', () => {
  const before = read(TEXT)
  expect(before.total).toBeNull()
  const after = fillGaps(
    before,
    {
      total: 12.5,
      issued_at: '2024-01-01',
      merchant: { address: '1 Invented Road' },
      buyer: { name: 'Foo Partners' },
      subtotal: 99,
    },
    TEXT,
  )
  expect(after).toMatchObject({
    total: 12.5,
    issued_at: null,
    subtotal: 10,
    buyer: { name: 'Foo Partners', tax_id: null },
    merchant: { address: null },
  })
  expect(after.warnings).toContain('model_values_not_in_document_dropped')
  expect(after.warnings).not.toContain('total_not_found')
  expect(before.total).toBeNull()
})

it('leaves papers that are no sale empty, whatever the model says', () => {
  const article = 'Prices rose by 12.50 shillings, the ministry said.'
  expect(fillGaps(read(article), { total: 12.5 }, article).total).toBeNull()
})

it('survives an answer of any shape', () => {
  for (const answer of [
    null,
    5,
    [],
    { merchant: 3, line_items: [null, 4, { description: 'x' }], tax: 'none' },
  ])
    expect(fillGaps(read(TEXT), answer, TEXT).total).toBeNull()
})
