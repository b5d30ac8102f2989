/** What a paper is: credit notes, self-billed invoices, papers of no sale, several in one file. */
import { describe, expect, it } from 'vitest'
import { readEInvoice } from '../../../../plugins/docintel/einvoice/read.ts'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'
import { ciiXml, makeEInvoice, ublXml } from '../../../support/docintel-fixtures/einvoices.ts'
import { PROFILES } from '../../../support/docintel-fixtures/einvoice-profiles.ts'
import { seeded } from '../../../support/docintel-fixtures/random.ts'

const read = (text: string, preferred: 'receipt' | 'invoice' = 'invoice') =>
  understand(documentFromText(text), { preferred, now: new Date(Date.UTC(2025, 0, 1)) })

describe('e-invoices', () => {
  const e = makeEInvoice(seeded(3))
  it.each([
    ['380', 'invoice'],
    ['381', 'credit_note'],
    ['384', 'corrected_invoice'],
    ['386', 'prepayment_invoice'],
    ['389', 'self_billed'],
    ['261', 'self_billed_credit_note'],
    ['325', 'proforma'],
  ])('of code %s are %s', (code, kind) => {
    for (const xml of [ciiXml(e), ublXml(e)])
      expect(readEInvoice(xml.replace('>380<', `>${code}<`))).toMatchObject({
        document_kind: kind,
        doc_type: kind === 'proforma' ? 'proforma' : 'invoice',
        total: e.total,
      })
  })

  it('name the invoice that a credit note is about', () => {
    const note = PROFILES.find((p) => p.name === 'UBL credit note')!
    expect(readEInvoice(note.xml)).toMatchObject({
      document_kind: 'credit_note',
      original_document_id: 'NL-2023-0815',
    })
  })

  it('whose sums disagree say so, and are less sure', () => {
    const sum = e.total.toFixed(2)
    for (const xml of [ciiXml(e), ublXml(e)]) {
      const wrong = xml
        .replace(`GrandTotalAmount>${sum}`, `GrandTotalAmount>${(e.total + 7).toFixed(2)}`)
        .replace(/(TaxInclusiveAmount[^>]*)>[\d.]+/, `$1>${(e.total + 7).toFixed(2)}`)
      const result = readEInvoice(wrong)!
      expect(result.total).toBeCloseTo(e.total + 7)
      expect(result.warnings).toEqual(['vat_total_mismatch', 'payable_mismatch'])
      expect(result.confidence.overall).toBeLessThan(0.9)
      const line = xml.replace(
        new RegExp(`(LineTotalAmount|LineExtensionAmount[^>]*)>${e.lines[0]!.amount.toFixed(2)}`),
        '$1>1.23',
      )
      expect(readEInvoice(line)!.warnings).toContain('line_items_sum_mismatch')
    }
  })

  it('keep what an accountant books', () => {
    expect(readEInvoice(PROFILES.find((p) => p.name.startsWith('UBL Peppol'))!.xml)).toMatchObject({
      due_date: '2023-07-14',
      purchase_order: 'PO-9',
      rounding: -0.01,
      discount: 10,
      tax_lines: [
        { rate: 19, base: 400, amount: 76, category: 'S' },
        { rate: 7, base: 175.71, amount: 12.3, category: 'S' },
      ],
      merchant: {
        address_parts: { street: 'Hafenweg 3', postcode: '24103', city: 'Kiel', country: 'DE' },
      },
      line_items: [
        { unit: 'XPP', tax_rate: 19 },
        { unit: 'XPP', tax_rate: 19 },
      ],
    })
    expect(readEInvoice(PROFILES[0]!.xml)).toMatchObject({
      delivery_date: '2018-02-28',
      payment_terms: '14 Tage',
      line_items: [{ code: 'A-1', unit: 'C62', tax_rate: 19 }, { code: 'A-2' }],
      tax_lines: [
        { rate: 19, base: 197, amount: 37.43 },
        { rate: 7, base: 270, amount: 18.9 },
      ],
    })
  })
})

const SUMS = 'Beratung  1  100,00  100,00\nNetto  100,00\nMwSt 19%  19,00\nGesamtbetrag  119,00 EUR'

