/** Payments are in time by the database's clock at both ends, whatever this machine's says. */
import { afterEach, expect, test, vi } from 'vitest'
import { DatabaseClock } from '../../../../plugins/shared/storage/database-clock.ts'
import { Credentials } from '../../../../plugins/x402/calls/credential.ts'

afterEach(() => vi.restoreAllMocks())

const NOW = Date.parse('2026-11-22T12:00:00.000Z')
const WORK_MS = 30_000
const address = `0x${'ab'.repeat(20)}`
const payment = {
  x402Version: 2,
  accepted: {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: address,
    payTo: address,
    amount: '1',
  },
  payload: {
    signature: `0x${'12'.repeat(65)}`,
    authorization: {
      from: address,
      to: address,
      value: '1',
      validAfter: '0',
      validBefore: '1',
      nonce: `0x${'34'.repeat(32)}`,
    },
  },
}

test.each([-3_600_000, 3_600_000])(
  'with a clock that is %i ms ahead, a payment is judged by what the database says',
  async (offsetMs) => {
    vi.spyOn(Date, 'now').mockReturnValue(NOW + offsetMs)
    const clock = new DatabaseClock({ query: async () => [{ nowMs: NOW }] } as never)
    await clock.look()
    const times: number[] = []
    const entry = {
      async examine(_payment: unknown, _quote: unknown, deadline: Date, now: Date) {
        times.push(deadline.getTime(), now.getTime())
        throw new Error('judged')
      },
    }
    const core = { clock, entryFor: () => entry }
    const header = (name: string) =>
      name === 'payment-signature' ? btoa(JSON.stringify(payment)) : null
    const call = { deadline: new Date(NOW + offsetMs + WORK_MS) }
    const judging = new Credentials(core as never, {} as never).precheck(
      call as never,
      { header } as never,
    )
    await expect(judging).rejects.toThrow('judged')
    // This test's own time is in them.
    const [deadlineMs, nowMs] = times.map((time) => Math.round((time - NOW) / 600_000))
    expect([deadlineMs, nowMs]).toEqual([0, 0])
  },
)
