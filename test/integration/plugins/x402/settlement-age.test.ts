import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { migratePlugin, pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { ClaimReads } from '../../../../plugins/x402/claims/claim-reads.ts'
import { migrations } from '../../../../plugins/x402/migrations.ts'
import { healthOf } from '../../../../plugins/x402/status.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await migratePlugin(database.db, 'x402', migrations)
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => database.close())

const DAY_MS = 86_400_000

/** The state that /ready shows of settlements. */
async function stateOf(): Promise<unknown> {
  const claims = new ClaimReads(pluginDb(database.db, 'x402'))
  const rail = { core: { claims }, isConfigured: true, available: () => ({ ok: true }) }
  const [, settlements] = healthOf(rail as unknown as Parameters<typeof healthOf>[0])
  return (await settlements!.probe(new AbortController().signal))?.state
}

it('a settlement is as old as the database says, whatever the clock of the gateway', async () => {
  expect(await stateOf()).toBe('ok')
  await database.db.sql`
    INSERT INTO plugin_x402.x402_claim (id, network, asset, payer, nonce, state, fingerprint,
      request_id, skill_id, path, amount, price_version, valid_before, lease_until, created_at)
    VALUES (${Bun.randomUUIDv7()}, 'eip155:8453', '0xa', 'carol', '1', 'settling', 'f', 'r', 's', '/', 1,
      0, 0, now(), now())`
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS })
  expect(await stateOf()).toBe('ok')
  await database.db.sql`
    UPDATE plugin_x402.x402_claim SET created_at = now() - interval '1 hour'`
  vi.setSystemTime(Date.now() - 2 * DAY_MS)
  expect(await stateOf()).toBe('degraded')
})
