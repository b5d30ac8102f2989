/** What a process remembers for a while is forgotten in time, also when its clock is set back meanwhile. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createOwnAddresses } from '../../host/outbound/own-addresses.ts'
import { createRobotsGate } from '../../host/outbound/robots-gate.ts'
import { Retries } from '../../host/product-revisions/retries.ts'
import { newId, timeOfId } from '../../kernel/ids.ts'
import { FeeMarket } from '../../plugins/x402/chain/account.ts'
import type { Chain } from '../../plugins/x402/chain/chain.ts'
import { FailureRow } from '../../plugins/x402/settle/failure-row.ts'

const DAY_MS = 86_400_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A clock that is a day behind, a minute later. */
function dayBackAndMinuteOn(): void {
  vi.setSystemTime(Date.now() - DAY_MS)
  vi.advanceTimersByTime(60_000)
}

it('a new id has the time of now', () => {
  vi.setSystemTime(Date.UTC(2040, 0, 1))
  const ahead = newId()
  const nowMs = Date.UTC(2026, 10, 30)
  vi.setSystemTime(nowMs)
  expect(timeOfId(ahead)!.getUTCFullYear()).toBe(2040)
  expect(timeOfId(newId())!.getTime()).toBe(nowMs)
})

it('a product that could not be mounted is tried again', () => {
  const retries = new Retries()
  const failure = { file: null, stage: 'mount', problems: [], version: '1', basePath: '/one' }
  retries.failed({ ...failure, productId: 'one' } as unknown as Parameters<Retries['failed']>[0])
  expect(retries.isDue('one', '1')).toBe(false)
  dayBackAndMinuteOn()
  expect(retries.isDue('one', '1')).toBe(true)
  expect(retries.over('/one/call')).toEqual({ productId: 'one', retryAfterMs: 0 })
})

it('the fees of the chain are asked for again', async () => {
  let baseFeePerGas = 1n
  const client = {
    getBlock: async () => ({ baseFeePerGas }),
    estimateMaxPriorityFeePerGas: async () => 1n,
  }
  const market = new FeeMarket({ client } as unknown as Chain)
  expect((await market.fees()).maxFeePerGas).toBe(3n)
  baseFeePerGas = 10n
  dayBackAndMinuteOn()
  expect((await market.fees()).maxFeePerGas).toBe(21n)
})

it('failures of a while ago are no trouble any more', () => {
  const row = new FailureRow()
  for (let failure = 0; failure < 5; failure++) row.failed('answered 503')
  expect(row.trouble()).toContain('5 times in a row')
  vi.setSystemTime(Date.now() - DAY_MS)
  vi.advanceTimersByTime(660_000)
  expect(row.trouble()).toBeNull()
})

it('the robots.txt of a site that did not answer is asked for again', async () => {
  let status = 503
  const gate = createRobotsGate(
    async (url) => ({ ok: true, status, headers: new Headers(), body: new Uint8Array(), url }),
    'CoinopBot/1.0',
  )
  const page = new URL('https://site.example.com/page')
  expect(await gate(page)).toMatchObject({ ok: false, reason: 'robots' })
  status = 404
  dayBackAndMinuteOn()
  vi.advanceTimersByTime(5 * 60_000)
  expect(await gate(page)).toEqual({ ok: true })
})

it('the addresses of this host are read again', () => {
  let address = '93.184.215.14'
  const own = createOwnAddresses(() => ({ eth0: [{ address, family: 'IPv4' }] }))
  expect(own().check(address)).toBe(true)
  address = '8.8.8.8'
  dayBackAndMinuteOn()
  expect(own().check(address)).toBe(true)
})
