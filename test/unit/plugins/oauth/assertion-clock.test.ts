/** Assertions of clients are judged by the clock by which they are remembered and forgotten. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import {
  type AssertionDeps,
  assertionProblem,
} from '../../../../plugins/oauth/clients/assertion.ts'
import type { Client } from '../../../../plugins/oauth/clients/client.ts'

/** Years from this machine's time. */
const NOW_S = 1_950_000_000
const client = { id: 'https://app.example/client.json', jwks: {}, jwksUri: null } as Client
const issuer = 'https://pay.example'

test.each([
  ['as it is made', 0, null],
  ['ten minutes later', 600, 'The client_assertion is not valid'],
])('%s', async (_, laterS, problem) => {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(publicKey)), alg: 'RS256', kid: 'k1' }]
  const claims = { iss: client.id, sub: client.id, aud: issuer, jti: 'one' }
  const assertion = await new SignJWT({ ...claims, iat: NOW_S, exp: NOW_S + 60 })
    .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
    .sign(privateKey)
  const deps = {
    places: { issuer, token: `${issuer}/token` },
    keySets: { of: async () => ({ keys }) },
    rates: { take: async () => null },
    store: {
      clock: async () => new Date((NOW_S + laterS) * 1000),
      takeAssertion: async () => true,
    },
  } as unknown as AssertionDeps
  expect(await assertionProblem(deps, client, assertion)).toBe(problem)
})
