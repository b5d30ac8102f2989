/** The command line as an operator types it, most of it without a gateway. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../support/gateway.ts'
import { program } from '../support/program.ts'

const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'coinop-cli-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function coinop(...words: string[]): { code: number; out: string; err: string } {
  const ran = Bun.spawnSync([...program(), ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(scratch, 'data') },
  })
  return { code: ran.exitCode, out: ran.stdout.toString(), err: ran.stderr.toString() }
}
function file(name: string, text: string): string {
  const path = join(scratch, name)
  writeFileSync(path, text)
  return path
}

it('helps about one word, and refuses a key without a name before it opens a database', () => {
  const help = coinop('key', 'list', '--help')
  expect([help.code, help.out.includes('key create'), help.out.includes('ledger')]).toEqual([
    0,
    true,
    false,
  ])
  expect(coinop('key', 'create', ' ')).toMatchObject({ code: 64 })
})

it('product import writes products only', () => {
  const openapi = file(
    'openapi.yaml',
    'openapi: 3.0.0\ninfo: { title: Weather, version: "1" }\nservers: [{ url: "http://a.example" }]\npaths:\n  /forecast:\n    get: { summary: Forecast, responses: { 200: { description: ok } } }\n',
  )
  const into = (from: string, id: string, price: string) =>
    coinop('product', 'import', from, '--id', id, '--price', price)
  expect(into(openapi, 'weather', '1')).toMatchObject({
    code: 0,
    out: expect.stringContaining('route: GET /forecast'),
  })
  expect(into(openapi, 'weather', '0.00001')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('whole number of atomic units'),
  })
  const near = 'http://127.0.0.1:8000'
  const named = coinop('product', 'import', openapi, '--price', '1', '--url', near)
  expect(named.out).toContain('allow_private: true')
  const local = file('local.yaml', readFileSync(openapi, 'utf8').replace('http://a.example', near))
  const found = coinop('product', 'import', local, '--price', '1')
  expect(found.out).not.toContain('allow_private')
  expect(found.err).toContain(`say so with --url ${near}`)
  expect(into(file('broken.yaml', 'a: ['), 'a', '1')).toMatchObject({
    code: 1,
    err: expect.stringContaining('broken.yaml: '),
  })
})

it('a command that only reads makes no database and says what to do', () => {
  for (const words of [
    ['ledger', 'verify'],
    ['key', 'list'],
    ['product', 'list'],
    ['migrate', '--dry-run'],
  ]) {
    expect(coinop(...words)).toMatchObject({
      code: 69,
      out: '',
      err: expect.stringMatching(/There is no database in DATA_DIR .*\n {2}Set DATA_DIR/),
    })
  }
  expect(existsSync(join(scratch, 'data'))).toBe(false)
  expect(coinop('migrate').code).toBe(0)
  const verified = coinop('ledger', 'verify')
  expect([verified.code, JSON.parse(verified.out)]).toMatchObject([0, { ok: true }])
})

it('account and key commands make a shared balance under budgets', () => {
  const run = (...words: string[]) => {
    const { code, out, err } = coinop(...words)
    return { code, err, json: out === '' ? null : JSON.parse(out) }
  }
  const team = run('account', 'create', 'team', '--low-mark', '5').json
  expect(team).toMatchObject({ mode: 'test', credits: 0, lowMarkCredits: 5 })
  const rich = run('key', 'create', 'rich', '--credits', '7').json
  expect(rich).toMatchObject({ credits: 7, key: expect.stringMatching(/^ck_test_/) })
  expect(run('credits', 'balance', rich.id).json).toMatchObject({ credits: 7 })
  expect(run('key', 'create', 'poor', '--credits', '0').code).toBe(64)
  const key = run('key', 'create', 'bot', '--account', team.id, '--day', '3', '--products', 'utils')
  expect(key.json).toMatchObject({ accountId: team.id, key: expect.stringMatching(/^ck_test_/) })
  expect(run('key', 'budget', key.json.id, '--product', 'utils', '--month', '9').json).toEqual([
    expect.objectContaining({ product: 'all', day: 3, month: null }),
    expect.objectContaining({ product: 'utils', day: null, month: 9 }),
  ])
  for (const words of [
    ['key', 'budget', key.json.id, '--day', '1e-9'],
    ['key', 'budget', key.json.id, '--product', '*', '--day', '1'],
    ['account', 'transfer', team.id, team.id, '1', '--reference', 'b'],
  ]) {
    expect(run(...words)).toMatchObject({ code: 64, err: expect.stringContaining('usage: ') })
  }
})

it('product validate names a file that cannot be read', () => {
  const said = coinop('product', 'validate', join(scratch, 'none.yaml'))
  expect(said).toMatchObject({ code: 1, err: expect.stringContaining('none.yaml cannot be read') })
})

it('demo tells its story on a running sandbox without a chain, and leaves nothing for sale there', async () => {
  const gateway = await startGateway({ SANDBOX_CHAIN: 'false' })
  onTestFinished(async () => void (await gateway.stop()))
  const before = (await gateway.call('GET', '/v1/prices')).json.skills
  const ran = Bun.spawn([...program(), 'demo', '--url', gateway.url], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: gateway.dataDir,
      ADMIN_TOKEN: gateway.adminToken,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([
    new Response(ran.stdout).text(),
    new Response(ran.stderr).text(),
  ])
  expect([await ran.exited, err]).toEqual([0, expect.stringContaining('x402 is closed')])
  expect(out).toContain('Everything went as told')
  expect((await gateway.call('GET', '/v1/prices')).json.skills).toEqual(before)
})

it('bunx finds the command in the project, not in a registry', () => {
  const run = (...words: string[]) =>
    Bun.spawnSync([process.execPath, ...words], {
      cwd: root,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: scratch,
        BUN_CONFIG_REGISTRY: 'http://127.0.0.1:9',
      },
    })
  expect(run('bin/link.mjs').exitCode).toBe(0)
  const asked = run('x', 'coinop', '--version')
  expect([asked.exitCode, asked.stdout.toString()]).toEqual([0, expect.stringMatching(/^\d+\.\d+/)])
})
