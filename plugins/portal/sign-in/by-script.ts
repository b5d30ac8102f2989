/** Signing in by wallet and passkey, which the script of the page asks for. */
import { invalid, isObject, readInput, type Failure, type RouteRequest } from '#kernel'
import { json } from '../answers.ts'
import { secretOf } from '../cookies.ts'
import { safeNext } from '../site.ts'
import type { SignInDeps } from './contract.ts'
import { enter, ownerOf, type Entering } from './entering.ts'
import { passkeyProof, type PasskeyDeps } from './passkey.ts'
import { notProven } from './proof.ts'
import { visitorOf } from './visitor.ts'
import { NonceInput, ProofInput, walletNonce, walletProof } from './wallet.ts'

export async function nonce(deps: SignInDeps, request: RouteRequest): Promise<Response | Failure> {
  const input = await readInput(request, NonceInput)
  if (!input.ok) return input
  const visitor = visitorOf(deps, request.request)
  const made = await walletNonce(deps.wallets, visitor.secret, input.value)
  return 'ok' in made ? made : json(made, visitor.cookies)
}

export async function byWallet(
  deps: SignInDeps,
  request: RouteRequest,
): Promise<Response | Failure> {
  const input = await readInput(request, ProofInput)
  if (!input.ok) return input
  const visitor = secretOf(request.request, 'visitor', deps.facts.site)
  const proof = await walletProof(deps.wallets, visitor, input.value)
  if (!proof.ok) return proof
  const who = { ...(await ownerOf(deps, proof)), way: 'wallet' } as const
  return enterByScript(deps, request, who, input.value.next)
}

export async function byPasskey(
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
