/** Commands with --url: they act on a running gateway by its routes, with nothing of it on this machine. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { program } from '../support/program.ts'
import { startUpstream } from '../support/upstream.ts'

const scratch = mkdtempSync(join(tmpdir(), 'coinop-remote-'))
const elsewhere = join(scratch, 'data')
let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway({ SANDBOX_CHAIN: 'false' })
})
afterAll(async () => {
  await gateway?.stop()
  rmSync(scratch, { recursive: true, force: true })
})

function coinop(env: Record<string, string>, words: readonly string[]) {
  const ran = Bun.spawnSync([...program(), ...words], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  const out = ran.stdout.toString()
  return { code: ran.exitCode, out, err: ran.stderr.toString(), json: (): any => JSON.parse(out) }
}
/** From a machine that has neither the gateway's folder nor its database. */
const remote = (...words: string[]) =>
  coinop({ DATA_DIR: elsewhere, COINOP_TOKEN: gateway.adminToken }, [
    ...words,
    '--url',
    gateway.url,
  ])
/** On the gateway's own database. */
const local = (...words: string[]) => coinop({ DATA_DIR: gateway.dataDir, SANDBOX: 'true' }, words)
const done = (...words: string[]): any => {
  const ran = remote(...words)
  expect([ran.code, ran.err]).toEqual([0, ''])
  return ran.json()
}

it('keys, accounts and credits are made, changed and shown as on the database itself', async () => {
  const team = done('account', 'create', 'team', '--low-mark', '5')
  expect(team).toMatchObject({ name: 'team', mode: 'test', credits: 0, lowMarkCredits: 5 })
  const spare = done('account', 'create', 'spare')
  const key = done('key', 'create', 'bot', '--account', team.id, '--day', '3', '--expires', '30d')
  expect(key).toMatchObject({ accountId: team.id, mode: 'test', expiresAt: expect.any(String) })
  expect(done('key', 'create', 'rich', '--credits', '7')).toMatchObject({ credits: 7 })
  expect(
    done('account', 'grant', team.id, '20', '--reference', 'a', '--note', 'start'),
  ).toMatchObject({ credits: 20, duplicate: false })
  expect(done('credits', 'grant', key.id, '1', '--reference', 'b')).toMatchObject({ credits: 21 })
  expect(
    done('account', 'transfer', team.id, spare.id, '4', '--reference', 'c', '--note', 'share'),
  ).toMatchObject({ from: team.id, to: spare.id, credits: 4, duplicate: false })
  const paid = await gateway.call('POST', '/v1/paid/hash', {
    body: { input: 'a' },
    headers: { 'x-api-key': key.key },
  })
  expect(paid.status).toBe(200)
  expect(
    done('key', 'budget', key.id, '--product', 'demo', '--month', '9', '--day', 'none'),
  ).toEqual([
    { product: 'all', call: null, day: 3, month: null, spentTodayCredits: 2, spentMonthCredits: 2 },
    {
      product: 'demo',
      call: null,
      day: null,
      month: 9,
      spentTodayCredits: 2,
      spentMonthCredits: 2,
    },
  ])
  expect(
    done('key', 'change', key.id, '--name', 'robot', '--from', '127.0.0.0/8', '--meta', 'a=b'),
  ).toMatchObject({ name: 'robot', networks: ['127.0.0.0/8'], metadata: { a: 'b' } })
  for (const words of [
    ['key', 'list'],
    ['key', 'list', '--find', 'rob'],
    ['key', 'list', '--account', team.id],
    ['account', 'list', '--find', 'no such'],
    ['key', 'budget', key.id, '--call', '2'],
    ['account', 'list'],
    ['account', 'show', team.id],
    ['credits', 'balance', key.id],
    ['ledger', 'list', '--account', team.id],
    ['ledger', 'list', '--key', key.id, '--kind', 'capture', '--limit', '1'],
    ['product', 'list'],
  ]) {
    const there = remote(...words)
    expect([words, there.err, there.json()]).toEqual([words, '', local(...words).json()])
  }
  expect(done('ledger', 'list', '--account', team.id).map(({ kind }: any) => kind)).toEqual([
    'capture',
    'authorize',
    // The transfer, and the two grants.
    'adjustment',
    'adjustment',
    'adjustment',
  ])
  const rotated = done('key', 'rotate', key.id, '--grace', 'none')
  const withKey = (text: string) =>
    gateway.call('GET', '/v1/credits/balance', { headers: { 'x-api-key': text } })
  expect((await withKey(rotated.key)).status).toBe(200)
  expect((await withKey(key.key)).status).toBe(401)
  const revoked = done('key', 'revoke', key.id)
  expect(revoked).toEqual({ id: key.id, revoked: true, revokedAt: expect.any(String) })
  expect(done('account', 'close', team.id)).toMatchObject({ closedAt: expect.any(String) })
  expect(existsSync(elsewhere)).toBe(false)
})

