/** Two gateway processes over one PostgreSQL: one ledger, one set of limits, one catalogue. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { program } from '../support/program.ts'

let database: TestDatabase
let products: string
let gateways: GatewayProcess[]

beforeAll(async () => {
  database = await testDatabase()
  products = mkdtempSync(join(tmpdir(), 'coinop-products-'))
  const env = {
    DATABASE_URL: database.url,
    COINOP_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    PRODUCTS_DIR: products,
  }
  gateways = [await startGateway(env), await startGateway(env)]
  await gateways[0]!.admin('PUT', '/v1/admin/products/demo', DEMO(1))
  while ((await gateways[1]!.call('GET', '/v1/prices')).json.skills.length === 0)
    await Bun.sleep(50)
})
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await database.close()
  rmSync(products, { recursive: true, force: true })
})

const DEMO = (credits: number) => ({
  product_id: 'demo',
  title: 'Demo',
  base_path: '/v1/paid',
  plugin: 'demo',
  metered: true,
  skills: [{ skill: 'demo.hash', route: 'POST /hash', price: { credits } }],
})
const at = (i: number): GatewayProcess => gateways[i % gateways.length]!
const hash = (gateway: GatewayProcess, key: string) =>
  gateway.call('POST', '/v1/paid/hash', { body: { input: 'x' }, headers: { 'x-api-key': key } })

describe('money', () => {
  it('lets exactly one of 100 parallel calls through with credits for one', async () => {
    const { id, key } = await at(0).key(1, { rpmLimit: 60_000, burstLimit: 1000 })
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => hash(at(i), key)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 402)).toHaveLength(99)
    expect((await at(1).admin('GET', `/v1/keys/${id}`)).json.balance).toMatchObject({
      credits: 0,
      heldCredits: 0,
    })
  })

  it('makes one hold and one debit of 64 duplicates of a requestId', async () => {
    const { id, key } = await at(0).key(100)
    const body = { requestId: 'same', skill: 'own.work', path: '/own', amountCredits: 3 }
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, i) =>
        at(i).call('POST', '/v1/credits/authorize', { body, headers: { 'x-api-key': key } }),
      ),
    )
    expect(new Set(answers.map((answer) => answer.json.authorizationId)).size).toBe(1)
    expect((await at(1).admin('GET', `/v1/keys/${id}`)).json.balance).toMatchObject({
      credits: 97,
      heldCredits: 3,
    })
  })

  it('holds the daily spend ceiling exactly', async () => {
    const { key } = await at(0).key(100, {
      dailySpendCeiling: 5,
      rpmLimit: 60_000,
      burstLimit: 1000,
    })
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => hash(at(i), key)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5)
    const refused = answers.find((answer) => answer.status === 429)!
    expect(refused.json.error.details.limit).toBe('budget_day')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('lets no more than burst and rate allow through both', async () => {
    // No token comes back while the burst runs: they come one a minute.
    const { key } = await at(0).key(100, { rpmLimit: 1, burstLimit: 8 })
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => hash(at(i), key)))
    const through = answers.filter((answer) => answer.status === 200).length
    expect(through).toBeGreaterThanOrEqual(4)
    // While the database does not answer for two seconds, each instance limits alone, and says so.
    const isAlone = gateways.some((one) => one.output().includes('kept by this instance alone'))
    expect(through).toBeLessThanOrEqual(isAlone ? 24 : 8)
  })
})

describe('changes', () => {
  /** How long `isServed` takes to come true. */
  async function msUntil(isServed: () => Promise<boolean>): Promise<number> {
    const sinceMs = performance.now()
    while (!(await isServed())) await Bun.sleep(20)
    return performance.now() - sinceMs
  }
  /** What one call takes on this machine at the moment. */
  const paceMs = (): Promise<number> =>
    msUntil(async () => (await at(1).admin('GET', '/v1/admin/products')).status === 200)
  /**
   * One of four tries is as quick as it should be, ten calls of this machine's pace aside: one that
   * stands still makes the others slow.
   */
  async function onceWithin(limitMs: number, slowestOf: () => Promise<number>): Promise<void> {
    const times: number[] = []
    while (times.length < 4 && !times.some((ms) => ms < limitMs))
      times.push((await slowestOf()) - 10 * (await paceMs()))
    expect(Math.min(...times)).toBeLessThan(limitMs)
  }

  it('a revocation on one is obeyed by the other within a second', async () => {
    await onceWithin(1000, async () => {
      const { id, key } = await at(0).key(100)
      expect((await hash(at(1), key)).status).toBe(200)
      await at(0).admin('POST', `/v1/keys/${id}/revoke`)
      return msUntil(async () => (await hash(at(1), key)).status === 401)
    })
  })

  it('a PUT, a rollback and a DELETE on one are served by the other', async () => {
    const priceAt = async (gateway: GatewayProcess) =>
      (await gateway.call('GET', '/v1/prices')).json.skills[0]?.credits
    // Sooner than by the look at the database every five seconds: they are told of each change.
    await onceWithin(1500, async () => {
      const times: number[] = []
      await at(0).admin('PUT', '/v1/admin/products/demo', DEMO(7))
      times.push(await msUntil(async () => (await priceAt(at(1))) === 7))
      await at(1).admin('POST', '/v1/admin/products/demo/rollback', { version: 1 })
      times.push(await msUntil(async () => (await priceAt(at(0))) === 1))
      await at(0).admin('DELETE', '/v1/admin/products/demo')
      const statusAt = async (one: GatewayProcess) =>
        (await one.call('POST', '/v1/paid/hash')).status
      times.push(await msUntil(async () => (await statusAt(at(1))) === 404))
      return Math.max(...times)
    })
  })
})

it('one with another master key ends as with a wrong configuration, and says what to set', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'coinop-other-key-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const { exitCode, stderr } = Bun.spawnSync([...program(), 'start'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      COINOP_MASTER_KEY: Buffer.alloc(32, 4).toString('base64'),
      SANDBOX: 'true',
      SANDBOX_CHAIN: 'false',
      PRODUCTS_DIR: products,
      PORT: '0',
    },
  })
  expect(exitCode).toBe(78)
  expect(stderr.toString()).toMatch(/^coinop: The secrets .* Set COINOP_MASTER_KEY to .*\n$/)
})
