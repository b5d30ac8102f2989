/** What the contract suite sends to each skill that ships with the gateway. */
import type { SkillFixture } from '../../testkit/index.ts'

const RECEIPT = `NAIVAS SUPERMARKET LTD
PIN: P051123223G
Receipt No: 004512
Date: 07/02/2026 14:33
BREAD 65.00
SUGAR 1KG 150.00
TOTAL KSh 215.00
CASH 500.00
CHANGE 285.00`

const INVOICE = `Acme Tools GmbH
Invoice No: RE-2026-0042
Invoice date: 2026-03-04
Bill to: Example Ltd
Net 100.00 EUR
VAT 19% 19.00 EUR
Total 119.00 EUR`

/** A PDF of one page that says "Hello contract". */
const PDF = Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 46>>stream
BT /F1 18 Tf 20 50 Td (Hello contract) Tj ET  
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
`).toString('base64')

const schema = (required: string[]) => ({
  type: 'object',
  properties: { a: { type: 'string' } },
  required,
})
const documentProblems = [
  {},
  { text: 5 },
  { text: 'a', file_base64: 'YQ==' },
  { file_base64: '%%%' },
]

export const fixtures: readonly SkillFixture[] = [
  {
    skill: 'demo.echo',
    input: { message: 'hello', nested: { a: [1, 2] } },
    badInputs: [{ message: 5 }],
  },
  { skill: 'demo.hash', input: { input: 'hello' }, badInputs: [{}, { input: 5 }, { input: null }] },
  { skill: 'demo.health', input: {}, deterministic: false },
  {
    skill: 'docintel.parse_receipt',
    input: { text: RECEIPT, tier: 'S' },
    badInputs: [
      ...documentProblems,
      { text: '' },
      { text: 'x', tier: 'XL' },
      { text: 'x'.repeat(500_001) },
    ],
    failingInputs: [{ text: RECEIPT, tier: 'L' }],
  },
  {
    skill: 'docintel.parse_invoice',
    input: { text: INVOICE },
    badInputs: documentProblems,
    failingInputs: [
      {
        file_base64: Buffer.from('not a document').toString('base64'),
        content_type: 'application/pdf',
      },
    ],
  },
  {
    skill: 'utils.extract',
    input: {
      html: '<title>A page</title><article><h1>A page</h1><p>Some text of some length.</p></article>',
    },
    badInputs: [
      {},
      { text: 'a', html: 'b' },
      { html: '' },
      { text: '' },
      { url: 'ftp://example.com' },
      { text: 'a', instruction: 'x'.repeat(501) },
    ],
    failingInputs: [{ url: 'http://127.0.0.1:1/' }, { text: 'a', require_llm: true }],
  },
  {
    skill: 'utils.schema',
    input: { mode: 'both', schema: schema(['a']), instance: { a: 'x' }, sample: { a: 'x' } },
    badInputs: [{ mode: 'maybe' }, { mode: 'validate', schema: { type: 'nonsense' }, instance: 1 }],
  },
  {
    skill: 'utils.pdf_extract',
    input: { file_base64: PDF },
    badInputs: [{}, { file_base64: '%%%' }, { file_base64: PDF, options: { maxPages: 0 } }],
    failingInputs: [{ file_base64: Buffer.from('%PDF-1.7 nonsense').toString('base64') }],
  },
  {
    skill: 'utils.diff',
    input: { before: schema([]), after: schema(['a']) },
    badInputs: [{}, { before: schema([]) }, { before: ': : :', after: '{' }],
  },
]
