import { expect, it, vi } from 'vitest'
import { createAuthenticator } from '../../../kernel/auth/authenticator.ts'
import { generate } from '../../../kernel/auth/key-format.ts'
import { silentLog } from '../../support/log.ts'

const tokens = {
  lifetimeS: 60,
  issue: () => Promise.reject(new Error('not asked')),
  verify: () => Promise.reject(new Error('not asked')),
  jwks: () => ({ keys: [] }),
}

it('says once a second, not of each call, that keys cannot be read', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const lines: unknown[] = []
    const read = () => Promise.reject(new Error('no database'))
    const auth = createAuthenticator({
      keys: { byPublicId: read, byKeyId: read, close: async () => {} },
      tokens,
      adminToken: null,
      serviceToken: null,
      log: { ...silentLog, error: (facts: object) => void lines.push(facts) },
    })
    const key = generate('ck', 'test').plaintext
    const call = () => auth.identify({ header: (name) => (name === 'x-api-key' ? key : null) })
    for (let n = 0; n < 50; n++) expect(await call()).toMatchObject({ ok: false, status: 503 })
    vi.advanceTimersByTime(1000)
    await call()
    expect(lines).toMatchObject([{ count: 1 }, { count: 50 }])
  } finally {
    vi.useRealTimers()
  }
})

it('looks no second credential up after a refused one, which nobody would await', async () => {
  const asked: string[] = []
  const read = async (id: string): Promise<never> => {
    asked.push(id)
    throw new Error('no database')
  }
  const auth = createAuthenticator({
    keys: { byPublicId: read, byKeyId: read, close: async () => {} },
    tokens,
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
