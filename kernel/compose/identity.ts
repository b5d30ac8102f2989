/** Identity: the admin token, keys and their tokens, and rate limits. */
import { createAuthenticator, Identifiers } from '../auth/authenticator.ts'
import { openKeyRows } from '../auth/key-rows.ts'
import type { Config } from '../config/config.ts'
import type { GatewayLog } from '../log/log.ts'
import type { Closers } from './closers.ts'
import type { Foundation } from './foundation.ts'
import type { Machinery } from './machinery.ts'

export type OpenedIdentity = Awaited<ReturnType<typeof openIdentity>>

/** Reads the admin token and the signing key, making those that are missing. */
export async function openIdentity(
  config: Config,
  { db, vault }: Foundation,
  { createRateLimiter, openTokenService, secrets }: Machinery,
  log: GatewayLog,
  closers: Closers,
) {
  const admin = secrets.loadAdminToken({
    configured: config.adminToken,
    sandbox: config.sandbox,
    dataDir: config.dataDir,
  })
  const tokens = await openTokenService({ db, vault, issuer: config.publicUrl })
  const keys = closers.add('keys', await openKeyRows(db), (rows) => rows.close())
  // The identifiers of mounted plugins.
  const identifiers = new Identifiers(log)
  const auth = createAuthenticator({
    keys,
    identifiers,
    tokens,
    adminToken: admin.token,
    serviceToken: config.serviceToken,
    log,
  })
  const limiter = closers.add('limiter', createRateLimiter(db.sql, log), (l) => l.close())
  return { admin, tokens, auth, identifiers, limiter }
}
