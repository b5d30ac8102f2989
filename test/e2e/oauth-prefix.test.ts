/** A gateway below a path of its host: a proxy takes the path away, and the sign-in still works. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway } from '../support/gateway.ts'
import { oauthGround, type OAuthGround } from '../support/oauth-ground.ts'
import { Browser, hidden } from '../support/oauth.ts'

const PREFIX = '/gateway'
const REDIRECT = 'http://127.0.0.1:8931/callback'
let ground: OAuthGround
let proxy: ReturnType<typeof Bun.serve>
let base: string

beforeAll(async () => {
  proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      // Clients put `.well-known` before the path (RFC 8414 section 3.1), which is outside of it.
      const known = /^(\/\.well-known\/[a-z-]+)\/gateway(\/mcp\/oauth)$/.exec(pathname)
      if (known) return fetch(new URL(`${known[1]}${known[2]}`, ground.url))
      if (!pathname.startsWith(`${PREFIX}/`)) return new Response('not here', { status: 404 })
      const inside = new URL(pathname.slice(PREFIX.length) + search, ground.url)
      return fetch(inside, {
        method: request.method,
        headers: request.headers,
        body: request.body,
        redirect: 'manual',
      })
    },
  })
  base = `http://127.0.0.1:${proxy.port}${PREFIX}`
  ground = await oauthGround({ PUBLIC_URL: base })
})
afterAll(async () => {
  await ground.close()
  await proxy.stop(true)
})

it('an unmodified client finds everything, signs in and calls', async () => {
  const { key } = await ground.gateways[0].key(100)
  const browser = new Browser(base)
  let kept: Record<string, unknown> = {}
  let callback: URL | null = null
  const provider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'Below', redirect_uris: [REDIRECT] },
    clientInformation: () => kept['client'] as never,
    saveClientInformation: (value: unknown) => void (kept['client'] = value),
    tokens: () => kept['tokens'] as never,
    saveTokens: (value: unknown) => void (kept['tokens'] = value),
    codeVerifier: () => kept['verifier'] as string,
    saveCodeVerifier: (value: string) => void (kept['verifier'] = value),
    async redirectToAuthorization(url: URL) {
      const begun = await browser.open(url.href)
      const consentAt = begun.headers.get('location') ?? ''
      expect(consentAt.startsWith(`${base}/account/consent?request=`)).toBe(true)
      const toSignIn = (await browser.open(consentAt)).headers.get('location') ?? ''
      expect(toSignIn.startsWith(`${PREFIX}/account/sign-in?next=`)).toBe(true)
      const page = await (await browser.open(toSignIn)).text()
      const signedIn = await browser.post(`${PREFIX}/account/sign-in/key`, [
        ['csrf', hidden(page, 'csrf')],
        ['next', hidden(page, 'next')],
        ['api_key', key],
      ])
      const back = signedIn.headers.get('location') ?? ''
      expect(new URL(back, base).href).toBe(consentAt)
      const consent = await (await browser.open(back)).text()
      const action = /<form method="post" action="([^"]+)"/.exec(consent)?.[1] ?? ''
      expect(action).toBe(`${PREFIX}/account/consent`)
      const answer = await browser.post(action, [
        ['csrf', hidden(consent, 'csrf')],
        ['request', hidden(consent, 'request')],
        ['day', '50'],
        ['decision', 'allow'],
      ])
      callback = new URL(answer.headers.get('location') ?? '')
    },
  }
  const connect = () => {
    const url = new URL(`${base}/mcp/oauth`)
    return new StreamableHTTPClientTransport(url, { authProvider: provider as never })
  }
  const first = connect()
  await expect(new Client({ name: 't', version: '1' }).connect(first as never)).rejects.toThrow(
    'Unauthorized',
  )
  expect(callback).not.toBe(null)
  const sent = callback!
  expect(sent.searchParams.get('iss')).toBe(`${base}/mcp/oauth`)
  await first.finishAuth(sent.searchParams.get('code') ?? '')
  const client = new Client({ name: 't', version: '1' })
  await client.connect(connect() as never)
  const answer = await client.callTool({ name: 'demo.hash', arguments: { input: 'x' } })
  expect(JSON.stringify(answer)).toContain('chargedCredits')
  await client.close()
})

it('readiness says to the operator what the proxy lacks', async () => {
  const checkOf = async (url: string) => {
    const gateway = await startGateway({
      PUBLIC_URL: url,
      MCP_OAUTH: 'true',
      SANDBOX: 'true',
      SANDBOX_CHAIN: 'false',
    })
    const { json } = await gateway.admin('GET', '/ready')
    await gateway.stop()
    return json.checks.oauth
  }
  const elsewhere = base.replace(PREFIX, '/elsewhere')
  const { state, detail } = await checkOf(elsewhere)
  expect(state).toBe('degraded')
  expect(detail).toContain('/.well-known/oauth-authorization-server/elsewhere/mcp/oauth')
  expect(detail).toContain(
    '/.well-known/oauth-protected-resource/elsewhere/* to /.well-known/oauth-protected-resource/*',
  )
  const { json } = await ground.gateways[0].admin('GET', '/ready')
  expect(json.checks.oauth.state).toBe('ok')
})

it('every link of the pages, scripts and style sheets too, leads to the gateway', async () => {
  const seen = new Map<string, number>()
  // The proxy of this file cannot pass on what is packed.
  const headers = { accept: 'text/html', 'accept-encoding': 'identity' }
  for (const path of ['/', '/docs', '/docs/skills/demo.hash', '/no-page', '/account']) {
    const page = await fetch(base + path, { headers })
    const links = [...(await page.text()).matchAll(/ (?:href|src|action)="(\/[^"#?]*)/g)]
    expect(links.length, path).toBeGreaterThan(1)
    for (const [, link = ''] of links) {
      expect(link.startsWith(`${PREFIX}/`), `${link} in ${path}`).toBe(true)
      if (seen.has(link)) continue
      const { status } = await fetch(new URL(link, base), { headers })
      seen.set(link, status)
      // A form is posted to.
      expect([200, 405], link).toContain(status)
    }
  }
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining([`${PREFIX}/docs/page.js`, `${PREFIX}/account/account.css`]),
  )
})