it('a reference that granted something else grants nothing, here as there', () => {
  const [one, two] = [done('key', 'create', 'one').id, done('key', 'create', 'two').id]
  const grant = (id: string, credits: string) => [
    'credits',
    'grant',
    id,
    credits,
    '--reference',
    'g',
  ]
  expect(local(...grant(one, '3')).json()).toMatchObject({ credits: 3, duplicate: false })
  expect(local(...grant(one, '3')).json()).toMatchObject({ credits: 3, duplicate: true })
  for (const words of [grant(two, '3'), grant(one, '4')])
    for (const ran of [local(...words), remote(...words)])
      expect([ran.code, ran.out, ran.err]).toEqual([
        1,
        '',
        expect.stringContaining('another grant'),
      ])
  const empty = local('credits', 'grant', two, '3', '--reference', '')
  expect([empty.code, empty.err]).toEqual([64, expect.stringContaining('--reference must be')])
})

it('what it changed is in the audit log of that gateway, under the name of the operator', async () => {
  const { token } = (
    await gateway.admin('POST', '/v1/admin/operators', { name: 'eve', role: 'operate' })
  ).json
  const env = { DATA_DIR: elsewhere, COINOP_TOKEN: token }
  const made = coinop(env, ['key', 'create', 'by eve', '--url', `${gateway.url}/`])
  expect([made.code, made.json()]).toMatchObject([0, { name: 'by eve' }])
  const { changes } = (await gateway.admin('GET', '/v1/admin/changes?operator=eve')).json
  expect(changes).toMatchObject([{ method: 'POST', path: '/v1/keys', operator: 'eve' }])
  expect(JSON.stringify(changes)).not.toContain(made.json().key)
})

it('an operator who may only look changes nothing', async () => {
  const { token } = (
    await gateway.admin('POST', '/v1/admin/operators', { name: 'ray', role: 'read' })
  ).json
  const env = { DATA_DIR: elsewhere, COINOP_TOKEN: token }
  expect(coinop(env, ['key', 'list', '--url', gateway.url]).code).toBe(0)
  expect(coinop(env, ['key', 'create', 'x', '--url', gateway.url])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('answered 403'),
  })
})

it.each<[string, string[], Record<string, string>, number, string]>([
  ['no token for another gateway', ['--url', 'http://127.0.0.1:9'], {}, 64, 'COINOP_TOKEN'],
  ['a token that shows in ps', ['--token', 'x'], {}, 64, 'shows in the list of processes'],
  ['no URL', ['--url', 'gateway'], { COINOP_TOKEN: 'x' }, 64, '--url must be such as'],
  ['no gateway', ['--url', 'http://127.0.0.1:9'], { COINOP_TOKEN: 'x' }, 69, 'cannot be reached'],
])('%s is said', (_, words, env, code, said) => {
  const ran = coinop({ DATA_DIR: elsewhere, ...env }, ['key', 'list', ...words])
  expect(ran).toMatchObject({ code, out: '', err: expect.stringContaining(said) })
  expect(existsSync(elsewhere)).toBe(false)
})

it('a refusal tells what the gateway says', () => {
  const wrong = coinop({ DATA_DIR: elsewhere, COINOP_TOKEN: 'wrong' }, [
    'account',
    'list',
    '--url',
    gateway.url,
  ])
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('answered 401') })
  const id = `key_${'0'.repeat(32)}`
  expect(remote('key', 'revoke', id)).toMatchObject({
    code: 1,
    err: expect.stringContaining('No API key has this id'),
  })
})

it('an answer that is none of a gateway is told as a proxy that may be in front', async () => {
  const proxy = await startUpstream((_request, response) => response.writeHead(404).end())
  try {
    const ran = Bun.spawn([...program(), 'admin', 'list', '--url', proxy.url], {
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: elsewhere, COINOP_TOKEN: 'x' },
      stderr: 'pipe',
    })
    const [code, err] = await Promise.all([ran.exited, new Response(ran.stderr).text()])
    expect([code, proxy.requests.length]).toEqual([1, 1])
    expect(err).toContain(`${proxy.url} answered 404, not as a gateway does\n`)
    expect(err).toContain('--url, and COINOP_TOKEN')
  } finally {
    await proxy.close()
  }
})
