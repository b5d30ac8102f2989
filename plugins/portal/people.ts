/** Who is signed in: the session of a request together with what its account and key are now. */
import {
  hasExpired,
  isFrom,
  type AccountKey,
  type AccountKeys,
  type Accounts,
  type RouteRequest,
} from '#kernel'
import type { PortalSession } from '../shared/portal/contract.ts'
import { secretOf } from './cookies.ts'
import { roleOf } from './owner.ts'
import { csrfOf } from './secrets.ts'
import type { Sessions, Way } from './sessions.ts'
import type { Settings } from './settings.ts'
import type { Site } from './site.ts'

export interface Person extends PortalSession {
  way: Way
}

/** Whose cookie it is, and from where it came. */
type Asking = Pick<RouteRequest, 'request' | 'clientAddress'>

export interface PeopleDeps {
  site: Site
  /** Ways in that this gateway has no more, by its settings. */
  closedWays: ReadonlySet<Way>
  sessions: Sessions
  settings: Pick<Settings, 'keySignIn'>
  accounts: Pick<Accounts, 'get'>
  accountKeys: Pick<AccountKeys, 'get'>
  /** By the clock that ends keys for calls, too. */
  now(): Date
}

export class People {
  readonly #deps: PeopleDeps

  constructor(deps: PeopleDeps) {
    this.#deps = deps
  }

  /**
   * Who is signed in by the cookie of the request; null: nobody, or the account was closed, the key
   * revoked or expired, or nobody signs in this way any more, which ends the session. A session of a key that is
   * bound to networks is nobody's elsewhere, and goes on where the key may be used.
   */
  async of({ request, clientAddress }: Asking): Promise<Person | null> {
    const { site, sessions, closedWays } = this.#deps
    const secret = secretOf(request, 'session', site)
    const session = secret === null ? null : await sessions.use(secret)
    if (secret === null || session === null) return null
    const { accountId, keyId, hash, way } = session
    const standing = closedWays.has(way) ? null : await this.standing(accountId, keyId)
    if (standing === null) {
      await sessions.end(hash)
      return null
    }
    const { mode, role } = standing
    if (!isFrom(standing, clientAddress)) return null
    return { accountId, keyId, way, mode, role, csrf: csrfOf(secret), sessionHash: hash }
  }

  /**
   * What whoever signs in to the account, with this key or as its owner, may do, and from where; null:
   * nothing.
   */
  async standing(
    accountId: string,
    keyId: string | null,
  ): Promise<(Pick<Person, 'mode' | 'role'> & Pick<AccountKey, 'networks'>) | null> {
    const { accounts, accountKeys, settings, now } = this.#deps
    const account = await accounts.get(accountId)
    if (account === null || account.closedAt !== null) return null
    const { mode } = account
    if (keyId === null) return { mode, role: 'owner', networks: null }
    const key = await accountKeys.get(accountId, keyId)
    if (key === null || key.revokedAt !== null || hasExpired(key, now())) return null
    if (!(await settings.keySignIn(accountId))) return null
    return { mode, role: roleOf(key), networks: key.networks }
  }
}
