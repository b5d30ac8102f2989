/** Rails that plugins bring: who waits for them, who lists them, and whose their paths are. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { definePlugin, type Plugin, type Rail } from '../../../kernel/index.ts'
import { enterRail } from '../../../kernel/products/mounted-product.ts'
import { formatProblem } from '../../../kernel/products/problem.ts'
import type { ProductRegistry, RegistryOptions } from '../../../kernel/products/registry.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { DEMO, productsFolder, registryOn, until } from './harness.ts'
import { misbehaving, odd } from './misbehaving.ts'

const MINT = 'product_id: mint\nplugin: mint\nbase_path: /v1/mint\n'

let database: TestDatabase
let folder: ReturnType<typeof productsFolder>
let running: ProductRegistry[] = []
/** Setups and ends of the plugin that sells for a rail, in their order. */
let calls: string[] = []
beforeEach(async () => {
  database = await testDatabase()
  folder = productsFolder()
  running = []
  calls = []
})
afterEach(async () => {
  await Promise.all(running.map((registry) => registry.stop()))
  await database.close()
  folder.dispose()
})

/** A plugin with a rail named like it. */
function minting(id: string, precedence: number, manifest: Partial<Plugin> = {}): Plugin {
  const rail: Rail = {
    id,
    precedence,
    available: () => ({ ok: true }),
    presented: () => false,
    offer: () => null,
    authorize: () => Promise.reject(new Error('not used')),
    capture: () => Promise.reject(new Error('not used')),
    release: async () => {},
    stateOf: async () => 'none',
  }
  return definePlugin({
    id,
    version: '1.0.0',
    kernel: '^1.0.0',
    config: Type.Object({}, { additionalProperties: false }),
    setup: () => ({
      rails: [rail],
      stop: async () => void calls.push(`stop ${id}`),
      routes: [
        {
          method: 'GET',
          path: `/v1/${id}/mints`,
          auth: 'public',
          summary: 'Mints',
          handler: () => new Response('ok'),
        },
      ],
    }),
    ...manifest,
  }) as unknown as Plugin
}

async function start(options: Partial<RegistryOptions> = {}): Promise<ProductRegistry> {
  const mounted = (): readonly string[] => registry.current().rails
  const registry: ProductRegistry = await registryOn(database.db, {
    productsDir: folder.dir,
    kernelRails: ['credits'],
    railAvailable: (id) =>
      mounted().includes(id)
        ? { ok: true }
        : { ok: false, reason: `no rail named '${id}' is open` },
    extra: [
      minting('mint', 50),
      minting('press', 40),
      minting('guarded', 30, { reservedPaths: ['/v1/guarded', '/.well-known/guarded'] }),
      misbehaving(calls),
    ],
    ...options,
  })
  running.push(registry)
  await registry.start()
  return registry
}
const write = (name: string, text: string): void => writeFileSync(join(folder.dir, name), text)
const told = (registry: ProductRegistry): string =>
  registry
    .problems()
    .flatMap((one) => one.problems.map(formatProblem))
    .join('\n')
const railsOf = (registry: ProductRegistry, tool: string): readonly string[] | undefined =>
  registry.current().tool(tool)?.mounted.rails

test('a skill without `rails` lists every mounted rail, and follows when one comes or goes', async () => {
  write('demo.yaml', DEMO)
  const registry = await start()
  expect(railsOf(registry, 'demo.echo')).toEqual(['credits'])
  const { version } = registry.current()
  write('mint.yaml', MINT)
  await until(() => railsOf(registry, 'demo.echo')?.length === 2, 'the rail came')
  expect(railsOf(registry, 'demo.echo')).toEqual(['credits', 'mint'])
  expect(registry.current().version).not.toBe(version)
  write('press.yaml', MINT.replaceAll('mint', 'press'))
  await until(() => railsOf(registry, 'demo.echo')?.length === 3, 'the other came')
  expect(railsOf(registry, 'demo.echo')).toEqual(['credits', 'press', 'mint'])
  rmSync(join(folder.dir, 'mint.yaml'))
  await until(() => railsOf(registry, 'demo.echo')?.length === 2, 'the rail went')
  expect(railsOf(registry, 'demo.echo')).toEqual(['credits', 'press'])
})

