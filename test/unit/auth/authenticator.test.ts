import { expect, it } from 'vitest'
import { createAuthenticator } from '../../../kernel/auth/authenticator.ts'
import { generate } from '../../../kernel/auth/key-format.ts'
import { silentLog } from '../../support/log.ts'

it('looks no second credential up after a refused one, which nobody would await', async () => {
  const asked: string[] = []
  const read = async (id: string): Promise<never> => {
    asked.push(id)
    throw new Error('no database')
  }
  const auth = createAuthenticator({
    keys: { byPublicId: read, byKeyId: read, close: async () => {} },
    tokens: {
      lifetimeS: 60,
      issue: () => Promise.reject(new Error('not asked')),
      verify: () => Promise.reject(new Error('not asked')),
      jwks: () => ({ keys: [] }),
    },
    adminToken: null,
    serviceToken: 'a-service-token',
    log: silentLog,
  })
  const headers = new Headers({
    'x-api-key': 'ck_test_malformed',
    authorization: `Bearer ${generate('ck', 'test').plaintext}`,
    'x-kernel-service-token': 'a-service-token',
    'x-kernel-api-key-id': 'some-key',
  })
  const refusal = await auth.identify({ header: (name) => headers.get(name) })
  expect(refusal).toMatchObject({ ok: false, status: 401 })
  expect(asked).toEqual([])
})
