/** Sign-ins that run now, as a plugin with pages for customers provides them to the operator's page. */

/** The name under which they are provided. */
export const ACCOUNT_SESSIONS = 'account-sessions'

export interface AccountSession {
  /** Names the session and opens nothing. */
  id: string
  /** How it began: 'key', 'wallet', 'email'. */
  way: string
  /** The key that signed in; null where it was none. */
  keyId: string | null
  /** Of the browser, when it signed in. */
  address: string
  agent: string
  createdAt: Date
  usedAt: Date
}

export interface AccountSessions {
  /** Newest first, at most 100. */
  list(accountId: string): Promise<readonly AccountSession[]>
  /** Ends one of the account's at once, on every instance. False: there is no such. */
  end(accountId: string, sessionId: string): Promise<boolean>
  /** Ends those that were opened by ways like this one ('email:…'), on every instance. */
  endLike(accountId: string, subject: string): Promise<void>
}
