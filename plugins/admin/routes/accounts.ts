/** /v1/accounts: the operator's side of accounts, whose balance many keys share. */
import {
  type Books,
  ATOMIC_PER_CREDIT,
  creditsToAtomic,
  type Failure,
  invalid,
  isAccountId,
  type Issue,
  MAX_AMOUNT_ATOMIC,
  notFound,
  type Parsed,
  privateJson,
  queryInteger,
  readInput,
  type Route,
  type RouteRequest,
} from '#kernel'
import { adminRoutes } from './admin-route.ts'
import { Type } from 'typebox'
import {
  Account,
  AccountPage,
  accountToJson,
  AccountWithKeys,
  OwnAccount,
  ownAccountToJson,
} from './account-views.ts'
import {
  ApiKeyPage,
  isKeyId,
  keyReader,
  KIND_QUERY,
  kindIn,
  Name,
  nameIssues,
} from './key-views.ts'
import { transferRoute } from './transfers.ts'

export interface AccountRouteDeps extends Books {
  /** Accounts hold test money unless the request says otherwise. */
  sandbox: boolean
}

const TAG = 'Accounts'
const NO_ACCOUNT = 'No account has this id'
const PAGE = { min: 1, max: 200, fallback: 50 }
const KEYS_SHOWN = 50

const LowMark = Type.Optional(
  Type.Unsafe<number | null>({
    type: ['number', 'null'],
    exclusiveMinimum: 0,
    maximum: Number(MAX_AMOUNT_ATOMIC / ATOMIC_PER_CREDIT),
    description: 'Credits below which the event account.low_balance is sent; null: none',
  }),
)
const LOW_MARK = { lowBalanceCredits: LowMark, lowMarkCredits: LowMark }
const CreateInput = Type.Object(
  { name: Name, mode: Type.Optional(Type.Enum(['live', 'test'])), ...LOW_MARK },
  { additionalProperties: false },
)
const PatchInput = Type.Object(
  { name: Type.Optional(Name), ...LOW_MARK },
  { additionalProperties: false, minProperties: 1 },
)
const EmptyInput = Type.Object({}, { additionalProperties: false })
const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: PAGE.min, maximum: PAGE.max, default: PAGE.fallback }),
  ),
  cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })),
})

const AccountsQuery = Type.Object({
  ...PageQuery.properties,
  find: Type.Optional(
    Type.String({ description: 'Accounts with this in their name, or in a way to sign in' }),
  ),
  low: Type.Optional(
    Type.Literal('true', { description: 'Only open accounts that are below their low mark' }),
  ),
})
const KeysQuery = Type.Object({ ...PageQuery.properties, ...KIND_QUERY })

