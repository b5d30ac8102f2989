/**
 * Budgets of keys: the most that a key may spend per call, UTC day and UTC month, in total and for
 * single products. The ledger stores and enforces them.
 */
import type { BudgetCaps } from '../ledger/accounts-contract.ts'

export interface BudgetChanges {
  /** Absent caps stay as they are. */
  budget?: BudgetCaps
  /** By product id; null, or null for each cap, removes the product's budget. */
  productBudgets?: Readonly<Record<string, BudgetCaps | null>>
}

/** The form of a product's id, as a pattern for schemas. */
export const PRODUCT_ID = '^[a-z][a-z0-9-]{0,39}$'
const PRODUCT_ID_FORM = new RegExp(PRODUCT_ID)

/** Whether a text can be the id of a product. */
export function isProductId(text: string): boolean {
  return PRODUCT_ID_FORM.test(text)
}
