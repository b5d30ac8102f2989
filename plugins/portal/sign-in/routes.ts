/** Signing in and out: plain forms, and JSON for the script that adds wallets and passkeys. */
import type { Failure, Route, RouteRequest } from '#kernel'
import { readForm } from '../../shared/request-body.ts'
import { json, seeOther } from '../answers.ts'
import { cookieOf } from '../cookies.ts'
import { problemPage, type PageFacts } from '../documents/layout.ts'
import { refusalOfForm, refusalOfScript } from '../origin.ts'
import { FOLDER } from '../site.ts'
import { askMail, byLink, showLink } from './by-mail.ts'
import { byPasskey, byWallet, nonce } from './by-script.ts'
import type { SignInDeps } from './contract.ts'
import { enter } from './entering.ts'
import { entranceAgain, formOf, showSignIn, type Refusal } from './entrance.ts'
import { keyProof } from './key.ts'
import { signInOptions } from './passkey.ts'
import { visitorOf } from './visitor.ts'

/** Forms and proofs are short. */
const BODY_BYTES = 32 * 1024

export function signInRoutes(deps: SignInDeps): Route[] {
  const { facts } = deps
  const { site } = facts
  const base = {
    auth: 'public',
    tag: 'Account pages',
    sameOrigin: true,
    bodyBytes: BODY_BYTES,
  } as const
  const page = (
    method: 'GET' | 'POST',
    path: string,
    summary: string,
    handler: (request: RouteRequest) => Promise<Response | Failure>,
  ): Route => ({
    ...base,
    method,
    path: `${FOLDER}${path}`,
    summary,
    rateLimited: method === 'POST',
    handler: async (request) => shown(facts, request, await handler(request)),
  })
  const script = (
    path: string,
    summary: string,
    handler: (request: RouteRequest) => Promise<Response | Failure>,
  ): Route => ({
    ...base,
    method: 'POST',
    path: `${FOLDER}${path}`,
    summary,
    rateLimited: true,
    handler: (request) => refusalOfScript(request.request, site) ?? handler(request),
  })
  return [
    page('GET', '/sign-in', 'The page to sign in at', (request) => showSignIn(deps, request)),
    page('POST', '/sign-in/key', 'Signs in with an API key', (request) => byKey(deps, request)),
    page('POST', '/sign-out', 'Signs out', (request) => signOut(deps, request)),
    ...(deps.mail === null
      ? []
      : [
          page('POST', '/sign-in/mail', 'Sends a link to sign in', (request) =>
            askMail(deps, deps.mail!, request),
          ),
          page('GET', '/sign-in/mail', 'The page that a link opens', (request) =>
            showLink(deps, request),
          ),
          page('POST', '/sign-in/mail/open', 'Signs in by a link', (request) =>
            byLink(deps, deps.mail!, request),
          ),
        ]),
    script('/sign-in/wallet/nonce', 'A nonce, and with an address the text to sign', (request) =>
      nonce(deps, request),
    ),
    script('/sign-in/wallet', 'Signs in with a signed EIP-4361 message', (request) =>
      byWallet(deps, request),
    ),
    ...(deps.passkeys === null
      ? []
      : [
          script('/sign-in/passkey/options', 'What the browser asks a passkey', async (request) => {
            const visitor = visitorOf(deps, request.request)
            const options = await signInOptions(deps.passkeys!, visitor.secret)
            return json(options, visitor.cookies)
          }),
          script('/sign-in/passkey', 'Signs in with a passkey', (request) =>
            byPasskey(deps, deps.passkeys!, request),
          ),
        ]),
  ]
}

async function byKey(deps: SignInDeps, request: RouteRequest): Promise<Response | Failure> {
  const sent = await formOf(deps, request)
  if (!sent.ok) return sent.response
  const { form, next } = sent
  const again = (refusal: Refusal): Response => entranceAgain(deps, request.request, next, refusal)
  const proof = await keyProof(deps.keys, (form.get('api_key') ?? '').trim(), request.clientAddress)
  if (!proof.ok) return again(proof)
  const { accountId, keyId } = proof
  const cookies = await enter(deps, request, { accountId, keyId, subject: null, way: 'key' })
  return 'ok' in cookies ? again(cookies) : seeOther(next, cookies)
}

async function signOut(deps: SignInDeps, request: RouteRequest): Promise<Response | Failure> {
  const { site } = deps.facts
  const read = await readForm(request)
  if (!read.ok) return read
  const person = await deps.people.of(request)
  if (person !== null) {
    const refusal = refusalOfForm(request.request, site, read.form, person.csrf)
    if (refusal) return refusal
    await deps.sessions.end(person.sessionHash)
  }
  return seeOther(`${site.home}/sign-in`, [cookieOf('session', null, site)])
}

/** A refusal as a page for people. */
function shown(
  facts: PageFacts,
  { requestId }: RouteRequest,
  outcome: Response | Failure,
): Response {
  if (outcome instanceof Response) return outcome
  const { message, status = 400, headers } = outcome
  return problemPage(facts, { status, title: 'That did not work', message, requestId }, headers)
}