export function accountRoutes(deps: AccountRouteDeps): Route[] {
  const { accounts, keys, ledger } = deps
  const showKey = keyReader(ledger)

  async function create(request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, CreateInput)
    if (!input.ok) return input
    const { name, mode = deps.sandbox ? 'test' : 'live' } = input.value
    const issues = nameIssues(name)
    const lowMarkAtomic = lowMarkIn(input.value, issues) ?? null
    if (issues.length > 0) return invalid(issues)
    return privateJson(accountToJson(await accounts.create({ name, mode, lowMarkAtomic })), 201)
  }

  async function list({ query }: RouteRequest): Promise<Response | Failure> {
    const page = pageOf(query, isAccountId)
    if (!page.ok) return page
    const find = query.get('find') || undefined
    const low = query.get('low')
    if (low !== null && low !== 'true') return invalid([{ path: '/low', message: 'must be true' }])
    const order = { ...page.value, find, isLow: low !== null }
    const { records, nextCursor } = await accounts.list(order)
    return privateJson({ accounts: records.map(accountToJson), nextCursor })
  }

  async function get({ params }: RouteRequest): Promise<Response | Failure> {
    const account = await accounts.get(params.id!)
    if (!account) return notFound(NO_ACCOUNT)
    const { records } = await keys.list({
      accountId: account.id,
      kind: 'key',
      limit: KEYS_SHOWN,
      cursor: null,
    })
    return privateJson({
      ...accountToJson(account),
      keys: await Promise.all(records.map(showKey)),
    })
  }

  async function keysOf({ params, query }: RouteRequest): Promise<Response | Failure> {
    const page = pageOf(query, isKeyId)
    if (!page.ok) return page
    const issues: Issue[] = []
    const kind = kindIn(query, issues)
    if (issues.length > 0) return invalid(issues)
    const account = await accounts.get(params.id!)
    if (!account) return notFound(NO_ACCOUNT)
    const { records, nextCursor } = await keys.list({ accountId: account.id, kind, ...page.value })
    return privateJson({ keys: await Promise.all(records.map(showKey)), nextCursor })
  }

  async function patch(request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, PatchInput)
    if (!input.ok) return input
    const { name } = input.value
    const issues = name === undefined ? [] : nameIssues(name)
    const lowMarkAtomic = lowMarkIn(input.value, issues)
    if (issues.length > 0) return invalid(issues)
    const account = await accounts.patch(request.params.id!, { name, lowMarkAtomic })
    return account ? privateJson(accountToJson(account)) : notFound(NO_ACCOUNT)
  }

  async function close(request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, EmptyInput)
    if (!input.ok) return input
    const closed = await accounts.close(request.params.id!)
    switch (closed.outcome) {
      case 'unknown_account':
        return notFound(NO_ACCOUNT)
      case 'closed':
        return privateJson(accountToJson(closed.record))
    }
  }

  /** The account of the caller's key. */
  async function own({ keyId }: RouteRequest): Promise<Response | Failure> {
    const key = await keys.get(keyId!)
    const account = key && (await accounts.get(key.accountId))
    if (!key || !account) return notFound(NO_ACCOUNT)
    const spend = await ledger.spend({ accountId: account.id, keyId: key.id })
    return privateJson(ownAccountToJson(account, key, spend, new Date()))
  }

  const admin = adminRoutes(TAG)
  return [
    admin('POST', '/v1/accounts', 'Open an account with a balance of its own', create, {
      input: CreateInput,
      output: Account,
      statuses: [201],
    }),
    admin('GET', '/v1/accounts', 'Accounts, newest first', list, {
      query: AccountsQuery,
      output: AccountPage,
    }),
    admin('GET', '/v1/accounts/{id}', 'One account with its balance and keys', get, {
      output: AccountWithKeys,
    }),
    admin('PATCH', '/v1/accounts/{id}', 'Change the name or the low mark of an account', patch, {
      input: PatchInput,
      output: Account,
    }),
    admin('GET', '/v1/accounts/{id}/keys', 'The API keys of an account, newest first', keysOf, {
      query: KeysQuery,
      output: ApiKeyPage,
    }),
    admin(
      'POST',
      '/v1/accounts/{id}/close',
      'Close an account for good: its keys buy nothing more, and its balance stays',
      close,
      { input: EmptyInput, output: Account, statuses: [409] },
    ),
    transferRoute(deps),
    {
      method: 'GET',
      path: '/v1/account',
      auth: 'key',
      rateLimited: true,
      tag: TAG,
      summary: 'The balance that the key shares, its own budgets, and what is left of them',
      output: OwnAccount,
      handler: own,
    },
  ]
}

/** The bounds of a page and where it begins; `isCursor` says whether a text can be one. */
function pageOf(
  query: URLSearchParams,
  isCursor: (text: string) => boolean,
): Parsed<{ limit: number; cursor: string | null }> {
  const issues: Issue[] = []
  const limit = queryInteger(query, 'limit', PAGE, issues)
  const cursor = query.get('cursor')
  if (cursor !== null && !isCursor(cursor)) {
    issues.push({ path: '/cursor', message: 'must be nextCursor of the page before' })
  }
  return issues.length > 0 ? invalid(issues) : { ok: true, value: { limit, cursor } }
}

/** The mark in atomic units, null for none; undefined: the body says nothing of it. */
function lowMarkIn(
  body: { lowBalanceCredits?: number | null; lowMarkCredits?: number | null },
  issues: Issue[],
): bigint | null | undefined {
  const { lowBalanceCredits, lowMarkCredits } = body
  const isFirst = lowBalanceCredits !== undefined
  if (isFirst && lowMarkCredits !== undefined && lowMarkCredits !== lowBalanceCredits) {
    issues.push({
      path: '/lowMarkCredits',
      message: 'must agree with lowBalanceCredits, which it is',
    })
  }
  const credits = isFirst ? lowBalanceCredits : lowMarkCredits
  if (credits === undefined || credits === null) return credits
  const amount = creditsToAtomic(credits)
  if (amount.ok) return amount.amountAtomic
  issues.push({ path: isFirst ? '/lowBalanceCredits' : '/lowMarkCredits', message: amount.message })
  return null
}
