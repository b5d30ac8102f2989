/** Strangers sign in: the official MCP clients by themselves, oauth4webapi strictly, hosts by documents. */
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentHost, type DocumentHost } from '../support/oauth-documents.ts'
import { oauthGround, type OAuthGround } from '../support/oauth-ground.ts'
import { freePort } from '../support/ports.ts'
import { App, callTool, type Browser } from '../support/oauth.ts'

let ground: OAuthGround
let documents: DocumentHost
let endpoint: string

beforeAll(async () => {
  documents = documentHost()
  ground = await oauthGround({
    ALLOW_PRIVATE_TARGETS: documents.endpoint,
    NODE_EXTRA_CA_CERTS: documents.certificateFile,
  })
  endpoint = `${ground.url}/mcp/oauth`
})
afterAll(async () => {
  await ground.close()
  await documents.close()
})

const REDIRECT = 'http://127.0.0.1:8931/callback'

/** What an app keeps while its person signs in; both versions of the SDK take it. */
class Provider {
  readonly redirectUrl = REDIRECT
  readonly clientMetadata = { client_name: 'Stranger', redirect_uris: [REDIRECT] }
  clientMetadataUrl?: string
  callback: URL | null = null
  // Each version of the SDK has a type of its own for what it gives and wants back.
  // oxlint-disable-next-line typescript/no-explicit-any
  #kept = new Map<string, any>()
  readonly #browser: Browser

  constructor(browser: Browser, clientMetadataUrl?: string) {
    this.#browser = browser
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
  }
  clientInformation = () => this.#kept.get('client')
  saveClientInformation = (value: unknown): void => void this.#kept.set('client', value)
  tokens = () => this.#kept.get('tokens')
  saveTokens = (value: unknown): void => void this.#kept.set('tokens', value)
  codeVerifier = () => this.#kept.get('verifier')
  saveCodeVerifier = (value: string): void => void this.#kept.set('verifier', value)
  redirectToAuthorization = async (url: URL): Promise<void> => {
    this.callback = await this.#browser.allow(url.href, [['day', '50']])
  }
}

const clients = {
  'SDK v1': async (provider: Provider) => {
    const first = new HttpV1(new URL(endpoint), { authProvider: provider })
    await expect(new ClientV1({ name: 't', version: '1' }).connect(first)).rejects.toThrow()
    await first.finishAuth(provider.callback?.searchParams.get('code') ?? '')
    const client = new ClientV1({ name: 't', version: '1' })
    await client.connect(new HttpV1(new URL(endpoint), { authProvider: provider }))
    return client
  },
  'SDK v2': async (provider: Provider) => {
    const first = new HttpV2(new URL(endpoint), { authProvider: provider })
    await expect(new ClientV2({ name: 't', version: '1' }).connect(first)).rejects.toThrow()
    await first.finishAuth(provider.callback?.searchParams ?? new URLSearchParams())
    const client = new ClientV2({ name: 't', version: '1' })
    await client.connect(new HttpV2(new URL(endpoint), { authProvider: provider }))
    return client
  },
}

describe.each(Object.entries(clients))('%s', (_, connect) => {
  it.each([
    ['registers itself', () => undefined],
    ['names its document', () => documents.publish('/stranger.json', { client_name: 'Stranger' })],
  ])('%s, signs in by itself, and calls free and paid tools', async (_way, documentUrl) => {
    const { browser } = await ground.person(20)
    const provider = new Provider(browser, documentUrl())
    const client = await connect(provider)
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('demo_hash')
      const free = await client.callTool({ name: 'demo.echo', arguments: { message: 'hello' } })
      expect(free.isError).toBeFalsy()
      const paid = await client.callTool({ name: 'demo.hash', arguments: { input: 'x' } })
      expect(paid._meta?.['coinop/call']).toMatchObject({ chargedCredits: 2, balanceCredits: 18 })
      const id = provider.clientInformation().client_id as string
      expect(id.startsWith('https://')).toBe(documentUrl() !== undefined)
    } finally {
      await client.close()
    }
  })
})

