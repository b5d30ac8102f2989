/** /v1/keys: the operator's side of API keys, and the public keys that verify their tokens. */
import {
  ATOMIC_PER_CREDIT,
  type Failure,
  invalid,
  isAccountId,
  type Issue,
  MAX_AMOUNT_ATOMIC,
  notFound,
  privateJson,
  queryInteger,
  readInput,
  type Route,
  type RouteRequest,
  stateConflict,
  type Administration,
} from '#kernel'
import { KEY_TERMS_INPUT, keyTermsIn } from '../../shared/documents/key-terms.ts'
import { GRACE_DEFAULT_S, GRACE_MAX_S } from '../grace.ts'
import { adminRoutes } from './admin-route.ts'
import { Type } from 'typebox'
import { BUDGET_MEMBER_INPUT, spendingIn } from './budget-member.ts'
import { BUDGET_INPUT } from './budgets.ts'
import {
  ApiKey,
  ApiKeyPage,
  isKeyId,
  keyReader,
  KIND_QUERY,
  kindIn,
  Name,
  nameIssues,
  NewApiKey,
  RotatedApiKey,
} from './key-views.ts'

export interface KeyRouteDeps extends Pick<Administration, 'keys' | 'ledger' | 'tokens'> {
  /** Keys are test keys unless the request says otherwise. */
  sandbox: boolean
}

const TAG = 'Keys'
const NO_KEY = 'No API key has this id'
const PAGE = { min: 1, max: 200, fallback: 50 }

const limitOrNone = (maximum: number, minimum: number, description: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum, maximum, description }),
  )
const LIMITS = {
  dailySpendCeiling: limitOrNone(
    Number(MAX_AMOUNT_ATOMIC / ATOMIC_PER_CREDIT),
    0,
    'Credits the key may spend in a UTC day, the same as budgets.day; null: no ceiling',
  ),
  rpmLimit: limitOrNone(1_000_000, 1, 'Calls per minute; null: the default of the gateway'),
  burstLimit: limitOrNone(
    100_000,
    1,
    'Calls at once; null: the default of the gateway, at most the rpmLimit of the key',
  ),
  ...BUDGET_MEMBER_INPUT,
  ...BUDGET_INPUT,
  ...KEY_TERMS_INPUT,
}
const CreateInput = Type.Object(
  {
    name: Name,
    ...LIMITS,
    mode: Type.Optional(Type.Enum(['live', 'test'])),
    accountId: Type.Optional(
      Type.String({
        maxLength: 36,
        description: 'The account whose balance the key spends; default: one of its own',
      }),
    ),
  },
  { additionalProperties: false },
)
const PatchInput = Type.Object(
  { name: Type.Optional(Name), ...LIMITS },
  { additionalProperties: false, minProperties: 1 },
)
const RotateInput = Type.Object(
  {
    graceSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: GRACE_MAX_S,
        description: 'How long the credentials before this one stay valid; default one day',
      }),
    ),
  },
  { additionalProperties: false },
)
const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: PAGE.min, maximum: PAGE.max, default: PAGE.fallback }),
  ),
  cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })),
  accountId: Type.Optional(Type.String({ description: 'Keys of this account only' })),
  find: Type.Optional(
    Type.String({
      description:
        'Keys with this in their name, or whose shown start begins so; never a whole key',
    }),
  ),
  ...KIND_QUERY,
})
const EmptyInput = Type.Object({}, { additionalProperties: false })

const Revoked = Type.Object({
  id: Type.String(),
  revoked: Type.Literal(true),
  revokedAt: Type.String({ format: 'date-time' }),
})
const Token = Type.Object({
  token: Type.String(),
  tokenType: Type.Literal('Bearer'),
  expiresIn: Type.Integer({ description: 'Seconds' }),
  expiresAt: Type.String({ format: 'date-time' }),
  apiKeyId: Type.String(),
})

