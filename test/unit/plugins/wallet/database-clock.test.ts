/** Sign-ins and sessions of wallets go by the database's clock, whatever this machine's says. */
import { afterEach, expect, test, vi } from 'vitest'
import { DatabaseClock } from '../../../../plugins/shared/storage/database-clock.ts'
import { Sessions } from '../../../../plugins/wallet/sessions.ts'
import { SignIn } from '../../../../plugins/wallet/sign-in.ts'

afterEach(() => vi.restoreAllMocks())

const NOW = Date.parse('2026-11-22T12:00:00.000Z')
const LIFE_MS = 900_000

/** A machine whose clock is off, over a database whose clock shows NOW. */
async function machine(offsetMs: number) {
  vi.spyOn(Date, 'now').mockReturnValue(NOW + offsetMs)
  const session = { subject: 'eip155:0x1', accountId: 'a', expiresAt: new Date(NOW + LIFE_MS) }
  const db = {
    query: async (text: string) => [text.includes('session') ? session : { nowMs: NOW }],
  }
  const clock = new DatabaseClock(db as never)
  await clock.look()
  return { db, clock }
}

test.each([-3_600_000, 3_600_000])('with a clock that is %i ms ahead', async (offsetMs) => {
  const { db, clock } = await machine(offsetMs)
  const wallet = { subject: 'eip155:0x1', accountId: 'a', keyId: 'key_1' }
  const wallets = { of: async () => wallet }
  const sessions = new Sessions(db as never, wallets as never, clock)
  const { token } = await sessions.begin(wallet, LIFE_MS)
  expect(await sessions.walletOf(token)).toMatchObject({ accountId: 'a' })
  expect(await sessions.walletOf(token)).toMatchObject({ accountId: 'a' })

  const signIn = new SignIn({
    settings: { domain: 'a.example', key: new Uint8Array(32), ttlMs: 300_000 },
    publicUrl: 'https://a.example',
    clock,
    payments: () => ({ networks: () => [{ kind: 'evm', network: 'eip155:8453' }] }),
  } as never)
  const { info } = signIn.offer({ transport: 'http', target: '/x' } as never)!
  const isWithinAMinute = Math.abs(Date.parse(info.issuedAt) - NOW) < 60_000
  expect([info.issuedAt, isWithinAMinute]).toEqual([info.issuedAt, true])
})

test('a deadline of this machine is told by the same clock', async () => {
  const { clock } = await machine(3_600_000)
  const toldMs = clock.timeOf(new Date(Date.now() + 60_000)).getTime()
  expect(Math.abs(toldMs - NOW - 60_000)).toBeLessThan(60_000)
})
