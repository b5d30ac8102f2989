/** How API keys and their balances look outside. */
import {
  atomicToCredits,
  type Balance,
  type Issue,
  type KeyRecord,
  type KeySpend,
  type LedgerDesk,
  nullable,
} from '#kernel'
import { Type } from 'typebox'
import { PLAIN_NAME } from '../../shared/plain-name.ts'
import { KEY_TERMS_OUTPUT, keyTermsToJson } from '../../shared/documents/key-terms.ts'
import { BUDGET_MEMBER_OUTPUT, budgetToJson } from './budget-member.ts'
import { BUDGET_OUTPUT, budgetsToJson } from './budgets.ts'

export const Name = Type.String({ minLength: 1, maxLength: 128, pattern: PLAIN_NAME })

/** What is wrong with a name beyond what its schema says. */
export function nameIssues(name: string): Issue[] {
  return name.trim() === '' ? [{ path: '/name', message: 'must not be blank' }] : []
}

/** Whether a text can be the id of an API key. */
export function isKeyId(text: string): boolean {
  return /^key_[0-9a-f]{32}$/.test(text)
}

/** The query member by which a list shows grants. */
export const KIND_QUERY = {
  kind: Type.Optional(
    Type.Enum(['key', 'grant', 'all'], {
      default: 'key',
      description: 'grant: keys without a secret, of apps and wallets',
    }),
  ),
}

/** The kind that a list is asked for; undefined: both. */
export function kindIn(query: URLSearchParams, issues: Issue[]): KeyRecord['kind'] | undefined {
  const kind = query.get('kind') ?? 'key'
  if (kind === 'key' || kind === 'grant') return kind
  if (kind !== 'all') issues.push({ path: '/kind', message: 'must be key, grant or all' })
  return undefined
}

/** Members of a balance, as `balanceToJson` gives them. */
export const BALANCE = {
  credits: Type.Number(),
  heldCredits: Type.Number(),
  usdcAtomic: Type.Integer(),
}

const RECORD = {
  id: Type.String(),
  accountId: Type.String({ description: 'The account whose balance the key spends' }),
  name: Type.String(),
  mode: Type.Enum(['live', 'test']),
  kind: Type.Enum(['key', 'grant'], {
    description: 'A grant is a key without a secret, which another credential stands for',
  }),
  madeBy: Type.String({ description: 'operator, or the id of the plugin that made it' }),
  parentKeyId: nullable('string', { description: 'Of a grant: the key with which it ends' }),
  prefix: nullable('string', { description: 'The shown start of the newest credential' }),
  createdAt: Type.String({ format: 'date-time' }),
  revokedAt: nullable('string'),
  dailySpendCeiling: nullable('number', { description: 'The same as budgets.day' }),
  rpmLimit: nullable('integer'),
  burstLimit: nullable('integer'),
  balance: Type.Object(BALANCE),
  budget: BUDGET_MEMBER_OUTPUT,
  ...BUDGET_OUTPUT,
  ...KEY_TERMS_OUTPUT,
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

/** Shows a key as an `ApiKey`, with the balance of its account and what it spent. */
export function keyReader(
  ledger: Pick<LedgerDesk, 'balance' | 'spend'>,
): (record: KeyRecord) => Promise<object> {
  return async (record) => {
    const { id: keyId, accountId } = record
    const [balance, spend] = await Promise.all([
      ledger.balance(accountId),
      ledger.spend({ accountId, keyId }),
    ])
    return recordToJson(record, balance, spend)
  }
}

/** An `ApiKey`; an account without a row has an empty balance. */
function recordToJson(
  record: KeyRecord,
  balance: Balance | null,
  spend: readonly KeySpend[],
): object {
  const budgets = budgetsToJson(spend, record.products)
  return {
    id: record.id,
    accountId: record.accountId,
    name: record.name,
    mode: record.mode,
    kind: record.kind,
    madeBy: record.madeBy,
    parentKeyId: record.parentKeyId,
    prefix: record.prefix,
    createdAt: record.createdAt,
    revokedAt: record.revokedAt,
    dailySpendCeiling: budgets.budgets.day,
    rpmLimit: record.rpmLimit,
    burstLimit: record.burstLimit,
    balance: balanceToJson(balance),
    budget: budgetToJson(spend, record.products),
    ...budgets,
    ...keyTermsToJson(record),
  }
}

/** `credits` is what can be spent now; held credits come on top. */
export function balanceToJson(balance: Pick<Balance, 'availableAtomic' | 'heldAtomic'> | null): {
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