export function keyRoutes(deps: KeyRouteDeps): Route[] {
  const { keys, tokens } = deps
  const withBalance = keyReader(deps.ledger)

  async function create(request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, CreateInput)
    if (!input.ok) return input
    const { mode, accountId, name, rpmLimit, burstLimit } = input.value
    const issues = nameIssues(name)
    const spending = spendingIn(input.value, issues)
    const terms = keyTermsIn(input.value, issues)
    if (accountId !== undefined && !isAccountId(accountId)) issues.push(noAccount)
    if (issues.length > 0) return invalid(issues)
    const order = { name, rpmLimit, burstLimit, ...spending, ...terms }
    const made =
      accountId === undefined
        ? await keys.create({ ...order, mode: mode ?? (deps.sandbox ? 'test' : 'live') })
        : await keys.createOn(accountId, { ...order, mode })
    if (made.outcome !== 'created') return invalid([ON_ACCOUNT[made.outcome]])
    return privateJson({ ...(await withBalance(made.record)), key: made.plaintext })
  }

  async function list({ query }: RouteRequest): Promise<Response | Failure> {
    const issues: Issue[] = []
    const limit = queryInteger(query, 'limit', PAGE, issues)
    const cursor = query.get('cursor')
    if (cursor !== null && !isKeyId(cursor)) {
      issues.push({ path: '/cursor', message: 'must be nextCursor of the page before' })
    }
    const kind = kindIn(query, issues)
    const accountId = query.get('accountId') ?? undefined
    if (accountId !== undefined && !isAccountId(accountId)) issues.push(noAccount)
    if (issues.length > 0) return invalid(issues)
    const find = query.get('find') || undefined
    const page = await keys.list({ limit, cursor, accountId, kind, find })
    return privateJson({
      keys: await Promise.all(page.records.map(withBalance)),
      nextCursor: page.nextCursor,
    })
  }

  async function get({ params }: RouteRequest): Promise<Response | Failure> {
    const record = await keys.get(params.id!)
    return record ? privateJson(await withBalance(record)) : notFound(NO_KEY)
  }

  async function patch(request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, PatchInput)
    if (!input.ok) return input
    const { name, rpmLimit, burstLimit } = input.value
    const issues = name === undefined ? [] : nameIssues(name)
    const spending = spendingIn(input.value, issues)
    const terms = keyTermsIn(input.value, issues)
    if (issues.length > 0) return invalid(issues)
    const changes = { name, rpmLimit, burstLimit, ...spending, ...terms }
    const record = await keys.patch(request.params.id!, changes)
    return record ? privateJson(await withBalance(record)) : notFound(NO_KEY)
  }

  async function revoke(request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, EmptyInput)
    if (!input.ok) return input
    const record = await keys.revoke(request.params.id!)
    if (!record) return notFound(NO_KEY)
    return privateJson({ id: record.id, revoked: true, revokedAt: record.revokedAt })
  }

  async function rotate(request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, RotateInput)
    if (!input.ok) return input
    const graceMs = (input.value.graceSeconds ?? GRACE_DEFAULT_S) * 1000
    const rotated = await keys.rotate(request.params.id!, graceMs)
    if (rotated.outcome === 'unknown_key') return notFound(NO_KEY)
    if (rotated.outcome === 'revoked') return revokedConflict()
    if (rotated.outcome === 'grant') return grantConflict()
    return privateJson({
      ...(await withBalance(rotated.record)),
      key: rotated.plaintext,
      previousValidUntil: rotated.previousValidUntil,
    })
  }

  async function exchange(request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, EmptyInput)
    if (!input.ok) return input
    const record = await keys.get(request.params.id!)
    if (!record) return notFound(NO_KEY)
    if (record.revokedAt) return revokedConflict()
    if (record.kind === 'grant') return grantConflict()
    const { token, expiresAt } = await tokens.issue(record.id)
    return privateJson({
      token,
      tokenType: 'Bearer',
      expiresIn: tokens.lifetimeS,
      expiresAt,
      apiKeyId: record.id,
    })
  }

  const admin = adminRoutes(TAG)
  return [
    admin('POST', '/v1/keys', 'Make an API key; its plaintext is shown once', create, {
      input: CreateInput,
      output: NewApiKey,
    }),
    admin('GET', '/v1/keys', 'API keys, newest first', list, {
      query: PageQuery,
      output: ApiKeyPage,
    }),
    admin('GET', '/v1/keys/{id}', 'One API key with its balance', get, { output: ApiKey }),
    admin(
      'PATCH',
      '/v1/keys/{id}',
      'Change the name, limits, budgets, end, networks or notes of an API key',
      patch,
      {
        input: PatchInput,
        output: ApiKey,
      },
    ),
    admin(
      'POST',
      '/v1/keys/{id}/revoke',
      'Revoke an API key for good, on every instance within a second',
      revoke,
      { output: Revoked },
    ),
    admin(
      'POST',
      '/v1/keys/{id}/rotate',
      'Make a new credential; the one before stays valid for a grace time',
      rotate,
      { input: RotateInput, output: RotatedApiKey, statuses: [409] },
    ),
    admin('POST', '/v1/keys/{id}/jwt', 'Exchange an API key for a JWT of 15 minutes', exchange, {
      output: Token,
      statuses: [409],
    }),
    {
      method: 'GET',
      path: '/.well-known/jwks.json',
      auth: 'public',
      tag: TAG,
      summary: 'Public keys of the JWTs (RFC 7517)',
      handler: () =>
        Response.json(tokens.jwks(), { headers: { 'cache-control': 'public, max-age=300' } }),
    },
  ]
}

const noAccount: Issue = { path: '/accountId', message: 'names no account' }
const ON_ACCOUNT: Readonly<
  Record<'unknown_account' | 'closed' | 'mode_mismatch' | 'too_many_keys', Issue>
> = {
  unknown_account: noAccount,
  closed: { path: '/accountId', message: 'names an account that is closed' },
  too_many_keys: {
    path: '/accountId',
    message: 'names an account with as many keys as it may have',
  },
  mode_mismatch: { path: '/mode', message: 'must be the mode of the account' },
}

function grantConflict(): Failure {
  return stateConflict('A grant has no credential of its own', 'grant')
}

function revokedConflict(): Failure {
  return stateConflict('The API key was revoked', 'revoked')
}
