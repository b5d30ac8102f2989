/** The price table of /v1/prices; amounts are atomic internally and shown in three units. */
import { ATOMIC_PER_CREDIT, ATOMIC_PER_USD, atomicToCredits, atomicToUsd } from '../money.ts'
import { canonicalJson, fingerprintOf } from '../schema/json-pieces.ts'
import type { PriceRule } from './rule.ts'
import { isFlat, priceView, type PriceView } from './view.ts'

/** One priced skill; method and path are null for skills that are tools only. */
export interface PriceRow {
  skill: string
  /** The first of `tools`, or null. */
  tool: string | null
  tools: readonly string[]
  product: string
  method: string | null
  path: string | null
  /**
   * The most that a call costs, and what is held: a client that reads only this number never pays
   * more. A flat price is exactly this amount.
   */
  credits: number
  usd: number
  /** A string of digits, because JSON numbers are not exact in every client. */
  usdcAtomic: string
  /** The whole rule; absent for a flat price, whose row is unchanged since before rules existed. */
  rule?: PriceView
}
/** The data for a price row. */
export interface PricedSkill {
  skill: { id: string }
  tools: readonly { name: string }[]
  product: { id: string }
  route: { method: string; path: string } | null
  metered: boolean
  amountAtomic: bigint
  price: PriceRule
}
/** The prices of one product, named by their content. */
export interface PriceList {
  hash: string
  rows: readonly PriceRow[]
}
export interface PriceTable {
  version: number
  hash: string
  /** When this table last came into force. */
  effectiveAt: string
  peg: typeof PEG
  skills: readonly PriceRow[]
}

/** The global peg (spec: 1 credit = USD 0.01 = 10,000 atomic). */
export const PEG = {
  creditUsd: atomicToUsd(ATOMIC_PER_CREDIT),
  creditUsdcAtomic: ATOMIC_PER_CREDIT.toString(),
  usdUsdcAtomic: ATOMIC_PER_USD.toString(),
} as const

/** The price list of a product's mounted skills; unmetered ones have no price. */
export function priceListOf(mounted: readonly PricedSkill[]): PriceList {
  const rows = mounted
    .filter((one) => one.metered)
    .map(({ skill, tools, product, route, amountAtomic, price }): PriceRow => ({
      skill: skill.id,
      tool: tools[0]?.name ?? null,
      tools: tools.map((tool) => tool.name),
      product: product.id,
      method: route?.method ?? null,
      path: route?.path ?? null,
      credits: atomicToCredits(amountAtomic),
      usd: atomicToUsd(amountAtomic),
      usdcAtomic: amountAtomic.toString(),
      ...(!isFlat(price) && { rule: priceView(price) }),
    }))
  return { hash: fingerprintOf(canonicalJson(rows)), rows }
}
