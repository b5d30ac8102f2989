/** Rules that letters of persons, unlabelled address blocks and mails about orders asked for. */
import { describe, expect, it } from 'vitest'
import { rowsOfPage } from '../../../../plugins/docintel/read/boxes.ts'
import { GOODS, readInvoice, understoodInvoice } from '../../../support/read-invoice.ts'

/** Words of a page of 600 by 800 points: a line is its text from x on. */
const onPage = (lines: readonly [x: number, y: number, text: string][]) => {
  const words = lines.flatMap(([x, y, text]) => {
    let at = x
    return text.split(' ').map((word) => {
      const x0 = at
      at += (word.length + 1) * 5
      return { text: word, x0, x1: x0 + word.length * 5, y0: y, y1: y + 10, confidence: 1 }
    })
  })
  const rows = rowsOfPage(words, 0, 0, { width: 600, height: 800 })
  const document = { rows, source: 'pdf', hasGeometry: true, legibility: 1, pages: 1 } as const
  return understoodInvoice(document)
}

const TABLE: readonly [number, number, string][] = [
  [50, 300, 'Item'],
  [300, 300, 'Quantity'],
  [400, 300, 'Price'],
  [500, 300, 'Amount'],
  [50, 315, 'Oak shelf'],
  [300, 315, '2'],
  [400, 315, '40.00'],
  [500, 315, '80.00'],
  [50, 330, 'Total'],
  [500, 330, '80.00'],
]

const letter = (heading: readonly string[], signature: string) =>
  onPage([
    ...heading.map((text, at): [number, number, string] => [
      550 - text.length * 5,
      40 + at * 12,
      text,
    ]),
    [50, 140, 'Jacobi Traders'],
    [50, 152, '871 Horacio Drive'],
    [50, 164, '5013 Fagersund'],
    [50, 220, '8 May 2024'],
    [50, 250, 'Invoice no. 2024-99663'],
    ...TABLE,
    [50, 400, 'Yours faithfully'],
    [50, 430, signature],
  ])

describe('who signs a letter', () => {
  const HEADING = [
    'Suzanne Lakin',
    'Sawayn, Glover and Johns',
    '92 Gleichner Meadow',
    '4020 Vienna',
  ]

  it('writes for the firm under the name', () => {
    const { merchant, buyer } = letter(HEADING, 'Suzanne Lakin')
    expect(merchant.name).toBe('Sawayn, Glover and Johns')
    expect(buyer?.name).toBe('Jacobi Traders')
  })

  it('is the seller where only what she does stands there', () => {
    const heading = ['Suzanne Lakin', 'Graphic Design', '92 Gleichner Meadow', '4020 Vienna']
    expect(letter(heading, 'Suzanne Lakin').merchant.name).toBe('Suzanne Lakin')
  })

  it('is asked for: another signature changes nothing', () => {
    expect(letter(HEADING, 'Tom Ford').merchant.name).not.toBe('Sawayn, Glover and Johns')
  })
})

describe('a name with a number', () => {
  const plain = (name: string) =>
    onPage([
      [50, 40, 'Faktura #: 71721'],
      [50, 55, 'Datum vystavení: 4. dubna 2024'],
      [50, 100, name],
      [50, 112, 'Pařížská 272'],
      [50, 124, '961 25 Chřibská'],
      [330, 100, 'Nila Pilařová'],
      [330, 112, 'Bartůňkova 78'],
      [330, 124, '90398 Břidličná'],
      [50, 200, 'Způsob platby'],
      [300, 200, 'Kód'],
      [50, 212, 'Bankovní převod'],
      [300, 212, '57899'],
      ...TABLE,
    ])

  it('is no street over one, and the left of two plain addresses issues', () => {
    const { merchant, buyer } = plain('Dílna 15')
    expect(merchant.name).toBe('Dílna 15')
    expect(buyer?.name).toBe('Nila Pilařová')
  })

  it('stands above its street under the label of the seller', () => {
    const { merchant } = onPage([
      [50, 40, 'FATTURA'],
      [50, 80, 'I NOSTRI DATI'],
      [330, 80, 'DATI DELLA FATTURA'],
      [50, 92, 'Officina 47'],
      [330, 92, 'Numero fattura: 27385'],
      [50, 104, 'Borgo Grande 8'],
      [330, 104, 'Data fattura: 2024.07.23'],
      [50, 116, '87470 Veneranda terme'],
      [50, 128, 'IT00743110157'],
      ...TABLE,
    ])
    expect(merchant.name).toBe('Officina 47')
  })
})

