/** What a key may do when it signs in: an agent holds a key too, so signing in must never widen it. */
import type { AccountKey } from '#kernel'

export type Role = 'owner' | 'limited'

/** Maker of the keys that customers got together with an account; all others are made inside of it. */
const HANDED_OUT = 'operator'

/** 'owner': a key without any budget, end, networks or list of skills that came with the account. */
export function roleOf(key: AccountKey): Role {
  const { callAtomic, dayAtomic, monthAtomic } = key.limits
  const isWhole =
    callAtomic === null &&
    dayAtomic === null &&
    monthAtomic === null &&
    key.products === null &&
    !key.hasProductBudgets &&
    key.expiresAt === null &&
    key.networks === null &&
    key.skills === null
  return key.kind === 'key' && isWhole && key.madeBy === HANDED_OUT ? 'owner' : 'limited'
}
