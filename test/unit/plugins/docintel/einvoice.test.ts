import { describe, expect, it } from 'vitest'
import { looksLikeEInvoice, readEInvoice } from '../../../../plugins/docintel/einvoice/read.ts'
import { parseXml } from '../../../../plugins/shared/xml.ts'
import { readDocument } from '../../../../plugins/docintel/pipeline.ts'
import {
  ciiXml,
  makeEInvoice,
  ublXml,
  zugferd1Xml,
} from '../../../support/docintel-fixtures/einvoices.ts'
import { writePdf } from '../../../support/docintel-fixtures/pdf.ts'
import { seeded } from '../../../support/docintel-fixtures/random.ts'

const FORMS = { cii: ciiXml, zugferd1: zugferd1Xml, ubl: ublXml }

describe.each(Object.entries(FORMS))('%s', (_name, write) => {
  it('gives every header field and line exactly', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const e = makeEInvoice(seeded(seed))
      const xml = write(e)
      expect(looksLikeEInvoice(xml)).toBe(true)
      expect(readEInvoice(xml)).toMatchObject({
        doc_type: 'invoice',
        merchant: {
          name: e.seller,
          tax_id: e.sellerVat,
          country: 'DE',
          address: 'Lieferantenstraße 20 80333 München',
        },
        buyer: { name: e.buyer },
        document_id: e.id,
        issued_at: e.date,
        currency: e.currency,
        subtotal: e.net,
        tax: { vat_rate: e.rate, vat_amount: e.tax },
        total: e.total,
        amount_paid: e.prepaid,
        line_items: e.lines.map((l) => ({
          description: l.name.replaceAll(/\s+/g, ' '),
          quantity: l.quantity,
          unit_price: l.price,
          amount: l.amount,
        })),
        confidence: { overall: 1 },
      })
    }
  })
})

describe('embedded XML', () => {
  const e = makeEInvoice(seeded(7))
  const visible = (total: number) => [
    [
      { x: 50, y: 60, text: e.seller, size: 16 },
      { x: 400, y: 60, text: 'RECHNUNG' },
      { x: 400, y: 80, text: `Rechnungsnr. ${e.id}` },
      { x: 50, y: 300, text: 'Gesamtbetrag' },
      { x: 400, y: 300, text: `${total.toFixed(2).replace('.', ',')} EUR` },
    ],
  ]
  const read = (
    pages: Parameters<typeof writePdf>[0]['pages'],
    attachment: { name: string; content: string },
  ) =>
    readDocument({
      source: { kind: 'application/pdf', bytes: writePdf({ pages, attachment }) },
      preferred: 'invoice',
      tier: 'auto',
      nowMs: Date.UTC(2025, 0, 1),
      ocr: 'embedded',
      ocrBudgetMs: 1000,
    })

  it.each(['factur-x.xml', 'ZUGFeRD-invoice.xml', 'xrechnung.xml'])(
    'of %s wins over the page',
    async (name) => {
      const outcome = await read(visible(e.total), { name, content: ciiXml(e) })
      expect(outcome).toMatchObject({
        ok: true,
        result: { total: e.total, document_id: e.id, warnings: [], confidence: { overall: 1 } },
      })
    },
  )
  it('that disagrees with the printed total is returned with a warning', async () => {
    const outcome = await read(visible(e.total + 5), { name: 'factur-x.xml', content: ciiXml(e) })
    expect(outcome).toMatchObject({
      ok: true,
      result: { total: e.total, warnings: ['visible_total_differs_from_embedded_xml'] },
    })
  })
  it('that is broken leaves the page to be read', async () => {
    const outcome = await read(visible(12.5), {
      name: 'factur-x.xml',
      content: ciiXml(e).slice(0, 900),
    })
    expect(outcome).toMatchObject({
      ok: true,
      result: { total: 12.5, confidence: { fields: { total: expect.any(Number) } } },
    })
  })
})

