/** Plugins that break the contract in every way that plain JavaScript can: told, uncharged, alone. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'

const root = resolve(import.meta.dirname, '../..')
const PRICE = 2

/** A plugin's module; `own` are members of the plugin, beside the ones that every plugin needs. */
const plugin = (id: string, own: string): string => `
import { Type } from 'typebox'
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false }
const skill = (id, handler, more = {}) => ({ id, tools: [{ name: id }], title: id, description: id,
  input: Type.Object({}), output: Type.Any(), annotations, handler, ...more })
export default { id: '${id}', version: '1.0.0', kernel: '^1.0.0', config: Type.Object({}), ${own} }
`
const product = (id: string, skills: readonly string[]): string => `product_id: ${id}
title: ${id}
base_path: /v1/${id}
plugin: ${id}
metered: true
skills:
${skills.map((name) => `  - { skill: ${id}.${name}, route: POST /${name}, tool: ${id}.${name}, price: { credits: ${PRICE} } }`).join('\n')}
`

/** What cannot be mounted, and what the operator is told. */
const UNUSABLE: Record<string, { own: string; told: RegExp }> = {
  nothing: { own: 'setup: () => undefined', told: /setup must return an object, got undefined/ },
  nulls: { own: 'setup: () => ({ skills: [null] })', told: /skills\[0\] must be an object/ },
  toolless: {
    own: `setup: () => ({ skills: [skill('toolless.run', async () => ({ ok: true, output: 1 }), { tools: undefined })] })`,
    told: /skills\[0\] "toolless.run".tools must be a list/,
  },
  handless: {
    own: `setup: () => ({ skills: [skill('handless.run')] })`,
    told: /skill handless.run without a handler/,
  },
  twice: {
    own: `setup: () => ({ skills: [1, 2].map(() => skill('twice.run', async () => ({ ok: true, output: 1 }))) })`,
    told: /two skills with the id twice.run/,
  },
  schemaless: {
    own: `setup: () => ({ skills: [skill('schemaless.run', async () => ({ ok: true, output: 1 }), { output: { type: 'object', properties: 5, pattern: '(' } })] })`,
    told: /output is not a schema that can be compiled: /,
  },
  mistyped: {
    own: `setup: () => ({ skills: [skill('mistyped.run', async () => ({ ok: true, output: 1 }), { input: { type: 'object', properties: { type: { type: 'strin' } } } })] })`,
    told: /input has the type \\*"strin\\*"; the types are string, number/,
  },
  unmarked: {
    own: `setup: () => ({ skills: [skill('unmarked.run', async () => ({ ok: true, output: 1 }), { annotations: undefined })] })`,
    told: /annotations must be an object, such as PURE/,
  },
  slashless: {
    own: `setup: () => ({ routes: [{ method: 'GET', path: 'free' }] })`,
    told: /path must be a path that begins with \//,
  },
  unwritable: {
    own: `setup: () => ({ skills: [skill('unwritable.run', async () => ({ ok: true, output: 1 }), { input: Type.Object({ n: Type.Optional(Type.Number({ default: 5n })) }) })] })`,
    told: /input must be a JSON value/,
  },
  pathless: {
    own: `setup: () => ({ routes: [{ method: 'GET' }] })`,
    told: /routes\[0\]\.path must be/,
  },
  railless: { own: `setup: () => ({ rails: [{ id: 'x' }] })`, told: /rails\[0\] "x"\.precedence/ },
  lists: { own: `migrations: { a: 1 }, setup: () => ({})`, told: /`migrations` must be a list/ },
}

