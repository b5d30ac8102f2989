/** Keys with an end, networks of origin and notes: over HTTP, over MCP, from the shell, to their holder. */
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { PATIENT } from '../support/patience.ts'
import { PortalVisitor } from '../support/portal.ts'
import { program } from '../support/program.ts'

const root = resolve(import.meta.dirname, '../..')

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway({ SANDBOX_CHAIN: 'false', TRUSTED_PROXIES: 'loopback' })
})
afterAll(async () => {
  expect(await gateway.stop()).toBe(0)
})

/** A funded key, and calls with it as they come from an address. */
async function keyWith(terms: object) {
  const made = await gateway.admin('POST', '/v1/keys', { name: 'bound', ...terms })
  expect(made.json.error).toBeUndefined()
  await gateway.fund(made.json.id, 10)
  const headers = (from: string) => ({ 'x-api-key': made.json.key, 'x-forwarded-for': from })
  return {
    id: made.json.id as string,
    key: made.json.key as string,
    http: (from: string) =>
      gateway.call('POST', '/v1/paid/hash', { body: { input: 'a' }, headers: headers(from) }),
    account: (from: string) => gateway.call('GET', '/v1/account', { headers: headers(from) }),
    mcp: (from: string, method: string, params: object = {}) =>
      gateway.call('POST', '/mcp', {
        body: { jsonrpc: '2.0', id: 1, method, params },
        headers: { ...headers(from), accept: 'application/json, text/event-stream' },
      }),
    credits: async () =>
      (await gateway.admin('GET', `/v1/keys/${made.json.id}`)).json.balance.credits as number,
  }
}

const HASH = { name: 'demo_hash', arguments: { input: 'a' } }

it("a key of the proxy's own network is refused to who hides from the proxy", async () => {
  const { key, http } = await keyWith({ networks: ['127.0.0.0/8'] })
  expect((await http('127.0.0.1')).status).toBe(200)
  for (const forwarded of ['for=192.0.2.1', 'for="', 'for=_hidden']) {
    const headers = { 'x-api-key': key, 'x-forwarded-for': '198.51.100.9', forwarded }
    const answer = await gateway.call('POST', '/v1/paid/hash', { body: { input: 'a' }, headers })
    expect(answer.status, forwarded).toBe(403)
    // Of a proxy that writes Forwarded alone, behind what its caller began.
    const alone = { 'x-api-key': key, forwarded: `${forwarded}, for=198.51.100.9` }
    const other = await gateway.call('POST', '/v1/paid/hash', {
      body: { input: 'a' },
      headers: alone,
    })
    expect(other.status, alone.forwarded).toBe(403)
  }
})

it('a key is refused from elsewhere, uncharged and with its reason, by HTTP and MCP', async () => {
  const { http, mcp, account, credits } = await keyWith({
    networks: ['192.0.2.0/24', '2001:db8::/32'],
  })
  expect((await http('192.0.2.7')).status).toBe(200)
  expect((await http('2001:db8::5')).status).toBe(200)
  expect((await mcp('192.0.2.7', 'tools/call', HASH)).json.result.isError).not.toBe(true)
  expect(await credits()).toBe(4)

  for (const answer of [await http('198.51.100.9'), await account('198.51.100.9')]) {
    expect(answer.status).toBe(403)
    expect(answer.problem).toMatchObject({
      code: 'INVALID_INPUT',
      retryable: false,
      details: { reason: 'origin_not_allowed', clientAddress: '198.51.100.9' },
    })
    expect(answer.text).not.toContain('192.0.2')
  }
  const called = await mcp('198.51.100.9', 'tools/call', HASH)
  expect(called.json.result).toMatchObject({ isError: true })
  expect(called.text).toContain('origin_not_allowed')
  expect(called.text).toContain('certain networks only')
  expect((await mcp('198.51.100.9', 'tools/list')).status).toBe(403)
  expect(await credits()).toBe(4)
})

