/** The buyer's address of printed invoices: its parts where they are beyond doubt, else none. */
import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'

const SUMS = 'Beratung  1  100,00  100,00\nNetto  100,00\nMwSt 19%  19,00\nGesamtbetrag  119,00 EUR'

/** The buyer of an invoice that names it in `lines`. */
function buyerOf(lines: string) {
  const text = `Muster GmbH\nHauptstr. 5, 10115 Berlin\nRechnung Nr. RE-12\nDatum: 05.04.2024\n\n${lines}\n\n${SUMS}`
  const now = new Date(Date.UTC(2025, 0, 1))
  return understand(documentFromText(text), { preferred: 'invoice', now }).buyer
}
const parts = (street: string | null, postcode: string, city: string, country = null) => ({
  street,
  postcode,
  city,
  region: null,
  country,
})

describe('the address under a buyer', () => {
  it.each([
    ['Kunde:\nHolz Wagner KG\nAm Markt 3\n24103 Kiel', 'Am Markt 3', '24103', 'Kiel'],
    ['Bill to: Brook Ltd\n14 Orchard Lane\nExeter EX4 3PL', '14 Orchard Lane', 'EX4 3PL', 'Exeter'],
    [
      'Bill to:\nBrook Ltd\nUnit 3, Brook Park\nBristol BS1 4QA',
      'Unit 3, Brook Park',
      'BS1 4QA',
      'Bristol',
    ],
    ['Kunde: Holz Wagner KG, Am Markt 3, 24103 Kiel', 'Am Markt 3', '24103', 'Kiel'],
    ['Kunde: Holz Wagner KG, Am Markt 3\n24103 Kiel', 'Am Markt 3', '24103', 'Kiel'],
    [
      'Kunde:\nHolz Wagner KG\nEinkauf\nz. Hd. Frau Berg\nAm Markt 3\n24103 Kiel',
      'Am Markt 3',
      '24103',
      'Kiel',
    ],
    ['Klant:\nDe Boer B.V.\nKerkweg 34\n3511 AB Utrecht', 'Kerkweg 34', '3511 AB', 'Utrecht'],
  ])('%s', (lines, street, postcode, city) => {
    expect(buyerOf(lines)?.address_parts).toEqual(parts(street, postcode, city))
  })

  it('is given as printed, without the name', () => {
    expect(buyerOf('Kunde:\nHolz Wagner KG\nAm Markt 3\n24103 Kiel')).toMatchObject({
      name: 'Holz Wagner KG',
      address: 'Am Markt 3, 24103 Kiel',
    })
  })

  it.each([
    ['no town', 'Kunde:\nHolz Wagner KG\nAm Markt 3'],
    [
      'a town without its street between other lines',
      'Kunde:\nHolz Wagner KG\nWerk Nord\n24103 Kiel',
    ],
    ['the seller’s own', 'Kunde:\nHolz Wagner KG\nHauptstr. 5\n10115 Berlin'],
    [
      'a line that may be town or county',
      'Bill to:\nHolz Wagner KG\n14 Orchard Lane\nMaidstone\nKent ME14 1XX',
    ],
    ['a telephone first', 'Kunde:\nHolz Wagner KG\nTel. 0431 5550\nHauptstr. 7\n10115 Berlin'],
  ])('is left out: %s', (_, lines) => {
    const buyer = buyerOf(lines)
    expect(buyer?.name).toBe('Holz Wagner KG')
    expect(buyer).not.toHaveProperty('address_parts')
  })
})
