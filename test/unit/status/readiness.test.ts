/** What `/ready` says of a check that throws. */
import { expect, it, vi } from 'vitest'
import { sharedReadiness } from '../../../host/status/readiness.ts'
import { StorageError } from '../../../kernel/storage/errors.ts'

it.each([
  [
    'a database of a newer version',
    new StorageError('The database has 15 migrations.', 'Start the newer version.'),
    'The database has 15 migrations. Start the newer version.',
  ],
  [
    'a connection that is refused',
    Object.assign(new Error('connect to 10.0.0.7:5432'), { code: 'ECONNREFUSED' }),
    'the check failed: ECONNREFUSED',
  ],
  ['an error without a code', new Error('the password is hunter2'), 'the check failed'],
  ['a code that is a text', Object.assign(new Error(), { code: 'pass word' }), 'the check failed'],
])('%s is told without a message that may quote a secret', async (_what, error, detail) => {
  const check = { name: 'one', critical: true, timeoutMs: 5000, probe: () => Promise.reject(error) }
  const { status, checks } = await sharedReadiness(() => [check])()
  expect(status).toBe('unavailable')
  expect(checks['one']).toMatchObject({ state: 'down', critical: true, detail })
})

it('asks the checks again after the clock was set back', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  try {
    let isUp = false
    const probe = async () => ({ state: isUp ? ('ok' as const) : ('down' as const) })
    const readiness = sharedReadiness(() => [
      { name: 'one', critical: true, timeoutMs: 5000, probe },
    ])
    expect((await readiness()).status).toBe('unavailable')
    isUp = true
    vi.setSystemTime(Date.now() - 3_600_000)
    vi.advanceTimersByTime(1000)
    expect((await readiness()).status).toBe('ready')
  } finally {
    vi.useRealTimers()
  }
})