describe('what is no name', () => {
  it('goods over their amount', () => {
    const { merchant } = onPage([
      [200, 40, 'Thanks for shopping with us.'],
      [150, 80, 'Order Number'],
      [300, 80, 'Order Date'],
      [150, 92, '#INV12130'],
      [300, 92, 'May 15, 2024'],
      [100, 140, 'Shipping to: Heidenreich - Jakubowski'],
      [100, 155, '56889 Railroad Avenue, South Emilyton, 52229'],
      [250, 220, 'Handcrafted Gold Shoes'],
      [250, 235, '1 | $488.40'],
      [250, 270, 'Licensed Marble Soap'],
      [250, 285, '1 | $290.62'],
      [250, 320, 'Total:'],
      [450, 320, '$779.02'],
    ])
    expect(merchant.name).toBeNull()
  })

  it('a heading of a part', () => {
    const text = `Thank you very much.\n\nDELIVERY INFORMATION\nDelivery address:\nLittle Ltd\n64 Bosco Croft\n\n${GOODS}`
    expect(readInvoice(text).merchant.name).toBeNull()
  })

  it("a heading or a label beside the buyer's label and lines", () => {
    const { merchant } = onPage([
      [50, 40, 'FAKTURA.'],
      [50, 60, 'PLN 3917.97'],
      [50, 100, 'Nabywca'],
      [330, 100, 'Dane faktury'],
      [50, 112, 'Zwoliński-Pawlikowski'],
      [330, 112, 'Indeks:'],
      [450, 112, '10306'],
      [50, 124, 'szosa Niedzielski 35b'],
      [330, 124, 'Faktura numer:'],
      [450, 124, '2024.9998'],
      [50, 136, '04-939 , Krzyż Wielkopolski , PL'],
      [330, 136, 'Faktura data:'],
      [450, 136, '28 lipca 2024'],
      ...TABLE,
      [50, 500, 'Prosimy o przelew na konto, podając Faktura numer 2024.9998 Dziękujemy!'],
      [50, 600, 'Pracownia 21'],
      [250, 600, 'IBAN:'],
      [330, 600, 'NL91ABNA0417164300'],
      [50, 612, 'al. Radecki 7/9'],
      [250, 612, 'Przelew:'],
      [330, 612, 'ABN AMRO'],
      [50, 624, '34-439, Jabłonowo Pomorskie, PL'],
      [250, 624, 'VAT:'],
      [330, 624, 'PL8567346215'],
    ])
    expect(merchant.name).toBe('Pracownia 21')
  })
})

describe('labels of the buyer', () => {
  it.each([
    ['Levereras till: Marie Lundin', 'Marie Lundin'],
    ['Livraison à : Mathieu et Lefevre', 'Mathieu et Lefevre'],
    ['Intestata a: Califano srl', 'Califano srl'],
    ['Morada de faturação: Padaria do Largo', 'Padaria do Largo'],
  ])('%j', (line, name) => {
    expect(readInvoice(`Green Grocer\nInvoice 88123\n\n${line}\n\n${GOODS}`).buyer?.name).toBe(name)
  })

  it('of a delivery do not take the name from who is billed at the same address', () => {
    const { buyer } = onPage([
      [50, 40, 'Hook & Sons'],
      [400, 40, 'INVOICE'],
      [50, 52, '70183 Farrell Burgs'],
      [50, 64, '74551 Amelietown'],
      [50, 76, '489-988-8079'],
      [50, 110, 'SOLD TO'],
      [50, 122, 'Skiles - Mayer'],
      [400, 122, 'Invoice Number INV25236'],
      [50, 134, '95636 Middle Street'],
      [400, 134, 'Invoice Date 01/15/2024'],
      [50, 146, '49731-0671 Davisfort'],
      [400, 146, 'Our Order Number 77020'],
      [50, 170, 'SHIPPED TO'],
      [50, 182, 'Skiles - Mayer'],
      [50, 194, '95636 Middle Street'],
      [50, 206, '49731-0671 Davisfort'],
      ...TABLE,
    ])
    expect(buyer?.name).toBe('Skiles - Mayer')
  })
})

describe('the number of a document', () => {
  it.each([
    ['Nr. 89679          19.02.2024 17:08', '89679'],
    ['n.º INV7582        16/07/2024 17:08', 'INV7582'],
    ['č. F4974           19.04.2024', 'F4974'],
    // Of a table, and a day alone.
    ['Nr. 12             19.02.2024 17:08', null],
    ['Nr. 19.02.2024     17:08', null],
  ])('stands alone beside the day of a roll: %j', (line, id) => {
    expect(readInvoice(`Green Grocer\nBredgade 72\n\n${line}\n\n${GOODS}`).document_id).toBe(id)
  })

  it('stands behind the Hungarian word for it', () => {
    expect(readInvoice(`Halász Bt.\n\nSzámla sz. F10508\n\n${GOODS}`).document_id).toBe('F10508')
  })
})

