/** Quantities that OCR read as letters, and goods that are called as carriage is. */
import { expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'
import type { DocumentText } from '../../../../plugins/docintel/model/document.ts'

/** A page with codes over their names, as it was read. */
const goodsOf = (source: DocumentText['source'], quantity: string, last: string) => {
  const text = `Arredi Nord S.r.l.
Fattura 2024-4921
Descrizione              Q.tà   Prezzo unitario     Importo
63-2811                     2            144,08      288,16
Lampada da terra
59-2687                     5            403,68    2.018,40
Armadio
79-7813                    ${quantity}            407,18    4.071,80
${last}
Totale imponibile                                   6.378,36
IVA 22%                                             1.403,24
Totale documento EUR                                7.781,60`
  const document = { ...documentFromText(text), source, legibility: 0.95 }
  return understand(document, { preferred: 'invoice', now: new Date('2025-01-01') }).line_items
}

it.each(['LO', '1O', 'lo', 'I0'])('reads %s as ten where price and amount say so', (quantity) => {
  expect(goodsOf('ocr', quantity, 'Tavolo rotondo')).toMatchObject([
    { description: 'Lampada da terra', quantity: 2 },
    { description: 'Armadio', quantity: 5 },
    { description: 'Tavolo rotondo', quantity: 10, unit_price: 407.18, amount: 4071.8 },
  ])
})

it.each<[DocumentText['source'], string]>([
  ['ocr', 'LS'],
  ['text', 'LO'],
])('reads no digits into a page of %s with %s', (source, quantity) => {
  expect(goodsOf(source, quantity, 'Tavolo rotondo')).not.toContainEqual(
    expect.objectContaining({ quantity: 10 }),
  )
})

it.each(['Transport', 'Trasporto', 'Versand', 'Übertrag'])(
  'takes %s under a code for the name of what is sold',
  (name) => {
    expect(goodsOf('pdf', '10', name)[2]).toMatchObject({ description: name, amount: 4071.8 })
  },
)