test('a rail that a file names and that is not mounted is not among its rails', async () => {
  write('demo.yaml', `${DEMO}rails: [mint, credits]\n`)
  const registry = await start()
  expect(railsOf(registry, 'demo.echo')).toEqual(['credits'])
})

test('products that bring rails are mounted before those that need them, without a second setup', async () => {
  write('a.yaml', odd('{}', 'rails: [mint]'))
  write('z.yaml', MINT)
  const registry = await start({ pollMs: 600_000 })
  expect(registry.problems()).toEqual([])
  expect(railsOf(registry, 'odd.work')).toEqual(['mint'])
  expect(calls).toEqual(['setup untagged', 'ready untagged'])
})

test('a stored product brings the rail that a file needs, also after a restart', async () => {
  write('a.yaml', odd('{}', 'rails: [mint]'))
  let registry = await start({ pollMs: 600_000 })
  expect(told(registry)).toContain(
    "no rail of odd.work can take money now (mint: no rail named 'mint' is open)",
  )
  expect(await registry.put('mint', MINT)).toMatchObject({ ok: true })
  await until(() => registry.live('odd') !== null, 'it is mounted at once')
  await until(() => registry.problems().length === 0, 'its problem is over')
  await registry.stop()
  running = []
  registry = await start({ pollMs: 600_000 })
  expect(railsOf(registry, 'odd.work')).toEqual(['mint'])
  expect(registry.problems()).toEqual([])
})

test('a start makes one price table, also where products wait for the rail of another', async () => {
  const versions = () => database.db.sql`select version from coinop.price_period order by id`
  write('a.yaml', odd('{}', 'rails: [mint]'))
  write('demo.yaml', DEMO)
  write('z.yaml', MINT)
  let registry = await start({ pollMs: 600_000 })
  const { priceVersion } = registry.current()
  expect(await versions()).toEqual([{ version: priceVersion }])
  await registry.stop()
  running = []
  write('z.yaml', `${MINT}title: Another revision of the rail\n`)
  registry = await start({ pollMs: 600_000 })
  expect(registry.current().priceVersion).toBe(priceVersion)
  expect(registry.current().skills.map((skill) => skill.priceVersion)).toContain(priceVersion)
  expect(await versions()).toEqual([{ version: priceVersion }])
})

test('a stored product that waits for a rail is mounted as soon as another instance brings it', async () => {
  const registry = await start({ productsDir: null, pollMs: 600_000 })
  await registry.put('mint', MINT)
  await registry.put('odd', odd('{}', 'rails: [mint]'))
  await registry.remove('mint')
  const other = await start({ productsDir: null, pollMs: 600_000 })
  expect(other.live('odd')).toBeNull()
  await registry.put('mint', MINT)
  await until(() => other.live('odd') !== null, 'it is mounted at once')
  expect(other.problems()).toEqual([])
})

test('a rail that goes stops after the calls that it pays', async () => {
  const registry = await start({ productsDir: null })
  await registry.put('mint', MINT)
  const [rail] = registry.live('mint')!.rails
  const leave = enterRail(rail!)
  await registry.remove('mint')
  expect(registry.current().rails).toEqual(['credits'])
  await Bun.sleep(50)
  expect(calls).toEqual([])
  leave()
  await until(() => calls.includes('stop mint'), 'it stops')
})

test('reserved paths belong to the products of their plugin, mounted or not', async () => {
  const registry = await start()
  const refused = async (id: string, text: string): Promise<string> => {
    const put = await registry.put(id, text)
    return put.ok || put.reason !== 'invalid' ? '' : put.problems.map(formatProblem).join('\n')
  }
  const below = odd('{}', 'base_path: /v1/guarded/odd')
  expect(await refused('odd', below)).toContain(
    'base_path /v1/guarded/odd of odd meets /v1/guarded of plugin guarded',
  )
  const own = 'product_id: keeper\nplugin: guarded\nbase_path: /v1/guarded\n'
  expect(await registry.put('keeper', own)).toMatchObject({ ok: true })
})

test('a rail named like one of the kernel is not listed twice', async () => {
  write('demo.yaml', DEMO)
  write('false.yaml', MINT.replaceAll('mint', 'coin'))
  const registry = await start({
    extra: [{ ...minting('credits', 1), id: 'coin' }, misbehaving(calls)],
  } as Partial<RegistryOptions>)
  expect(railsOf(registry, 'demo.echo')).toEqual(['credits'])
})
