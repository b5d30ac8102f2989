/** The account pages go by the database's clock, whatever this machine's says. */
import { parseSiweMessage } from 'viem/siwe'
import { expect, onTestFinished, test, vi } from 'vitest'
import portal from '../../../../plugins/portal/index.ts'
import { silentLog } from '../../../support/log.ts'
import { PATIENT } from '../../../support/patience.ts'

const NOW = Date.parse('2031-11-22T12:00:00.000Z')
const HOUR_MS = 3_600_000

test('what a wallet is to sign is dated by the database', async () => {
  const query = async (text: string) => (text.includes('"nowMs"') ? [{ nowMs: NOW }] : [])
  const { routes, ready, stop } = portal.setup({
    db: { query, transaction: async () => [] },
    log: silentLog,
    sandbox: true,
    publicUrl: 'http://127.0.0.1:4020',
    service: () => ({ operator: {} }),
    provided: () => null,
    variable: () => null,
    now: () => new Date(),
  } as never) as any
  onTestFinished(() => stop())
  await ready()
  const path = '/account/sign-in/wallet/nonce'
  const { handler } = routes.find((route: { path: string }) => route.path === path)
  const body = { address: `0x${'ab'.repeat(20)}` }
  const headers = { 'x-coinop-account': '1' }
  await vi.waitFor(async () => {
    const request = new Request(`http://127.0.0.1:4020${path}`, { method: 'POST', headers })
    const asked = { request, json: async () => ({ ok: true, value: body }) }
    const { message } = await (await handler(asked)).json()
    const { issuedAt, expirationTime } = parseSiweMessage(message)
    expect(Math.abs(issuedAt!.getTime() - NOW)).toBeLessThan(HOUR_MS)
    expect(Math.abs(expirationTime!.getTime() - NOW)).toBeLessThan(HOUR_MS)
  }, PATIENT)
})
