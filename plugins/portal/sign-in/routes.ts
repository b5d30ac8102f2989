/** Signing in and out: plain forms, and JSON for the script that adds wallets and passkeys. */
import {
  fail,
  invalid,
  isObject,
  readInput,
  type Accounts,
  type Failure,
  type Route,
  type RouteRequest,
} from '#kernel'
import { cookieOf, secretOf } from '../cookies.ts'
import { pageResponse, problemPage, type PageFacts } from '../documents/layout.ts'
import { mailLinkBody, mailSentBody, signInBody, type SignInFacts } from '../documents/sign-in.ts'
import { readForm } from '../../shared/request-body.ts'
import { refusalOfForm, refusalOfScript } from '../origin.ts'
import type { Owners } from '../owners.ts'
import type { People } from '../people.ts'
import { csrfOf, hashOf, newSecret } from '../secrets.ts'
import type { Sessions, Way } from '../sessions.ts'
import { FOLDER, safeNext } from '../site.ts'
import { keyProof, type KeyDeps } from './key.ts'
import { emailOf, mailProof, sendLink, type MailDeps } from './mail.ts'
import { passkeyProof, signInOptions, type PasskeyDeps } from './passkey.ts'
import { notProven } from './proof.ts'
import { NonceInput, ProofInput, walletNonce, walletProof, type WalletDeps } from './wallet.ts'

export interface SignInDeps {
  facts: PageFacts
  people: People
  sessions: Sessions
  accounts: Pick<Accounts, 'ofOwner'>
  mode: 'live' | 'test'
  keys: KeyDeps
  wallets: WalletDeps
  /** Null: no SMTP server is configured. */
  mail: MailDeps | null
  /** Null: browsers allow no passkey at this address. */
  passkeys: PasskeyDeps | null
  /** Ways into an account beside the first. */
  owners: Owners
}

/** Forms and proofs are short. */
const BODY_BYTES = 32 * 1024
const TOKEN = /^[A-Za-z0-9_-]{43}$/
/** True as well of a session of a key that is bound to other networks, which goes on there. */
const SESSION_ENDED = {
  tone: 'warn',
  text: 'You are no longer signed in. Sign in again to go on.',
} as const

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

interface Visitor {
  secret: string
  /** Set-Cookie headers of the answer. */
  cookies: string[]
}

/** The browser that is not signed in yet; a new one gets a cookie. */
export function visitorOf(
  { facts: { site } }: Pick<SignInDeps, 'facts'>,
  request: Request,
): Visitor {
  const known = secretOf(request, 'visitor', site)
  if (known !== null) return { secret: known, cookies: [] }
  const secret = newSecret()
  return { secret, cookies: [cookieOf('visitor', secret, site)] }
}

async function showSignIn(deps: SignInDeps, request: RouteRequest): Promise<Response> {
  const next = safeNext(deps.facts.site, request.query.get('next'))
  if ((await deps.people.of(request)) !== null) return seeOther(next)
  // Signing out forgets the cookie: one that opens nothing is of a session that ended by itself.
  const hasEnded = secretOf(request.request, 'session', deps.facts.site) !== null
  return entrance(deps, request.request, next, hasEnded ? SESSION_ENDED : undefined)
}

