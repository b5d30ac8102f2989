/** What holds an account open: /v1/admin/accounts/{id}, its grants, sign-ins, sessions and purchases. */
import {
  atomicToCredits,
  fail,
  notFound,
  nullable,
  privateJson,
  readInput,
  type AccountKey,
  type AccountKeys,
  type Accounts,
  type Failure,
  type Route,
  type RouteRequest,
  type Statements,
} from '#kernel'
import { Type } from 'typebox'
import type { AccountSession, AccountSessions } from '../../shared/account-sessions/contract.ts'
import { REASONS } from '../reasons.ts'

export interface AccountRouteDeps {
  accounts: Pick<Accounts, 'get' | 'owners' | 'removeOwner'>
  accountKeys: Pick<AccountKeys, 'list'>
  statements: Pick<Statements, 'purchases'>
  /** Null while no plugin with pages for customers is mounted. */
  sessions(): AccountSessions | null
}

const SHOWN = 50
const NO_ACCOUNT = 'No account has this id'
const At = Type.String({ format: 'date-time' })
const Caps = Type.Object({
  call: nullable('number'),
  day: nullable('number'),
  month: nullable('number'),
})
const Holders = Type.Object({
  grants: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      madeBy: Type.String({ description: 'The plugin that made it' }),
      parentKeyId: nullable('string', { description: 'The key with which it ends' }),
      createdAt: At,
      revokedAt: nullable('string'),
      lastUsedAt: nullable('string'),
      products: nullable('array', { items: { type: 'string' } }),
      budgets: Caps,
      spentTodayCredits: Type.Number(),
      spentMonthCredits: Type.Number(),
    }),
    { description: 'Keys without a secret, newest first, at most 50' },
  ),
  owners: Type.Array(Type.Object({ subject: Type.String(), addedAt: At })),
  sessions: Type.Unsafe<unknown>({
    type: ['array', 'null'],
    description: 'Newest first; null where no product has pages for customers',
    items: Type.Object({
      id: Type.String(),
      way: Type.String(),
      apiKeyId: nullable('string'),
      address: Type.String(),
      agent: Type.String(),
      createdAt: At,
      usedAt: At,
    }),
  }),
  purchases: Type.Array(
    Type.Object({}, { additionalProperties: true, description: 'Ledger rows, newest first' }),
  ),
})
const OwnerInput = Type.Object(
  { subject: Type.String({ minLength: 3, maxLength: 400 }) },
  { additionalProperties: false },
)
const SessionInput = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' }) },
  { additionalProperties: false },
)

export function accountRoutes(
  deps: AccountRouteDeps,
): Pick<
  Route,
  'method' | 'path' | 'summary' | 'input' | 'output' | 'handler' | 'statuses' | 'isAlwaysDocumented'
>[] {
  const { accounts, accountKeys, statements } = deps

  async function get({ params }: RouteRequest): Promise<Response | Failure> {
    const id = params['id']!
    if ((await accounts.get(id)) === null) return notFound(NO_ACCOUNT)
    const page = { limit: SHOWN, cursor: null }
    const [grants, owners, sessions, purchases] = await Promise.all([
      accountKeys.list(id, { kind: 'grant', ...page }),
      accounts.owners(id),
      deps.sessions()?.list(id) ?? null,
      statements.purchases(id, page),
    ])
    return privateJson({
      grants: grants.records.map(grantToJson),
      owners,
      sessions: sessions && sessions.map(sessionToJson),
      purchases: purchases.entries,
    })
  }

  async function removeOwner(request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, OwnerInput)
    if (!input.ok) return input
    const id = request.params['id']!
    if ((await accounts.get(id)) === null) return notFound(NO_ACCOUNT)
    switch (await accounts.removeOwner(id, input.value.subject)) {
      case 'removed':
        await deps.sessions()?.endLike(id, input.value.subject)
        return privateJson({ removed: true })
      case 'unknown':
        return notFound('The account has no such way in')
      case 'last':
        return fail(
          'INVALID_INPUT',
          'It is the only way in that the account has; close it instead',
          {
            status: 409,
            details: { reason: REASONS.last_owner },
          },
        )
    }
  }

  async function endSession(request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, SessionInput)
    if (!input.ok) return input
    const ended = await deps.sessions()?.end(request.params['id']!, input.value.id)
    return ended ? privateJson({ ended: true }) : notFound('The account has no such session')
  }

  return [
    {
      method: 'GET',
      path: '/v1/admin/accounts/{id}',
      summary: 'What holds an account open: grants, sign-ins, sessions, and its purchases',
      output: Holders,
      handler: get,
    },
    {
      method: 'POST',
      path: '/v1/admin/accounts/{id}/owners/remove',
      summary: 'Take a way in away from an account, and end the sessions that were opened like it',
      input: OwnerInput,
      output: Type.Object({ removed: Type.Literal(true) }),
      statuses: [409],
      handler: removeOwner,
    },
    {
      method: 'POST',
      path: '/v1/admin/accounts/{id}/sessions/end',
      summary: 'End a session of an account, on every instance at once',
      input: SessionInput,
      output: Type.Object({ ended: Type.Literal(true) }),
      handler: endSession,
    },
  ]
}

function grantToJson(grant: AccountKey): object {
  const { id, name, madeBy, parentKeyId, createdAt, revokedAt, lastUsedAt, products } = grant
  const { callAtomic, dayAtomic, monthAtomic } = grant.limits
  const credits = (atomic: bigint | null) => (atomic === null ? null : atomicToCredits(atomic))
  return {
    id,
    name,
    madeBy,
    parentKeyId,
    createdAt,
    revokedAt,
    lastUsedAt,
    products,
    budgets: { call: credits(callAtomic), day: credits(dayAtomic), month: credits(monthAtomic) },
    spentTodayCredits: atomicToCredits(grant.spentTodayAtomic),
    spentMonthCredits: atomicToCredits(grant.spentMonthAtomic),
  }
}

function sessionToJson(session: AccountSession): object {
  const { id, way, keyId, address, agent, createdAt, usedAt } = session
  return { id, way, apiKeyId: keyId, address, agent, createdAt, usedAt }
}
