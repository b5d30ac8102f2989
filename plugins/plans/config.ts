/** What an operator writes under `config:` of a product of this plugin, and the plans read from it. */
import { Type, type Static } from 'typebox'
import { creditsToAtomic, type FreeCalls, type OwnLimits } from '#kernel'

const closed = { additionalProperties: false }
const PLAN_ID = '^[a-z][a-z0-9-]{0,39}$'
const SKILL_ID = '^[a-z][a-z0-9-]*(\\.[a-z][a-z0-9_]*)+$'
const FREE = '^[1-9]\\d{0,8}/(day|month)$'

const credits = (description: string, minimum = 0) =>
  Type.Number({ minimum, maximum: 1e9, description: `${description}; at most 4 decimals` })

/** Amounts in the place of those that a skill's price has; what is left out stays as it is. */
const OwnPrice = Type.Object(
  {
    credits: Type.Optional(credits('Per answered call')),
    per: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z][a-z0-9 _-]{0,39}$' }), credits('Per unit'), {
        ...closed,
        description: 'By unit: { page: 1.5 }',
      }),
    ),
    max: Type.Optional(credits('Most that a call costs')),
  },
  closed,
)
const PlanDocument = Type.Object(
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    description: Type.Optional(Type.String({ maxLength: 4000 })),
    price: Type.Optional(
      Type.Object(
        { credits: credits('For a month, taken from the balance', 0.0001) },
        { ...closed, description: 'Without it the plan can only be given by the operator' },
      ),
    ),
    monthly_credits: Type.Optional(credits('Given to the balance each month')),
    rollover: Type.Optional(
      Type.Boolean({ description: 'Monthly credits stay when the month ends; default false' }),
    ),
    grace_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60,
        description: 'How long a renewal that cannot be paid is tried; default 3',
      }),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          rpm: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Calls per minute' }),
          burst: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Calls at once' }),
        },
        { ...closed, description: 'Of each key of the account that has none of its own' },
      ),
    ),
    free: Type.Optional(
      Type.Record(Type.String({ pattern: SKILL_ID }), Type.String({ pattern: FREE }), {
        ...closed,
        description: 'Free calls by skill: { utils.extract: 50/day }',
      }),
    ),
    prices: Type.Optional(
      Type.Record(Type.String({ pattern: SKILL_ID }), OwnPrice, {
        ...closed,
        description: 'Prices by skill',
      }),
    ),
  },
  closed,
)
export const PlansConfig = Type.Object(
  {
    plans: Type.Record(Type.String({ pattern: PLAN_ID }), PlanDocument, {
      ...closed,
      default: {},
      description: 'Plans by id',
    }),
  },
  closed,
)
export type PlansConfig = Static<typeof PlansConfig>

/** A skill's amounts under a plan; null: as on the list. */
export interface OwnAmounts {
  baseAtomic: bigint | null
  unitAtomic: ReadonlyMap<string, bigint>
  maxAtomic: bigint | null
}
export interface Plan {
  id: string
  title: string
  description: string
  /** For a month; null: it cannot be bought. */
  priceAtomic: bigint | null
  monthlyAtomic: bigint
  rollsOver: boolean
  graceDays: number
  /** Null: as the gateway's settings say. */
  limits: OwnLimits | null
  /** By skill. */
  free: ReadonlyMap<string, FreeCalls>
  /** By skill. */
  prices: ReadonlyMap<string, OwnAmounts>
}

/** The plans by id. Throws what is wrong with an amount, with its place. */
export function readPlans(config: PlansConfig): ReadonlyMap<string, Plan> {
  return new Map(Object.entries(config.plans).map(([id, plan]) => [id, readPlan(id, plan)]))
}

function readPlan(id: string, document: PlansConfig['plans'][string]): Plan {
  const place = `plans.${id}`
  const { price, prices = {}, free = {} } = document
  return {
    id,
    title: document.title ?? id,
    description: document.description ?? '',
    priceAtomic: price ? atomic(price.credits, `${place}.price.credits`) : null,
    monthlyAtomic: atomic(document.monthly_credits ?? 0, `${place}.monthly_credits`),
    rollsOver: document.rollover ?? false,
    graceDays: document.grace_days ?? 3,
    limits: document.limits ?? null,
    free: new Map(Object.entries(free).map(([skill, text]) => [skill, readFree(text)])),
    prices: new Map(
      Object.entries(prices).map(([skill, own]) => [
        skill,
        readAmounts(own, `${place}.prices.${skill}`),
      ]),
    ),
  }
}

function readAmounts(own: Static<typeof OwnPrice>, place: string): OwnAmounts {
  const amount = (value: number | undefined, name: string): bigint | null =>
    value === undefined ? null : atomic(value, `${place}.${name}`)
  return {
    baseAtomic: amount(own.credits, 'credits'),
    unitAtomic: new Map(
      Object.entries(own.per ?? {}).map(([unit, value]) => [
        unit,
        atomic(value, `${place}.per.${unit}`),
      ]),
    ),
    maxAtomic: amount(own.max, 'max'),
  }
}

function atomic(value: number, place: string): bigint {
  const amount = creditsToAtomic(value)
  if (!amount.ok) throw new Error(`config.${place} ${amount.message}`)
  return amount.amountAtomic
}

/** Of '50/day', which the schema has checked. */
function readFree(text: string): FreeCalls {
  const [calls, period] = text.split('/')
  return { calls: Number(calls), period: period as FreeCalls['period'] }
}
