/** GET /v1/ledger: ledger rows of all keys, for the operator; GET /v1/usage: those of the caller's key. */
import {
  type Failure,
  invalid,
  isAccountId,
  isEntryKind,
  isLedgerId,
  type Issue,
  type LedgerDesk,
  nullable,
  privateJson,
  queryInteger,
  type Route,
  type RouteRequest,
  type RowFilter,
  ledgerRowToJson,
} from '#kernel'
import { Type } from 'typebox'

export interface LedgerRouteDeps {
  ledger: Pick<LedgerDesk, 'rows'>
}

const PAGE = { min: 1, max: 500, fallback: 50 }
const TEXT_MAX = 128
const RowQuery = {
  requestId: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
  kind: Type.Optional(Type.String({ description: 'A kind of row, such as capture or topup' })),
  before: Type.Optional(Type.String({ description: 'nextBefore of the page before' })),
  limit: Type.Optional(
    Type.Integer({ minimum: PAGE.min, maximum: PAGE.max, default: PAGE.fallback }),
  ),
}
const UsageQuery = Type.Object(RowQuery)
const LedgerQuery = Type.Object({
  accountId: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
  apiKeyId: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
  ...RowQuery,
})

const LedgerPage = Type.Object({
  rows: Type.Array(
    Type.Object({
      id: Type.String(),
      at: Type.String({ format: 'date-time' }),
      kind: Type.String(),
      accountId: nullable('string'),
      apiKeyId: nullable('string'),
      requestId: nullable('string'),
      rail: Type.String(),
      skill: nullable('string'),
      path: nullable('string'),
      amountCredits: Type.Number(),
      amountUsdcAtomic: Type.Integer(),
      debit: Type.String(),
      credit: Type.String(),
      priceVersion: nullable('integer'),
      acquisition: nullable('string'),
      transaction: nullable('string'),
      note: nullable('string'),
    }),
  ),
  nextBefore: nullable('string'),
})

export function ledgerRoutes({ ledger }: LedgerRouteDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/ledger',
      auth: 'admin',
      tag: 'Ledger',
      summary: 'Ledger rows, newest first, of one account, key, request or kind',
      query: LedgerQuery,
      output: LedgerPage,
      handler: ({ query }) => ledgerPage(ledger, query, query.get('apiKeyId')),
    },
    {
      method: 'GET',
      path: '/v1/usage',
      auth: 'key',
      rateLimited: true,
      tag: 'Ledger',
      summary: "The key's own ledger rows, newest first, of one request or kind",
      query: UsageQuery,
      output: LedgerPage,
      handler: ({ query, keyId }) => ledgerPage(ledger, query, keyId!),
    },
  ]
}

/**
 * A page of postings, of one key unless `keyId` is null; `nextBefore` asks for the page after it.
 * 400 for a filter of the wrong form.
 */
async function ledgerPage(
  ledger: Pick<LedgerDesk, 'rows'>,
  query: RouteRequest['query'],
  keyId: string | null,
): Promise<Response | Failure> {
  const issues: Issue[] = []
  const filter: RowFilter = { limit: queryInteger(query, 'limit', PAGE, issues) }
  if (keyId !== null) filter.keyId = shortText(keyId, '/apiKeyId', issues)
  const accountId = query.get('accountId')
  if (accountId !== null) {
    if (isAccountId(accountId)) filter.accountId = accountId
    else issues.push({ path: '/accountId', message: 'must be the id of an account' })
  }
  const requestId = query.get('requestId')
  if (requestId !== null) filter.requestId = shortText(requestId, '/requestId', issues)
  const before = query.get('before')
  if (before !== null) {
    if (isLedgerId(before)) filter.before = before
    else issues.push({ path: '/before', message: 'must be the id of a ledger row' })
  }
  const kind = query.get('kind')
  if (kind !== null) {
    if (isEntryKind(kind)) filter.kind = kind
    else issues.push({ path: '/kind', message: 'must be a kind of ledger row, such as capture' })
  }
  if (issues.length > 0) return invalid(issues)
  const rows = await ledger.rows(filter)
  return privateJson({
    rows: rows.map(ledgerRowToJson),
    nextBefore: rows.length === filter.limit ? rows.at(-1)!.id : null,
  })
}

function shortText(text: string, path: string, issues: Issue[]): string {
  if (text === '' || text.length > TEXT_MAX) {
    issues.push({ path, message: `must have 1 to ${TEXT_MAX} characters` })
  }
  return text
}
