/** Input and result of parse.receipt and parse.invoice: the shared contract, one schema for all. */
import { Type, type Static } from 'typebox'

export const TEXT_MAX = 500_000
const FILENAME_MAX = 512
const CONTENT_TYPES = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
] as const
const TIERS = ['S', 'M', 'L', 'auto'] as const

export const ParseInput = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TEXT_MAX,
        description:
          'The document as text (own OCR, an e-mail, a till print) or as CII or UBL e-invoice XML. Give exactly one of text and file_base64.',
      }),
    ),
    file_base64: Type.Optional(
      Type.String({
        description:
          'The document as base64: PDF, JPEG, PNG, WebP or UTF-8 text. Exactly one of text and file_base64.',
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
  },
  { additionalProperties: false },
)
export type ParseRequest = Static<typeof ParseInput>

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
const text = nullable(Type.String())
const amount = nullable(Type.Number())

export const ParseOutput = Type.Object({
  doc_type: Type.Enum(['receipt', 'invoice', 'tax_invoice', 'proforma', 'unknown']),
  merchant: Type.Object({ name: text, tax_id: text, country: text, address: text, phone: text }),
  buyer: nullable(Type.Object({ name: text, tax_id: text })),
  document_id: text,
  issued_at: nullable(Type.String({ description: 'YYYY-MM-DD; ambiguous dates are day-first.' })),
  currency: nullable(Type.String({ description: 'ISO 4217.' })),
  subtotal: amount,
  tax: Type.Object({
    vat_rate: nullable(Type.Number({ description: 'Percent.' })),
    vat_amount: amount,
    label: text,
    inclusive: nullable(Type.Boolean()),
  }),
  total: amount,
  amount_paid: amount,
  balance_due: amount,
  payment: nullable(
    Type.Object({
      method: Type.String(),
      mobile_money: nullable(Type.Object({ provider: Type.String(), code: text, phone: text })),
      bank_ref: text,
    }),
  ),
  line_items: Type.Array(
    Type.Object({
      description: Type.String(),
      quantity: amount,
      unit_price: amount,
      amount: Type.Number(),
    }),
  ),
  locale_hints: Type.Array(Type.String()),
  raw_text_excerpt: text,
  warnings: Type.Array(Type.String()),
  confidence: Type.Object({
    overall: Type.Number({ minimum: 0, maximum: 1 }),
    fields: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 })),
  }),
})
export type ParseResult = Static<typeof ParseOutput>
