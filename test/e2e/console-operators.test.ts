/** Requests that were refused, figures, named operators and their audit log, on the real gateway. */
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type Answer, type GatewayProcess } from '../support/gateway.ts'
import { program } from '../support/program.ts'
import { PATIENT } from '../support/patience.ts'

let gateway: GatewayProcess
let key: { id: string; key: string }
const SERVICE_TOKENS = [
  'services-own/form?of a+token-0123456789',
  'another-service-token-0123456789',
]
const METRICS_TOKEN = 'metrics-token-of-an-own-form-0123456789'
const OWN = { 'x-coinop-console': '1' }

beforeAll(async () => {
  gateway = await startGateway({
    SANDBOX_CHAIN: 'false',
    SERVICE_TOKEN: SERVICE_TOKENS.join(','),
    METRICS_TOKEN,
  })
  key = await gateway.key(100)
})
afterAll(async () => {
  await gateway?.stop()
})

const hash = (body: object, headers: Record<string, string> = {}) =>
  gateway.call('POST', '/v1/paid/hash', { body, headers })
const requests = async (query: string) =>
  (await gateway.admin('GET', `/v1/admin/requests?${query}`)).json.requests as any[]
const as = (token: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  gateway.call(method, path, { body, headers: { authorization: `Bearer ${token}` } })
const make = async (name: string, role: string) =>
  (await gateway.admin('POST', '/v1/admin/operators', { name, role })).json
const run = (...args: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...program(), ...args], {
    env: { ...process.env, COINOP_TOKEN: gateway.adminToken, DATA_DIR: gateway.dataDir },
  })
  return { exitCode, out: stdout.toString(), err: stderr.toString() }
}

describe('requests', () => {
  it('refused ones are found by id, key, code and status, with why', async () => {
    const paid = await hash({ input: 'a' }, { 'x-api-key': key.key })
    const bad = await hash({ inptu: 'a' }, { 'x-api-key': key.key })
    await hash({ input: 'a' }, { 'x-api-key': 'ck_test_wrong' })
    await hash({ input: 'a' })
    await gateway.call('GET', '/v1/no-such-path')
    const id = bad.headers.get('x-request-id')!
    await expect.poll(() => requests(`requestId=${id}`), PATIENT).toHaveLength(1)
    expect((await requests(`requestId=${id}`))[0]).toMatchObject({
      status: 400,
      skill: 'demo.hash',
      code: 'INVALID_INPUT',
      apiKeyId: key.id,
      apiKeyName: 'test',
      mode: 'test',
      address: '127.0.0.1',
      chargedUsdcAtomic: 0,
      requestBytes: expect.any(Number),
      responseBytes: expect.any(Number),
    })
    const byKey = await requests('key=TEST')
    expect(byKey.map(({ status }) => status)).toEqual([400, 200])
    expect(byKey[1]).toMatchObject({
      requestId: paid.headers.get('x-request-id'),
      outcome: 'charged',
      rail: 'credits',
    })
    expect(await requests('code=invalid_key')).toMatchObject([{ status: 401, apiKeyId: null }])
    expect(await requests('status=402')).toMatchObject([{ code: 'PAYMENT_REQUIRED' }])
    expect(await requests('status=404')).toMatchObject([{ path: '/v1/no-such-path', route: null }])
    expect((await requests('status=4xx&address=127.0.0.1')).length).toBeGreaterThanOrEqual(4)
    expect(await requests('address=192.0.2.9')).toEqual([])
    const page = await gateway.admin('GET', '/v1/admin/requests?skill=demo.hash&limit=2')
    const next = await gateway.admin(
      'GET',
      `/v1/admin/requests?skill=demo.hash&limit=3&cursor=${page.json.nextCursor}`,
    )
    const ids = [...page.json.requests, ...next.json.requests].map(({ id }: any) => id)
    expect(new Set(ids).size).toBe(4)
  })

  it.each(['limit=0', 'cursor=x', 'status=9', 'skill=%00', 'after=1'])(
    '?%s is refused by name',
    async (query) => {
      const { status, json } = await gateway.admin('GET', `/v1/admin/requests?${query}`)
      expect(status).toBe(400)
      expect(json.error.details.issues[0].path).toBe(`/${query.split('=')[0]}`)
    },
  )

  it('figures agree with what was asked and what was charged', async () => {
    const figures = (await gateway.admin('GET', '/v1/admin/figures?window=24h&mode=test')).json
    expect(figures.skills.find(({ skill }: any) => skill === 'demo.hash')).toMatchObject({
      calls: 4,
      unpaid: 1,
      refused: 2,
      failed: 0,
      p50Ms: expect.any(Number),
      notKept: 0,
    })
    expect(figures.earnings).toMatchObject({
      skills: [{ name: 'demo.hash', mode: 'test', calls: 1, usdcAtomic: '20000' }],
      rails: [{ name: 'credits' }],
      keys: [{ name: 'test', id: key.id }],
    })
    const answered = figures.steps.reduce((sum: number, step: any) => sum + step.answered, 0)
    expect([figures.steps.length, answered]).toEqual([24, 1])
    const live = (await gateway.admin('GET', '/v1/admin/figures?window=30d&mode=live')).json
    expect([live.steps.length, live.earnings.keys]).toEqual([30, []])
  })
})

it('the admin token in a path does not stand among requests', async () => {
  const token = gateway.adminToken
  const { headers } = await gateway.admin('DELETE', `/v1/keys/${token}`)
  const byId = () => requests(`requestId=${headers.get('x-request-id')}`)
  await expect.poll(byId, PATIENT).toHaveLength(1)
  expect((await byId())[0].path).toBe('/v1/keys/[hidden]')
  expect(JSON.stringify(await requests('status=404'))).not.toContain(token)
})

