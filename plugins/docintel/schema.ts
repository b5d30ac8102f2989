/** Input and result of parse.receipt and parse.invoice: the shared contract, one schema for all. */
import { Type, type Static } from 'typebox'

export const TEXT_MAX = 500_000
const FILENAME_MAX = 512
const CONTENT_TYPES = [
  'application/pdf',
  'image/jpeg',
  // Registered nowhere, and written by many.
  'image/jpg',
  'image/png',
  'image/webp',
  'text/plain',
  'application/xml',
  'text/xml',
] as const
const TIERS = ['S', 'M', 'L', 'auto'] as const

export const ParseInput = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TEXT_MAX,
        description:
          'The document as text (own OCR, an e-mail, a till print) or as CII or UBL e-invoice XML.',
      }),
    ),
    file_base64: Type.Optional(
      Type.String({
        contentEncoding: 'base64',
        description:
          'The document as base64: PDF, JPEG, PNG, WebP, UTF-8 text or CII or UBL e-invoice XML.',
      }),
    ),
    filename: Type.Optional(Type.String({ maxLength: FILENAME_MAX })),
    content_type: Type.Optional(
      Type.Enum([...CONTENT_TYPES], { description: 'Must agree with what the bytes are.' }),
    ),
    tier: Type.Optional(
      Type.Enum([...TIERS], {
        description:
          'S: text and rules. M: adds OCR of images and scanned pages. L: adds the configured model for gaps. auto (default): the least that gives totals.',
      }),
    ),
    include: Type.Optional(
      Type.Array(Type.Enum(['text', 'evidence']), {
        maxItems: 2,
        description: 'text: all that was read. evidence: where each value stands.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ParseRequest = Static<typeof ParseInput>

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
const text = nullable(Type.String())
const amount = nullable(Type.Number())
const day = nullable(Type.String({ description: 'YYYY-MM-DD.' }))

export const DOCUMENT_KINDS = [
  'receipt',
  'invoice',
  'credit_note',
  'corrected_invoice',
  'prepayment_invoice',
  'self_billed',
  'self_billed_credit_note',
  'proforma',
  'unknown',
] as const

const Address = Type.Object({
  street: text,
  postcode: text,
  city: text,
  region: text,
  country: nullable(Type.String({ description: 'ISO 3166-1 alpha-2.' })),
})
export type Address = Static<typeof Address>

const TaxLine = Type.Object({
  rate: nullable(Type.Number({ description: 'Percent.' })),
  base: amount,
  amount,
  category: nullable(Type.String({ description: 'UNTDID 5305, from e-invoice XML.' })),
})
export type TaxLine = Static<typeof TaxLine>

export const ParseOutput = Type.Object({
  doc_type: Type.Enum(['receipt', 'invoice', 'tax_invoice', 'proforma', 'unknown']),
  document_kind: Type.Enum([...DOCUMENT_KINDS], {
    description:
      'What it is to an accountant. Amounts are as printed: those of a credit note take away.',
  }),
  merchant: Type.Object({
    name: text,
    tax_id: text,
    country: text,
    address: text,
    phone: text,
    address_parts: Type.Optional(Address),
  }),
  buyer: nullable(
    Type.Object({
      name: text,
      tax_id: text,
      address: Type.Optional(Type.String()),
      address_parts: Type.Optional(Address),
    }),
  ),
  document_id: text,
  issued_at: nullable(Type.String({ description: 'YYYY-MM-DD; ambiguous dates are day-first.' })),
  issued_time: nullable(Type.String({ description: 'HH:MM, 24 hours.' })),
  due_date: day,
  delivery_date: day,
  payment_terms: text,
  purchase_order: text,
  original_document_id: nullable(
    Type.String({ description: 'The invoice that a credit note or correction is about.' }),
  ),
  currency: nullable(Type.String({ description: 'ISO 4217.' })),
  subtotal: amount,
  tax: Type.Object({
    vat_rate: nullable(Type.Number({ description: 'Percent.' })),
    vat_amount: amount,
    label: text,
    inclusive: nullable(Type.Boolean()),
  }),
  tax_lines: Type.Array(TaxLine, { description: 'One per rate, where the document lists them.' }),
  discount: nullable(Type.Number({ description: 'Taken off the whole; above 0.' })),
  tip: amount,
  rounding: nullable(Type.Number({ description: 'Signed.' })),
  total: amount,
  amount_paid: nullable(Type.Number({ description: 'What was paid, change given back aside.' })),
  tendered: nullable(Type.Number({ description: 'Cash handed over.' })),
  change: nullable(Type.Number({ description: 'Cash given back.' })),
  balance_due: amount,
  payment: nullable(
    Type.Object({
      method: Type.String(),
      mobile_money: nullable(Type.Object({ provider: Type.String(), code: text, phone: text })),
      bank_ref: text,
    }),
  ),
  iban: text,
  bic: text,
  line_items: Type.Array(
    Type.Object({
      description: Type.String(),
      quantity: amount,
      unit_price: amount,
      amount: Type.Number(),
      code: Type.Optional(Type.String({ description: "The seller's article number." })),
      unit: Type.Optional(Type.String()),
      tax_rate: Type.Optional(Type.Number({ description: 'Percent.' })),
    }),
  ),
  locale_hints: Type.Array(Type.String()),
  raw_text_excerpt: text,
  warnings: Type.Array(Type.String()),
  confidence: Type.Object({
    overall: Type.Number({ minimum: 0, maximum: 1 }),
    fields: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 })),
    line_items: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
      description: 'One for each of line_items.',
    }),
  }),
  text: Type.Optional(Type.String({ description: 'With include.' })),
  evidence: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({
        page: Type.Integer({ minimum: 1 }),
        box: nullable(
          Type.Array(Type.Number(), {
            minItems: 4,
            maxItems: 4,
            description: 'Left, top, right, bottom as shares of the page; null for plain text.',
          }),
        ),
        text: Type.String({ description: 'The row that it was read from.' }),
      }),
      { description: 'With include.' },
    ),
  ),
})
export type ParseResult = Static<typeof ParseOutput>
