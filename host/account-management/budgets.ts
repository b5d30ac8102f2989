/** Changing the budgets of a key, inside the transaction of whoever makes or changes it. */
import { assert, isProductId, type BudgetCaps, type BudgetChanges, type Spender } from '#kernel'
import { WHOLE_KEY, type LedgerAccounts, type SqlTransaction } from '#kernel/host'

export type BudgetAccounts = Pick<LedgerAccounts, 'countMonth' | 'setBudget' | 'removeBudget'>

/** Applies the changes to a key of the account; throws where the account has no such key. */
export async function changeBudgets(
  tx: SqlTransaction,
  accounts: BudgetAccounts,
  spender: Spender,
  { budget, productBudgets = {} }: BudgetChanges,
): Promise<void> {
  const changes = Object.entries(productBudgets)
  for (const [id] of changes) assert(isProductId(id), `${id} is not the id of a product`)
  const set = changes.flatMap(([id, caps]) => (isRemoved(caps) ? [] : [id]))
  // Before the account is locked: a busy key has many holds in a month.
  const counted = set.length === 0 ? null : await accounts.countMonth(tx, spender, set)
  if (budget !== undefined) await accounts.setBudget(tx, spender, WHOLE_KEY, budget)
  for (const [id, caps] of changes) {
    if (isRemoved(caps)) await accounts.removeBudget(tx, spender, id)
    else await accounts.setBudget(tx, spender, id, caps, counted)
  }
}

const isRemoved = (caps: BudgetCaps | null): caps is null =>
  caps === null || (caps.call === null && caps.day === null && caps.month === null)
