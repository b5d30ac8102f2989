/** The part of a quote that is about the caller's own account: what it has left for the call. */
import { atomicToCredits, type Identity, nullable, type PriceRule, type QuoteBook } from '#kernel'
import { Type } from 'typebox'
import { BudgetLimit, budgetLimits } from '../shared/documents/budget-limits.ts'

/** The scope of a key's budget of everything. */
const WHOLE_KEY = '*'

/** JSON Schema of what `accountPart` gives, for OpenAPI. */
export const QuotedAccount = Type.Object({
  accountId: Type.String(),
  apiKeyId: Type.String(),
  availableCredits: Type.Number(),
  limits: Type.Array(BudgetLimit, { description: 'Budgets that the call counts against' }),
  free: Type.Unsafe({
    anyOf: [
      Type.Object({
        calls: Type.Integer(),
        period: Type.Enum(['day', 'month']),
        used: Type.Integer({ description: 'Calls that run now are counted' }),
        left: Type.Integer(),
        endsAt: Type.String({ format: 'date-time' }),
      }),
      { type: 'null' },
    ],
  }),
  monthUnits: nullable('integer', {
    description: 'What graduated prices counted for the account this month',
  }),
  allowed: Type.Boolean({ description: 'Balance and budgets cover what is held for the call' }),
  refusedBy: nullable('string', {
    description:
      "'products', 'account' (it was closed), 'balance' or the budget in the way; null: nothing",
  }),
})

/** What the account and the key have left for a call of the skill at `price`. */
export async function accountPart(
  ledger: QuoteBook['left'],
  { accountId, keyId, products, isPayersOwn }: Identity,
  {
    skillId,
    productId,
    price,
    heldAtomic,
  }: { skillId: string; productId: string; price: PriceRule; heldAtomic: bigint },
  now: Date,
): Promise<object> {
  const quota = isPayersOwn === true ? null : price.free
  const [balance, spend, used, volume] = await Promise.all([
    ledger.balance(accountId),
    ledger.spend({ accountId, keyId }),
    quota && ledger.freeUsed(accountId, skillId, quota.period),
    isGraduated(price) ? ledger.volume(accountId, skillId) : null,
  ])
  const availableAtomic = balance?.availableAtomic ?? 0n
  const own = spend.filter(({ scope }) => scope === WHOLE_KEY || scope === productId)
  const limits = budgetLimits(own, now)
  const left = quota === null ? 0 : Math.max(0, quota.calls - Number(used))
  const heldCredits = left > 0 ? 0 : atomicToCredits(heldAtomic)
  const budget = limits.find(({ leftCredits }) => leftCredits < heldCredits)
  const refusedBy =
    products && !products.includes(productId)
      ? 'products'
      : balance?.isClosed
        ? 'account'
        : atomicToCredits(availableAtomic) < heldCredits
          ? 'balance'
          : (budget?.limit ?? null)
  return {
    accountId,
    apiKeyId: keyId,
    availableCredits: atomicToCredits(availableAtomic),
    limits,
    free: quota && { ...quota, used: Number(used), left, endsAt: endOf(quota.period, now) },
    monthUnits: volume === null ? null : Number(volume),
    allowed: refusedBy === null,
    refusedBy,
  }
}

function isGraduated({ baseTiers, per }: PriceRule): boolean {
  return baseTiers !== null || per.some(({ tiers }) => tiers !== null)
}

/** When the UTC day or month of `now` ends. */
function endOf(period: 'day' | 'month', now: Date): string {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const end = period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1)
  return new Date(end).toISOString()
}
