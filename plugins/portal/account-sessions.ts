/** The sessions of an account for the operator's page. */
import type { AccountSessions } from '../shared/account-sessions/contract.ts'
import { wayOf } from './sign-in/owners.ts'
import type { Sessions } from './sessions.ts'

/** None of them is the operator's own. */
const NO_SESSION = ''

export function accountSessions(sessions: Sessions): AccountSessions {
  return {
    list: (accountId) => sessions.list(accountId, NO_SESSION, null),
    endLike: (accountId, subject) => sessions.endOfWay(accountId, wayOf(subject)),
    end: (accountId, sessionId) => sessions.endListed(accountId, sessionId, null),
  }
}
