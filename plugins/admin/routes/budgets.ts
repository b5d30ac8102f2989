/** Budgets of keys in JSON: in credits, with at most four decimals; null does not limit. */
import {
  ATOMIC_PER_CREDIT,
  atomicToCredits,
  type BudgetCaps,
  type BudgetChanges,
  creditsToAtomic,
  type Issue,
  type KeySpend,
  MAX_AMOUNT_ATOMIC,
  nullable,
  PRODUCT_ID_PATTERN,
} from '#kernel'
import { Type, type Static } from 'typebox'

export const PRODUCTS_MAX = 200
const LIMITS = ['call', 'day', 'month'] as const

const cap = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ['number', 'null'],
      minimum: 0,
      maximum: Number(MAX_AMOUNT_ATOMIC / ATOMIC_PER_CREDIT),
      description,
    }),
  )
export const Budget = Type.Object(
  {
    call: cap('Credits that one call may cost; null: no limit'),
    day: cap('Credits in a UTC day; null: no limit'),
    month: cap('Credits in a UTC month; null: no limit'),
  },
  { additionalProperties: false },
)
export type Budget = Static<typeof Budget>

/** Members of a body that makes or changes a key. */
export const BUDGET_INPUT = {
  budgets: Type.Optional(Budget),
  products: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', pattern: PRODUCT_ID_PATTERN },
      uniqueItems: true,
      maxItems: PRODUCTS_MAX,
      description: 'Ids of the products that the key may buy; null: all of them',
    }),
  ),
  productBudgets: Type.Optional(
    Type.Unsafe<Record<string, Budget | null>>({
      type: 'object',
      propertyNames: { pattern: PRODUCT_ID_PATTERN },
      maxProperties: PRODUCTS_MAX,
      additionalProperties: { anyOf: [Budget, { type: 'null' }] },
      description: 'By product id, within the budgets of the key; null takes it away',
    }),
  ),
}

const SPENT = { spentTodayCredits: Type.Number(), spentMonthCredits: Type.Number() }
export const CAPS = { call: nullable('number'), day: nullable('number'), month: nullable('number') }

/** Members of a key in an answer. */
export const BUDGET_OUTPUT = {
  budgets: Type.Object(CAPS),
  products: nullable('array', { items: { type: 'string' } }),
  productBudgets: Type.Unsafe<unknown>({
    type: 'object',
    additionalProperties: Type.Object({ ...CAPS, ...SPENT }),
  }),
  ...SPENT,
}

/** Where the body has them, for its issues. */
export interface BudgetPlaces {
  budgets: string
  productBudgets: string
}
const PLACES: BudgetPlaces = { budgets: '/budgets', productBudgets: '/productBudgets' }

/** What a body says about budgets, in atomic units; wrong amounts go to `issues`. */
export function budgetChangesIn(
  body: {
    budgets?: Budget
    productBudgets?: Record<string, Budget | null>
    dailySpendCeiling?: number | null
  },
  issues: Issue[],
  places = PLACES,
): BudgetChanges {
  const budget = changeIn(body.budgets ?? {}, places.budgets, issues)
  const { dailySpendCeiling } = body
  if (dailySpendCeiling !== undefined) {
    const day = dailySpendCeiling === null ? null : BigInt(dailySpendCeiling) * ATOMIC_PER_CREDIT
    if (budget.day !== undefined && budget.day !== day) {
      issues.push({
        path: '/dailySpendCeiling',
        message: `must agree with ${places.budgets.slice(1)}.day, which it is`,
      })
    }
    budget.day = day
  }
  const products = Object.entries(body.productBudgets ?? {}).map(
    ([id, caps]) => [id, caps && changeIn(caps, `${places.productBudgets}/${id}`, issues)] as const,
  )
  return {
    ...(Object.keys(budget).length > 0 && { budget }),
    ...(products.length > 0 && { productBudgets: Object.fromEntries(products) }),
  }
}

function changeIn(caps: Budget, path: string, issues: Issue[]): BudgetCaps {
  const change: BudgetCaps = {}
  for (const limit of LIMITS) {
    const credits = caps[limit]
    if (credits === undefined) continue
    const amount = credits === null ? null : creditsToAtomic(credits)
    if (amount === null) change[limit] = null
    else if (amount.ok) change[limit] = amount.amountAtomic
    else issues.push({ path: `${path}/${limit}`, message: amount.message })
  }
  return change
}

/** The members BUDGET_OUTPUT describes, of the rows of a key. */
export function budgetsToJson(rows: readonly KeySpend[], products: readonly string[] | null) {
  const own = rows.find(({ scope }) => scope === '*')
  return {
    budgets: capsToJson(own),
    products,
    productBudgets: Object.fromEntries(
      rows
        .filter(({ scope }) => scope !== '*')
        .map((row) => [row.scope, { ...capsToJson(row), ...spentToJson(row) }]),
    ),
    ...spentToJson(own),
  }
}

export function capsToJson(row: KeySpend | undefined): Record<keyof BudgetCaps, number | null> {
  const credits = (amountAtomic: bigint | null | undefined): number | null =>
    amountAtomic === null || amountAtomic === undefined ? null : atomicToCredits(amountAtomic)
  return {
    call: credits(row?.callCapAtomic),
    day: credits(row?.dayCapAtomic),
    month: credits(row?.monthCapAtomic),
  }
}

function spentToJson(row: KeySpend | undefined) {
  return {
    spentTodayCredits: atomicToCredits(row?.spentTodayAtomic ?? 0n),
    spentMonthCredits: atomicToCredits(row?.spentMonthAtomic ?? 0n),
  }
}
