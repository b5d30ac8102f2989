/** Browsers that are not signed in: what ties a nonce, a link or a form to the one that asked for it. */
import { cookieOf, secretOf } from '../cookies.ts'
import { newSecret } from '../secrets.ts'
import type { SignInDeps } from './contract.ts'

export interface Visitor {
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
