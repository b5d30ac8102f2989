/** The auth parts of one gateway instance over a test database. */
import { vi } from 'vitest'
import { createAuthenticator } from '../../../kernel/auth/authenticator.ts'
import type { Authenticator, CredentialSource } from '../../../kernel/auth/contract.ts'
import { createTokenService } from '../../../host/access-tokens/tokens.ts'
import type { TokenService } from '../../../kernel/auth/token-service.ts'
import { openKeyRows } from '../../../kernel/auth/key-rows.ts'
import { createKeys } from '../../../host/account-management/keys.ts'
import type { Keys } from '../../../kernel/auth/account-management.ts'
import { openSigningKey } from '../../../host/access-tokens/signing-key.ts'
import { createVault } from '../../../host/secrets/vault.ts'
import { accounts } from '../../../kernel/ledger/accounts.ts'
import type { Database } from '../../../kernel/storage/contract.ts'
import { silentLog } from '../../support/log.ts'
import { PATIENT } from '../../support/patience.ts'

export const SERVICE_TOKEN = 'service-token-of-at-least-32-characters'
export const ADMIN_TOKEN = 'operator-token-of-at-least-32-characters'
export const ISSUER = 'https://gateway.example'
export const MASTER_KEY = Buffer.alloc(32, 5)

export interface AuthInstance {
  auth: Authenticator
  keys: Keys
  tokens: TokenService
  close(): Promise<void>
}

export async function authInstance(
  db: Database,
  options: { serviceToken?: string | null } = {},
): Promise<AuthInstance> {
  const signing = await openSigningKey(db, createVault(MASTER_KEY))
  const tokens = createTokenService(signing, ISSUER)
  const rows = await openKeyRows(db)
  const auth = createAuthenticator({
    keys: rows,
    tokens,
    adminToken: ADMIN_TOKEN,
    serviceToken: options.serviceToken === undefined ? SERVICE_TOKEN : options.serviceToken,
    log: silentLog,
  })
  return { auth, keys: createKeys(db, accounts), tokens, close: () => rows.close() }
}

/** A request that carries these headers (lower-case names). */
export function carrying(headers: Record<string, string>): CredentialSource {
  return { header: (name) => headers[name] ?? null }
}

/** Waits until `check` holds; fails the test when it never does. */
export async function eventually(check: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(check, PATIENT)
}
