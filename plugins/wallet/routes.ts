/** What a wallet asks about itself: its credits, and a session. Both want a proof, and one pays nothing. */
import { Type } from 'typebox'
import {
  atomicToCredits,
  errorBody,
  fail,
  httpSource,
  privateJson,
  type Accounts,
  type CallPlace,
  type Failure,
  type Route,
  type RouteRequest,
} from '#kernel'
import { EXTENSION } from './offer.ts'
import { unknownSession } from './identifier.ts'
import { sessionTokenOf, type Sessions } from './sessions.ts'
import { proofTextOf, withoutCredits, type SignIn } from './sign-in.ts'
import type { Wallet } from './wallets.ts'

export interface WalletRouteDeps {
  signIn: SignIn
  sessions: Sessions
  accounts: Pick<Accounts, 'get'>
  sessionTtlMs: number
}

const TAG = 'Wallets'
const PAYMENT_REQUIRED = 'payment-required'
const walletText = Type.String({
  description: "'eip155:0x…', 'eip155:<chain>:0x…' of a contract wallet, or 'solana:…'",
})
const MeOutput = Type.Object({
  wallet: walletText,
  credits: Type.Number({ description: 'What it can spend' }),
  heldCredits: Type.Number({ description: 'Held for calls under way' }),
})
const SessionOutput = Type.Object({
  token: Type.String({
    description: 'For `Authorization: Bearer`; it spends, and can do nothing else',
  }),
  wallet: walletText,
  expiresAt: Type.String({ format: 'date-time' }),
})

export function walletRoutes(deps: WalletRouteDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/wallets/me',
      auth: 'public',
      rateLimited: true,
      tag: TAG,
      summary: 'The credits of the wallet that signed in',
      output: MeOutput,
      statuses: [401, 402, 503],
      handler: (request) => me(deps, request),
    },
    {
      method: 'POST',
      path: '/v1/wallets/session',
      auth: 'public',
      rateLimited: true,
      tag: TAG,
      summary: 'A token that spends the credits of the wallet that signed in, for some minutes',
      description:
        'Signed in by the header SIGN-IN-WITH-X, whose challenge every 402 carries. The token is sent as bearer.',
      output: SessionOutput,
      statuses: [402, 503],
      handler: (request) => session(deps, request),
    },
  ]
}

async function me(deps: WalletRouteDeps, request: RouteRequest): Promise<Response | Failure> {
  const token = sessionTokenOf(httpSource(request.request.headers))
  if (token !== null) {
    const wallet = await deps.sessions.walletOf(token)
    return wallet ? creditsOf(deps, wallet) : unknownSession()
  }
  const signed = await signedIn(deps, request)
  if (!signed.ok) return signed.answer
  const { wallet, subject } = signed
  return wallet
    ? creditsOf(deps, wallet)
    : privateJson({ wallet: subject, credits: 0, heldCredits: 0 })
}

async function creditsOf(deps: WalletRouteDeps, wallet: Wallet): Promise<Response> {
  const account = await deps.accounts.get(wallet.accountId)
  return privateJson({
    wallet: wallet.subject,
    credits: atomicToCredits(account?.availableAtomic ?? 0n),
    heldCredits: atomicToCredits(account?.heldAtomic ?? 0n),
  })
}

async function session(deps: WalletRouteDeps, request: RouteRequest): Promise<Response | Failure> {
  const signed = await signedIn(deps, request)
  if (!signed.ok) return signed.answer
  const { wallet, subject } = signed
  if (!wallet) return unsigned(deps, request, withoutCredits(subject))
  const { token, expiresAt } = await deps.sessions.begin(wallet, deps.sessionTtlMs)
  return privateJson({ token, wallet: subject, expiresAt: expiresAt.toISOString() })
}

/** The wallet whose proof came with the request, which is used up by it; or the answer that asks for one. */
async function signedIn(
  deps: WalletRouteDeps,
  request: RouteRequest,
): Promise<
  { ok: true; subject: string; wallet: Wallet | null } | { ok: false; answer: Response | Failure }
> {
  const text = proofTextOf(httpSource(request.request.headers))
  const ask = (failure: Failure) =>
    ({ ok: false, answer: unsigned(deps, request, failure) }) as const
  if (text === null) return ask(fail('PAYMENT_REQUIRED', 'Sign in with a wallet'))
  const read = await deps.signIn.read(text, placeOf(request))
  if (!read.ok) return read.code === 'PAYMENT_REQUIRED' ? ask(read) : { ok: false, answer: read }
  const used = await read.takeOnce()
  return used ? ask(used) : read
}

/**
 * The 402 of a route that sells nothing: an empty `accepts` and the sign-in (x402 v2
 * extensions/sign-in-with-x, "auth-only" routes).
 */
function unsigned({ signIn }: WalletRouteDeps, request: RouteRequest, failure: Failure): Response {
  const place = placeOf(request)
  const offer = signIn.offer(place)
  const { error, ...rest } = errorBody(failure, request.requestId)
  const reason = failure.details?.reason ?? failure.message
  const offered = { accepts: [], extensions: offer ? { [EXTENSION]: offer } : {} }
  const required = {
    x402Version: 2,
    error: reason,
    resource: { url: offer?.info.uri ?? place.target, mimeType: 'application/json' },
    ...offered,
  }
  const headers = new Headers({ 'cache-control': 'no-store', 'x-request-id': request.requestId })
  headers.set(PAYMENT_REQUIRED, Buffer.from(JSON.stringify(required)).toString('base64'))
  return Response.json({ error, ...rest, ...offered }, { status: 402, headers })
}

/** Without the query, which says nothing here and could make the 402 too long. */
function placeOf({ request }: RouteRequest): CallPlace {
  const { pathname } = new URL(request.url)
  return { transport: 'http', method: request.method, target: pathname }
}