/** What a handler does for which nobody pays. */
const UNPAID: Record<string, string> = {
  cycle: `const a = {}; a.a = a; return { ok: true, output: a }`,
  bigint: `return { ok: true, output: { a: 5n } }`,
  callable: `return { ok: true, output: () => 1 }`,
  thrower: `return { ok: true, output: { toJSON() { throw new Error('never leaves') } } }`,
  redirect: `return { ok: true, output: 1, status: 302 }`,
  beyond: `return { ok: true, output: 1, status: 999 }`,
  fraction: `return { ok: true, output: 1, bill: { amountAtomic: 0.5 } }`,
  negative: `return { ok: true, output: 1, bill: { amountAtomic: -5n } }`,
  unbilled: `return { ok: true, output: 1, bill: {} }`,
  typo: `return { ok: true, output: 1, bill: 'relaese' }`,
  unknown: `return { ok: false, code: 'NOPE', message: 'm' }`,
  nul: `return { ok: false, code: '\\0', message: 'm' }`,
  fine: `return { ok: false, code: 'PROCESSING_FAILURE', message: 'm', status: 200 }`,
  headed: `return { ok: false, code: 'PROCESSING_FAILURE', message: 'm', headers: { 'bad name': 'x' } }`,
  detailed: `return { ok: false, code: 'PROCESSING_FAILURE', message: 'm', details: { a: 5n } }`,
}
/** Errors that no call waits for: the work before them is paid, and the gateway lives. */
const LATE: Record<string, string> = {
  timer: `setTimeout(() => { throw new Error('from a timer') }, 5); return { ok: true, output: 1 }`,
  event: `const { EventEmitter } = await import('node:events')
    setTimeout(() => new EventEmitter().emit('error', new Error('unheard')), 5); return { ok: true, output: 1 }`,
  promise: `void Promise.reject(new Error('unheard')); return { ok: true, output: 1 }`,
}
const FORWARDS: Record<string, string> = {
  fails: `{ ok: true, response: new Response('x', { status: 500 }) }`,
  moves: `{ ok: true, response: new Response(null, { status: 302, headers: { location: '/' } }) }`,
}
const CHECKS = `
  skill('odd.accepts', async () => ({ ok: true, output: 1 }), { check: () => true }),
  skill('odd.waits', async () => ({ ok: true, output: 1 }), { check: () => new Promise(() => {}), limits: { timeoutMs: 300 } }),`
const SHOWN = `
  skill('odd.shown', async () => ({ ok: true, output: { a: 1 } }), { content() { throw new Error('content') } }),`
const BESIDE = `
  health: [{ name: 'stateless', critical: false, timeoutMs: 500, probe: async () => undefined }],
  gauges: [{ name: 'thrown', help: 'h', label: 'l', read: () => { throw new Error('gauge') } },
    { name: 'gateway_calls_running', help: 'h', label: 'l', read: () => new Map([['a', 1]]) }],
  rails: [{ id: 'credits', precedence: 1, available: () => ({ ok: true }), presented: () => true,
    offer: () => null, authorize() {}, capture() {}, release() {}, stateOf() {} }],`
/** A part of the gateway that is used without a product. */
const PART_GAUGES = `gateway: () => ({ gauges: [
  { name: 'gateway_calls_total', help: 'the name of another', read: () => 1 },
  { name: 'part_nothing', help: 'h', read: () => undefined },
  { name: 'part_unlabelled', help: 'h', read: () => new Map([['a', 1]]) },
  { name: 'part_good', help: 'h', label: 'l', read: () => new Map([['a', 7]]) },
] }), setup: () => ({})`

