import { productsCheck } from '../../../host/status/checks.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProductRegistry } from '../../../kernel/products/registry.ts'
import type { ProductStore } from '../../../host/product-revisions/store.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { PATIENT } from '../../support/patience.ts'
import { DEMO, registryOn, until } from './harness.ts'

let database: TestDatabase
let registry: ProductRegistry
beforeAll(async () => {
  database = await testDatabase()
  registry = await registryOn(database.db)
  await registry.start()
})
afterAll(async () => {
  await registry.stop()
  await database.close()
})

function priceOf(from: ProductRegistry, path = '/v1/paid/echo'): bigint | string {
  const found = from.current().match('POST', path)
  if (found.kind !== 'skill') return found.kind
  found.leave()
  return found.mounted.amountAtomic
}
const dearer = DEMO.replace('credits: 1 }', 'credits: 3 }')

test('PUT, PUT again, roll back, delete, bring back: each is one version in service', async () => {
  expect(priceOf(registry)).toBe('not_found')
  expect(await registry.put('demo', DEMO)).toMatchObject({ ok: true, revision: 1, created: true })
  const first = registry.prices.current()!
  expect(await registry.put('demo', `# only a comment\n${DEMO}`)).toMatchObject({
    revision: 1,
    created: false,
    isSame: true,
  })
  expect(await registry.put('demo', dearer)).toMatchObject({
    ok: true,
    revision: 2,
    created: false,
  })
  expect(priceOf(registry)).toBe(30_000n)
  const second = registry.prices.current()!
  expect(second.version).toBe(first.version + 1)

  expect(await registry.rollback('demo', 1)).toMatchObject({ ok: true, revision: 1 })
  expect(priceOf(registry)).toBe(10_000n)
  expect(registry.prices.current()).toMatchObject({ version: first.version, hash: first.hash })
  expect(await registry.prices.at(second.version)).toEqual(second)

  expect(await registry.remove('demo')).toEqual({ ok: true, revision: 1 })
  expect(priceOf(registry)).toBe('not_found')
  expect(await registry.remove('demo')).toEqual({ ok: false, reason: 'unknown' })
  expect(await registry.rollback('demo', 2)).toMatchObject({ ok: true, revision: 2, created: true })
  expect(priceOf(registry)).toBe(30_000n)
  expect(await registry.rollback('demo', 99)).toEqual({ ok: false, reason: 'unknown' })
  const versions = await registry.store.revisions('demo', 1000, 10)
  expect(versions.map((one) => one.revision)).toEqual([2, 1])
})

test('a stale condition changes nothing', async () => {
  await registry.put('demo', DEMO)
  const active = registry.live('demo')!.parts.revision
  const stale = { ok: false, reason: 'stale', active }
  expect(await registry.put('demo', dearer, { ifActive: active + 1 })).toEqual(stale)
  expect(await registry.put('demo', dearer, { ifActive: null })).toEqual(stale)
  expect(await registry.rollback('demo', 2, { ifActive: active + 1 })).toEqual(stale)
  expect(await registry.remove('demo', { ifActive: active + 1 })).toEqual(stale)
  expect(priceOf(registry)).toBe(10_000n)
  expect(await registry.put('demo', dearer, { ifActive: active })).toMatchObject({ ok: true })
})

test('of two that change the same version at once, one is told that it came late', async () => {
  await registry.put('demo', DEMO)
  const ifActive = registry.live('demo')!.parts.revision
  const other = await registryOn(database.open())
  await other.start()
  const specs = [4, 5].map((credits) => DEMO.replace('credits: 1 }', `credits: ${credits} }`))
  const outcomes = await Promise.all([
    registry.put('demo', specs[0]!, { ifActive }),
    other.put('demo', specs[1]!, { ifActive }),
  ])
  expect(outcomes.map((outcome) => outcome.ok).sort()).toEqual([false, true])
  const wanted = outcomes[0]!.ok ? 40_000n : 50_000n
  await until(() => priceOf(registry) === wanted && priceOf(other) === wanted, 'both agree')
  await other.stop()
})

test('a change on one instance serves on the other by notification, with the same versions', async () => {
  const other = await registryOn(database.open(), { pollMs: 600_000 })
  await other.start()
  await registry.put('demo', DEMO.replace('credits: 1 }', 'credits: 7 }'))
  // Polling is off, so only the notification can bring it.
  await until(() => priceOf(other) === 70_000n, 'the change is followed')
  expect(other.prices.current()).toEqual(registry.prices.current())
  expect(other.live('demo')!.parts.revision).toBe(registry.live('demo')!.parts.revision)

  await registry.rollback('demo', 1)
  await until(() => priceOf(other) === 10_000n, 'the rollback is followed')
  await registry.remove('demo')
  await until(() => priceOf(other) === 'not_found', 'the removal is followed')
  await other.stop()
})

