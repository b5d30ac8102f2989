/** A stranger's plugin in its own package: by folder, by npm name, and with broken ones beside it. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runContract } from '../../testkit/index.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'

const root = resolve(import.meta.dirname, '../..')
const sample = join(root, 'test/sample-plugin')
const fixture = {
  skill: 'words.count',
  input: { text: 'two words' },
  badInputs: [{}, { text: 5 }, { text: '  ' }, { text: 'x', more: 1 }],
  failingInputs: [{ text: 'explode' }],
  deterministic: false,
}
let folder: string

/** What the plugin itself depends on; the contract it has from the gateway that loads it. */
function install(into: string): void {
  mkdirSync(join(into, 'node_modules'), { recursive: true })
  symlinkSync(join(root, 'node_modules/typebox'), join(into, 'node_modules/typebox'))
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'coinop-third-party-'))
  const plugins = join(folder, 'plugins')
  const products = join(folder, 'products')
  mkdirSync(products)
  cpSync(sample, join(plugins, 'words'), { recursive: true })
  install(folder)
  writeFileSync(
    join(plugins, 'older.ts'),
    `import { definePlugin } from 'coinop'
     export default definePlugin({ id: 'older', version: '1.0.0', kernel: '^1.0.0',
       config: { type: 'object', properties: {} },
       setup: () => ({ health: [{ name: 'older', critical: false, timeoutMs: 100, probe: async () => ({ state: 'ok' }) }] }) })`,
  )
  writeFileSync(join(products, 'older.yaml'), 'product_id: older\nplugin: older\nmetered: false\n')
  writeFileSync(
    join(plugins, 'dozen.ts'),
    `import { definePlugin, defineSkill, PURE } from '@coinop/gateway'
     const one = defineSkill({ id: 'dozen.of', tools: [{ name: 'dozen.of' }], title: 'Of', description: 'Of',
       input: { type: 'object', properties: {} }, output: { type: 'object' }, annotations: PURE,
       handler: async () => ({ ok: true, output: {}, bill: { units: 3 } }) })
     export default definePlugin({ id: 'dozen', version: '1.0.0', kernel: '^1.0.0',
       config: { type: 'object', properties: {} }, setup: () => ({ skills: [one] }) })`,
  )
  writeFileSync(
    join(products, 'dozen.yaml'),
    `product_id: dozen
base_path: /v1/dozen
plugin: dozen
metered: true
skills:
  - skill: dozen.of
    route: POST /of
    tool: dozen.of
    price: { credits: 1, per: { unit: egg, credits: 1 }, max: 9 }
`,
  )
  writeFileSync(join(plugins, 'throws.ts'), `throw new Error('cannot be imported')`)
  writeFileSync(
    join(plugins, 'future.ts'),
    `export default { id: 'future', version: '1.0.0', kernel: '^9.0.0', config: { type: 'object', properties: {} }, setup: () => ({}) }`,
  )
  cpSync(join(sample, 'words.yaml'), join(products, 'words.yaml'))
  for (const file of ['demo.yaml', 'topup.yaml'])
    cpSync(join(root, 'products', file), join(products, file))
  cpSync(join(sample), join(folder, 'node_modules/coinop-plugin-words'), { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a plugin of PLUGINS_DIR', () => {
  let gateway: GatewayProcess
  beforeAll(async () => {
    gateway = await startGateway({
      PLUGINS_DIR: join(folder, 'plugins'),
      PRODUCTS_DIR: join(folder, 'products'),
      SANDBOX_CHAIN: 'false',
      RATE_LIMIT_RPM: '100000',
      RATE_LIMIT_BURST: '10000',
    })
  })
  afterAll(async () => {
    await gateway.stop()
  })

  it('passes the contract suite', async () => {
    const checks = await runContract(gateway, [fixture])
    // Its output counts the calls, so a retry is compared but two runs are not.
    expect(checks.filter((check) => !check.ok)).toEqual([])
    expect(checks.length).toBeGreaterThan(5)
    const misspelled = { ...fixture, failingInput: fixture.failingInputs }
    const found = await runContract(gateway, [misspelled])
    expect(found.filter((check) => !check.ok)).toMatchObject([
      { message: expect.stringContaining('failingInput, which the suite does not know') },
    ])
  })

  it('with a price that counts units is checked by what its input costs', async () => {
    const of = { skill: 'dozen.of', input: {} }
    const told = await runContract(gateway, [{ ...of, costsCredits: 4 }])
    expect(told.filter((check) => !check.ok)).toEqual([])
    const [untold] = (await runContract(gateway, [of])).filter((check) => !check.ok)
    expect(untold?.message).toBe(
      'X-Charged-Credits (the price counts units: `costsCredits` says what `input` costs): expected 9, got 4',
    )
  })

  it('has a route and a gauge beside its skills', async () => {
    const answer = await gateway.call('GET', '/v1/words/texts')
    expect([answer.status, typeof answer.json.texts]).toEqual([200, 'number'])
    const metrics = await gateway.call('GET', '/metrics?format=prom', {
      headers: { authorization: `Bearer ${gateway.adminToken}` },
    })
    expect(metrics.text).toContain('# TYPE words_texts gauge')
  })

  it('never shows what a plugin threw', async () => {
    const { key } = await gateway.key(10)
    const answer = await gateway.call('POST', '/v1/words/count', {
      body: { text: 'explode' },
      headers: { 'x-api-key': key },
    })
    expect(answer.status).toBe(503)
    expect(answer.text).not.toContain('never leaves')
  })

  it('loads although others beside it are broken, and says which and why', async () => {
    const ready = await gateway.call('GET', '/ready')
    expect(ready.status).toBe(200)
    // It imports the contract by the name of before the package had a scope.
    expect(ready.json.checks.older.state).toBe('ok')
    const problems = gateway.output()
    expect(problems).toContain('cannot be imported')
    expect(problems).toMatch(/future.*\^9\.0\.0|\^9\.0\.0.*future/)
    const { key } = await gateway.key(10)
    expect(
      (await gateway.call('GET', '/v1/paid/health', { headers: { 'x-api-key': key } })).status,
    ).toBe(200)
  })
})

it('loads a plugin by its npm name', async () => {
  const gateway = await startGateway(
    {
      PLUGINS: 'coinop-plugin-words',
      PRODUCTS_DIR: join(folder, 'products'),
      SANDBOX_CHAIN: 'false',
    },
    { cwd: folder },
  )
  const { key } = await gateway.key(10)
  const answer = await gateway.call('POST', '/v1/words/count', {
    body: { text: 'a b c' },
    headers: { 'x-api-key': key },
  })
  expect([answer.status, answer.json.words, answer.headers.get('x-charged-credits')]).toEqual([
    200,
    3,
    '0.5',
  ])
  await gateway.stop()
})