it('a key ends at its moment, uncharged and with its reason, and its holder sees it before', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const terms = { expiresAt, metadata: { team: 'billing', seats: 3 } }
  const { id, http, mcp, account, credits } = await keyWith(terms)
  expect((await account('192.0.2.1')).json.key).toMatchObject({ ...terms, networks: null })
  expect((await http('192.0.2.1')).status).toBe(200)
  const soon = new Date(Date.now() + 1500)
  await gateway.admin('PATCH', `/v1/keys/${id}`, { expiresAt: soon.toISOString() })
  await vi.waitUntil(async () => (await account('192.0.2.1')).status !== 200, PATIENT)
  expect(Date.now()).toBeGreaterThanOrEqual(soon.getTime() - 100)
  const before = await credits()
  const refused = await http('192.0.2.1')
  expect(refused.status).toBe(401)
  expect(refused.problem.details).toEqual({ reason: 'key_expired' })
  expect(refused.headers.get('www-authenticate')).toContain('invalid_token')
  const called = await mcp('192.0.2.1', 'tools/call', HASH)
  expect(called.status).toBe(401)
  expect(called.text).toContain('key_expired')
  expect(await credits()).toBe(before)
  // The operator may let it live again.
  await gateway.admin('PATCH', `/v1/keys/${id}`, { expiresAt: null })
  expect((await http('192.0.2.1')).status).toBe(200)
})

it('a session of a key is good where its key is', async () => {
  const { id, key } = await keyWith({ networks: ['192.0.2.0/24'] })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const visitor = new PortalVisitor(gateway)
  const signIn = async (address: string) => {
    const fields = { csrf: await visitor.csrf(), next: '/account', api_key: key }
    return (await visitor.form('/sign-in/key', fields, from(address))).status
  }
  const asks = async (address: string) => {
    const { status, json } = await visitor.api('GET', '/api/me', undefined, from(address))
    return [status, json.role ?? json.error.details.reason]
  }
  expect(await signIn('198.51.100.9')).not.toBe(303)
  expect(await signIn('192.0.2.7')).toBe(303)
  expect(await asks('192.0.2.8')).toEqual([200, 'limited'])
  expect(await asks('198.51.100.9')).toEqual([401, 'not_signed_in'])
  const page = await visitor.ask('GET', '/account/keys', { headers: from('198.51.100.9') })
  expect([page.status, page.headers.get('location')]).toEqual([
    303,
    expect.stringContaining('/account/sign-in'),
  ])
  // Back there it goes on, until the key may be used elsewhere only.
  expect(await asks('192.0.2.7')).toEqual([200, 'limited'])
  await gateway.admin('PATCH', `/v1/keys/${id}`, { networks: ['203.0.113.0/24'] })
  expect(await asks('192.0.2.7')).toEqual([401, 'not_signed_in'])
})

it('what no key can have is refused, and not written as something else', async () => {
  for (const [terms, path] of [
    [{ metadata: { half: 'a\ud800' } }, '/metadata/half'],
    [{ expiresAt: '2093-02-31T00:00:00Z' }, '/expiresAt'],
    [{ networks: ['::ffff:192.0.2.0/120'] }, '/networks/0'],
  ] as const) {
    const made = await gateway.admin('POST', '/v1/keys', { name: 'wrong', ...terms })
    expect([made.status, made.problem.details.issues[0].path]).toEqual([400, path])
  }
})

