/** The fuzzer's short form: every operation, from a fixed seed. */
import { expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { Fuzzer } from './fuzzer.ts'
import { KINDS, openShop, runSequences } from './sequences.ts'

/** Seed 20261121 found a low mark of 0 that the account pages could not set. */
it('no page, and nothing behind a session, fails, shows markup or leads astray', async () => {
  const database = await testDatabase()
  const { fuzzer, gateway } = await Fuzzer.start(
    {
      DATABASE_URL: database.url,
      COINOP_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      SANDBOX_CHAIN: 'false',
      MCP_OAUTH: 'true',
    },
    { isOfPages: true },
  )
  try {
    await fuzzer.round(20_261_121, 8)
    const { findings, requests } = fuzzer.report()
    expect(findings).toEqual([])
    expect(requests).toBeGreaterThan(700)
  } finally {
    await gateway.stop()
    await database.close()
  }
})

it('no operation fails, breaks its schema, or charges for a failure', async () => {
  const database = await testDatabase()
  const { fuzzer, gateway } = await Fuzzer.start({
    DATABASE_URL: database.url,
    COINOP_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    SANDBOX_CHAIN: 'false',
  })
  try {
    await fuzzer.round(20_261_123, 6)
    const { findings, requests } = fuzzer.report()
    expect(findings).toEqual([])
    expect(requests).toBeGreaterThan(500)
  } finally {
    await gateway.stop()
    await database.close()
  }
})

it('sequences of calls on two gateways, of which one is killed now and then, come out as a model says', async () => {
  const database = await testDatabase()
  const shop = await openShop(database.url)
  try {
    const report = await runSequences(shop, { seed: 1, histories: 16, steps: 40 })
    expect(report.findings).toEqual([])
    expect(report.steps).toBe(16 * 40)
    expect(report.deaths).toBeGreaterThan(0)
    // Each kind of step did something, but the one whose calls must all be refused.
    const isSome = (kind: string) => (report.accepted[kind] ?? 0) > 0
    expect(KINDS.filter((kind) => !isSome(kind))).toEqual(['fail'])
  } finally {
    await shop.close()
    await database.close()
  }
}, 600_000)