test('an instance that cannot build a revision keeps its own, says so, and catches up', async () => {
  await registry.put('demo', DEMO)
  let open = true
  const other = await registryOn(database.open(), {
    pollMs: 100,
    railAvailable: () => (open ? { ok: true } : { ok: false, reason: 'closed here' }),
  })
  await other.start()
  open = false
  const changed = await registry.put('demo', dearer)
  await until(() => other.problems().length > 0, 'the problem is shown')
  expect(priceOf(other)).toBe(10_000n)
  expect(other.problems()[0]).toMatchObject({ productId: 'demo', stage: 'mount' })
  const health = await productsCheck(other).probe(AbortSignal.timeout(PATIENT.timeout))
  expect(health.state).toBe('degraded')
  expect(health.detail).toContain('product demo: ')
  open = true
  // Any later change is tried at once, whatever waits for its retry.
  await registry.remove('demo')
  await registry.rollback('demo', changed.ok ? changed.revision : 0)
  await until(() => priceOf(other) === 30_000n, 'it caught up')
  expect(other.problems()).toEqual([])

  const served = other.live('demo')!.parts.revision
  open = false
  await registry.put('demo', DEMO)
  await until(() => other.problems().length > 0, 'the problem is shown again')
  // It serves there all the time, and nowhere else.
  expect(await other.rollback('demo', served)).toMatchObject({ ok: true, isSame: false })
  await until(() => priceOf(registry) === 30_000n, 'the rollback is followed')
  expect(other.problems()).toEqual([])
  await other.stop()
})

test('a look at the database that outlasts the stop mounts nothing', async () => {
  await registry.put('demo', DEMO)
  const leaving = await registryOn(database.open(), { pollMs: 20 })
  await leaving.start()
  const looks = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const store = leaving.store as ProductStore
  const { rows } = store
  const ended = Promise.withResolvers<void>()
  store.rows = store.changedWithin = async () => {
    looks.resolve()
    await goesOn.promise
    setTimeout(ended.resolve, 200)
    return rows()
  }
  await looks.promise
  await leaving.stop()
  await registry.put('demo', dearer)
  goesOn.resolve()
  await ended.promise
  expect(leaving.live('demo')).toBeNull()
})

test('a call inside an old revision ends before its plugin stops', async () => {
  await registry.put('demo', DEMO)
  const held = registry.current().match('POST', '/v1/paid/echo')
  if (held.kind !== 'skill') throw new Error(held.kind)
  const old = registry.live('demo')!
  await registry.put('demo', dearer)
  expect(held.mounted.amountAtomic).toBe(10_000n)
  let drained = false
  void old.drained(new Date(Date.now() + 20_000)).then(() => (drained = true))
  await Bun.sleep(20)
  expect(drained).toBe(false)
  held.leave()
  await until(() => drained, 'drained')
})

test('/v1/p/{product_id}/… is the same skill; nothing else is there', async () => {
  await registry.put('demo', DEMO)
  expect(priceOf(registry, '/v1/p/demo/echo')).toBe(10_000n)
  for (const path of [
    '/v1/p/demo',
    '/v1/p/demo/',
    '/v1/p/nope/echo',
    '/v1/p/demo/secret',
    '/v1/paid',
    '/v1/paid/',
    '/v1/paid/echo/',
    '/v1/paid/Echo',
    '/v1/p/demo/v1/paid/echo',
  ])
    expect([path, priceOf(registry, path)]).toEqual([path, 'not_found'])
  expect(registry.current().match('GET', '/v1/paid/echo')).toMatchObject({
    kind: 'method_not_allowed',
    allow: ['POST'],
  })
  expect(registry.current().match('POST', '/v1/paid/%2e%2e')).toMatchObject({ kind: 'bad_path' })
})

test('tools are found by dotted name and underscore alias', async () => {
  await registry.put('demo', DEMO)
  const snapshot = registry.current()
  expect(snapshot.tool('demo.echo')?.mounted.skill.id).toBe('demo.echo')
  expect(snapshot.tool('demo_echo')?.mounted).toBe(snapshot.tool('demo.echo')?.mounted)
  expect(snapshot.tool('demo-echo')).toBeNull()
})
