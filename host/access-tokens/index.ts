/** What the kernel is handed: tokens that stand for an API key for a while. */
import type { OpenTokenService } from '#kernel/host'
import { openSigningKey } from './signing-key.ts'
import { createTokenService } from './tokens.ts'

export const openTokenService: OpenTokenService = async ({ db, vault, issuer }) =>
  createTokenService(await openSigningKey(db, vault), issuer)
