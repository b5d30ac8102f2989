/** Prices and limits that an account has of its own, such as those of a plan that it bought. */
import type { CallLimits } from '../auth/contract.ts'
import type { PriceRule } from './rule.ts'

/** What an instance answers about accounts with prices of their own (`Instance.terms`). */
export interface Terms {
  /**
   * What a call of the skill costs the account in the place of `list`; null: what the list says. It is
   * asked for each call, so it answers from memory, and with the same object for the same arguments.
   */
  priceOf(accountId: string, skillId: string, list: PriceRule): PriceRule | null
  /**
   * How often each key of the account may call, where the key has no limits of its own; null: as the
   * gateway's settings say.
   */
  limitsOf?(accountId: string): OwnLimits | null
}

/** Rate limits of each key of an account. */
export type OwnLimits = CallLimits
