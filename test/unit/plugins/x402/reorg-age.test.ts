/** Settlements before a start are checked by their age in the database, whatever this clock says. */
import { afterEach, expect, test, vi } from 'vitest'
import { ReorgCheck } from '../../../../plugins/x402/settle/reorg-check.ts'
import { silentLog } from '../../../support/log.ts'

afterEach(() => vi.restoreAllMocks())

const PAYMENT = { requirements: { amount: '1' }, payload: {} }

/** The transactions that the first round looks at, of one settled `ageMs` ago. */
async function lookedAt(ageMs: number, offsetMs: number): Promise<string[]> {
  const realMs = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(realMs + offsetMs)
  const seen: string[] = []
  const check = new ReorgCheck({
    chain: {
      receipt: async (transaction: string) => (seen.push(transaction), { status: 'success' }),
    },
    claims: {
      settledWithin: async (ageMaxMs: number) =>
        ageMs < ageMaxMs
          ? [{ id: 'c', payment: PAYMENT, units: 1n, transaction: '0xaa', ageMs }]
          : [],
    },
    place: {},
    settlers: {},
    log: silentLog,
  } as never)
  await check.round()
  return seen
}

test.each([-3_600_000, 0, 3_600_000])('with a clock that is %i ms ahead', async (offsetMs) => {
  expect(await lookedAt(31_000, offsetMs)).toEqual(['0xaa'])
  expect(await lookedAt(5000, offsetMs)).toEqual([])
  expect(await lookedAt(301_000, offsetMs)).toEqual([])
})