let folder: string
let gateway: GatewayProcess

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'coinop-broken-'))
  for (const name of ['plugins', 'products', 'node_modules']) mkdirSync(join(folder, name))
  symlinkSync(join(root, 'node_modules/typebox'), join(folder, 'node_modules/typebox'))
  const add = (id: string, own: string, skills: readonly string[]): void => {
    writeFileSync(join(folder, 'plugins', `${id}.ts`), plugin(id, own))
    writeFileSync(join(folder, 'products', `${id}.yaml`), product(id, skills))
  }
  for (const [id, { own }] of Object.entries(UNUSABLE)) add(id, own, ['run'])
  const handlers = Object.entries({ ...UNPAID, ...LATE }).map(
    ([name, body]) => `skill('odd.${name}', async (ctx) => { ${body} }),`,
  )
  const forwards = Object.entries(FORWARDS).map(
    ([name, answer]) =>
      `skill('odd.${name}', undefined, { tools: [], forward: async () => (${answer}) }),`,
  )
  writeFileSync(
    join(folder, 'plugins/odd.ts'),
    plugin(
      'odd',
      `setup: () => ({ skills: [${handlers.join('')}${forwards.join('')}${CHECKS}${SHOWN}],${BESIDE} })`,
    ),
  )
  const streams = Object.keys(FORWARDS).map(
    (name) => `  - { skill: odd.${name}, route: POST /${name}, price: { credits: ${PRICE} } }\n`,
  )
  writeFileSync(
    join(folder, 'products/odd.yaml'),
    product('odd', [...Object.keys({ ...UNPAID, ...LATE }), 'accepts', 'waits', 'shown']) +
      streams.join(''),
  )
  writeFileSync(join(folder, 'plugins/gauging.ts'), plugin('gauging', PART_GAUGES))
  writeFileSync(join(folder, 'plugins/unparsed.ts'), 'const a = 1\nconst b {{{\n')
  writeFileSync(join(folder, 'products/unparsed.yaml'), product('unparsed', ['run']))
  cpSync(join(root, 'products/mcp.yaml'), join(folder, 'products/mcp.yaml'))
  symlinkSync('/nowhere/at/all', join(folder, 'plugins/dangling'))
  writeFileSync(
    join(folder, 'plugins/early.ts'),
    `setTimeout(() => { throw new Error('at boot') }, 50); export default 5`,
  )
  gateway = await startGateway({
    PLUGINS_DIR: join(folder, 'plugins'),
    PRODUCTS_DIR: join(folder, 'products'),
    SANDBOX_CHAIN: 'false',
    RATE_LIMIT_RPM: '100000',
    RATE_LIMIT_BURST: '10000',
  })
})
afterAll(async () => {
  await gateway?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function call(name: string) {
  const { key } = await gateway.key(10)
  const answer = await gateway.call('POST', `/v1/odd/${name}`, {
    body: {},
    headers: { 'x-api-key': key },
  })
  const balance = await gateway.call('GET', '/v1/credits/balance', {
    headers: { 'x-api-key': key },
  })
  return { answer, balance: balance.json }
}

describe('a gateway with broken plugins', () => {
  it.each(Object.entries(UNUSABLE))('says what is wrong with %s', async (_id, { told }) => {
    const products = await gateway.admin('GET', '/v1/admin/products')
    expect(gateway.output() + products.text).toMatch(told)
  })

  it('says where a plugin does not parse, and so does the product that names it', async () => {
    const products = await gateway.admin('GET', '/v1/admin/products')
    expect(gateway.output()).toMatch(/cannot be imported: \S+unparsed\.ts:2:\d+ \w/)
    expect(products.text).toMatch(/unparsed is not loaded \(\S+ cannot be imported: \S+:2:\d+ \w/)
  })

  it.each([...Object.keys(UNPAID), 'accepts', 'waits'])('takes nothing for %s', async (name) => {
    const { answer, balance } = await call(name)
    expect([answer.status, answer.json.error.code]).toEqual([
      503,
      name === 'waits' ? 'TIMEOUT' : 'INTERNAL_ERROR',
    ])
    expect(answer.text).not.toContain('never leaves')
    expect(balance).toMatchObject({ credits: 10, heldCredits: 0 })
  })

  it.each(Object.keys(FORWARDS))('charges only 2xx of what is forwarded: %s', async (name) => {
    const { answer, balance } = await call(name)
    expect([answer.status, answer.headers.get('x-charged-credits')]).toEqual([
      name === 'fails' ? 500 : 302,
      '0',
    ])
    expect(balance).toMatchObject({ credits: 10, heldCredits: 0 })
  })

  it.each(Object.keys(LATE))('outlives an error from a %s', async (name) => {
    const { answer } = await call(name)
    expect([answer.status, answer.headers.get('x-charged-credits')]).toEqual([200, String(PRICE)])
    await Bun.sleep(50)
    expect((await gateway.call('GET', '/health')).status).toBe(200)
  })

  it('gives an MCP client what it paid for when the skill cannot show it', async () => {
    const { key } = await gateway.key(10)
    const params = { name: 'odd.shown', arguments: {} }
    const answer = await gateway.call('POST', '/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      headers: { 'x-api-key': key },
    })
    expect(answer.json.result).toMatchObject({
      structuredContent: { a: 1 },
      content: [{ type: 'text', text: '{"a":1}' }],
      _meta: { 'coinop/call': { chargedCredits: PRICE } },
    })
  })

  it('answers readiness and metrics beside a check and gauges that fail', async () => {
    const ready = await gateway.call('GET', '/ready')
    expect(ready.json.checks.stateless).toMatchObject({ state: 'down' })
    const metrics = await gateway.call('GET', '/metrics?format=prom')
    expect([metrics.status, metrics.text.includes('gateway_holds_open')]).toEqual([200, true])
    const all = await gateway.admin('GET', '/metrics?format=prom')
    expect(all.text).toContain('part_good{l="a"} 7')
    expect(gateway.output()).toMatch(/"gauge":"gateway_calls_total".*the name of another/)
  })
})
