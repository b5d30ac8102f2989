/** Rules for rolls whose printer sets marks apart, and for bills that print one address alone. */
import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { GOODS, readInvoice, understoodInvoice } from '../../../support/read-invoice.ts'

const roll = (paid: string) =>
  readInvoice(`Nordlicht Laden GmbH
Hafenstr. 26
24103 Kiel
Tel. + 49 - 431 - 804271
- - - - - - - - - - - - - - - - - - - - - - - -
Nr. 2024 - 89679             19 / 02 / 2024 17 : 08
- - - - - - - - - - - - - - - - - - - - - - - -
6 x   Eichenbrett                        238,44
2 x   Wollmütze                          557,82
= = = = = = = = = = = = = = = = = = = = = = = =
Gesamtbetrag EUR                         796,26
${paid}                                  796,26
MwSt. 19 % / 669,13                      127,13
Vielen Dank für Ihren Besuch`)

describe('rolls that set hyphens, strokes and colons apart', () => {
  it('have their number and day', () => {
    const result = roll('EC - Karte')
    expect(result.document_id).toBe('2024-89679')
    expect(result.issued_at).toBe('2024-02-19')
  })

  it('have goods behind their counts, not the means of payment', () => {
    for (const paid of ['EC - Karte', 'Wertkarte Blau'])
      expect(roll(paid).line_items).toEqual([
        { description: 'Eichenbrett', quantity: 6, unit_price: null, amount: 238.44 },
        { description: 'Wollmütze', quantity: 2, unit_price: null, amount: 557.82 },
      ])
  })

  it('have no goods where only what is paid stands below the total', () => {
    expect(
      readInvoice(`Nordlicht Laden GmbH
Kassenbon 89679
19.02.2024
Gesamtbetrag EUR                         796,26
Wertkarte Blau                           796,26`).line_items,
    ).toEqual([])
  })
})

describe('one address alone', () => {
  const WIDTH = 80
  const partiesOf = (indent: number, rest = '') => {
    const address = ['Holm & Berg', '14 Quay Road', 'Bristol BS1 4QA']
    const lines = address.map((line) => ' '.repeat(indent) + line)
    const document = documentFromText(
      `${lines.join('\n')}\n\nInvoice #2024-5519\n\n${GOODS}\n${rest}`,
    )
    const rows = document.rows.map((row) => ({
      ...row,
      box: [row.cells[0]!.x0 / WIDTH, 0, 1, 1] as [number, number, number, number],
    }))
    const { merchant, buyer } = understoodInvoice({ ...document, rows, hasGeometry: true })
    return { seller: merchant.name, buyer: buyer?.name ?? null }
  }

  it('at the right is whom the bill is for, where nothing tells an issuer', () => {
    expect(partiesOf(60)).toEqual({ seller: null, buyer: 'Holm & Berg' })
  })

  it('is whose bill it is at the left, or where an issuer prints its data', () => {
    expect(partiesOf(0)).toEqual({ seller: 'Holm & Berg', buyer: null })
    for (const rest of ['Tel. 0117 496 0123', 'Yours faithfully'])
      expect(partiesOf(60, rest).buyer).toBeNull()
  })
})
