import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readSource } from '../../../../plugins/docintel/input/bytes.ts'
import { readDocument, type ReadJob } from '../../../../plugins/docintel/pipeline.ts'
import {
  PROFILES,
  type ProfileInvoice,
} from '../../../support/docintel-fixtures/einvoice-profiles.ts'
import { streamObject, writePdf, type PdfSpec } from '../../../support/pdf-writer.ts'

const expected = ({ truth }: ProfileInvoice) => ({
  ok: true,
  result: {
    doc_type: 'invoice',
    document_id: truth.document_id,
    issued_at: truth.issued_at,
    currency: truth.currency,
    merchant: truth.merchant,
    buyer: truth.buyer,
    subtotal: truth.subtotal,
    tax: { vat_amount: truth.vat, vat_rate: truth.rate },
    total: truth.total,
    amount_paid: truth.paid,
    balance_due: truth.due,
    line_items: truth.lines.map(([description, quantity, unit_price, amount]) => ({
      description,
      quantity,
      unit_price,
      amount,
    })),
    warnings: [],
    confidence: { overall: 1 },
  },
})
const read = (source: ReadJob['source']) =>
  readDocument({
    source,
    preferred: 'invoice',
    tier: 'auto',
    nowMs: Date.UTC(2025, 0, 1),
    ocr: 'off',
    ocrBudgetMs: 1,
  })

/** Bytes of the XML as its declaration says. */
const bytesOf = (xml: string): Buffer =>
  Buffer.from(xml, /encoding="ISO-8859-1"/.test(xml) ? 'latin1' : 'utf8')

/** Ways in which PDFs carry a file: object 100 is its stream, 101 its specification. */
const CARRIERS: Record<string, (xml: Buffer) => Partial<PdfSpec>> = {
  'a flat name tree': (xml) => ({
    objects: { 100: file(xml), 101: specification('factur-x.xml') },
    catalog: '/Names << /EmbeddedFiles << /Names [(factur-x.xml) 101 0 R] >> >>',
  }),
  'a name tree with kids, behind another file': (xml) => ({
    objects: {
      100: file(xml),
      101: specification('ZUGFeRD-invoice.xml'),
      102: file(Buffer.from('<orders/>')),
      103: specification('a.xml').replace('100 0 R', '102 0 R'),
      104: '<< /Limits [(a.xml) (a.xml)] /Names [(a.xml) 103 0 R] >>',
      105: '<< /Limits [(z) (z)] /Names [(z) 101 0 R] >>',
    },
    catalog: '/Names << /EmbeddedFiles << /Kids [104 0 R 105 0 R] >> >>',
  }),
  'an associated file that no name tree lists': (xml) => ({
    objects: { 100: file(xml, '/Subtype /text#2Fxml'), 101: specification('xrechnung.xml') },
    catalog: '/AF [101 0 R]',
  }),
  'a deflated associated file': (xml) => ({
    objects: {
      100: file(deflateSync(xml), '/Filter /FlateDecode /Params << /Size 1 >>'),
      101: specification('invoice.xml'),
    },
    catalog: '/AF [101 0 R]',
  }),
}
const file = (content: Buffer, entries = '/Filter []'): Buffer =>
  streamObject(content, `/Type /EmbeddedFile ${entries}`)
const specification = (name: string): string =>
  `<< /Type /Filespec /F (${name}) /UF (${name}) /AFRelationship /Data /EF << /F 100 0 R /UF 100 0 R >> >>`

describe.each(PROFILES)('$name', (invoice) => {
  it('is exact as XML text', async () => {
    expect(await read({ kind: 'text', text: invoice.xml })).toMatchObject(expected(invoice))
  })
  it('is exact as an XML file', async () => {
    const source = readSource(
      { file_base64: bytesOf(invoice.xml).toString('base64'), filename: 'rechnung.xml' },
      500_000,
    )
    expect(source).toMatchObject({ ok: true, kind: 'text' })
    expect(await read(source as ReadJob['source'])).toMatchObject(expected(invoice))
  })
})

describe.each(Object.entries(CARRIERS))('in %s', (_name, carry) => {
  it.each(PROFILES)('$name is exact', async (invoice) => {
    const bytes = writePdf({ pages: [{ content: '' }], ...carry(bytesOf(invoice.xml)) })
    expect(await read({ kind: 'application/pdf', bytes })).toMatchObject(expected(invoice))
  })
})

it('gives the price of one unit where it is stated for a hundred, and none for another unit', async () => {
  const priceOf = async (xml: string): Promise<unknown> => {
    const outcome = await read({ kind: 'text', text: xml })
    return outcome.ok && outcome.result.line_items[0]!.unit_price
  }
  const stated = /<(\w+):NetPriceProductTradePrice><\1:ChargeAmount>([\d.]+)<\/\1:ChargeAmount>/g
  const cii = PROFILES.find(({ xml }) => xml.search(stated) >= 0)!
  const price = [...cii.xml.matchAll(stated)][0]![2]
  const basis = (unit: string): string =>
    cii.xml.replaceAll(stated, `$&<$1:BasisQuantity unitCode="${unit}">100</$1:BasisQuantity>`)
  expect(await priceOf(cii.xml)).toBe(Number(price))
  expect(await priceOf(basis('C62'))).toBeCloseTo(Number(price) / 100, 9)
  expect(await priceOf(basis('KGM'))).toBeNull()
  const ubl = PROFILES.find(({ xml }) => xml.includes('<cbc:BaseQuantity unitCode="XPP">1<'))!
  const [, each] = /PriceAmount[^>]*>([\d.]+)/.exec(ubl.xml)!
  const base = ubl.xml.replaceAll('"XPP">1</cbc:BaseQ', '"XPP">1000</cbc:BaseQ')
  expect(await priceOf(base)).toBeCloseTo(Number(each) / 1000, 9)
})

it('takes an order for no invoice', async () => {
  const order = PROFILES[0]!.xml.replaceAll('CrossIndustryInvoice', 'SCRDMCCBDACIOMessageStructure')
  const bytes = writePdf({
    pages: [{ content: '' }],
    ...CARRIERS['a flat name tree']!(Buffer.from(order)),
  })
  expect(await read({ kind: 'application/pdf', bytes })).toMatchObject({
    ok: true,
    result: { total: null, line_items: [] },
  })
})
