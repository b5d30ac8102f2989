/** What somebody who means harm sends to the authorize, consent, token and registration endpoints. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { App, Browser, hidden, rpc, type Tokens } from '../support/oauth.ts'
import { oauthGround, type OAuthGround } from '../support/oauth-ground.ts'

let ground: OAuthGround
let url: string
let browser: Browser
let app: App

beforeAll(async () => {
  ground = await oauthGround({ OAUTH_REFRESH_GRACE: '4s' })
  ;({ url } = ground)
  ;({ browser } = await ground.person())
  app = await ground.app()
})
afterAll(() => ground.close())

const errorOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: string }).error
const status = async (token: string): Promise<number> =>
  (await rpc(url, token, 'tools/list')).status
/** What `authorize` answers: a page, or where it sends. */
async function asked(changed: Record<string, string | null>, extra = ''): Promise<Response> {
  return browser.open(app.authorizeUrl(changed) + extra)
}

describe('authorize', () => {
  it.each([
    ['an unknown client', { client_id: 'nobody' }, ''],
    ['no client', { client_id: null }, ''],
    ['no redirect', { redirect_uri: null }, ''],
    ['another redirect', { redirect_uri: 'https://evil.example/' }, ''],
    ['a redirect with a path more', { redirect_uri: 'http://127.0.0.1:8931/callback/x' }, ''],
    ['a redirect with a query', { redirect_uri: 'http://127.0.0.1:8931/callback?x=1' }, ''],
    ['localhost for 127.0.0.1', { redirect_uri: 'http://localhost:8931/callback' }, ''],
    ['two redirects', {}, '&redirect_uri=https%3A%2F%2Fevil.example'],
    ['two states', {}, '&state=x'],
    ['an unknown client that is also wrong elsewhere', { client_id: 'no', scope: 'x' }, ''],
  ])('%s is a page and never a redirect', async (_, changed, extra) => {
    const answer = await asked(changed, extra)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBe(null)
  })

  it.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: null }],
    ['invalid_request', { code_challenge: null }],
    ['invalid_request', { code_challenge: '' }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: null }],
    ['invalid_request', { response_mode: 'fragment' }],
    ['invalid_target', { resource: 'https://evil.example/mcp' }],
    ['interaction_required', { prompt: 'none' }],
  ])('%s goes back to the app, with its state and who says so', async (error, changed) => {
    const answer = await asked(changed)
    expect(answer.status).toBe(303)
    const back = new URL(answer.headers.get('location') ?? '')
    expect(back.origin + back.pathname).toBe(app.redirectUri)
    expect(back.searchParams.get('error')).toBe(error)
    expect(back.searchParams.get('state')).toBe(app.state)
    expect(back.searchParams.get('iss')).toBe(`${url}/mcp/oauth`)
    expect(back.searchParams.has('code')).toBe(false)
  })

  it('errors of an app at another site lead there by a link, and by no redirect', async () => {
    const hosted = new App(url, 'https://app.example/callback')
    await hosted.register()
    for (const [name, value] of [
      ['response_type', 'token'],
      ['prompt', 'none'],
    ] as const) {
      const answer = await browser.open(hosted.authorizeUrl({ [name]: value }))
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      const page = await answer.text()
      const [, href = ''] = /<a href="([^"]+)" rel="noreferrer"/.exec(page) ?? []
      const back = new URL(href.replaceAll('&amp;', '&'))
      expect(back.origin + back.pathname).toBe(hosted.redirectUri)
      expect(back.searchParams.get('state')).toBe(hosted.state)
      expect(back.searchParams.has('error')).toBe(true)
      expect(page).toContain('Go to the app at app.example')
    }
  })

  it('another port on loopback is the app’s', async () => {
    const { page } = await browser.consent(
      app.authorizeUrl({ redirect_uri: 'http://127.0.0.1:55555/callback' }),
    )
    expect(page).toContain('127.0.0.1:55555')
    expect(page).toContain('Any program on this computer')
  })
})

