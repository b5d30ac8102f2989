/**
 * Signing in and out, and the way of the page to the gateway's own routes: what it asks for below
 * `<base_path>/api` is asked of the gateway with the operator's rights while the session runs.
 */
import {
  errorResponse,
  fail,
  type Failure,
  type Logger,
  type Operator,
  type Route,
  type RouteRequest,
} from '#kernel'
import { cookieOf, secretOf } from './cookie.ts'
import { pageHeaders } from '../shared/pages/headers.ts'
import { isOverHttps, isOwnPage } from './own-page.ts'
import type { Admins } from './operators/admins.ts'
import type { Links } from './operators/links.ts'
import { isHolder, notOfConsole, type Sessions } from './sessions.ts'
import { REASONS } from './reasons.ts'

export interface SessionDeps {
  basePath: string
  publicUrl: string
  /** Where the console is, as a browser reaches it. */
  origin: string
  operator: Operator
  sessions: Sessions
  admins: Admins
  links: Links
  log: Logger
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Of the page's request to a route of the gateway, and of that one's answer. */
const ASKED = [
  'accept',
  'authorization',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
]
const ANSWERED = ['content-type', 'retry-after', 'x-request-id']
/** No less than any route takes that the page asks, which has a limit of its own: an OpenAPI document. */
const ASKED_BYTES = 8 * 1024 * 1024

export function sessionRoutes(deps: SessionDeps): Route[] {
  const { basePath } = deps
  const route = (
    method: Route['method'],
    path: string,
    summary: string,
    handler: (request: RouteRequest) => Promise<Response | Failure>,
  ): Route => ({
    method,
    path: basePath + path,
    auth: 'public',
    forOperators: true,
    summary,
    handler: async (request) => {
      const outcome = isOwnPage(request.request, deps.publicUrl)
        ? await handler(request).catch((error: unknown) => unreadable(deps.log, error))
        : notOwnPage()
      return hardened(
        outcome instanceof Response ? outcome : errorResponse(outcome, request.requestId),
      )
    },
  })
  return [
    route('GET', '/session', 'Whether somebody is signed in', (request) => state(deps, request)),
    route('POST', '/session', 'Signs in with a token or a link', (request) =>
      signIn(deps, request),
    ),
    route('DELETE', '/session', 'Signs out', (request) => signOut(deps, request)),
    ...METHODS.map((method) => ({
      ...route(method, '/api/*', 'A route of the gateway, for who is signed in', (request) =>
        ask(deps, request),
      ),
      bodyBytes: ASKED_BYTES,
    })),
  ]
}

function notOwnPage(): Failure {
  return fail(
    'INVALID_INPUT',
    'Only the console’s own page may ask this; behind a proxy that changes Host, PUBLIC_URL must be what the browser shows',
    { status: 403, details: { reason: REASONS.not_same_origin } },
  )
}

/** The database is away, so nobody knows who is signed in. */
function unreadable(log: Logger, error: unknown): Failure {
  log.error({ err: error }, 'console sessions cannot be read')
  return fail('INTERNAL_ERROR', 'Who is signed in cannot be looked up at this moment', {
    status: 503,
    headers: { 'retry-after': '1' },
  })
}

async function state(deps: SessionDeps, { request }: RouteRequest): Promise<Response> {
  const operator = await deps.sessions.use(presented(deps, request))
  return Response.json({
    signedIn: operator !== null,
    operator: operator && { name: operator.name, role: operator.role },
  })
}

async function signIn(deps: SessionDeps, asked: RouteRequest): Promise<Response | Failure> {
  const { sessions } = deps
  const { request } = asked
  const body = await asked.json()
  if (!body.ok) return body
  const { token, link } = (body.value ?? {}) as { token?: unknown; link?: unknown }
  const who =
    typeof link === 'string'
      ? await byLink(deps, link)
      : await byToken(deps, typeof token === 'string' ? token : '', asked.clientAddress)
  if ('ok' in who) return who
  await sessions.end(presented(deps, request))
  return withCookie(deps, { signedIn: true }, await sessions.begin(who.adminId), request)
}

type Who = { adminId: string | null } | Failure

/** The holder of the admin token, or an operator by their own. */
async function byToken(
  { operator, admins }: SessionDeps,
  token: string,
  address: string,
): Promise<Who> {
  const own = await admins.identify(token)
  if (own) return { adminId: own.id }
  const found = await operator.identify(token, address)
  if (!found.ok) return found
  return isHolder(found.operator) ? { adminId: null } : notOfConsole(found.operator)
}

async function byLink({ links }: SessionDeps, link: string): Promise<Who> {
  const found = await links.redeem(link)
  return (
    found ??
    fail(
      'INVALID_INPUT',
      'This sign-in link was used before, or is older than ten minutes: `coinop console link` makes another',
      {
        status: 401,
        details: { reason: REASONS.link_ended },
      },
    )
  )
}

async function signOut(deps: SessionDeps, { request }: RouteRequest): Promise<Response> {
  await deps.sessions.end(presented(deps, request))
  return withCookie(deps, { signedIn: false }, null, request)
}

async function ask(deps: SessionDeps, asked: RouteRequest): Promise<Response | Failure> {
  const { request, clientAddress, requestId } = asked
  const who = await deps.sessions.use(presented(deps, request))
  if (who === null) {
    return fail('INVALID_INPUT', 'The session has ended; sign in again', {
      status: 401,
      details: { reason: REASONS.session_ended },
    })
  }
  const bytes = await asked.bytes()
  if ('ok' in bytes) return bytes
  const url = new URL(request.url)
  url.pathname = url.pathname.slice(`${deps.basePath}/api`.length)
  const headers = new Headers({ 'x-request-id': requestId })
  for (const name of ASKED) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  const { method, signal } = request
  const answer = await deps.operator.serve(
    new Request(url, {
      method,
      headers,
      signal,
      ...(bytes.byteLength > 0 && { body: bytes as Uint8Array<ArrayBuffer> }),
    }),
    clientAddress,
    who,
  )
  const shown = new Headers()
  for (const name of ANSWERED) {
    const value = answer.headers.get(name)
    if (value !== null) shown.set(name, value)
  }
  return new Response(answer.body, { status: answer.status, headers: shown })
}

function isSecure({ publicUrl, origin }: SessionDeps, request: Request): boolean {
  return isOverHttps(request, [publicUrl, origin])
}

function presented(deps: SessionDeps, request: Request): string | null {
  return secretOf(request.headers.get('cookie'), isSecure(deps, request))
}

function withCookie(
  deps: SessionDeps,
  body: object,
  secret: string | null,
  request: Request,
): Response {
  return Response.json(body, {
    headers: { 'set-cookie': cookieOf(secret, isSecure(deps, request)) },
  })
}

/** The same answer with the headers of the page, whatever type it has. */
function hardened(response: Response): Response {
  const type = response.headers.get('content-type')
  for (const [name, value] of Object.entries(pageHeaders('application/json')))
    response.headers.set(name, value)
  if (type !== null) response.headers.set('content-type', type)
  return response
}
