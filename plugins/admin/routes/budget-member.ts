/**
 * The member `budget` of a key in JSON: what it may spend, of which products, and what it has spent.
 * It says in one place what `budgets`, `products` and `productBudgets` say, which came first and stay.
 */
import {
  atomicToCredits,
  type BudgetChanges,
  type Issue,
  type KeySpend,
  leftOf,
  PRODUCT_ID_PATTERN,
} from '#kernel'
import { Type } from 'typebox'
import {
  Budget,
  budgetChangesIn,
  type BudgetPlaces,
  CAPS,
  capsToJson,
  PRODUCTS_MAX,
} from './budgets.ts'

const PRODUCTS =
  'The products that the key may buy, by id: a list, or an object that gives each a budget of its own within that of the key; null: all of them'

interface BudgetMember extends Budget {
  products?: readonly string[] | Readonly<Record<string, Budget>> | null
}

/** A member of a body that makes or changes a key. */
export const BUDGET_MEMBER_INPUT = {
  budget: Type.Optional(
    Type.Unsafe<BudgetMember>({
      ...Budget,
      properties: {
        ...Budget.properties,
        products: {
          anyOf: [
            { type: 'null' },
            {
              type: 'array',
              items: { type: 'string', pattern: PRODUCT_ID_PATTERN },
              uniqueItems: true,
              maxItems: PRODUCTS_MAX,
            },
            {
              type: 'object',
              propertyNames: { pattern: PRODUCT_ID_PATTERN },
              maxProperties: PRODUCTS_MAX,
              additionalProperties: Budget,
            },
          ],
          description: `${PRODUCTS}. A list leaves the budgets of products as they are`,
        },
      },
      description: 'In the place of budgets, products and productBudgets',
    }),
  ),
}

/** The member in an answer. */
export const BUDGET_MEMBER_OUTPUT = Type.Object({
  ...CAPS,
  products: Type.Unsafe<unknown>({
    anyOf: [
      { type: 'null' },
      { type: 'array', items: { type: 'string' } },
      { type: 'object', additionalProperties: Type.Object(CAPS) },
    ],
    description: PRODUCTS,
  }),
  spent: Type.Object(
    { day: Type.Number(), month: Type.Number() },
    { description: 'Credits of this UTC day and month, held ones included' },
  ),
})

/** The members that came first. */
interface Members {
  budgets?: Budget
  products?: string[] | null
  productBudgets?: Record<string, Budget | null>
}
const FIRST = ['budgets', 'products', 'productBudgets'] as const
const PLACES: BudgetPlaces = { budgets: '/budget', productBudgets: '/budget/products' }

/** What a body says of what the key may spend, in atomic units; what is wrong goes to `issues`. */
export function spendingIn(
  body: Members & { budget?: BudgetMember; dailySpendCeiling?: number | null },
  issues: Issue[],
): BudgetChanges & { products?: string[] | null } {
  const { budget, dailySpendCeiling } = body
  if (budget === undefined) {
    const { products } = body
    return { ...budgetChangesIn(body, issues), ...(products !== undefined && { products }) }
  }
  const besides = FIRST.filter((name) => body[name] !== undefined)
  if (besides.length > 0) {
    issues.push({ path: '/budget', message: `cannot stand beside ${besides.join(', ')}` })
  }
  const { products: said, ...budgets } = budget
  const isObject = said !== null && said !== undefined && !Array.isArray(said)
  // A product that is named has exactly the limits that stand there.
  const named = Object.entries(isObject ? (said as Record<string, Budget>) : {}).map(
    ([id, caps]) => [id, { call: null, day: null, month: null, ...caps }] as const,
  )
  const members = { budgets, productBudgets: Object.fromEntries(named), dailySpendCeiling }
  const products = isObject ? named.map(([id]) => id) : (said as string[] | null | undefined)
  return {
    ...budgetChangesIn(members, issues, PLACES),
    ...(products !== undefined && { products }),
  }
}

/** BUDGET_MEMBER_OUTPUT of the rows of a key. */
export function budgetToJson(rows: readonly KeySpend[], products: readonly string[] | null) {
  const own = rows.find(({ scope }) => scope === '*')
  const isBounded = products?.some((id) => rows.some(({ scope }) => scope === id)) ?? false
  return {
    ...capsToJson(own),
    products: isBounded
      ? Object.fromEntries(
          products!.map((id) => [id, capsToJson(rows.find(({ scope }) => scope === id))]),
        )
      : products,
    spent: {
      day: atomicToCredits(own?.spentTodayAtomic ?? 0n),
      month: atomicToCredits(own?.spentMonthAtomic ?? 0n),
    },
  }
}

/** What is left of the budget of a key: null where it has no such limit. */
export const LEFT_OUTPUT = Type.Object(CAPS, {
  description: 'Credits that the budget leaves; null: it has no such limit',
})

/** LEFT_OUTPUT of the rows of a key. */
export function leftToJson(rows: readonly KeySpend[]) {
  const own = rows.find(({ scope }) => scope === '*')
  const left = (capAtomic: bigint | null | undefined, spentAtomic = 0n): number | null => {
    if (capAtomic === null || capAtomic === undefined) return null
    return atomicToCredits(leftOf(capAtomic, spentAtomic))
  }
  return {
    call: left(own?.callCapAtomic),
    day: left(own?.dayCapAtomic, own?.spentTodayAtomic),
    month: left(own?.monthCapAtomic, own?.spentMonthAtomic),
  }
}
