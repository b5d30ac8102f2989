/** An access token ends by the database's clock, whatever this machine's says. */
import { afterEach, expect, test, vi } from 'vitest'
import { generateCredential } from '../../../kernel/auth/key-format.ts'
import { AccessTokens } from '../../../plugins/oauth/tokens/access.ts'
import { ACCESS_LETTERS, issuePair, pairBody } from '../../../plugins/oauth/tokens/pairs.ts'

afterEach(() => vi.restoreAllMocks())

test.each([-7_200_000, 0, 7_200_000])('with a clock that is %i ms ahead', async (offsetMs) => {
  const now = Date.now()
  const row = { keyId: 'key_1', clientId: 'c', scope: 's', leftMs: 60_000 }
  const db = { query: async () => [{ ...row, endsAt: new Date(now + row.leftMs) }] }
  const keys = { find: async () => ({ revokedAt: null }) }
  vi.spyOn(Date, 'now').mockReturnValue(now + offsetMs)
  const tokens = new AccessTokens(db as never, keys as never, {} as never)
  const found = await tokens.find(generateCredential(ACCESS_LETTERS, 'test'))
  expect(found).toMatchObject({ keyId: 'key_1', scope: 's' })

  const times = { accessEndsAt: now / 1000 + 3600, givenAt: now / 1000 }
  const tx = { query: async () => [times] }
  const lives = { accessTtlMs: 3_600_000, refreshTtlMs: 7_200_000 }
  const order = {
    grantId: 'key_1',
    mode: 'test',
    scope: 's',
    granted: 's',
    familyEndsAt: null,
  } as const
  const pair = await issuePair(tx as never, lives, order)
  expect(pairBody(pair)).toMatchObject({ expires_in: 3600 })
})
