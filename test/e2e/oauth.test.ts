/** OAuth for MCP on the real server: a person allows an app a budget, and what the app can then do. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startGateway } from '../support/gateway.ts'
import { Browser, callTool, rpc, type Tokens } from '../support/oauth.ts'
import { oauthGround, type OAuthGround } from '../support/oauth-ground.ts'
import { PATIENT } from '../support/patience.ts'

let ground: OAuthGround
let url: string

beforeAll(async () => {
  ground = await oauthGround()
  ;({ url } = ground)
})
afterAll(() => ground.close())

const hash = (token: string, at = url) => callTool(at, token, 'demo.hash', { input: 'hello' })
const creditsOf = async (key: string): Promise<number> =>
  (await ground.gateways[0].call('GET', '/v1/credits/balance', { headers: { 'x-api-key': key } }))
    .json.credits
const listStatus = async (token: string | null, at = url): Promise<number> =>
  (await rpc(at, token, 'tools/list')).status

describe('a person allows an app', () => {
  it('and the app lists, calls, and pays from the budget', async () => {
    const { key, browser } = await ground.person(100)
    const app = await ground.app()
    const back = await browser.allow(app.authorizeUrl({ scope: 'claudeai spend offline_access' }))
    expect(back.origin + back.pathname).toBe(app.redirectUri)
    expect(back.searchParams.get('state')).toBe(app.state)
    expect(back.searchParams.get('iss')).toBe(`${url}/mcp/oauth`)
    const answer = await app.redeem(back.searchParams.get('code') ?? '')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const tokens = (await answer.json()) as Tokens
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'mcp spend' })
    expect(tokens.expires_in).toBeGreaterThan(3500)
    expect(tokens.access_token).toMatch(/^ct_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/)
    expect(tokens.refresh_token).toMatch(/^cr_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/)
    const listed = await (await rpc(url, tokens.access_token, 'tools/list')).text()
    const names = JSON.parse(listed).result.tools.map(({ name }: { name: string }) => name)
    expect(names).toContain('demo_hash')
    // Claude's hosts drop every tool of a server that lists one other name.
    expect(names.filter((name: string) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([])
    expect(await hash(tokens.access_token)).toMatchObject({ status: 200, isError: false })
    expect(await creditsOf(key)).toBe(98)
  })

  it('and is asked again for a second app of the same name, and for the same app', async () => {
    const { browser } = await ground.person()
    const app = await ground.app()
    await app.tokens(browser)
    const twin = await ground.app()
    expect((await browser.consent(twin.authorizeUrl())).page).toContain(
      'nobody has checked its name',
    )
    expect((await browser.consent(app.authorizeUrl({ prompt: 'consent' }))).page).toContain('App')
  })

  it('or does not, and the app is told', async () => {
    const { browser } = await ground.person()
    const app = await ground.app()
    const consent = await browser.consent(app.authorizeUrl())
    const back = await browser.answer(consent, [['decision', 'deny']])
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'access_denied',
      state: app.state,
      iss: `${url}/mcp/oauth`,
    })
  })

  it('after a sign-in that leads back to the page', async () => {
    const { key } = await ground.gateways[0].key(10)
    const app = await ground.app()
    const browser = new Browser(url)
    const asked = await browser.open(app.authorizeUrl())
    const away = await browser.open(asked.headers.get('location') ?? '')
    expect(away.status).toBe(303)
    const signIn = new URL(away.headers.get('location') ?? '', url)
    expect(signIn.pathname).toBe('/account/sign-in')
    const next = signIn.searchParams.get('next') ?? ''
    expect(next).toMatch(/^\/account\/consent\?request=[A-Za-z0-9_-]{43}$/)
    await browser.signIn(key)
    expect((await browser.open(next)).status).toBe(200)
  })
})

describe('scopes', () => {
  it('a paid tool without spend is 403 with all that is needed, also in a stream and a batch', async () => {
    const { key, browser } = await ground.person(10)
    const app = await ground.app()
    const { access_token, scope } = await app.tokens(browser, [], { scope: 'mcp' })
    expect(scope).toBe('mcp')
    expect(await listStatus(access_token)).toBe(200)
    const free = await callTool(url, access_token, 'demo.echo', { message: 'hello' })
    expect(free).toMatchObject({ status: 200, isError: false })
    const params = { name: 'demo.hash', arguments: { input: 'x' } }
    const headers = { accept: 'application/json, text/event-stream' }
    const progress = { ...params, _meta: { progressToken: 1 } }
    for (const answer of [
      await rpc(url, access_token, 'tools/call', params),
      await rpc(url, access_token, 'tools/call', progress, headers),
      await fetch(`${url}/mcp/oauth`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'tools/call', params }]),
      }),
    ]) {
      expect(answer.status).toBe(403)
      const challenge = answer.headers.get('www-authenticate') ?? ''
      expect(challenge).toContain('error="insufficient_scope"')
      expect(challenge).toContain('scope="mcp spend"')
      expect(challenge).toContain(
        `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp/oauth"`,
      )
    }
    expect(await creditsOf(key)).toBe(10)
  })

  it('a used-up budget or another product is a result, not a question of scope', async () => {
    const { key, browser } = await ground.person(100)
    const app = await ground.app()
    const { access_token } = await app.tokens(browser, [['day', '3']])
    expect((await hash(access_token)).isError).toBe(false)
    expect(await hash(access_token)).toMatchObject({ status: 200, isError: true })
    const other = await app.tokens(browser, [
      ['day', '50'],
      ['products', 'utils'],
    ])
    expect(await hash(other.access_token)).toMatchObject({ status: 200, isError: true })
    expect(await creditsOf(key)).toBe(98)
  })
})

describe('an address of its own', () => {
  it('/mcp shows no trace of OAuth', async () => {
    const paths = [
      'oauth-protected-resource',
      'oauth-protected-resource/mcp',
      'oauth-authorization-server',
      'oauth-authorization-server/mcp',
      'openid-configuration',
      'openid-configuration/mcp',
    ]
    for (const path of paths)
      expect((await fetch(`${url}/.well-known/${path}`)).status, path).toBe(404)
    expect((await fetch(`${url}/mcp/.well-known/openid-configuration`)).status).toBe(404)
    const refused = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { authorization: 'Bearer wrong', 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate') ?? '').not.toContain('resource_metadata')
  })

  it('every document is there, alike, and open to any origin', async () => {
    const read = async (path: string): Promise<unknown> => {
      const answer = await fetch(url + path, { headers: { origin: 'https://app.example' } })
      expect(answer.headers.get('access-control-allow-origin'), path).toBe('*')
      return answer.json()
    }
    const issuer = `${url}/mcp/oauth`
    expect(await read('/.well-known/oauth-protected-resource/mcp/oauth')).toMatchObject({
      resource: issuer,
      authorization_servers: [issuer],
      scopes_supported: ['mcp', 'spend'],
    })
    for (const path of [
      '/.well-known/oauth-authorization-server/mcp/oauth',
      '/.well-known/openid-configuration/mcp/oauth',
      '/mcp/oauth/.well-known/openid-configuration',
      '/mcp/oauth/.well-known/oauth-authorization-server',
    ])
      expect(await read(path)).toMatchObject({
        issuer,
        code_challenge_methods_supported: ['S256'],
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
      })
  })

  it('without a token everything is 401 with the way to one; GET with one is 405', async () => {
    for (const method of ['initialize', 'tools/list', 'server/discover', 'tools/call']) {
      const answer = await rpc(url, null, method)
      expect(answer.status).toBe(401)
      const challenge = answer.headers.get('www-authenticate') ?? ''
      expect(challenge).toContain(`resource_metadata="${url}/.well-known/`)
      expect(challenge).not.toContain('error=')
    }
    const { browser } = await ground.person()
    const { access_token } = await (await ground.app()).tokens(browser)
    const get = (headers: Record<string, string>) =>
      fetch(`${url}/mcp/oauth`, { headers: { accept: 'text/event-stream', ...headers } })
    expect((await get({})).status).toBe(401)
    expect((await get({ authorization: `Bearer ${access_token}` })).status).toBe(405)
    const preflight = await fetch(`${url}/mcp/oauth`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example' },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/mcp-protocol-version/i)
  })

  it('a token is good nowhere else, and nothing else is good there', async () => {
    const { key, browser } = await ground.person(50)
    const app = await ground.app()
    const { access_token, refresh_token } = await app.tokens(browser)
    const at = (path: string, headers: Record<string, string>) =>
      ground.gateways[0].call('POST', path, { body: { input: 'x' }, headers })
    for (const token of [access_token, refresh_token]) {
      expect((await at('/v1/paid/hash', { authorization: `Bearer ${token}` })).status).toBe(401)
      expect((await at('/v1/paid/hash', { 'x-api-key': token })).status).toBe(401)
    }
    const plain = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const listed = await ground.gateways[0].call('POST', '/mcp', {
      body: plain,
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect(listed.status).toBe(401)
    const me = await ground.gateways[0].call('GET', '/v1/credits/balance', {
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect(me.status).toBe(401)
    const jwt = await ground.gateways[0].call('POST', '/v1/keys/token', {
      headers: { 'x-api-key': key },
    })
    const others = [key, refresh_token, jwt.json?.token ?? 'a.b.c', `${access_token}x`, 'ct_test_']
    for (const other of others) expect(await listStatus(other)).toBe(401)
    const inQuery = await fetch(`${url}/mcp/oauth?access_token=${access_token}`, {
      method: 'POST',
      body: JSON.stringify(plain),
      headers: { 'content-type': 'application/json', 'x-api-key': key },
    })
    expect(inQuery.status).toBe(401)
  })

  it('a second credential beside the token changes nobody', async () => {
    const { key, browser } = await ground.person(50)
    const rich = await ground.gateways[0].key(100)
    const { access_token } = await (await ground.app()).tokens(browser)
    const params = { name: 'demo.hash', arguments: { input: 'x' } }
    const headers = { 'x-api-key': rich.key }
    const answer = await rpc(url, access_token, 'tools/call', params, headers)
    expect(await answer.text()).toContain('chargedCredits')
    expect(await creditsOf(rich.key)).toBe(100)
    expect(await creditsOf(key)).toBe(48)
  })
})

describe('an end is seen by every instance within a second', () => {
  const later = () => ground.gateways[1].url
  const ended = (token: string) =>
    vi.waitFor(async () => expect(await listStatus(token, later())).toBe(401), PATIENT)

  it('of a token that the app revokes, with its pair', async () => {
    const { browser } = await ground.person()
    const app = await ground.app()
    const tokens = await app.tokens(browser)
    expect(await listStatus(tokens.access_token, later())).toBe(200)
    expect((await app.revoke(tokens.refresh_token)).status).toBe(200)
    expect(await listStatus(tokens.access_token)).toBe(401)
    await ended(tokens.access_token)
    expect((await app.refresh(tokens.refresh_token)).status).toBe(400)
  })

  it('of the key whose session made it, with the grant', async () => {
    const { id, browser } = await ground.person()
    const app = await ground.app()
    const tokens = await app.tokens(browser)
    expect(await listStatus(tokens.access_token, later())).toBe(200)
    await ground.gateways[0].admin('POST', `/v1/keys/${id}/revoke`)
    await ended(tokens.access_token)
    expect(await (await app.refresh(tokens.refresh_token)).json()).toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('of the networks of that key, which are the grant’s as well, and of its time', async () => {
    const { id, key, browser } = await ground.person(100)
    const app = await ground.app()
    const tokens = await app.tokens(browser)
    const change = (terms: object) => ground.gateways[0].admin('PATCH', `/v1/keys/${id}`, terms)
    const isRefused = (at: string) => async () =>
      (await hash(tokens.access_token, at)).text.includes('origin_not_allowed')
    expect(await hash(tokens.access_token)).toMatchObject({ isError: false })

    await change({ networks: ['192.0.2.0/24'] })
    for (const at of [url, later()]) await vi.waitUntil(isRefused(at), PATIENT)
    // Nor can the browser that let the app in let in another one from here.
    const asked = await browser.open(app.authorizeUrl())
    const away = await browser.open(asked.headers.get('location') ?? '')
    expect(away.headers.get('location')).toContain('/account/sign-in')
    await change({ networks: null })
    for (const at of [url, later()])
      await vi.waitUntil(async () => !(await isRefused(at)()), PATIENT)
    const spent = 100 - (await creditsOf(key))

    await change({ expiresAt: new Date(Date.now() + 1000).toISOString() })
    await ended(tokens.access_token)
    const answer = await rpc(url, tokens.access_token, 'tools/list')
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(await (await app.refresh(tokens.refresh_token)).json()).toMatchObject({
      error: 'invalid_grant',
    })
    await change({ expiresAt: null })
    expect(100 - (await creditsOf(key))).toBe(spent)
  })

  it('and an app does not end what is another app’s', async () => {
    const { browser } = await ground.person()
    const app = await ground.app()
    const tokens = await app.tokens(browser)
    const stranger = await ground.app()
    expect((await stranger.revoke(tokens.refresh_token)).status).toBe(200)
    expect((await stranger.revoke('nonsense')).status).toBe(200)
    expect(await listStatus(tokens.access_token)).toBe(200)
    expect((await app.refresh(tokens.refresh_token)).status).toBe(200)
  })
})

describe('the page of apps', () => {
  it('names the app with its budget, and ends it there', async () => {
    const { browser } = await ground.person()
    const app = await ground.app()
    const { access_token } = await app.tokens(browser, [['day', '7']])
    const listed = (await (await browser.open('/account/api/grants')).json()) as {
      grants: Record<string, unknown>[]
    }
    expect(listed.grants).toMatchObject([
      {
        clientName: 'App',
        clientId: app.clientId,
        documentHost: null,
        redirectHost: '127.0.0.1:8931',
        scopes: ['mcp', 'spend'],
        day: 7,
      },
    ])
    const stranger = (await ground.person()).browser
    const at = `/account/api/grants/${String(listed.grants[0]?.['id'])}`
    const own = { 'x-coinop-account': '1', origin: url, 'sec-fetch-site': 'same-origin' }
    expect((await stranger.open(at, { method: 'DELETE', headers: own })).status).toBe(404)
    expect(await listStatus(access_token)).toBe(200)
    const patched = await browser.open(at, {
      method: 'PATCH',
      headers: { ...own, 'content-type': 'application/json' },
      body: '{"day":0}',
    })
    expect(patched.status).toBe(200)
    expect(await hash(access_token)).toMatchObject({ status: 200, isError: true })
    expect((await browser.open(at, { method: 'DELETE', headers: own })).status).toBeLessThan(300)
    await vi.waitFor(async () => expect(await listStatus(access_token)).toBe(401), PATIENT)
  })
})

describe('budgets', () => {
  it('hold to the unit under 64 callers of two grants on two instances', async () => {
    const { key, browser } = await ground.person(100)
    const app = await ground.app()
    const grants = [
      await app.tokens(browser, [['day', '31']]),
      await (
        await ground.app()
      ).tokens(browser, [
        ['day', '500'],
        ['month', '41'],
      ]),
    ]
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, async (_, i) => {
        const { access_token } = grants[i % 2]!
        const answer = await hash(access_token, ground.gateways[(i >> 1) % 2]!.url)
        expect(answer.status).toBe(200)
        return { grant: i % 2, isPaid: !answer.isError }
      }),
    )
    const paid = (grant: number): number =>
      outcomes.filter((one) => one.grant === grant && one.isPaid).length
    expect([paid(0), paid(1)]).toEqual([15, 20])
    expect(await creditsOf(key)).toBe(100 - 2 * 35)
  })

  it('hold together to the balance', async () => {
    const { key, browser } = await ground.person(21)
    const app = await ground.app()
    const grants = [await app.tokens(browser), await (await ground.app()).tokens(browser)]
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        hash(grants[i % 2]!.access_token, ground.gateways[(i >> 1) % 2]!.url),
      ),
    )
    expect(outcomes.filter(({ isError }) => !isError)).toHaveLength(10)
    expect(await creditsOf(key)).toBe(1)
  })

  it('of a session of a key with a budget lie inside that budget', async () => {
    const { browser } = await ground.person(100, { dailySpendCeiling: 20 })
    const app = await ground.app()
    const over = await browser.post('/account/consent', [
      ...(await fieldsOf(browser, app.authorizeUrl())),
      ['day', '21'],
      ['decision', 'allow'],
    ])
    expect(over.status).toBe(400)
    expect(await over.text()).toContain('At most 20 credits a day')
    await app.tokens(browser, [['day', '15']])
    const rest = await browser.consent(app.authorizeUrl())
    expect(rest.page).toMatch(/name="day"\s+value="5"/)
  })

  it.each([
    ['negative', '-1'],
    ['an exponent', '1e9'],
    ['no number', 'NaN'],
    ['too many', '1000000001'],
    ['too fine', '0.00001'],
    ['hexadecimal', '0x10'],
    ['absent', ''],
  ])('that are %s are refused', async (_, day) => {
    const { browser } = await ground.person()
    const app = await ground.app()
    const fields = await fieldsOf(browser, app.authorizeUrl())
    const refused = await browser.post('/account/consent', [
      ...fields,
      ['day', day],
      ['decision', 'allow'],
    ])
    expect(refused.status).toBe(400)
    const allowed = await browser.post('/account/consent', [
      ...fields,
      ['day', '5'],
      ['decision', 'allow'],
    ])
    expect(allowed.status).toBe(303)
  })

  it('name no product that there is not', async () => {
    const { browser } = await ground.person()
    const app = await ground.app()
    const refused = await browser.post('/account/consent', [
      ...(await fieldsOf(browser, app.authorizeUrl())),
      ['day', '5'],
      ['products', 'nothing-of-ours'],
      ['decision', 'allow'],
    ])
    expect(refused.status).toBe(400)
  })
})

it('nothing that opens anything is readable in a table of the plugin or in the log', async () => {
  const { browser } = await ground.person()
  const app = await ground.app()
  const consent = await browser.consent(app.authorizeUrl())
  const back = await browser.answer(consent, [
    ['day', '5'],
    ['decision', 'allow'],
  ])
  const code = back.searchParams.get('code') ?? ''
  const first = (await (await app.redeem(code)).json()) as Tokens
  const second = (await (await app.refresh(first.refresh_token)).json()) as Tokens
  expect(await listStatus(second.access_token)).toBe(200)
  const tables = await ground.database.db.sql<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'plugin_oauth'`
  expect(tables.length).toBe(8)
  let text = ground.gateways.map((gateway) => gateway.output()).join('\n')
  for (const { name } of tables)
    text += JSON.stringify(
      await ground.database.db.sql.unsafe(`SELECT to_jsonb(t) FROM plugin_oauth.${name} t`),
    )
  expect(text).toContain(app.clientId)
  for (const secret of [
    code,
    consent.request,
    app.verifier,
    first.access_token,
    first.refresh_token,
    second.access_token,
    second.refresh_token,
  ]) {
    expect(secret.length).toBeGreaterThan(40)
    expect(text).not.toContain(secret)
  }
})

describe('where it is closed', () => {
  it('by default nothing of it is there', async () => {
    const gateway = await startGateway({ SANDBOX_CHAIN: 'false' })
    try {
      for (const path of ['/mcp/oauth', '/.well-known/oauth-protected-resource/mcp/oauth'])
        expect((await gateway.call('GET', path)).status).toBe(404)
      expect((await gateway.call('GET', '/account/consent')).status).toBe(404)
    } finally {
      await gateway.stop()
    }
  })

  it('plain http that is not loopback carries no live tokens, and /ready says why', async () => {
    const gateway = await startGateway({
      MCP_OAUTH: 'true',
      SANDBOX: 'false',
      PUBLIC_URL: 'http://api.example.com',
    })
    try {
      expect((await gateway.call('GET', '/mcp/oauth')).status).toBe(404)
      const { json } = await gateway.admin('GET', '/ready')
      expect(json.checks.oauth).toMatchObject({ state: 'down', critical: false })
      expect(json.checks.oauth.detail).toContain('http://api.example.com is plain http')
    } finally {
      await gateway.stop()
    }
  })
})

async function fieldsOf(browser: Browser, authorizeUrl: string) {
  const { csrf, request } = await browser.consent(authorizeUrl)
  return [
    ['csrf', csrf],
    ['request', request],
  ] as const
}