it('nor do tokens of services and of metrics, however they are escaped', async () => {
  const spelled = [...SERVICE_TOKENS.map(encodeURIComponent), METRICS_TOKEN]
  spelled.push(spelled[0]!.toLowerCase().replaceAll('%20', '+'))
  const answers = await Promise.all(
    spelled.map((token) => gateway.call('GET', `/v1/${token}/nowhere`)),
  )
  for (const { headers } of answers) {
    const byId = () => requests(`requestId=${headers.get('x-request-id')}`)
    await expect.poll(byId, PATIENT).toHaveLength(1)
    expect((await byId())[0].path).toBe('/v1/[hidden]/nowhere')
  }
})

describe('operators', () => {
  it('look, change or appoint as their role says, and are named in the audit log', async () => {
    const [ana, bo] = [await make('ana', 'read'), await make('bo', 'operate')]
    expect((await make('Ana', 'read')).error.details.reason).toBe('name_taken')
    expect((await as(ana.token, 'GET', '/v1/keys')).status).toBe(200)
    const refused = await as(ana.token, 'POST', '/v1/keys', { name: 'x' })
    expect([refused.status, refused.problem.details]).toEqual([
      403,
      { reason: 'role_too_low', role: 'operate' },
    ])
    expect((await as(bo.token, 'DELETE', `/v1/admin/operators/${ana.id}`)).status).toBe(403)
    const made = await as(bo.token, 'POST', '/v1/keys', { name: 'of bo' })
    expect(made.status).toBe(200)
    const path = `/v1/keys/${made.json.id}`
    expect((await as(bo.token, 'PATCH', path, { name: 'renamed' })).status).toBe(200)
    const { changes } = (await gateway.admin('GET', '/v1/admin/changes?operator=bo')).json
    expect(changes).toMatchObject([
      {
        operator: 'bo',
        role: 'operate',
        method: 'PATCH',
        path,
        input: { name: 'renamed' },
        differences: [{ path: '/name', before: 'of bo', after: 'renamed' }],
      },
      { method: 'POST', path: '/v1/keys', differences: [{ after: { name: 'of bo' } }] },
    ])
    expect(JSON.stringify(changes)).not.toContain(made.json.key)
    expect((await gateway.admin('DELETE', `/v1/admin/operators/${bo.id}`)).status).toBe(200)
    await expect.poll(async () => (await as(bo.token, 'GET', '/v1/keys')).status, PATIENT).toBe(401)
  })

  it('a link signs in once, with the role of who made it', async () => {
    const { token } = await make('cleo', 'read')
    const { url } = (await as(token, 'POST', '/v1/admin/console/links')).json
    const link = /^http:\/\/[^#]+\/console#\/sign-in\/([\w-]{43})$/.exec(url)![1]
    const redeem = () => gateway.call('POST', '/console/session', { body: { link }, headers: OWN })
    const first = await redeem()
    expect(first.status).toBe(200)
    const cookie = first.headers.getSetCookie()[0]!.split(';')[0]!
    const again = await redeem()
    expect([again.status, again.problem.details.reason]).toEqual([401, 'link_ended'])
    const page = (method: string, path: string, body?: unknown) =>
      gateway.call(method, `/console${path}`, { body, headers: { ...OWN, cookie } })
    expect((await page('GET', '/session')).json.operator).toEqual({ name: 'cleo', role: 'read' })
    expect((await page('GET', '/api/v1/admin/requests')).status).toBe(200)
    expect((await page('POST', '/api/v1/keys', { name: 'x' })).status).toBe(403)
    const id = (await gateway.admin('GET', '/v1/admin/operators')).json.operators.find(
      ({ name }: any) => name === 'cleo',
    ).id
    await gateway.admin('DELETE', `/v1/admin/operators/${id}`)
    expect((await page('GET', '/api/v1/admin/requests')).status).toBe(401)
  })

  it('commands work against the gateway that --url names, and those of the shell are kept', async () => {
    const added = run('admin', 'add', 'dan', '--role', 'read', '--url', gateway.url)
    expect([added.exitCode, JSON.parse(added.out)]).toMatchObject([0, { name: 'dan' }])
    const tail = run('logs', 'tail', '--once', '--code', 'invalid_key', '--url', gateway.url)
    expect(JSON.parse(tail.out.trim().split('\n').at(-1)!)).toMatchObject({ status: 401 })
    expect(run('console', 'link', '--url', gateway.url).out).toContain('/console#/sign-in/')
    const shown = run('admin', 'list', '--url', gateway.url, '--token', gateway.adminToken)
    expect([shown.exitCode, shown.out, shown.err]).toEqual([
      64,
      '',
      expect.stringContaining('COINOP_TOKEN'),
    ])
    const made = run('key', 'create', 'from the shell')
    const { id, accountId } = JSON.parse(made.out)
    expect(run('key', 'budget', id, '--day', '5').exitCode).toBe(0)
    // What was refused changed nothing.
    for (const words of [
      ['key', 'create', 'ghost', '--account', accountId, '--mode', 'live'],
      ['account', 'transfer', accountId, accountId.replace(/.$/, 'x'), '1', '--reference', 'a'],
    ])
      expect(run(...words).exitCode).toBe(1)
    const { changes } = (await gateway.admin('GET', '/v1/admin/changes?path=coinop')).json
    const operator = `shell (${execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()})`
    expect(changes).toMatchObject([
      { method: 'CLI', path: 'coinop key budget', operator },
      { method: 'CLI', path: 'coinop key create', operator },
    ])
  })
})
