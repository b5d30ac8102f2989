/**
 * What a key gives a grant that it asks for: a part of its own budget, so that a key which signs in to
 * make grants never widens what its operator allowed it.
 */
import { leftOf, type KeySpend, type Spender } from '#kernel'
import {
  SPEND,
  WHOLE_KEY,
  type KeyOrder,
  type LedgerAccounts,
  type SqlTransaction,
} from '#kernel/host'

/**
 * Lowers the caps of `parent` by those of the grant; false where the grant would not be inside them.
 * The account is locked. Nothing is given back when the grant ends, or making and ending grants would
 * spend the same day's budget again and again.
 */
export async function takeFromParent(
  tx: SqlTransaction,
  accounts: Pick<LedgerAccounts, 'setBudget'>,
  parent: Spender,
  { products = null, budget = {} }: KeyOrder,
): Promise<boolean> {
  const rows = await tx.unsafe<KeySpend[]>(SPEND, [parent.accountId, parent.keyId])
  const own = rows.find(({ scope }) => scope === WHOLE_KEY)
  const [allowed] = await tx<{ products: string[] | null }[]>`
    SELECT products FROM coinop.api_key WHERE id = ${parent.keyId}`
  if (!own || !allowed) return false
  const isOfProducts = allowed.products === null || isPart(products, allowed.products)
  // A budget of one product has no counterpart on the grant.
  const isLimitedBy = (id: string) => products === null || products.includes(id)
  const byProduct = rows.filter(({ scope }) => scope !== WHOLE_KEY)
  if (!isOfProducts || byProduct.some(({ scope }) => isLimitedBy(scope))) return false
  const { call = null, day = null, month = null } = budget
  const fits =
    isWithin(call, own.callCapAtomic) &&
    isWithin(day, own.dayCapAtomic && leftOf(own.dayCapAtomic, own.spentTodayAtomic)) &&
    isWithin(month, own.monthCapAtomic && leftOf(own.monthCapAtomic, own.spentMonthAtomic))
  if (!fits) return false
  if (own.dayCapAtomic === null && own.monthCapAtomic === null) return true
  await accounts.setBudget(tx, parent, WHOLE_KEY, {
    ...(own.dayCapAtomic !== null && { day: own.dayCapAtomic - day! }),
    ...(own.monthCapAtomic !== null && { month: own.monthCapAtomic - month! }),
  })
  return true
}

function isPart(products: readonly string[] | null, of: readonly string[]): boolean {
  return products !== null && products.every((id) => of.includes(id))
}

/** A limit within what is left; no limit is within none only. */
function isWithin(limit: bigint | null, left: bigint | null): boolean {
  return left === null || (limit !== null && limit <= left)
}
