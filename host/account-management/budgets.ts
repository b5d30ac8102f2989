/** Changing the budgets of a key, inside the transaction of whoever makes or changes it. */
import { assert, isProductId, type BudgetChanges, type Spender } from '#kernel'
import { WHOLE_KEY, type LedgerAccounts, type SqlTransaction } from '#kernel/host'

/** Applies the changes to a key of the account; throws where the account has no such key. */
export async function changeBudgets(
  tx: SqlTransaction,
  accounts: Pick<LedgerAccounts, 'setBudget' | 'removeBudget'>,
  spender: Spender,
  { budget, productBudgets = {} }: BudgetChanges,
): Promise<void> {
  if (budget !== undefined) await accounts.setBudget(tx, spender, WHOLE_KEY, budget)
  for (const [productId, caps] of Object.entries(productBudgets)) {
    assert(isProductId(productId), `${productId} is no id of a product`)
    if (caps === null || (caps.call === null && caps.day === null && caps.month === null)) {
      await accounts.removeBudget(tx, spender, productId)
    } else await accounts.setBudget(tx, spender, productId, caps)
  }
}
