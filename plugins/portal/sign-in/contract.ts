/** What signing in needs. */
import type { Accounts } from '#kernel'
import type { PageFacts } from '../documents/layout.ts'
import type { Owners } from './owners.ts'
import type { People } from '../people.ts'
import type { Sessions } from '../sessions.ts'
import type { KeyDeps } from './key.ts'
import type { MailDeps } from './mail.ts'
import type { PasskeyDeps } from './passkey.ts'
import type { WalletDeps } from './wallet.ts'

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