describe('credit notes and their like in words', () => {
  it.each([
    ['Gutschrift Nr. GS-12', 'credit_note'],
    ['Stornorechnung Nr. ST-2024-12', 'credit_note'],
    ['CREDIT NOTE', 'credit_note'],
    ['Facture d’avoir n° AV-12', 'credit_note'],
    ['Creditnota 12', 'credit_note'],
    ['Korrekturrechnung Nr. 12', 'corrected_invoice'],
    ['Self-billed invoice', 'self_billed'],
    ['Self-billed credit note', 'self_billed_credit_note'],
    ['Gutschrift im Abrechnungsverfahren (self-billed invoice)', 'self_billed'],
    ['Gutschrift (Selbstfakturierung) Nr. GS-12', 'self_billed'],
    ['Gutschrift gemäß § 14 Abs. 2 UStG', 'self_billed'],
    ['Rechnung im Gutschriftsverfahren', 'self_billed'],
    ['Autofacturation', 'self_billed'],
    ['Facture en autofacturation n° 12', 'self_billed'],
    ["Facture établie par l'acquéreur", 'self_billed'],
    ['Factuur uitgereikt door afnemer', 'self_billed'],
    ['Autofattura n. 12', 'self_billed'],
    ['Facturación por el destinatario', 'self_billed'],
    ['Autofaturação', 'self_billed'],
    ['Faktura VAT - samofakturowanie', 'self_billed'],
    ['Invoice (self-billing)', 'self_billed'],
    ['Self-billing', 'self_billed'],
    ['Self bill invoice', 'self_billed'],
    ['Anzahlungsrechnung Nr. 12', 'prepayment_invoice'],
    ['Rechnung Nr. RE-12', 'invoice'],
    ['Rechnung Nr. 14 nach UStG', 'invoice'],
  ])('%s is %s', (title, kind) => {
    const text = `Muster GmbH\nHauptstr. 5, 10115 Berlin\n${title}\nDatum: 05.04.2024\n${SUMS}`
    expect(read(text)).toMatchObject({ document_kind: kind, total: 119 })
  })

  it('keep their own day and number, and name the invoice that they are about', () => {
    expect(
      read(
        `Muster GmbH\nHauptstr. 5, 10115 Berlin\nStornorechnung Nr. ST-2024-12\nDatum: 05.04.2024\nzu Rechnung Nr. RE-2024-99 vom 01.03.2024\n${SUMS}`,
      ),
    ).toMatchObject({
      document_id: 'ST-2024-12',
      issued_at: '2024-04-05',
      original_document_id: 'RE-2024-99',
    })
  })
})

it.each([
  'QUOTATION',
  'Angebot Nr. A-2024-7',
  'Auftragsbestätigung AB-2024-17',
  'Order Confirmation',
  'Devis n° 2024-11',
  'Lieferschein Nr. LS-4',
  'Sales Order',
  'S A L E S   O R D E R',
  'B O N D E C O M M A N D E',
  'Ordine di vendita',
  'Pedido de Venda',
  'Verkoop bestelling',
  'Innkjøpsordre',
  'Prijatá objednávka',
  'Vevőrendelés',
])('%s is no sale', (title) => {
  const text = `Holz Meier GmbH\nHauptstr. 5, 10115 Berlin\n${title}\nDatum 02.04.2024\n${SUMS}`
  expect(read(text)).toMatchObject({ doc_type: 'unknown', document_kind: 'unknown', total: null })
})

it('an invoice that names its order and delivery note stays one', () => {
  const text = `Holz Meier GmbH\nHauptstr. 5, 10115 Berlin\nRechnung Nr. RE-7\nDatum 02.04.2024\nLieferschein Nr. LS-4\nBestellung 4711\n${SUMS}`
  expect(read(text)).toMatchObject({ doc_type: 'invoice', document_id: 'RE-7', total: 119 })
})

it.each(['SALES RECEIPT', ''])(
  'a receipt that names an order in a field stays one: %j',
  (title) => {
    const text = [
      'ACME TOOLS LLC',
      '12 Main Street',
      'Portland, ME 04101',
      title,
      'Date                2025-03-01',
      'Purchase Order      4500123',
      'Hammer              10.00',
      'Nails                5.00',
      'Subtotal            15.00',
      'Sales Tax 8%         1.20',
      'Total               16.20',
      'VISA                16.20',
    ].join('\n')
    expect(read(text, 'receipt')).toMatchObject({ doc_type: 'receipt', total: 16.2 })
  },
)

it('a receipt with a title may name its order anywhere', () => {
  const text = `Holz Meier Ltd\n5 High Street\nPAYMENT RECEIPT\nPurchase Order: 4711\nOak board  100.00\nTotal  100.00\nCard  100.00`
  expect(read(text, 'receipt')).toMatchObject({ doc_type: 'receipt', total: 100 })
})

describe('several in one file', () => {
  const one =
    'CAFE ONE\nReceipt No: 00417\n14/03/2024 09:12\nFlat white  3.20\nTotal  3.20\nCard  3.20'
  const two = 'CAFE TWO\nReceipt No: 00891\n15/03/2024 10:12\nTea  2.20\nTotal  2.20\nCard  2.20'
  it('are said, and one of them is not', () => {
    expect(read(`${one}\n\n${two}`, 'receipt').warnings).toContain('several_documents')
    for (const text of [one, two, `${one}\nReceipt No: 00417\nTotal  3.20`])
      expect(read(text, 'receipt').warnings).not.toContain('several_documents')
  })

  it('are told by their numbers, and the first is returned without the sums of the next', () => {
    const first = `Northgate Tools Ltd
Invoice No: NT-20417
Date: 14 March 2025
Bench vice             1   110.00    110.00
Total GBP                            110.00`
    const next = `Bergkäserei Hinterfluh AG
Rechnung 2025-0815
Datum 02.02.2025
Alpkäse Laib          12   50.00     600.00
Total CHF                            600.00`
    const result = read(`${first}\n\f${next}`, 'invoice')
    expect(result.warnings).toContain('several_documents')
    const { raw_text_excerpt: _, ...alone } = read(first, 'invoice')
    expect(result).toMatchObject({ ...alone, warnings: ['several_documents'] })
  })
})

it('a word for self-billing among the goods makes no self-billed invoice', () => {
  const text = `Muster GmbH\nHauptstr. 5, 10115 Berlin\nRechnung Nr. RE-12\nDatum: 05.04.2024\nHandbuch Self-Billing  1  100,00  100,00\nNetto  100,00\nMwSt 19%  19,00\nGesamtbetrag  119,00 EUR`
  expect(read(text)).toMatchObject({ document_kind: 'invoice', total: 119 })
})