it('is read from UTF-16 that a caller read as UTF-8', async () => {
  const e = makeEInvoice(seeded(6))
  const bytes = Buffer.from(`\uFEFF${ublXml(e)}`, 'utf16le')
  const outcome = await readDocument({
    source: { kind: 'text', text: bytes.toString('utf8') },
    preferred: 'invoice',
    tier: 'auto',
    nowMs: 0,
    ocr: 'off',
    ocrBudgetMs: 0,
  })
  expect(outcome).toMatchObject({ ok: true, result: { total: e.total, document_id: e.id } })
})

describe('XML of an invoice that cannot be read', () => {
  const job = { preferred: 'invoice', tier: 'auto', nowMs: 0, ocr: 'off', ocrBudgetMs: 0 } as const
  const e = makeEInvoice(seeded(5))
  const { length } = ublXml(e)
  it.each([
    ['UBL without its last two thirds', ublXml(e).slice(0, length / 3)],
    ['CII without its last third', ciiXml(e).slice(0, (ciiXml(e).length * 2) / 3)],
    [
      'elements of neither',
      '<?xml version="1.0"?>\n<Invoice>\n<Seller>Kiln Ltd</Seller>\n<GrandTotal>119.00</GrandTotal>\n</Invoice>',
    ],
    [
      'an invoice of another format that has some of the same elements',
      '<Invoice xmlns="http://other.example/namespace/2013" version="6"><ID>77</ID><LegalMonetaryTotal><PayableAmount>119.00</PayableAmount></LegalMonetaryTotal></Invoice>',
    ],
  ])('is refused, and its tags are not read as words: %s', async (_, text) => {
    const outcome = await readDocument({ ...job, source: { kind: 'text', text } })
    expect(outcome).toMatchObject({ ok: false, code: 'UNSUPPORTED_FORMAT' })
  })
})

