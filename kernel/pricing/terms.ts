/** Prices and limits of single accounts, such as those of a plan that they bought. */
import type { CallLimits } from '../auth/contract.ts'
import type { PriceRule } from './rule.ts'

/** A plugin instance's terms for accounts with their own prices (`Instance.terms`). */
export interface Terms {
  /**
   * The account's price for the skill instead of `list`; null if the list price applies. Called for
   * every call, so it must answer from memory, and with the same object for the same arguments.
   */
  priceOf(accountId: string, skillId: string, list: PriceRule): PriceRule | null
  /** Rate limits of the account's keys without their own; null: the gateway's settings apply. */
  limitsOf?(accountId: string): OwnLimits | null
}

/** Rate limits of each key of an account. */
export type OwnLimits = CallLimits
