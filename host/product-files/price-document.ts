/** The closed schema of a price as an operator writes it; `interpret-price.ts` reads it. */
import { Type, type Static, type TSchema } from 'typebox'

const UNIT = '^[a-z][a-z0-9 _-]{0,39}$'
const FREE = '^[1-9]\\d{0,8}/(day|month)$'
const POINTER = '(/([^/~]|~[01])*)+'
const FROM = `^(${POINTER}|header:[A-Za-z0-9_.-]+|bytes|seconds|units)$`

/** One price, or graduated tiers [[up to, credits], …, credits]. */
export type CreditsDocument = number | readonly (number | readonly number[])[]

/** Amounts are checked where they are read: a flat price is more than zero, a base may be zero. */
const credits = (description: string) =>
  Type.Unsafe<CreditsDocument>({
    type: ['number', 'array'],
    minItems: 2,
    maxItems: 20,
    items: { type: ['number', 'array'], minItems: 2, maxItems: 2, items: { type: 'number' } },
    description,
  })

const Per = Type.Object(
  {
    unit: Type.String({
      pattern: UNIT,
      description: 'Name of the unit, in the singular: page, input token',
    }),
    from: Type.Optional(
      Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        maxLength: 300,
        pattern: FROM,
        items: { type: 'string', maxLength: 300, pattern: `^${POINTER}$` },
        minItems: 1,
        maxItems: 10,
        description:
          'Where the units are read: a JSON pointer into the answer (/usage/pages), or a list of which the first that the answer has counts, header:X-Usage, bytes, seconds, or units (what a skill of a plugin says; its default)',
      }),
    ),
    credits: credits(
      'For each unit (or each `step` of units); a list [[1000, 0.5], 0.1] is graduated per account and month',
    ),
    first: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Units that the base includes; default 0' }),
    ),
    step: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Units sold as one package, a begun one as whole; default 1',
      }),
    ),
  },
  { additionalProperties: false },
)
export type PerDocument = Static<typeof Per>

export const PriceDocument = Type.Object(
  {
    credits: Type.Optional(
      credits(
        '1 credit = USD 0.01; at most 4 decimals. With `per` the base of an answered call; a list [[100, 2], [1000, 1.5], 1] is graduated per account and month',
      ),
    ),
    usdc_atomic: Type.Optional(
      Type.Unsafe<number | string>({
        type: ['integer', 'string'],
        description: 'USDC atomic units (1 credit = 10000); both given must agree',
      }),
    ),
    per: Type.Optional(
      Type.Unsafe<PerDocument | PerDocument[]>({
        ...(JSON.parse(JSON.stringify(Per)) as TSchema),
        type: ['object', 'array'],
        items: Per,
        minItems: 1,
        maxItems: 10,
        description:
          'What units of the answer cost on top of the base; a list for several (input and output tokens)',
      }),
    ),
    max: Type.Optional(
      Type.Number({
        description: 'Most credits that a call costs: held before the work; needed with `per`',
      }),
    ),
    free: Type.Optional(
      Type.String({
        pattern: FREE,
        description: 'Free calls per account that an operator or a plan opened: 50/day, 1000/month',
      }),
    ),
    missing: Type.Optional(
      Type.Enum(['base', 'max'], {
        description: 'What an answer without a good measure costs; default base',
      }),
    ),
  },
  { additionalProperties: false, description: 'What one successful call costs' },
)
export type PriceDocument = Static<typeof PriceDocument>