it('a key for single skills buys no other, uncharged, by HTTP, MCP, token or hold', async () => {
  const { id, key, http, mcp, account, credits } = await keyWith({ skills: ['demo.hash'] })
  expect((await http('192.0.2.1')).status).toBe(200)
  expect((await mcp('192.0.2.1', 'tools/call', HASH)).json.result.isError).not.toBe(true)
  expect((await account('192.0.2.1')).json.key).toMatchObject({ skills: ['demo.hash'] })
  const left = await credits()

  const refused = { reason: 'skill_not_allowed', skill: 'demo.health', skills: ['demo.hash'] }
  const { token } = (await gateway.admin('POST', `/v1/keys/${id}/jwt`, {})).json
  const credentials: [string, string][] = [
    ['x-api-key', key],
    ['authorization', `Bearer ${token}`],
  ]
  for (const credential of credentials) {
    const headers = Object.fromEntries([credential])
    const answer = await gateway.call('GET', '/v1/paid/health', { headers })
    expect([answer.status, answer.problem.details]).toEqual([403, refused])
  }
  const called = await mcp('192.0.2.1', 'tools/call', { name: 'demo_health', arguments: {} })
  expect(called.json.result).toMatchObject({ isError: true })
  expect(called.text).toContain('may not buy this tool')
  const hold = (skill: string) =>
    gateway.call('POST', '/v1/credits/authorize', {
      body: { requestId: `hold-${skill}`, skill, path: '/', amountCredits: 1 },
      headers: { 'x-api-key': key },
    })
  expect([(await hold('demo.hash')).status, (await hold('demo.health')).status]).toEqual([200, 403])
  expect(await credits()).toBe(left - 1)

  await gateway.admin('PATCH', `/v1/keys/${id}`, { skills: ['demo.hash', 'demo.health'] })
  await vi.waitFor(async () => {
    const again = await gateway.call('GET', '/v1/paid/health', { headers: { 'x-api-key': key } })
    expect(again.status).toBe(200)
  }, PATIENT)
  for (const skills of [['Demo'], 'demo.hash', ['demo.hash', 'demo.hash']]) {
    const wrong = await gateway.admin('PATCH', `/v1/keys/${id}`, { skills })
    expect([wrong.status, wrong.text.includes('/skills')]).toEqual([400, true])
  }
})

it('the shell makes and changes such keys', async () => {
  const coinop = (...words: string[]) => {
    const ran = Bun.spawnSync([...program(), ...words], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: gateway.dataDir },
    })
    const text = ran.stdout.toString()
    return { code: ran.exitCode, said: text && JSON.parse(text), err: ran.stderr.toString() }
  }
  const words = ['--expires', '30d', '--from', '10.0.0.0/8,::1', '--meta', 'team=billing,env=prod']
  words.push('--skills', 'demo.hash,demo.health')
  const { code, said } = coinop('key', 'create', 'agent', ...words)
  expect(code).toBe(0)
  const made = (await gateway.admin('GET', `/v1/keys/${said.id}`)).json
  expect(made).toMatchObject({
    networks: ['10.0.0.0/8', '::1'],
    skills: ['demo.hash', 'demo.health'],
    metadata: { team: 'billing', env: 'prod' },
  })
  const days = (Date.parse(made.expiresAt) - Date.parse(made.createdAt)) / 86_400_000
  expect(Math.round(days)).toBe(30)
  const changes = ['--name', 'renamed', '--expires', 'never', '--from', 'any', '--skills', 'all']
  const changed = coinop('key', 'change', said.id, ...changes)
  expect(changed).toMatchObject({
    code: 0,
    said: { name: 'renamed', expiresAt: null, networks: null, skills: null },
  })
  expect(changed.said.metadata).toMatchObject({ team: 'billing' })
  for (const [wrong, why] of [
    [['--expires', 'soon'], '--expires must be a span'],
    [['--expires', '2020-01-01'], '--expires must be a time to come'],
    [['--expires', '2093-02-31'], '--expires must be a span'],
    [['--from', 'office'], '--from office must be an address'],
    [['--skills', 'Demo'], '--skills Demo must be the id of a skill'],
    [['--meta', 'billing'], '--meta must be names and values'],
    [[], 'usage: coinop key change'],
  ] as const) {
    expect(coinop('key', 'change', said.id, ...wrong)).toMatchObject({
      code: 64,
      err: expect.stringContaining(why),
    })
  }
})
