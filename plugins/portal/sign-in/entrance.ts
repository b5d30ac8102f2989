/** The page to sign in at, first and after a try that failed, and the forms that it sends. */
import type { Failure, RouteRequest } from '#kernel'
import { readForm } from '../../shared/request-body.ts'
import { seeOther } from '../answers.ts'
import { secretOf } from '../cookies.ts'
import { pageResponse } from '../documents/layout.ts'
import { signInBody, type SignInFacts } from '../documents/sign-in.ts'
import { refusalOfForm } from '../origin.ts'
import { csrfOf, newSecret } from '../secrets.ts'
import { safeNext } from '../site.ts'
import type { SignInDeps } from './contract.ts'
import { visitorOf } from './visitor.ts'

/** True as well of a session of a key that is bound to other networks, which goes on there. */
const SESSION_ENDED = {
  tone: 'warn',
  text: 'You are no longer signed in. Sign in again to go on.',
} as const

/** The page; whoever is signed in goes on. */
export async function showSignIn(deps: SignInDeps, request: RouteRequest): Promise<Response> {
  const next = safeNext(deps.facts.site, request.query.get('next'))
  if ((await deps.people.of(request)) !== null) return seeOther(next)
  // Signing out forgets the cookie: one that opens nothing is of a session that ended by itself.
  const hasEnded = secretOf(request.request, 'session', deps.facts.site) !== null
  return entrance(deps, request.request, next, hasEnded ? SESSION_ENDED : undefined)
}

/** The page for a browser that is not signed in, with what there is to say. */
export function entrance(
  deps: SignInDeps,
  request: Request,
  next: string,
  said?: SignInFacts['said'],
  status = 200,
): Response {
  const { facts, mail } = deps
  const { secret, cookies } = visitorOf(deps, request)
  const response = pageResponse(facts, {
    title: 'Sign in',
    status,
    forms: 'self',
    session: null,
    script: 'sign-in.js',
    body: signInBody({
      site: facts.site,
      csrf: csrfOf(secret),
      next,
      hasMail: mail !== null,
      isSandbox: facts.isSandbox,
      ...(said && { said }),
    }),
  })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

export type Refusal = Pick<Failure, 'message' | 'status'>

/** The page of signing in with why the try before failed. */
export function entranceAgain(
  deps: SignInDeps,
  request: Request,
  next: string,
  { message, status = 401 }: Refusal,
): Response {
  return entrance(deps, request, next, { tone: 'bad', text: `${message}.` }, status)
}

/** A form that a page of ours sent to this browser before sign-in, or the page again with the reason. */
export async function formOf(
  deps: SignInDeps,
  request: RouteRequest,
): Promise<
  | { ok: true; form: URLSearchParams; visitor: string; next: string }
  | { ok: false; response: Response | Failure }
> {
  const { site } = deps.facts
  const read = await readForm(request)
  if (!read.ok) return { ok: false, response: read }
  const visitor = secretOf(request.request, 'visitor', site)
  const next = safeNext(site, read.form.get('next'))
  const refusal = refusalOfForm(
    request.request,
    site,
    read.form,
    visitor === null ? newSecret() : csrfOf(visitor),
  )
  if (refusal || visitor === null) {
    // The page with a cookie of its own, so that the next try can work; nothing was tried.
    const said = { tone: 'bad', text: (refusal?.message ?? '') + '.' } as const
    return { ok: false, response: entrance(deps, request.request, next, said, 403) }
  }
  return { ok: true, form: read.form, visitor, next }
}
