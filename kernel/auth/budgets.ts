/**
 * Budgets of keys: the most that a key may spend by call, UTC day and UTC month, of everything and of
 * single products. The ledger keeps and enforces them; here they are changed.
 */
import { assert } from '../errors.ts'
import { WHOLE_KEY, type Accounts, type BudgetCaps, type Spender } from '../ledger/contract.ts'
import type { SqlTransaction } from '../storage/contract.ts'

export interface BudgetChanges {
  /** Caps that are left out stay as they are. */
  budget?: BudgetCaps
  /** By product id; null, or a null for each cap, takes the product's budget away. */
  productBudgets?: Readonly<Record<string, BudgetCaps | null>>
}

/** The form of a product's id, as a pattern for schemas. */
export const PRODUCT_ID = '^[a-z][a-z0-9-]{0,39}$'
const PRODUCT_ID_FORM = new RegExp(PRODUCT_ID)

/** Whether a text can be the id of a product. */
export function isProductId(text: string): boolean {
  return PRODUCT_ID_FORM.test(text)
}

/** Applies the changes to a key of the account; throws where the account has no such key. */
export async function changeBudgets(
  tx: SqlTransaction,
  accounts: Pick<Accounts, 'setBudget' | 'removeBudget'>,
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
