/** What a key may do when it signs in: an agent holds a key too, so signing in must never widen it. */
import type { AccountKey } from '#kernel'

export type Role = 'owner' | 'limited'

/** Keys that were handed to a customer together with the account; all others are made inside of it. */
const HANDED_OUT: ReadonlySet<string> = new Set(['operator', 'topup'])

/** 'owner': a key without any budget that came with the account. */
export function roleOf(key: AccountKey): Role {
  const { callAtomic, dayAtomic, monthAtomic } = key.limits
  const isWhole =
    callAtomic === null && dayAtomic === null && monthAtomic === null && key.products === null
  return key.kind === 'key' && isWhole && HANDED_OUT.has(key.madeBy) ? 'owner' : 'limited'
}
