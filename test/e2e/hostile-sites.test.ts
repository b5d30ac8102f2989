/**
 * Sites that would have a call wait for ever, bought of the real gateway: a clear end in time, and
 * nothing charged but results. `bun test/bench/hostile-sites.ts` visits all of them in every way.
 */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { locateBrowser } from '../../plugins/utils/screenshot/browser/locate.ts'
import { closeServers, type TestServer } from '../integration/net/servers.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { addressesOf, hostileSite } from '../support/hostile-site.ts'
import { PATIENT } from '../support/patience.ts'
import { patientPages } from '../support/products.ts'
import { skipPart } from '../support/skips.ts'
import { visitAll, visitMany, type Way, wrongOf } from './hostile-run.ts'

const located = await locateBrowser({ chromiumPath: undefined })
const drawn = it.skipIf(!located.ok && skipPart('hostile sites, drawn', located.message))
const SITES = 12

let site: TestServer
let sites: string[]
let database: TestDatabase
let products: string
let gateway: GatewayProcess
beforeAll(async () => {
  site = await hostileSite()
  sites = addressesOf(site, SITES)
  database = await testDatabase()
  products = patientPages()
  gateway = await startGateway({
    DATABASE_URL: database.url,
    PRODUCTS_DIR: products,
    COINOP_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    ALLOW_PRIVATE_TARGETS: sites.join(','),
  })
})
afterAll(async () => {
  await gateway?.stop()
  await closeServers()
  await database?.close()
  if (products) rmSync(products, { recursive: true, force: true })
})

drawn('drawn pages end clearly and cost nothing without a result', async () => {
  const visits: [string, Way][] = [
    ['/never', 'screenshot'],
    ['/head-drip', 'extract'],
    ['/drip', 'extract'],
    ['/far-loop', 'screenshot'],
    ['/busy', 'extract'],
    ['/dialog-loop', 'screenshot'],
    ['/popups', 'extract'],
    ['/metadata', 'extract'],
    ['/inward-refresh', 'screenshot'],
    ['/inward-script', 'extract'],
    ['/plain', 'extract'],
  ]
  // Beside pages that take all processors a page may run out of time before it takes much memory.
  const hungry: [string, Way][] = [
    ['/memory', 'extract'],
    ['/plain', 'extract'],
  ]
  const seen = [
    ...(await visitAll(gateway, sites, visits)),
    ...(await visitAll(gateway, sites, hungry)),
  ]
  expect(seen.map(wrongOf).filter((wrong) => wrong !== null)).toEqual([])
  // Those that behave were read and paid.
  for (const plain of seen.filter(({ path }) => path === '/plain'))
    expect(plain).toMatchObject({ end: 'shown', charged: 5 })
})

it('a batch of which half hangs ends, and each page that was read costs what it costs', async () => {
  const { charged, outcomes, meta } = await visitMany(gateway, sites)
  expect(outcomes).toEqual({ data: SITES / 2, timeout: SITES / 2 })
  expect(meta).toEqual({ charged: SITES / 2, failed: SITES / 2 })
  expect(charged).toBe((SITES / 2) * 5)
})

it('a batch whose caller goes lets go of every site and of what it held', async () => {
  const { key } = await gateway.key(100)
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const caller = new AbortController()
  const call = fetch(`${gateway.url}/v1/utils/extract/batch`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ urls: sites.map((one) => `http://${one}/never`) }),
    signal: caller.signal,
  }).catch(() => null)
  const before = site.hits.length
  await vi.waitUntil(() => site.hits.slice(before).some((hit) => hit.includes('/never')), PATIENT)
  caller.abort()
  expect(await call).toBeNull()
  await vi.waitFor(async () => {
    expect(site.open()).toBe(0)
    const { json } = await gateway.call('GET', '/v1/credits/balance', { headers })
    expect(json.credits).toBe(100)
  }, PATIENT)
  // Most of the twelve were never asked.
  expect(site.hits.slice(before).filter((hit) => hit.includes('/never')).length).toBeLessThan(SITES)
})
