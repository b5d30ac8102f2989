/** /v1/admin/operators: who may use admin routes; /v1/admin/changes: what they changed; sign-in links. */
import {
  fail,
  invalid,
  isUuid,
  notFound,
  nullable,
  OPERATOR_ROLES,
  OWNER,
  privateJson,
  queryInteger,
  readInput,
  type Failure,
  type Issue,
  type OperatorChange,
  type OperatorIdentity,
  type Route,
  type RouteRequest,
} from '#kernel'
import { Type } from 'typebox'
import type { Admin, Admins } from '../operators/admins.ts'
import type { ChangeRow, Changes } from '../operators/changes.ts'
import { linkUrl, type Links } from '../operators/links.ts'
import { REASONS } from '../reasons.ts'
import { withoutTargets } from '../../shared/inline-secrets.ts'
import { isHolder, notOfConsole } from '../sessions.ts'
import { idOf, PAGE, PageSize, Text, textOf } from './queries.ts'

export interface OperatorRouteDeps {
  admins: Admins
  changes: Changes
  links: Links
  basePath: string
  /** Where the console is, as a browser reaches it. */
  origin: string
}

const LINKS = '/v1/admin/console/links'
const At = Type.String({ format: 'date-time' })
const OPERATOR = {
  id: Type.String(),
  name: Type.String(),
  role: Type.Enum([...OPERATOR_ROLES]),
  madeBy: Type.String(),
  createdAt: At,
  revokedAt: nullable('string'),
  revokedBy: nullable('string'),
}
const Made = Type.Object({ ...OPERATOR, token: Type.String({ description: 'Shown once' }) })
const Input = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 60,
      pattern: '^[A-Za-z0-9][A-Za-z0-9 ._@+-]*$',
      description: 'How the audit log names who did it',
    }),
    role: Type.Enum([...OPERATOR_ROLES], {
      description:
        'read sees everything but secrets; operate also makes changes; owner also appoints and revokes operators',
    }),
  },
  { additionalProperties: false },
)
const Change = Type.Object({
  id: Type.String(),
  at: At,
  operator: Type.String(),
  operatorId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Whose name it was then; null: the holder of the admin token',
  }),
  role: Type.String(),
  requestId: Type.String(),
  method: Type.String(),
  path: Type.String(),
  route: Type.String(),
  address: Type.String(),
  status: Type.Integer(),
  input: Type.Unknown({ description: 'What was asked, without secrets' }),
  differences: Type.Array(
    Type.Object({
      path: Type.String({ description: 'Of the member, in the answer to GET of the same path' }),
      before: Type.Optional(Type.Unknown()),
      after: Type.Optional(Type.Unknown()),
    }),
  ),
})

type OperatorRoute = Pick<
  Route,
  'method' | 'path' | 'summary' | 'role' | 'input' | 'query' | 'output' | 'statuses' | 'handler'
>

