/** JSON routes of the account pages: every one knows who asks, and asks about that account alone. */
import {
  errorResponse,
  fail,
  type Failure,
  type Logger,
  type Route,
  type RouteRequest,
} from '#kernel'
import { refusalOfScript } from '../origin.ts'
import type { People, Person } from '../people.ts'
import { REASONS } from '../reasons.ts'
import { FOLDER, type Site } from '../site.ts'

export interface ApiDeps {
  site: Site
  people: Pick<People, 'of'>
  log: Pick<Logger, 'error'>
}

export type ApiHandler = (
  person: Person,
  request: RouteRequest,
) => Promise<Response | Failure> | Response | Failure

const BODY_BYTES = 32 * 1024

/** Builds routes below /account/api; 'owner': a key with a budget may not ask it. */
export function apiRoutes({ site, people }: ApiDeps) {
  return (
    method: Route['method'],
    path: string,
    summary: string,
    who: 'anyone' | 'owner',
    handler: ApiHandler,
  ): Route => ({
    method,
    path: `${FOLDER}/api${path}`,
    auth: 'public',
    tag: 'Account pages',
    sameOrigin: true,
    bodyBytes: BODY_BYTES,
    // Anybody with a wallet has an account: what writes, and files of many rows, are counted.
    rateLimited: method !== 'GET' || path.endsWith('.csv'),
    summary,
    async handler(asked) {
      const outcome = await answered(asked)
      const response =
        outcome instanceof Response ? outcome : errorResponse(outcome, asked.requestId)
      response.headers.set('cache-control', 'no-store')
      response.headers.set('x-content-type-options', 'nosniff')
      return response

      async function answered(request: RouteRequest): Promise<Response | Failure> {
        const foreign = method === 'GET' ? null : refusalOfScript(request.request, site)
        if (foreign) return foreign
        const person = await people.of(request)
        if (person === null) return notSignedIn()
        if (who === 'owner' && person.role !== 'owner') return notAnOwner()
        return handler(person, request)
      }
    },
  })
}

/** Another account's things are as unknown as none at all. */
export function unknown(what: string): Failure {
  return fail('INVALID_INPUT', `The account has no such ${what}`, { status: 404 })
}

/** The key whose own things are all that this person sees; null: an owner, who sees everything. */
export function onlyKeyOf({ role, keyId }: Person): string | null {
  return role === 'owner' ? null : keyId
}

function notSignedIn(): Failure {
  return fail('INVALID_INPUT', 'Nobody is signed in here, or the session has ended', {
    status: 401,
    details: { reason: REASONS.not_signed_in },
  })
}

function notAnOwner(): Failure {
  return fail(
    'INVALID_INPUT',
    'This session’s key has a budget: only an owner of the account may',
    {
      status: 403,
      details: { reason: REASONS.not_an_owner },
    },
  )
}
