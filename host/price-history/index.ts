/** What the kernel is handed: every price table that was ever in force. */
import type { PriceHistory } from '#kernel/host'
import { pricesSince } from './past-prices.ts'
import { createPriceRegistry } from './registry.ts'

export const priceHistory: PriceHistory = { createRegistry: createPriceRegistry, pricesSince }
