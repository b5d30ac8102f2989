/** Every price table that was ever in force, by version; `host/price-history` stores them. */
import type { Database } from '../storage/contract.ts'
import type { PriceList, PriceTable } from './table.ts'

export interface PriceHistory {
  createRegistry(db: Pick<Database, 'sql'>): PriceRegistry
  /** Every price that `skillId` had at any time since `since`, newest first. */
  pricesSince(db: Pick<Database, 'sql'>, skillId: string, since: Date): Promise<PastPrice[]>
}

export interface PastPrice {
  amountAtomic: bigint
  priceVersion: number
}

export interface PriceRegistry {
  /**
   * Makes `lists` (sorted by product) the table in force and returns its version. `originates`:
   * this instance made the change, rather than following another one.
   */
  enforce(lists: readonly PriceList[], originates: boolean): Promise<number>
  /** The table in force on this instance; null before the first. */
  current(): PriceTable | null
  /** Any table that was ever in force; null for an unknown version. */
  at(version: number): Promise<PriceTable | null>
}
