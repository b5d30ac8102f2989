/** How accounts look outside: to the operator, and to the holder of one of their keys. */
import {
  type AccountRecord,
  atomicToCredits,
  type KeyRecord,
  type KeySpend,
  timeOfId,
  nullable,
} from '#kernel'
import { Type } from 'typebox'
import { KEY_TERMS_OUTPUT, keyTermsToJson } from '../../shared/documents/key-terms.ts'
import { ApiKey, BALANCE, balanceToJson } from './key-views.ts'
import { BUDGET_MEMBER_OUTPUT, budgetToJson, LEFT_OUTPUT, leftToJson } from './budget-member.ts'
import { BudgetLimit, budgetLimits } from '../../shared/documents/budget-limits.ts'

const RECORD = {
  id: Type.String(),
  name: nullable('string'),
  mode: Type.Enum(['live', 'test']),
  createdAt: nullable('string', { format: 'date-time' }),
  closedAt: nullable('string', { format: 'date-time' }),
  balance: Type.Object(BALANCE),
  lowBalanceCredits: nullable('number', {
    description: 'Below it, held credits included, the event account.low_balance is sent once',
  }),
  lowMarkCredits: nullable('number', { description: 'The same as lowBalanceCredits' }),
  low: Type.Boolean({ description: 'It has a mark and is below it' }),
}
export const Account = Type.Object(RECORD)
export const AccountWithKeys = Type.Object({
  ...RECORD,
  keys: Type.Array(ApiKey, { description: 'The newest 50; GET /v1/accounts/{id}/keys has all' }),
})
export const AccountPage = Type.Object({
  accounts: Type.Array(Account),
  nextCursor: nullable('string'),
})
export const OwnAccount = Type.Object({
  accountId: Type.String(),
  mode: Type.Enum(['live', 'test']),
  currency: Type.Literal('USDC'),
  balance: Type.Object(BALANCE),
  lowBalanceCredits: nullable('number'),
  lowMarkCredits: nullable('number', { description: 'The same as lowBalanceCredits' }),
  low: Type.Boolean(),
  budget: BUDGET_MEMBER_OUTPUT,
  left: LEFT_OUTPUT,
  key: Type.Object({
    id: Type.String(),
    name: Type.String(),
    products: nullable('array', {
      items: { type: 'string' },
      description: 'Ids of the products that the key may buy; null: all of them',
    }),
    limits: Type.Array(BudgetLimit, { description: 'Of the key itself; empty: none' }),
    spentTodayCredits: Type.Number(),
    spentMonthCredits: Type.Number(),
    ...KEY_TERMS_OUTPUT,
  }),
})

/** An `Account`. */
export function accountToJson(record: AccountRecord): object {
  return {
    id: record.id,
    name: record.name,
    mode: record.mode,
    createdAt: timeOfId(record.id),
    closedAt: record.closedAt,
    ...stateToJson(record),
  }
}

/** An `OwnAccount`: the balance that the key shares, and its own budgets at `now`. */
export function ownAccountToJson(
  account: AccountRecord,
  key: KeyRecord,
  spend: readonly KeySpend[],
  now: Date,
): object {
  const own = spend.find(({ scope }) => scope === '*')
  return {
    accountId: account.id,
    mode: account.mode,
    currency: 'USDC',
    ...stateToJson(account),
    budget: budgetToJson(spend, key.products),
    left: leftToJson(spend),
    key: {
      id: key.id,
      name: key.name,
      products: key.products,
      limits: budgetLimits(spend, now),
      spentTodayCredits: atomicToCredits(own?.spentTodayAtomic ?? 0n),
      spentMonthCredits: atomicToCredits(own?.spentMonthAtomic ?? 0n),
      ...keyTermsToJson(key),
    },
  }
}

function stateToJson({ availableAtomic, heldAtomic, lowMarkAtomic }: AccountRecord) {
  const lowBalanceCredits = lowMarkAtomic === null ? null : atomicToCredits(lowMarkAtomic)
  return {
    balance: balanceToJson({ availableAtomic, heldAtomic }),
    lowBalanceCredits,
    lowMarkCredits: lowBalanceCredits,
    low: lowMarkAtomic !== null && availableAtomic + heldAtomic < lowMarkAtomic,
  }
}
