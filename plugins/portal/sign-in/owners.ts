/** Ways into an account beside the first: adding one, and taking one away. */
import { fail, type Accounts, type Failure, type PluginDb, type PluginTx } from '#kernel'
import { cookieOf } from '../cookies.ts'
import type { Person } from '../people.ts'
import { REASONS } from '../reasons.ts'
import type { Sessions, Way } from '../sessions.ts'
import type { Settings } from '../settings.ts'
import { removePasskey } from './passkey.ts'
import type { Site } from '../site.ts'

export interface OwnersDeps {
  db: PluginDb
  site: Site
  accounts: Pick<Accounts, 'addOwner' | 'removeOwner'>
  sessions: Pick<Sessions, 'renew' | 'endOthersOfWay'>
  settings: Pick<Settings, 'forgetMailbox'>
}

const TAKEN =
  'This sign-in leads to another account. To have it here, sign in with it, add another sign-in there and remove this one'
const PASSKEY = 'passkey:'
const EMAIL = 'email:'

/** The way that a subject signs in by. */
export function wayOf(subject: string): Way {
  if (subject.startsWith(PASSKEY)) return 'passkey'
  return subject.startsWith(EMAIL) ? 'email' : 'wallet'
}

/** The mailbox of a subject that signs in by mail; null for any other. */
export function mailboxOf(subject: string): string | null {
  return wayOf(subject) === 'email' ? subject.slice(EMAIL.length) : null
}

export class Owners {
  readonly #deps: OwnersDeps

  constructor(deps: OwnersDeps) {
    this.#deps = deps
  }

  /**
   * Makes `subject` a way into the person's account; `work` joins the transaction. The session gets a
   * new secret, whose cookies are returned. 409 when the subject leads to another account.
   */
  async add(
    person: Person,
    subject: string,
    work?: (tx: PluginTx) => Promise<void>,
  ): Promise<string[] | Failure> {
    const { db, site, accounts, sessions } = this.#deps
    const outcome = await db.transaction(async (tx) => {
      const added = await accounts.addOwner(person.accountId, subject, tx)
      if (added === 'added') await work?.(tx)
      return added
    })
    if (outcome === 'taken') {
      return fail('INVALID_INPUT', TAKEN, {
        status: 409,
        details: { reason: REASONS.sign_in_taken },
      })
    }
    return [cookieOf('session', await sessions.renew(person.sessionHash), site)]
  }

  /**
   * Null: it is gone, and so are the sessions that were opened this way, but the one that asks.
   * 404 for a way that is not the account's, 409 for the last.
   */
  async remove(
    { accountId, sessionHash }: Pick<Person, 'accountId' | 'sessionHash'>,
    subject: string,
  ): Promise<Failure | null> {
    const { db, accounts, sessions, settings } = this.#deps
    const way = wayOf(subject)
    const outcome = await db.transaction(async (tx) => {
      const removed = await accounts.removeOwner(accountId, subject, tx)
      if (removed !== 'removed') return removed
      if (way === 'passkey') await removePasskey(tx, accountId, subject.slice(PASSKEY.length))
      if (way === 'email') {
        await settings.forgetMailbox(tx, accountId, subject.slice(EMAIL.length))
      }
      await sessions.endOthersOfWay(tx, accountId, way, sessionHash)
      return removed
    })
    if (outcome === 'unknown') {
      return fail('INVALID_INPUT', 'The account has no such sign-in', { status: 404 })
    }
    if (outcome === 'last') {
      return fail('INVALID_INPUT', 'It is the only sign-in that is left: add another one first', {
        status: 409,
        details: { reason: REASONS.last_sign_in },
      })
    }
    // Also those that began while it was taken away. Later ones end themselves: see signing in.
    await sessions.endOthersOfWay(db, accountId, way, sessionHash)
    return null
  }
}