describe('oauth4webapi, which takes nothing that is not exactly by the book', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }

  it('discovers, registers, signs in, calls, refreshes and revokes', async () => {
    const { browser } = await ground.person(20)
    const resource = new URL(endpoint)
    const server = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, insecure),
    )
    const issuer = new URL(server.authorization_servers?.[0] ?? '')
    const as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' }),
    )
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        as,
        { client_name: 'By the book', redirect_uris: [REDIRECT] },
        insecure,
      ),
    )
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(as.authorization_endpoint ?? '')
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'mcp spend',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource: endpoint,
      state,
    }).toString()
    const callback = await browser.allow(url.href)
    const parameters = oauth.validateAuthResponse(as, client, callback, state)
    const tokens = await oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(
        as,
        client,
        oauth.None(),
        parameters,
        REDIRECT,
        verifier,
        insecure,
      ),
    )
    expect(
      (await callTool(ground.url, tokens.access_token, 'demo.hash', { input: 'x' })).isError,
    ).toBe(false)
    const next = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(
        as,
        client,
        oauth.None(),
        tokens.refresh_token ?? '',
        insecure,
      ),
    )
    expect(next.access_token).not.toBe(tokens.access_token)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, client, oauth.None(), next.refresh_token ?? '', insecure),
    )
    expect((await callTool(ground.url, next.access_token, 'demo.echo', {})).status).toBe(401)
  })
})

it('the conformance suite signs in and finds nothing wrong', async () => {
  const { browser } = await ground.person(5)
  const app = new App(ground.url, `http://127.0.0.1:${await freePort()}/callback`)
  await app.register()
  // Only the pre-release has scenarios of authorization servers.
  const suite = 'node_modules/@modelcontextprotocol/conformance-next/dist/index.js'
  const { port } = new URL(app.redirectUri)
  const options = `--url ${endpoint} --resource ${endpoint} --client-id ${app.clientId} --port ${port}`
  const child = Bun.spawn([process.execPath, suite, 'authorization', ...options.split(' ')], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let printed = ''
  let answered = false
  for await (const chunk of child.stdout as unknown as AsyncIterable<Uint8Array>) {
    printed += new TextDecoder().decode(chunk)
    const asked = /(http:\/\/\S+\/authorize\?\S+)\n/.exec(printed)?.[1]
    if (asked === undefined || answered || !printed.includes('Callback server started')) continue
    answered = true
    await fetch(await browser.allow(asked))
  }
  expect(await child.exited, printed).toBe(0)
  expect(printed).toContain('Total: 3 passed, 0 failed')
})

describe('private_key_jwt, as ChatGPT wants it', () => {
  const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  type Pair = Awaited<ReturnType<typeof generateKeyPair>>
  let pair: Pair
  let clientId: string
  let app: App

  beforeAll(async () => {
    pair = await generateKeyPair('RS256', { extractable: true })
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256' }
    documents.pages.set('/jwks.json', JSON.stringify({ keys: [jwk] }))
    clientId = documents.publish('/proven.json', {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: `${documents.origin}/jwks.json`,
      logo_uri: `${documents.origin}/logo.png`,
    })
    app = new App(ground.url)
    app.clientId = clientId
  })

  const signed = (
    changed: Record<string, unknown> = {},
    key: Pair['privateKey'] = pair.privateKey,
  ) => {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: clientId,
      sub: clientId,
      aud: endpoint,
      iat: now,
      exp: now + 60,
      jti: crypto.randomUUID(),
      ...changed,
    }
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(key)
  }
  const withProof = (assertion: string) => ({
    client_assertion_type: TYPE,
    client_assertion: assertion,
  })
  const codeOf = async (): Promise<string> => {
    const { browser } = await ground.person(20)
    return app.code(browser)
  }

  it('is taken once, for the issuer and for the token endpoint', async () => {
    for (const aud of [endpoint, `${endpoint}/token`]) {
      const proof = await signed({ aud })
      const answer = await app.redeem(await codeOf(), withProof(proof))
      expect(answer.status).toBe(200)
      const { refresh_token } = (await answer.json()) as { refresh_token: string }
      const again = await app.refresh(refresh_token, withProof(proof))
      expect(again.status).toBe(401)
      expect((await app.refresh(refresh_token, withProof(await signed()))).status).toBe(200)
    }
    expect(documents.asked).not.toContain('/logo.png')
  })

  it('of any other kind is invalid_client', async () => {
    const other = await generateKeyPair('RS256')
    const now = Math.floor(Date.now() / 1000)
    const publicText = JSON.stringify(await exportJWK(pair.publicKey))
    const hmac = await new SignJWT({
      iss: clientId,
      sub: clientId,
      aud: endpoint,
      jti: 'x',
      exp: now + 60,
    })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(new TextEncoder().encode(publicText))
    const none = new UnsecuredJWT({
      iss: clientId,
      sub: clientId,
      aud: endpoint,
      jti: 'y',
      exp: now + 60,
    })
    const code = await codeOf()
    const wrong: Record<string, string | null> = {
      absent: null,
      'another key': await signed({}, other.privateKey),
      'no algorithm': none.encode(),
      'HMAC with the public key': hmac,
      'another audience': await signed({ aud: 'https://evil.example' }),
      'another issuer': await signed({ iss: 'https://evil.example' }),
      'another subject': await signed({ sub: 'https://evil.example' }),
      expired: await signed({ exp: now - 120 }),
      'without an end': await signed({ exp: undefined }),
      'without an id': await signed({ jti: undefined }),
      'made long ago': await signed({ iat: now - 1200 }),
      'that lives for a day': await signed({ exp: now + 86_400 }),
      'no token': 'x.y.z',
    }
    for (const [name, proof] of Object.entries(wrong)) {
      const answer = await app.redeem(code, proof === null ? {} : withProof(proof))
      expect(answer.status, name).toBe(401)
      expect(await answer.json(), name).toMatchObject({ error: 'invalid_client' })
    }
    const otherType = await app.redeem(code, {
      ...withProof(await signed()),
      client_assertion_type: 'jwt',
    })
    expect(otherType.status).toBe(401)
    expect((await app.redeem(code, withProof(await signed()))).status).toBe(200)
  })
})

