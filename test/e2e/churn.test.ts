/** Products added, changed and removed under load; `test/bench/churn.ts` does it with a thousand. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'
import { churn, mountOthers } from './churn-run.ts'

let database: TestDatabase
let gateway: GatewayProcess
let upstream: TestUpstream
let productsDir: string
beforeAll(async () => {
  database = await testDatabase()
  upstream = await startUpstream((_, response) => response.end('{}'))
  productsDir = mkdtempSync(join(tmpdir(), 'coinop-churn-'))
  gateway = await startGateway({
    DATABASE_URL: database.url,
    COINOP_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    PRODUCTS_DIR: productsDir,
    ALLOW_PRIVATE_TARGETS: `127.0.0.1:${upstream.port}`,
  })
  await mountOthers(gateway, upstream.url)
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.close()
  await database?.close()
  rmSync(productsDir, { recursive: true, force: true })
})

it('no call fails or is charged another price while products come, change and go', async () => {
  const options = {
    gateway,
    productsDir,
    upstreamUrl: upstream.url,
    products: 60,
    prefix: 'churn-',
  }
  const { failures, changes, checks, calls } = await churn(options)
  expect(failures).toEqual([])
  expect(changes).toBeGreaterThanOrEqual(180)
  expect(checks).toBe(120)
  expect(calls).toBeGreaterThan(0)
  const { json } = await gateway.call('GET', '/v1/products')
  expect(json.products.map((one: { product_id: string }) => one.product_id)).toEqual([
    'demo',
    'moving',
    'steady',
  ])
  expect((await gateway.call('GET', '/ready')).json.checks.products.state).toBe('ok')
})
