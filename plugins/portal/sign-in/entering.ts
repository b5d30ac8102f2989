/** From a proof to a session: the account that it opens, and the cookies of whoever enters. */
import { fail, type Failure, type RouteRequest } from '#kernel'
import { cookieOf } from '../cookies.ts'
import { hashOf } from '../secrets.ts'
import type { Way } from '../sessions.ts'
import type { SignInDeps } from './contract.ts'
import { notProven } from './proof.ts'

/** The account of a subject, made at the first sign-in, with nothing on it. */
export async function ownerOf(
  { accounts, mode }: SignInDeps,
  { subject, name }: { subject: string; name: string },
): Promise<{ accountId: string; keyId: null; subject: string }> {
  const owner = await accounts.ofOwner(subject, { name, mode })
  if (owner === null) throw new Error('an account was to be opened')
  return { accountId: owner.accountId, keyId: null, subject }
}

export interface Entering {
  accountId: string
  keyId: string | null
  /** The owner who signs in; null: a key. */
  subject: string | null
  way: Way
}

/** Begins a session with a secret of its own and ends the one before; the cookies of the answer. */
export async function enter(
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
