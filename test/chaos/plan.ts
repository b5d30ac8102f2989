/** What a series of the chaos run sells, to whom, and how an instance is told. */
import type { FreeQuota, Graduated } from '../../kernel/ledger/contract.ts'

export interface Skill {
  skillId: string
  productId: string
  free: FreeQuota | null
  tiers: Graduated['tiers'] | null
}

export const TIERS: Graduated['tiers'] = [
  { upTo: 500n, unitAtomic: 9n },
  { upTo: 5000n, unitAtomic: 6n },
  { upTo: null, unitAtomic: 4n },
]

export const SKILLS: readonly [Skill, ...Skill[]] = [
  { skillId: 'demo.flat', productId: 'demo', free: null, tiers: null },
  { skillId: 'demo.free', productId: 'demo', free: { calls: 40, period: 'day' }, tiers: null },
  { skillId: 'pages.tiered', productId: 'pages', free: null, tiers: TIERS },
  {
    skillId: 'pages.both',
    productId: 'pages',
    free: { calls: 200, period: 'month' },
    tiers: TIERS,
  },
]
export const PRODUCTS = [...new Set(SKILLS.map(({ productId }) => productId))]

/** Everything an instance needs to know; passed to its process as JSON. */
export interface Plan {
  /** Connection text, clock included. */
  url: string
  accountId: string
  keyIds: readonly string[]
  /** Keys that are revoked in the course of the series. */
  victimIds: readonly string[]
  /** Calls at once. */
  callers: number
  seed: number
  /** Where answers are written as they come, one JSON line each. */
  ackFile: string
}
