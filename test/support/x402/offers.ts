/** What a rail offers, without the rail. */
import { ChallengeCache } from '../../../plugins/x402/offers/challenge-cache.ts'
import { EvmOffers } from '../../../plugins/x402/evm/offers.ts'
import { Prices } from '../../../plugins/x402/terms/prices.ts'
import type { Asset } from '../../../plugins/x402/terms/asset.ts'
import { baseAsset } from './chain.ts'

export interface SoleOffers {
  offers: EvmOffers
  challenges: ChallengeCache
  prices: Prices
}

/** The offers of one open entry with its challenges and prices. */
export function soleOffers(payTo: string, asset: Asset = baseAsset()): SoleOffers {
  const prices = new Prices()
  const offers = new EvmOffers(asset, payTo, () => challenges.renew())
  const entry = { offers, available: () => ({ ok: true }) as const }
  const challenges = new ChallengeCache([entry], 'Coinop', prices)
  return { offers, challenges, prices }
}