describe('the consent page', () => {
  it('runs nothing, cannot be framed, and may lead to another site', async () => {
    const { url: at } = await browser.consent(app.authorizeUrl())
    const { headers } = await browser.open(at)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('form-action')
    expect(policy).not.toContain('unsafe-inline')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-opener-policy')).toBe(null)
    expect(headers.get('access-control-allow-origin')).toBe(null)
  })

  it('shows markup as text and hides nothing that turns it around', async () => {
    const evil = new App(url)
    await evil.register({ client_name: '<script>alert(1)</script>\u202eBank' })
    const { page } = await browser.consent(
      evil.authorizeUrl({ state: '"><img src=x>', scope: '<b>mcp spend' }),
    )
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;Bank')
    for (const markup of ['<script', '<img', '<b>', '\u202e']) expect(page).not.toContain(markup)
  })

  it('takes an answer only of the session that opened it, by its own form', async () => {
    const stranger = (await ground.person()).browser
    const own = await browser.consent(app.authorizeUrl())
    const other = await stranger.consent(app.authorizeUrl())
    const answer = [
      ['request', own.request],
      ['day', '5'],
      ['decision', 'allow'],
    ] as const
    const csrf = ['csrf', own.csrf] as const
    const allowed = async (
      of: Browser,
      fields: readonly (readonly [string, string])[],
      headers = {},
    ) => (await of.post('/account/consent', fields, headers)).headers.get('location')
    expect((await stranger.open(own.url)).status).toBe(400)
    expect(await allowed(browser, answer)).toBe(null)
    expect(await allowed(browser, [['csrf', 'x'], ...answer])).toBe(null)
    expect(await allowed(browser, [['csrf', other.csrf], ...answer])).toBe(null)
    expect(await allowed(stranger, [['csrf', other.csrf], ...answer])).toBe(null)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])
      expect(await allowed(browser, [csrf, ...answer], headers)).toBe(null)
    const nobody = new Browser(url)
    const ended = await nobody.post('/account/consent', [csrf, ...answer])
    expect([ended.status, ended.headers.get('location')]).toEqual([401, null])
    expect(await ended.text()).toContain('Start again in the app')
    const twice = [csrf, ['request', own.request] as const, ...answer]
    expect(await allowed(browser, twice)).toBe(null)
    // GET changes nothing, whatever it carries.
    await browser.open(`${own.url}&day=5&decision=allow&csrf=${own.csrf}`)
    const at = await allowed(browser, [csrf, ...answer])
    expect(at).toContain('code=')
    expect(await allowed(browser, [csrf, ...answer])).toBe(null)
  })

  it('of ten answers at once takes one', async () => {
    const { csrf, request } = await browser.consent(app.authorizeUrl())
    const fields = Object.entries({ csrf, request, day: '5', decision: 'allow' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => browser.post('/account/consent', fields)),
    )
    expect(answers.filter(({ status: code }) => code === 303)).toHaveLength(1)
  })
})

describe('a code', () => {
  it.each([
    ['a wrong verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['a short verifier', { code_verifier: 'x' }, 'invalid_grant'],
    ['an empty verifier', { code_verifier: '' }, 'invalid_request'],
    ['no verifier', { code_verifier: null }, 'invalid_request'],
    ['another redirect', { redirect_uri: 'http://127.0.0.1:1/callback' }, 'invalid_grant'],
    ['a foreign resource', { resource: 'https://evil.example' }, 'invalid_target'],
    ['an unknown client', { client_id: 'nobody' }, 'invalid_client'],
    ['another grant type', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ])('with %s gives nothing', async (_, changed, error) => {
    const code = await app.code(browser)
    const answer = await app.redeem(code, changed)
    expect(answer.status).toBe(error === 'invalid_client' ? 401 : 400)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await errorOf(answer)).toBe(error)
  })

  it('needs no redirect beside its verifier, as OAuth 2.1 has it', async () => {
    const answer = await app.redeem(await app.code(browser), { redirect_uri: null })
    expect(answer.status).toBe(200)
  })

  it('of another client gives nothing', async () => {
    const code = await app.code(browser)
    const stranger = await ground.app()
    expect(await errorOf(await app.redeem(code, { client_id: stranger.clientId }))).toBe(
      'invalid_grant',
    )
    expect((await app.redeem(code)).status).toBe(200)
  })

  it('that comes a second time ends the grant and its tokens', async () => {
    const code = await app.code(browser)
    const tokens = (await (await app.redeem(code)).json()) as Tokens
    expect(await status(tokens.access_token)).toBe(200)
    expect(await errorOf(await app.redeem(code))).toBe('invalid_grant')
    expect(await status(tokens.access_token)).toBe(401)
    expect(await errorOf(await app.refresh(tokens.refresh_token))).toBe('invalid_grant')
  })

  it('that comes ten times at once gives one pair at most, which is ended', async () => {
    const code = await app.code(browser)
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.redeem(code)))
    const given = answers.filter((answer) => answer.status === 200)
    expect(given).toHaveLength(1)
    const tokens = (await given[0]!.json()) as Tokens
    expect(await status(tokens.access_token)).toBe(401)
  })

  it('gives nothing after its time', async () => {
    const code = await app.code(browser)
    await ground.database.db
      .sql`UPDATE plugin_oauth.oauth_code SET ends_at = now() WHERE used_at IS NULL`
    expect(await errorOf(await app.redeem(code))).toBe('invalid_grant')
  })
})