export function operatorRoutes(deps: OperatorRouteDeps): OperatorRoute[] {
  const { admins, changes, links } = deps
  const by = ({ operator }: RouteRequest): string => operator?.name ?? 'unknown'

  async function make(asked: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(asked, Input)
    if (!input.ok) return input
    const made = await admins.make(input.value, by(asked))
    if (made === 'taken')
      return fail('INVALID_INPUT', 'Another operator has this name', {
        status: 409,
        details: { reason: REASONS.name_taken },
      })
    return privateJson({ ...shown(made.admin), token: made.token }, 201)
  }

  async function revoke(asked: RouteRequest): Promise<Response | Failure> {
    const id = asked.params['id']!
    const revoked = isUuid(id) ? await admins.revoke(id, by(asked)) : null
    return revoked ? privateJson(shown(revoked)) : notFound('No operator in force has this id')
  }

  async function listChanges({ query, operator }: RouteRequest): Promise<Response | Failure> {
    const issues: Issue[] = []
    const limit = queryInteger(query, 'limit', PAGE, issues)
    const filter = {
      operator: textOf(query, 'operator', issues),
      requestId: textOf(query, 'requestId', issues),
      path: textOf(query, 'path', issues),
    }
    const cursor = idOf(query, 'cursor', issues)
    if (issues.length > 0) return invalid(issues)
    const rows = await changes.list(filter, { limit: limit + 1, cursor })
    const page: ChangeRow[] = rows.slice(0, limit)
    return privateJson({
      changes: operator?.role === 'read' ? page.map(shownToReader) : page,
      nextCursor: rows.length > limit ? page.at(-1)!.id : null,
    })
  }

  async function link(asked: RouteRequest): Promise<Response | Failure> {
    const { request, operator } = asked
    // The bearer says whose link it is; a signed-in page is asked for by its session alone.
    const bearer = /^bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const own = bearer === undefined ? null : await admins.identify(bearer)
    if (bearer === undefined)
      return fail(
        'INVALID_INPUT',
        'A sign-in link is made with a token, not from a signed-in page',
        {
          status: 403,
        },
      )
    // The first look at the bearer said who asks; this one may come after the token was revoked.
    if (own === null && operator && !isHolder(operator)) return notOfConsole(operator)
    const secret = await links.make(own?.id ?? null)
    await changes.changed(linkMade(asked, own ?? operator ?? OWNER))
    return privateJson(
      {
        url: linkUrl(deps.origin, deps.basePath, secret),
        minutes: 10,
        operator: own?.name ?? null,
      },
      201,
    )
  }

  return [
    {
      method: 'GET',
      path: '/v1/admin/operators',
      summary: 'Operators with tokens of their own, revoked ones last',
      output: Type.Object({ operators: Type.Array(Type.Object(OPERATOR)) }),
      handler: async () => privateJson({ operators: (await admins.list()).map(shown) }),
    },
    {
      method: 'POST',
      path: '/v1/admin/operators',
      summary: 'Makes a token for an operator; it is shown once',
      role: 'owner',
      input: Input,
      output: Made,
      statuses: [201, 403, 409],
      handler: make,
    },
    {
      method: 'DELETE',
      path: '/v1/admin/operators/{id}',
      summary: 'Revokes the token of an operator, and ends the sign-ins with it',
      role: 'owner',
      output: Type.Object(OPERATOR),
      statuses: [403],
      handler: revoke,
    },
    {
      method: 'GET',
      path: '/v1/admin/changes',
      summary: 'What operators changed, newest first',
      query: Type.Object({
        operator: Text,
        requestId: Text,
        path: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the path' })),
        cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })),
        limit: PageSize,
      }),
      output: Type.Object({ changes: Type.Array(Change), nextCursor: nullable('string') }),
      handler: listChanges,
    },
    {
      method: 'POST',
      path: LINKS,
      summary: 'Makes a link that signs a browser in to the console, once, within ten minutes',
      role: 'read',
      output: Type.Object({
        url: Type.String(),
        minutes: Type.Integer(),
        operator: nullable('string'),
      }),
      statuses: [201, 403],
      handler: link,
    },
  ]
}

/** Making a link needs the role read, whose requests count as changes nowhere else. */
function linkMade(
  { request, requestId, clientAddress }: RouteRequest,
  { name, role }: OperatorIdentity,
): OperatorChange {
  return {
    operator: name,
    role,
    at: new Date(),
    requestId,
    method: request.method,
    path: LINKS,
    route: LINKS,
    clientAddress,
    status: 201,
    input: undefined,
    before: null,
    after: null,
  }
}

/** Without the paths of the URLs that were set: that of a webhook can be its secret. */
function shownToReader(row: ChangeRow): object {
  return {
    ...row,
    input: withoutTargets(row.input),
    differences: row.differences.map(({ path, ...sides }) => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      const shownSides = Object.entries(sides).map(([side, value]) => [
        side,
        withoutTargets(value, name),
      ])
      return { path, ...Object.fromEntries(shownSides) }
    }),
  }
}

function shown({ id, name, role, madeBy, createdAt, revokedAt, revokedBy }: Admin): object {
  return { id, name, role, madeBy, createdAt, revokedAt, revokedBy }
}
