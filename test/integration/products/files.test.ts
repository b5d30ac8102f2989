import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { productReader } from '../../../host/product-files/index.ts'
import { formatProblem } from '../../../kernel/products/problem.ts'
import type { ProductRegistry } from '../../../kernel/products/registry.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'
import { DEMO, productsFolder, registryOn, until } from './harness.ts'
import { misbehaving, odd } from './misbehaving.ts'

let database: TestDatabase
let folder: ReturnType<typeof productsFolder>
let running: ProductRegistry[] = []
beforeEach(async () => {
  database = await testDatabase()
  folder = productsFolder()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((registry) => registry.stop()))
  await database.close()
  folder.dispose()
})

async function start(productsDir = folder.dir): Promise<ProductRegistry> {
  const registry = await registryOn(database.db, { productsDir, pollMs: 200 })
  running.push(registry)
  await registry.start()
  return registry
}
async function restart(registry: ProductRegistry): Promise<ProductRegistry> {
  await registry.stop()
  running = running.filter((one) => one !== registry)
  return start()
}
const write = (name: string, text: string): void => writeFileSync(join(folder.dir, name), text)
function price(registry: ProductRegistry): number | string {
  const found = registry.current().match('POST', '/v1/paid/echo')
  if (found.kind !== 'skill') return found.kind
  found.leave()
  return Number(found.mounted.amountAtomic) / 10_000
}
const at = (credits: number): string => DEMO.replace('credits: 1 }', `credits: ${credits} }`)
const told = (registry: ProductRegistry): string =>
  registry
    .problems()
    .flatMap((one) => one.problems.map(formatProblem))
    .join('\n')

test('files dropped, changed and removed are followed; a broken one keeps the last good', async () => {
  const registry = await start()
  expect(price(registry)).toBe('not_found')
  write('demo.yaml', at(1))
  await until(() => price(registry) === 1, 'the dropped file is mounted')
  write('demo.yaml', at(2))
  await until(() => price(registry) === 2, 'the changed file is mounted')
  write('demo.yaml', at(2).replace('plugin: demo', 'plugin: [demo'))
  await until(() => told(registry).includes('demo.yaml:'), 'the problem is shown with its place')
  expect(price(registry)).toBe(2)
  write('demo.yaml', '')
  await until(() => told(registry).includes('is empty'), 'an emptied file is a problem')
  expect(price(registry)).toBe(2)
  write('demo.yaml', at(3))
  await until(() => price(registry) === 3 && registry.problems().length === 0, 'it is mended')
  renameSync(join(folder.dir, 'demo.yaml'), join(folder.dir, 'renamed.yaml'))
  await until(() => price(registry) === 3, 'a new name changes nothing')
  rmSync(join(folder.dir, 'renamed.yaml'))
  await until(() => price(registry) === 'not_found', 'the removed file is unmounted')
  write('demo.yaml', at(3))
  await until(() => price(registry) === 3, 'the same text comes back')
})

test('the newest change wins, whatever its source, also after a restart', async () => {
  write('demo.yaml', at(1))
  let registry = await start()
  await registry.put('demo', at(5))
  registry = await restart(registry)
  expect(price(registry)).toBe(5)
  write('demo.yaml', at(2))
  await until(() => price(registry) === 2, 'the file is newer')
  await registry.remove('demo')
  registry = await restart(registry)
  expect(price(registry)).toBe('not_found')
  await registry.stop()
  running = []
  write('demo.yaml', at(4))
  registry = await start()
  expect(price(registry)).toBe(4)
})

test('a file that goes takes its product along, unless the API has replaced it', async () => {
  write('demo.yaml', at(1))
  let registry = await start()
  await registry.put('demo', at(5))
  rmSync(join(folder.dir, 'demo.yaml'))
  registry = await restart(registry)
  expect(price(registry)).toBe(5)
  write('demo.yaml', at(1))
  await until(() => price(registry) === 1, 'it is the newest again')
  await registry.stop()
  running = []
  rmSync(join(folder.dir, 'demo.yaml'))
  registry = await start()
  expect(price(registry)).toBe('not_found')
})

test('a file takes its product along where its folder, or the machine, had another name before', async () => {
  write('demo.yaml', at(1))
  const first = await start()
  await first.stop()
  running = []
  const moved = productsFolder()
  try {
    const file = join(moved.dir, 'demo.yaml')
    renameSync(join(folder.dir, 'demo.yaml'), file)
    const registry = await start(moved.dir)
    expect(price(registry)).toBe(1)
    rmSync(file)
    await until(() => price(registry) === 'not_found', 'the removed file is unmounted')
  } finally {
    moved.dispose()
  }
})

test('one product in two files is refused, both named', async () => {
  write('a.yaml', at(1))
  write('b.yaml', at(2))
  const registry = await start()
  expect(price(registry)).toBe(1)
  expect(told(registry)).toMatch(/b\.yaml:1:13 product_id is in .*a\.yaml too/)
})

test('a link that leads nowhere is a problem, and no file that is being written', async () => {
  const target = join(folder.dir, 'target')
  symlinkSync(target, join(folder.dir, 'demo.yaml'))
  const { dir } = folder
  const files = productReader.openFolder({ dir, env: {}, variables: [], log: silentLog })
  const scan = await files.scan(true)
  expect(scan.isUnsettled).toBe(false)
  expect(scan.broken.flatMap(({ problems }) => problems.map(formatProblem))).toEqual([
    expect.stringContaining('demo.yaml cannot be read (ENOENT)'),
  ])
  writeFileSync(target, at(1))
  const found = await files.scan(false)
  expect([...found.documents.keys()]).toEqual(['demo'])
})

test('a base path moves from a vanished product to another one in one step', async () => {
  write('demo.yaml', at(1))
  const registry = await start()
  const moved = at(9).replace('product_id: demo', 'product_id: heir')
  write('demo.yaml', moved)
  await until(() => price(registry) === 9, 'the heir has the base path')
  expect(registry.live('demo')).toBeNull()
})

test('a start reads no product again whose file says what is stored', async () => {
  write('demo.yaml', at(3))
  await (await start()).stop()
  const texts: string[] = []
  const reader = {
    ...productReader,
    parse: (text: string, options: Parameters<typeof productReader.parse>[1]) => {
      texts.push(text)
      return productReader.parse(text, options)
    },
  }
  const again = await registryOn(database.db, { productsDir: folder.dir, reader })
  running = [again]
  await again.start()
  expect(price(again)).toBe(3)
  expect(texts).toEqual([])
})

test('several documents of one file are products of their own', async () => {
  write('two.yaml', `${at(1)}---\nproduct_id: broken\nplugin: nope\n`)
  const registry = await start()
  expect(price(registry)).toBe(1)
  expect(told(registry)).toContain('plugin nope is not loaded')
})

test('a plugin that fails in setup is set up once at a start, not once more for its neighbours', async () => {
  const calls: string[] = []
  write('odd.yaml', odd('{ fails: setup }'))
  write('demo.yaml', at(1))
  const registry = await registryOn(database.db, {
    productsDir: folder.dir,
    extra: [misbehaving(calls)],
  })
  running.push(registry)
  await registry.start()
  expect([calls, price(registry)]).toEqual([['setup untagged'], 1])
})