function entrance(
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

type Refusal = Pick<Failure, 'message' | 'status'>

/** The page of signing in with why the try before failed. */
function entranceAgain(
  deps: SignInDeps,
  request: Request,
  next: string,
  { message, status = 401 }: Refusal,
): Response {
  return entrance(deps, request, next, { tone: 'bad', text: `${message}.` }, status)
}

/** A form that a page of ours sent to this browser before sign-in, or the page again with the reason. */
async function formOf(
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

async function askMail(
  deps: SignInDeps,
  mail: MailDeps,
  request: RouteRequest,
): Promise<Response | Failure> {
  const sent = await formOf(deps, request)
  if (!sent.ok) return sent.response
  const email = emailOf(sent.form.get('email') ?? '')
  if (email === null) {
    const said = { tone: 'bad', text: 'This is not an e-mail address.' } as const
    return entrance(deps, request.request, sent.next, said, 400)
  }
  const { visitor, next } = sent
  await sendLink(mail, { email, visitor, address: request.clientAddress, accountId: null, next })
  return pageResponse(deps.facts, {
    title: 'Look into your mail',
    forms: 'self',
    session: null,
    body: mailSentBody(deps.facts.site),
  })
}

async function showLink(deps: SignInDeps, request: RouteRequest): Promise<Response> {
  const token = request.query.get('token') ?? ''
  const next = safeNext(deps.facts.site, request.query.get('next'))
  const visitor = secretOf(request.request, 'visitor', deps.facts.site)
  if (!TOKEN.test(token) || visitor === null) {
    const text =
      'This link works only in the browser in which you asked for it. Ask for another one here.'
    return entrance(deps, request.request, next, { tone: 'warn', text }, 400)
  }
  return pageResponse(deps.facts, {
    title: 'Sign in by e-mail',
    forms: 'self',
    session: null,
    body: mailLinkBody(deps.facts.site, { csrf: csrfOf(visitor), token, next }),
  })
}

async function byLink(
  deps: SignInDeps,
  mail: MailDeps,
  request: RouteRequest,
): Promise<Response | Failure> {
  const sent = await formOf(deps, request)
  if (!sent.ok) return sent.response
  const proof = await mailProof(mail.db, sent.visitor, sent.form.get('token') ?? '')
  const again = (refusal: Refusal): Response =>
    entranceAgain(deps, request.request, sent.next, refusal)
  if (!proof.ok) return again(proof)
  if (proof.addTo !== null) {
    const person = await deps.people.of(request)
    if (person?.accountId !== proof.addTo || person.role !== 'owner') {
      return again(
        notProven('Sign in to the account that the address is to be added to, and ask again'),
      )
    }
    const added = await deps.owners.add(person, proof.subject)
    return 'ok' in added ? added : seeOther(`${deps.facts.site.home}/settings`, added)
  }
  const owner = await ownerOf(deps, proof)
  const cookies = await enter(deps, request, { ...owner, way: 'email' })
  return 'ok' in cookies ? again(cookies) : seeOther(sent.next, cookies)
}

async function nonce(deps: SignInDeps, request: RouteRequest): Promise<Response | Failure> {
  const input = await readInput(request, NonceInput)
  if (!input.ok) return input
  const visitor = visitorOf(deps, request.request)
  const made = await walletNonce(deps.wallets, visitor.secret, input.value)
  return 'ok' in made ? made : json(made, visitor.cookies)
}

async function byWallet(deps: SignInDeps, request: RouteRequest): Promise<Response | Failure> {
  const input = await readInput(request, ProofInput)
  if (!input.ok) return input
  const visitor = secretOf(request.request, 'visitor', deps.facts.site)
  const proof = await walletProof(deps.wallets, visitor, input.value)
  if (!proof.ok) return proof
  const who = { ...(await ownerOf(deps, proof)), way: 'wallet' } as const
  return enterByScript(deps, request, who, input.value.next)
}

async function byPasskey(
  deps: SignInDeps,
  passkeys: PasskeyDeps,
  request: RouteRequest,
): Promise<Response | Failure> {
  const read = await request.json()
  if (!read.ok) return read
  const { answer, next } = isObject(read.value) ? read.value : {}
  if (next !== undefined && typeof next !== 'string') {
    return invalid([{ path: '/next', message: 'must be a path' }])
  }
  const visitor = secretOf(request.request, 'visitor', deps.facts.site)
  const proof = await passkeyProof(passkeys, visitor, answer)
  if (!proof.ok) return proof
  const { subject } = proof
  // A passkey is made for an account that is there: an unknown one opens none.
  const owner = await deps.accounts.ofOwner(subject, null)
  if (owner === null) return notProven('This passkey is not known here; it may have been removed')
  const who = { accountId: owner.accountId, keyId: null, subject, way: 'passkey' } as const
  return enterByScript(deps, request, who, next)
}

async function enterByScript(
  deps: SignInDeps,
  request: RouteRequest,
  who: Entering,
  next: string | undefined,
): Promise<Response | Failure> {
  const cookies = await enter(deps, request, who)
  if ('ok' in cookies) return cookies
  const { accountId } = who
  return json({ accountId, next: safeNext(deps.facts.site, next ?? null) }, cookies)
}

/** The account of a subject, made at the first sign-in, with nothing on it. */
async function ownerOf(
  { accounts, mode }: SignInDeps,
  { subject, name }: { subject: string; name: string },
): Promise<{ accountId: string; keyId: null; subject: string }> {
  const owner = await accounts.ofOwner(subject, { name, mode })
  if (owner === null) throw new Error('an account was to be opened')
  return { accountId: owner.accountId, keyId: null, subject }
}

interface Entering {
  accountId: string
  keyId: string | null
  /** The owner who signs in; null: a key. */
  subject: string | null
  way: Way
}

/** Begins a session with a secret of its own and ends the one before; the cookies of the answer. */
async function enter(
  { accounts, people, sessions, facts: { site } }: SignInDeps,
  { request, clientAddress }: RouteRequest,
  { subject, ...who }: Entering,
): Promise<string[] | Failure> {
  if ((await people.standing(who.accountId, who.keyId)) === null) {
    return fail(
      'INVALID_INPUT',
      who.keyId === null
        ? 'This account was closed'
        : 'Keys of this account may not sign in, or it was closed',
      { status: 403 },
    )
  }
  const former = await people.of({ request, clientAddress })
  if (former !== null) await sessions.end(former.sessionHash)
  const agent = request.headers.get('user-agent') ?? ''
  const secret = await sessions.begin({ ...who, address: clientAddress, agent })
  // A way in that was taken away since it was looked up: `Owners.remove` may have missed the session.
  if (subject !== null && (await accounts.ofOwner(subject, null))?.accountId !== who.accountId) {
    await sessions.end(hashOf(secret))
    return notProven('This way to sign in was taken away')
  }
  return [cookieOf('session', secret, site), cookieOf('visitor', null, site)]
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
export function shown(
  facts: PageFacts,
  { requestId }: RouteRequest,
  outcome: Response | Failure,
): Response {
  if (outcome instanceof Response) return outcome
  const { message, status = 400, headers } = outcome
  return problemPage(facts, { status, title: 'That did not work', message, requestId }, headers)
}

export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

export function json(body: object, cookies: readonly string[] = []): Response {
  const headers = new Headers({ 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return Response.json(body, { headers })
}