describe('hostile XML', () => {
  it('with a document type declaration is refused', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Invoice>&b;</Invoice>`
    expect(parseXml(bomb)).toBeNull()
    expect(readEInvoice(bomb)).toBeNull()
  })
  it('that nests without end is refused', () => {
    expect(parseXml('<a>'.repeat(500) + '</a>'.repeat(500))).toBeNull()
  })
})

describe('totals of tax in UBL', () => {
  const total = (amount: string, scheme: string | null, currency = 'COP') =>
    `<TaxTotal><TaxAmount currencyID="${currency}">${amount}</TaxAmount>${
      scheme === null
        ? ''
        : `<TaxSubtotal><TaxableAmount currencyID="${currency}">100</TaxableAmount><TaxAmount currencyID="${currency}">${amount}</TaxAmount><TaxCategory><Percent>${Number(amount)}</Percent><TaxScheme><ID>${scheme}</ID></TaxScheme></TaxCategory></TaxSubtotal>`
    }</TaxTotal>`
  const invoice = (taxes: string, sum: string) =>
    `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>7</ID><DocumentCurrencyCode>COP</DocumentCurrencyCode>${taxes}<LegalMonetaryTotal><LineExtensionAmount>100</LineExtensionAmount><TaxExclusiveAmount>100</TaxExclusiveAmount><TaxInclusiveAmount>${sum}</TaxInclusiveAmount><PayableAmount>${sum}</PayableAmount></LegalMonetaryTotal></Invoice>`

  it.each([
    [
      'one for each kind of tax',
      total('19.1', '01') + total('8.2', '04'),
      '127.3',
      27.3,
      [19.1, 8.2],
    ],
    ['one without parts before it', total('15', null) + total('15', 'VAT'), '115', 15, [15]],
    ['one without parts after it', total('15', 'VAT') + total('15', null), '115', 15, [15]],
    ['one in another currency', total('4', null, 'EUR') + total('15', 'VAT'), '115', 15, [15]],
    ['the same tax twice', total('15', 'VAT') + total('15', 'VAT'), '115', 15, [15]],
    ['none with parts', total('15', null), '115', 15, []],
  ])('%s', (_, taxes, sum, vat, lines) => {
    expect(readEInvoice(invoice(taxes, sum))).toMatchObject({
      tax: { vat_amount: vat },
      tax_lines: lines.map((amount) => ({ amount })),
      warnings: [],
    })
  })
})

it('takes the VAT number of CII whose writer calls it VAT', () => {
  const e = makeEInvoice(seeded(3))
  const xml = ciiXml(e).replace(
    /<(\w+:)SpecifiedTaxRegistration>/,
    '<$1SpecifiedTaxRegistration><$1ID schemeID="FC">201/7</$1ID></$1SpecifiedTaxRegistration>$&',
  )
  for (const code of ['VA', 'VAT'])
    expect(
      readEInvoice(xml.replaceAll('schemeID="VA"', `schemeID="${code}"`))?.merchant.tax_id,
    ).toBe(e.sellerVat)
})

describe('UBL of single countries', () => {
  const ubl = (name: string, body: string) =>
    `<${name} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${name}-2"><ID>7</ID>${body}</${name}>`
  const sums = (of: Record<string, string>) =>
    `<LegalMonetaryTotal>${Object.entries(of)
      .map(([name, amount]) => `<${name}>${amount}</${name}>`)
      .join('')}</LegalMonetaryTotal>`
  const tax = (amount: string) =>
    `<TaxTotal><TaxAmount>${amount}</TaxAmount><TaxSubtotal><TaxableAmount>100</TaxableAmount><TaxAmount>${amount}</TaxAmount><Percent>${amount}</Percent><TaxCategory><TaxScheme><Name>KDV</Name></TaxScheme></TaxCategory></TaxSubtotal></TaxTotal>`
  const usual = sums({
    LineExtensionAmount: '100',
    TaxExclusiveAmount: '100',
    TaxInclusiveAmount: '118',
    PayableAmount: '118',
  })

  it.each([
    ['91', 'credit_note'],
    ['381', 'credit_note'],
    ['261', 'self_billed_credit_note'],
  ])('a CreditNote of the code %s is a %s', (code, kind) => {
    const coded = `<CreditNoteTypeCode>${code}</CreditNoteTypeCode>`
    expect(readEInvoice(ubl('CreditNote', coded + tax('18') + usual))?.document_kind).toBe(kind)
    expect(readEInvoice(ubl('CreditNote', tax('18') + usual))?.document_kind).toBe('credit_note')
  })

  it('takes Turkish tax numbers, people and rates beside the category', () => {
    const line = `<InvoiceLine><InvoicedQuantity>1</InvoicedQuantity><LineExtensionAmount>100</LineExtensionAmount>${tax('18')}<Item><Name>Su</Name></Item></InvoiceLine>`
    const party = (inner: string) => `<Party>${inner}</Party>`
    const seller = `<AccountingSupplierParty>${party('<PartyIdentification><ID schemeID="MERSISNO">9</ID></PartyIdentification><PartyIdentification><ID schemeID="VKN">1288331521</ID></PartyIdentification><PartyName><Name>AAA</Name></PartyName><PartyTaxScheme><TaxScheme><Name>Kadikoy</Name></TaxScheme></PartyTaxScheme>')}</AccountingSupplierParty>`
    const buyer = `<AccountingCustomerParty>${party('<PartyIdentification><ID schemeID="TCKN">12345678901</ID></PartyIdentification><Person><FirstName>Ali</FirstName><FamilyName>Kaya</FamilyName></Person>')}</AccountingCustomerParty>`
    expect(readEInvoice(ubl('Invoice', seller + buyer + tax('18') + usual + line))).toMatchObject({
      merchant: { name: 'AAA', tax_id: '1288331521' },
      buyer: { name: 'Ali Kaya', tax_id: '12345678901' },
      tax: { vat_rate: 18, vat_amount: 18 },
      line_items: [{ tax_rate: 18 }],
    })
  })

  it.each([
    ['the lines where nothing is added', {}, '118', 100],
    ['nothing where something is', { ChargeTotalAmount: '10' }, '128', null],
  ])('does not take the tax of Danish UBL 2.0 for the net: %s', (_, more, total, net) => {
    const danish = sums({
      LineExtensionAmount: '100',
      TaxExclusiveAmount: '18',
      TaxInclusiveAmount: total,
      ...more,
      PayableAmount: total,
    })
    expect(readEInvoice(ubl('Invoice', tax('18') + danish))).toMatchObject({
      subtotal: net,
      total: Number(total),
      warnings: [],
    })
  })
})
