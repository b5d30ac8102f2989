/** What pages tell of one skill: its price, its page, and how to call it. */
import { formatUsd, isFlatPrice, pricePhrase, type MountedSkill } from '#kernel'

/** Path of the page of a skill. */
export function skillPath(skillId: string): string {
  return `/docs/skills/${encodeURIComponent(skillId)}`
}

/** Path of the page of a product. */
export function productPath(productId: string): string {
  return `/docs/products/${encodeURIComponent(productId)}`
}

export interface PriceText {
  /** '2 credits', '1 credit + 2 credits per page, at most 40 credits', or 'free'. */
  amount: string
  /** '$0.02 per call', 'at most $0.40 per call'; '' for what is free. */
  unit: string
}

/** The price of one call as a buyer reads it. */
export function priceText({ metered, amountAtomic, price }: MountedSkill): PriceText {
  if (!metered) return { amount: 'free', unit: '' }
  const most = isFlatPrice(price) ? '' : 'at most '
  return { amount: pricePhrase(price), unit: `${most}$${formatUsd(amountAtomic)} per call` }
}