describe('days', () => {
  it.each([
    ['Order Number       Order Date\n#INV12130          May 15, 2024', '2024-05-15'],
    ['Ordernummer        Orderdatum\n#INV27542          15 maj 2024', '2024-05-15'],
    ['Numéro de commande Date de commande\n#INV23027          15 mai 2024', '2024-05-15'],
  ])("of the order are the document's where no other is printed: %j", (lines, day) => {
    expect(readInvoice(`Thanks for shopping with us.\n${lines}\n\n${GOODS}`).issued_at).toBe(day)
  })

  it('whose year stands below them in a narrow column keep their head', () => {
    const { due_date, issued_at } = onPage([
      [50, 40, 'Green Grocer'],
      [50, 55, 'Invoice no: F2116'],
      [300, 100, 'Due date:'],
      [450, 100, 'Total Amount'],
      [50, 112, 'Marquardt - Ferry'],
      [300, 112, 'May, 11'],
      [450, 112, '(USD)'],
      [50, 124, '70150 Main Street'],
      [300, 124, '2024'],
      [450, 124, '$80.00'],
      ...TABLE,
    ])
    expect(due_date).toBe('2024-05-11')
    expect(issued_at).toBeNull()
  })
})

describe('a paper that is no bill', () => {
  it('stays one where a field holds the word for one', () => {
    const text = `Thank you.\n\nORDER CONFIRMATION\nOrder Number:      F79933\nPayment Method:    Invoice\n\n${GOODS}`
    expect(readInvoice(text).doc_type).toBe('unknown')
  })
})

describe('the tax', () => {
  it('is the printed sum where those of the lines are rounded one by one', () => {
    const { tax, subtotal, total } = readInvoice(`Caldera Segura S.L.
FACTURA F59620
Fecha: 2024-11-09

Cant  Descripción            Valor Unitario    Importe
3     Guantes                203.89             611.67
IVA                    97.87
11    Computadora            393.66           4,330.26
IVA                   692.84
6     Mesa                   281.53           1,689.18
IVA                   270.27

SUBTOTAL:              6,631.11
TRASLADADOS:           1,060.99
TOTAL:                 7,692.10`)
    expect([subtotal, tax.vat_amount, total]).toEqual([6631.11, 1060.99, 7692.1])
  })
})

it('a letter whose subject is its number and whose total names the rows that it adds up is an invoice', () => {
  const paper = (subject: string, total: string) =>
    readInvoice(`Guerin et Leclercq
3119 Passage Laffitte  Rouen, 10 octobre 2024
30164 Rouen
Mlle Sandra Le roux
10 Quai de la Harpe
61429 Saint-Denis
${subject}
Madame, Monsieur,
Article  Quantité  Prix unitaire  €
A  Poulet  12,00  120,98  1 451,76
B  Pizza  10,00  282,41  2 824,10
${total}  4 275,86
À régler avant le 24 octobre 2024.
Salutations distinguées`)
  for (const subject of ['Objet : Facture nº F92636', 'V. / réf.  N. / réf. 48303'])
    expect(paper(subject, 'Total (A+B)').total).toBe(4275.86)
  expect(paper('Objet : Facture nº F92636', 'Somme').doc_type).toBe('invoice')
})

describe('a number that its narrow column breaks', () => {
  const numbered = (...lines: [x: number, y: number, text: string][]) =>
    onPage([[50, 40, 'Rossi s.r.l.'], ...lines, ...TABLE]).document_id

  it('goes on below, or is not told by halves', () => {
    expect(numbered([400, 60, 'Fattura numero: 2024-'], [400, 72, '46677'])).toBe('2024-46677')
    expect(numbered([400, 60, 'Fattura numero: 2024-'])).toBeNull()
  })

  it('ends where the label of the next column begins', () => {
    expect(numbered([50, 60, 'Invoice no: #INV25510date: 12 Mar 2024'])).toBe('INV25510')
  })

  it('is not the account that the money goes to', () => {
    expect(numbered([50, 60, 'Invoice no: NL91ABNA0417164300'])).toBeNull()
  })
})

it('heads that a narrow column set in two rows are heads of their goods, not the name of the first', () => {
  const { line_items: goods } = onPage([
    [50, 40, 'Factuur 2024-4753'],
    [50, 300, 'NO. ITEM'],
    [280, 300, 'QTY'],
    [280, 312, '.'],
    [330, 312, 'UNIT'],
    [400, 312, 'PRICE'],
    [500, 312, 'SUM'],
    [50, 330, '1.'],
    [280, 330, '6 st'],
    [400, 330, '€ 403,32'],
    [500, 330, '€ 2.419,92'],
    [80, 342, 'unieke bronzen auto'],
    [50, 360, '2.'],
    [280, 360, '2 st'],
    [400, 360, '€ 194,39'],
    [500, 360, '€ 388,78'],
    [80, 372, 'populaire leunstoel'],
    [50, 390, 'Net'],
    [500, 390, '€ 2.808,70'],
    [50, 402, 'Sum'],
    [500, 402, '€ 2.808,70'],
  ])
  expect(goods.map(({ description, amount }) => [description, amount])).toEqual([
    ['unieke bronzen auto', 2419.92],
    ['populaire leunstoel', 388.78],
  ])
})

it('a title with a long run of marks is read in time', () => {
  expect(readInvoice(`INVOICE ${'#'.repeat(60)} X\nOak shelf  80.00\nTotal  80.00`).total).toBe(80)
})
