/** How API keys and their balances look outside. */
import { Type } from 'typebox'
import type { KeyRecord } from '../../auth/contract.ts'
import type { Balance, KeySpend } from '../../ledger/contract.ts'
import { atomicToCredits } from '../../money.ts'
import { nullable } from '../json.ts'

/** Members of a balance, as `balanceToJson` gives them. */
export const BALANCE = {
  credits: Type.Number(),
  heldCredits: Type.Number(),
  usdcAtomic: Type.Integer(),
}

const RECORD = {
  id: Type.String(),
  name: Type.String(),
  mode: Type.Enum(['live', 'test']),
  prefix: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  revokedAt: nullable('string'),
  dailySpendCeiling: nullable('integer'),
  rpmLimit: nullable('integer'),
  burstLimit: nullable('integer'),
  balance: Type.Object(BALANCE),
  spentTodayCredits: Type.Number(),
}
export const ApiKey = Type.Object(RECORD)
export const NewApiKey = Type.Object({
  ...RECORD,
  key: Type.String({ description: 'Shown this once' }),
})
export const RotatedApiKey = Type.Object({
  ...RECORD,
  key: Type.String({ description: 'Shown this once' }),
  previousValidUntil: Type.String({ format: 'date-time' }),
})
export const ApiKeyPage = Type.Object({ keys: Type.Array(ApiKey), nextCursor: nullable('string') })

/** An `ApiKey` with the balance of its account, and `spend` the key's own row. */
export function recordToJson(
  record: KeyRecord,
  balance: Balance | null,
  spend: KeySpend | undefined,
): object {
  return {
    id: record.id,
    name: record.name,
    mode: record.mode,
    prefix: record.prefix,
    createdAt: record.createdAt,
    revokedAt: record.revokedAt,
    dailySpendCeiling: record.dailySpendCeilingCredits,
    rpmLimit: record.rpmLimit,
    burstLimit: record.burstLimit,
    balance: balanceToJson(balance),
    spentTodayCredits: atomicToCredits(spend?.spentTodayAtomic ?? 0n),
  }
}

/** `credits` is what can be spent now; held credits come on top. */
export function balanceToJson(balance: Balance | null): {
  credits: number
  heldCredits: number
  usdcAtomic: number
} {
  const availableAtomic = balance?.availableAtomic ?? 0n
  return {
    credits: atomicToCredits(availableAtomic),
    heldCredits: atomicToCredits(balance?.heldAtomic ?? 0n),
    usdcAtomic: Number(availableAtomic),
  }
}
