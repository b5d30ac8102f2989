/** Rules that mails of shops, pages printed from a browser and forms of tax offices asked for. */
import { describe, expect, it } from 'vitest'
import { rowsOfPage } from '../../../../plugins/docintel/read/boxes.ts'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { namedInTerms } from '../../../../plugins/docintel/understand/parties/named-in-terms.ts'
import { GOODS, readInvoice } from '../../../support/read-invoice.ts'

describe('whom a shop thanks for', () => {
  it.each([
    [
      'because you created an order with Trantow, Walker and\nEmmerich. Questions?',
      'Trantow, Walker and Emmerich',
    ],
    ['Thank you for shopping at Green Grocer\nVisit again', 'Green Grocer'],
    ['Danke für Ihren Einkauf bei Müller & Sohn!\nGirocard', 'Müller & Sohn'],
    ['Merci pour votre commande chez Boulangerie Dupont\nA bientôt', 'Boulangerie Dupont'],
    ['© 2024 Hoppe, Harvey and Ortiz. All rights reserved', 'Hoppe, Harvey and Ortiz'],
  ])('%j', (text, name) => {
    expect(namedInTerms(documentFromText(text), null)?.value).toBe(name)
  })
})

describe('the number of a document', () => {
  it('stands behind ID near the title', () => {
    const text = `Abbott and Sons\nBill to: Leuschke\n\nInvoice\nID: #2024-30440\nInvoice date: 27/04/2024\n${GOODS}`
    expect(readInvoice(text).document_id).toBe('2024-30440')
  })

  it('stands alone under the title', () => {
    const text = `Lourinho e Fernandes\nLargo Campos 741, 2835-090 Foz\n\nFATURA\nF18866\n${GOODS}\nData da fatura: 28/03/2024`
    expect(readInvoice(text).document_id).toBe('F18866')
  })

  it('is no day under the title', () => {
    expect(readInvoice(`Abbott and Sons\n\nInvoice\n27/04/2024\n${GOODS}`).document_id).toBeNull()
  })
})

describe('the day of issue', () => {
  it.each([
    'This is your receipt from Shanahan Group of\nJune 24, 2024.',
    'This is your receipt from Shanahan Group of June\n24, 2024.',
    'This is your receipt from Shanahan Group of June 24, 2024.',
  ])('stands in the sentence that names the document: %j', (text) => {
    expect(readInvoice(`Thanks for your order.\n${text}\n\n${GOODS}`).issued_at).toBe('2024-06-24')
  })
})

describe('the parties', () => {
  it('who the goods are delivered to is the buyer where none is labelled', () => {
    const { merchant, buyer } = readInvoice(`Cano e Hijos
Thank you for your order!
Order Code: 28271
Order Date: 13/03/2024

Shipping To: Gilberto Meraz
Villalpando S.L.
Calle Mayor 23
75740 Collado Villalba

${GOODS}`)
    expect(merchant.name).toBe('Cano e Hijos')
    expect(buyer?.name).toBe('Villalpando S.L.')
  })

  it('of two addresses with as much data the left one issues', () => {
    const { merchant, buyer } = readInvoice(`Grady LLC                          Buckridge LLC
521 6th Street                     87 Cremin Fields
78869 Fort Kay                     58082 West Allentown
ltd@example.com                    ctr@example.com

Invoice 2024-2412
${GOODS}`)
    expect(merchant.name).toBe('Grady LLC')
    expect(buyer?.name).toBe('Buckridge LLC')
  })

  it('a field for the name belongs to the part in which it stands', () => {
    const { merchant, buyer } = readInvoice(`FACTURA
FOLIO: 23373
FECHA: 2024-06-19
EMISOR
NOMBRE:        Taller 300                RFC: EKU9003173C9
RECEPTOR
NOMBRE:        Negrón y Santillán        RFC: XAXX010101000

${GOODS}`)
    expect(merchant.name).toBe('Taller 300')
    expect(buyer?.name).toBe('Negrón y Santillán')
  })

  it('buttons and headings of a page are nobody', () => {
    const { merchant } = readInvoice(`Print        Export
VORES OPLYSNINGER
Bornholm Handel
Islandsvej 58
6896 Give

FAKTURA F3877
Fakturadato: 17.01.2024
${GOODS}`)
    expect(merchant.name).toBe('Bornholm Handel')
  })

  it('a name beside the bank at the foot issues', () => {
    const { merchant } = readInvoice(`FACTUUR.

Aan                       Details
van Veen en Zonen         Factuurnummer:  2024.3690
Maxplantsoen 849          Factuurdatum:   4 oktober 2024
3492 AM Blijham           Vervaldatum:    3 november 2024

${GOODS}

van der Velde en Gerrits          IBAN:    NL91ABNA0417164300
Dongenstraat 379                  BIC:     ABNANL2A`)
    expect(merchant.name).toBe('van der Velde en Gerrits')
  })
})

it('a company form that typesetting drew apart stays with its name', () => {
  const word = (text: string, x0: number) => ({
    text,
    x0,
    x1: x0 + text.length,
    y0: 0,
    y1: 2,
    confidence: 1,
  })
  const cells = (words: ReturnType<typeof word>[]) =>
    rowsOfPage(words, 0, 0, { width: 100, height: 100 })[0]!.cells.map(({ text }) => text)
  expect(cells([word('Aubert', 0), word('SA', 9), word('Levallois', 30)])).toEqual([
    'Aubert SA',
    'Levallois',
  ])
  expect(cells([word('Aubert', 0), word('to', 9)])).toEqual(['Aubert', 'to'])
})