describe('a refresh token', () => {
  it('gives one successor to ten at once', async () => {
    const { refresh_token } = await app.tokens(browser)
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.refresh(refresh_token)))
    const pairs = await Promise.all(answers.map((answer) => answer.json() as Promise<Tokens>))
    expect(new Set(pairs.map((pair) => pair.refresh_token)).size).toBe(1)
    expect(new Set(pairs.map((pair) => pair.access_token)).size).toBe(1)
    expect(await status(pairs[0]!.access_token)).toBe(200)
  })

  it('that is old after the grace ends the whole family', async () => {
    const first = await app.tokens(browser)
    const second = (await (await app.refresh(first.refresh_token)).json()) as Tokens
    await ground.database.db.sql`UPDATE plugin_oauth.oauth_token
      SET rotated_at = rotated_at - interval '5 seconds' WHERE rotated_at IS NOT NULL`
    expect(await errorOf(await app.refresh(first.refresh_token))).toBe('invalid_grant')
    expect(await status(second.access_token)).toBe(401)
    expect(await errorOf(await app.refresh(second.refresh_token))).toBe('invalid_grant')
  })

  it('may give less and not more, to its own client alone', async () => {
    const tokens = await app.tokens(browser, [['day', '5']], { scope: 'mcp' })
    const wider = await app.refresh(tokens.refresh_token, { scope: 'mcp spend' })
    expect(await errorOf(wider)).toBe('invalid_scope')
    const stranger = await ground.app()
    expect(
      await errorOf(await app.refresh(tokens.refresh_token, { client_id: stranger.clientId })),
    ).toBe('invalid_grant')
    const foreign = await app.refresh(tokens.refresh_token, { resource: 'https://evil.example' })
    expect(await errorOf(foreign)).toBe('invalid_target')
    expect(await errorOf(await app.refresh(tokens.access_token))).toBe('invalid_grant')
    const all = await app.tokens(browser)
    const less = (await (await app.refresh(all.refresh_token, { scope: 'mcp' })).json()) as Tokens
    expect(less.scope).toBe('mcp')
    const params = { name: 'demo.hash', arguments: { input: 'x' } }
    expect((await rpc(url, less.access_token, 'tools/call', params)).status).toBe(403)
    // The refresh token that came with it is as good as the one before.
    const again = (await (await app.refresh(less.refresh_token)).json()) as Tokens
    expect(again.scope).toBe('mcp spend')
  })
})

describe('the token endpoint', () => {
  it('takes forms alone, nothing twice, and no secret in a header', async () => {
    const at = `${url}/mcp/oauth/token`
    const json = await fetch(at, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"grant_type":"refresh_token"}',
    })
    expect(await errorOf(json)).toBe('invalid_request')
    const twice = await fetch(at, {
      method: 'POST',
      body: new URLSearchParams('grant_type=refresh_token&grant_type=authorization_code'),
    })
    expect(await errorOf(twice)).toBe('invalid_request')
    const basic = await fetch(at, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${app.clientId}:`)}` },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' }),
    })
    expect(basic.status).toBe(401)
    expect(basic.headers.get('www-authenticate')).toContain('Basic')
    const code = await app.code(browser)
    const empty = { resource: '', client_assertion: '', scope: '' }
    expect((await app.redeem(code, empty)).status).toBe(200)
    const large = await fetch(at, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'x'.repeat(100_000) }),
    })
    expect(large.status).toBe(400)
    expect((await fetch(at)).status).toBe(405)
  })
})

describe('registration', () => {
  const register = (body: unknown): Promise<Response> =>
    fetch(`${url}/mcp/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  it.each([
    ['javascript', ['javascript:alert(1)']],
    ['data', ['data:text/html,x']],
    ['a file', ['file:///etc/passwd']],
    ['plain http', ['http://app.example/cb']],
    ['a wildcard', ['https://*.example/cb']],
    ['a fragment', ['https://app.example/cb#x']],
    ['one bad of two', ['https://app.example/cb', 'http://app.example/cb']],
    ['none', []],
    ['too many', Array.from({ length: 21 }, (_, i) => `https://app.example/${i}`)],
  ])('with %s is invalid_redirect_uri', async (_, uris) => {
    const answer = await register({ redirect_uris: uris })
    expect(answer.status).toBe(400)
    expect(await errorOf(answer)).toBe('invalid_redirect_uri')
  })

  it('that is no object, or too long, is invalid_client_metadata', async () => {
    for (const body of ['[]', '{', 'null', JSON.stringify({ x: 'x'.repeat(20_000) })])
      expect(await errorOf(await register(body))).toBe('invalid_client_metadata')
  })

  it('never gives a secret, whatever was asked for', async () => {
    const answer = await register({
      redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
      token_endpoint_auth_method: 'client_secret_basic',
      application_type: 'web',
    })
    expect(answer.status).toBe(201)
    const body = (await answer.json()) as Record<string, unknown>
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none', application_type: 'web' })
    expect(body).not.toHaveProperty('client_secret')
  })

  it('is limited for each address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 340 }, () => register({ redirect_uris: ['https://a.example/cb'] })),
    )
    const refused = answers.filter((answer) => answer.status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]!.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(answers.filter((answer) => answer.status === 201).length).toBeGreaterThan(200)
  })
})

it('a sign-in leads to this site alone', async () => {
  const page = await (
    await new Browser(url).open('/account/sign-in?next=https%3A%2F%2Fevil.example')
  ).text()
  expect(hidden(page, 'next')).toBe('/account')
})

// The last: it leaves the address nothing for a while.
it('the token endpoint is limited for each address, whoever asks', async () => {
  const ask = () =>
    fetch(`${url}/mcp/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'nobody' }),
    })
  const answers = await Promise.all(Array.from({ length: 700 }, ask))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]!.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThan(300)
})
