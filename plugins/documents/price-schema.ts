/** JSON Schemas of amounts and prices, for OpenAPI. */
import type { PriceView } from '#kernel'
import { Type } from 'typebox'

const AMOUNT = {
  credits: Type.Number(),
  usd: Type.Number(),
  usdcAtomic: Type.String({ description: 'USDC atomic units, in digits' }),
}
const orNull = (schema: object) => Type.Unsafe<unknown>({ anyOf: [schema, { type: 'null' }] })
const Tiers = orNull(
  Type.Array(
    Type.Object({
      upTo: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'The last unit of the month at this price; null: all further ones',
      }),
      ...AMOUNT,
    }),
  ),
)
/** JSON Schema of an amount, for OpenAPI. */
export const AmountSchema = Type.Object(AMOUNT)
/** JSON Schema of a `PriceView`: the component `Price` of OpenAPI. */
export const PriceSchema = Type.Object(
  {
    text: Type.String({ description: 'The rule in one phrase' }),
    base: Type.Object(AMOUNT, { description: 'Per answered call' }),
    tiers: Tiers,
    per: Type.Array(
      Type.Object({
        unit: Type.String(),
        from: Type.String({
          description: "JSON pointer into the answer, 'header:Name', 'bytes', 'seconds' or 'units'",
        }),
        first: Type.Integer({ description: 'Units that the base includes' }),
        step: Type.Integer({ description: 'So many units for the price; a part counts as all' }),
        tiers: Tiers,
        ...AMOUNT,
      }),
    ),
    max: Type.Object(AMOUNT, { description: 'Held, and the most that a call is charged' }),
    free: orNull(Type.Object({ calls: Type.Integer(), period: Type.Enum(['day', 'month']) })),
    missing: Type.Enum(['base', 'max']),
    example: orNull(
      Type.Object({
        text: Type.String(),
        units: Type.Record(Type.String(), Type.Integer()),
        ...AMOUNT,
      }),
    ),
  },
  { description: 'What a call costs, as a rule under a maximum' },
)

/** A member of an answer that is a `PriceView`. */
export const PriceRef = Type.Unsafe<PriceView>({ $ref: '#/components/schemas/Price' })