describe('a document that is not good', () => {
  const refused = async (url: string): Promise<void> => {
    const { browser } = await ground.person(1)
    const app = new App(ground.url)
    app.clientId = url
    const answer = await browser.open(app.authorizeUrl())
    expect(answer.status, url).toBe(400)
    expect(answer.headers.get('location'), url).toBe(null)
  }

  it('by what it says is a page, and nobody is sent anywhere', async () => {
    const bad: Record<string, Record<string, unknown>> = {
      '/other.json': { client_id: 'https://elsewhere.example/x' },
      '/nameless.json': { client_name: '' },
      '/nowhere.json': { redirect_uris: [] },
      '/wild.json': { redirect_uris: ['http://127.0.0.1/callback', 'https://*.example/'] },
      '/secret.json': { client_secret: 's' },
      '/post.json': { token_endpoint_auth_method: 'client_secret_post' },
      '/keyless.json': { token_endpoint_auth_method: 'private_key_jwt' },
      '/inner.json': {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: 'http://169.254.169.254/',
      },
      '/long.json': { padding: 'x'.repeat(20_000) },
    }
    for (const [path, extra] of Object.entries(bad)) await refused(documents.publish(path, extra))
  })

  it('by how it comes is one too', async () => {
    const good = documents.publish('/good.json')
    documents.pages.set('/moved.json', () => Response.redirect(good, 302))
    documents.pages.set('/text.json', 'this is no JSON')
    documents.pages.set('/list.json', '[]')
    for (const path of ['/moved.json', '/text.json', '/list.json', '/gone.json'])
      await refused(documents.origin + path)
  })

  it('at a private address in any spelling is not even asked for', async () => {
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '10.0.0.1',
      '169.254.169.254',
      '192.168.1.1',
      '0.0.0.0',
    ])
      await refused(`https://${host}/client.json`)
    for (const spelled of [
      'https://2130706433/c.json',
      'https://0x7f.1/c.json',
      'https://127.1/c.json',
    ])
      await refused(spelled)
  })
})
