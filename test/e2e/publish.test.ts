/**
 * `coinop publish` against a live gateway behind https: it finds each planted mistake, and none on a
 * right one. The front is a proxy that changes one thing at a time.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { certificateFor } from '../support/certificate.ts'
import type { GatewayProcess } from '../support/gateway.ts'
import { withoutChain } from '../support/x402/chain.ts'
import { x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { program } from '../support/program.ts'

const HOST = 'gw.example.com'
const DOCUMENTS = {
  OPERATOR_NAME: 'Example Ltd',
  OPERATOR_LOGO_URL: 'https://example.com/logo.png',
  TERMS_URL: 'https://example.com/terms',
  PRIVACY_URL: 'https://example.com/privacy',
  SUPPORT_URL: 'https://example.com/support',
}

/** What the front makes of an answer of the gateway. */
type Mistake = (answer: Response, url: URL) => Response | Promise<Response>

const without = withoutChain('publishing of a live gateway')

describe.skipIf(without)('coinop publish', () => {
  const ground = x402Ground()
  const gateways = x402Gateways(ground)
  let gateway!: GatewayProcess
  let folder!: string
  let publicUrl!: string
  let connect!: string
  let mistake: Mistake = (answer) => answer

  beforeAll(async () => {
    const { key, cert } = certificateFor(HOST)
    folder = mkdtempSync(join(tmpdir(), 'publish-'))
    ground.closing(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'ca.pem'), cert)
    const front = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: { key, cert },
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        const headers = new Headers(request.headers)
        headers.set('accept-encoding', 'identity')
        const body = request.body === null ? null : await request.arrayBuffer()
        const asked = { method: request.method, headers, body, redirect: 'manual' as const }
        const answer = await fetch(gateway.url + pathname + search, asked)
        return mistake(answer, new URL(request.url))
      },
    })
    ground.closing(() => front.stop(true))
    connect = `127.0.0.1:${front.port}`
    publicUrl = `https://${HOST}:${front.port}`
    gateway = await gateways.start({
      ...gateways.settlingBy(ground.facilitator()),
      ...DOCUMENTS,
      SANDBOX: 'false',
      PUBLIC_URL: publicUrl,
      MCP_OAUTH: 'true',
      PRODUCTS_DIR: productsIn(folder),
    })
  })

  /** Exit code, what was printed, and the names of the checks that found something. */
  async function publish(planted: Mistake = (answer) => answer, ...options: string[]) {
    mistake = planted
    const child = Bun.spawn(
      [
        ...program(),
        'publish',
        '--url',
        publicUrl,
        '--connect',
        connect,
        '--ca',
        join(folder, 'ca.pem'),
        '--out',
        folder,
        ...options,
      ],
      {
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: folder,
          DATA_DIR: join(folder, 'data'),
          PUBLIC_URL: publicUrl,
          ADMIN_TOKEN: gateway.adminToken,
        },
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    const found = [...out.matchAll(/^([a-z0-9-]+) \(.*\)$/gm)].map(([, check]) => check!)
    return { code, out: out + err, found }
  }

  it('has nothing to say of a right gateway, and writes its server.json', async () => {
    const { code, out, found } = await publish()
    expect(found, out).toEqual([])
    expect(code, out).toBe(0)
    const written = JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8'))
    expect(written).toMatchObject({
      name: 'com.example.gw/coinop',
      title: 'Example Ltd',
      icons: [{ src: DOCUMENTS.OPERATOR_LOGO_URL }],
      remotes: [{ url: `${publicUrl}/mcp/oauth` }, { url: `${publicUrl}/mcp?names=underscore` }],
    })
    expect(out).not.toContain(gateway.adminToken)
    const pem = readFileSync(join(folder, 'data/mcp-registry-key.pem'), 'utf8')
    expect(out).not.toContain(pem.split('\n')[1])
  })

  const onJson =
    (path: string, change: (json: any) => void): Mistake =>
    async (answer, url) => {
      if (url.pathname !== path) return answer
      const json: unknown = await answer.json()
      change(json)
      return Response.json(json, { status: answer.status })
    }
  const onTools = (change: (tool: any) => void): Mistake =>
    onJson('/mcp', (json) => json.result?.tools?.slice(0, 1).forEach(change))
  const onHeaders =
    (
      isMeant: (answer: Response, url: URL) => boolean,
      change: (headers: Headers) => void,
    ): Mistake =>
    (answer, url) => {
      if (!isMeant(answer, url)) return answer
      const headers = new Headers(answer.headers)
      change(headers)
      return new Response(answer.body, { status: answer.status, headers })
    }
  const at =
    (path: string, instead: () => Response): Mistake =>
    (answer, url) =>
      url.pathname === path ? instead() : answer
  const page = () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
  const RESOURCE = '/.well-known/oauth-protected-resource/mcp/oauth'
  const SERVER = '/.well-known/oauth-authorization-server/mcp/oauth'

  it.each<[string, string, Mistake]>([
    ['a site that answers everything', 'well-known', at('/.well-known/agent-card.json', page)],
    ['the server is another', 'public-url', onJson('/openapi.json', (json) => (json.servers = []))],
    ['the proof is not there', 'domain-proof', at('/.well-known/mcp-registry-auth', page)],
    ['no OAuth', 'oauth', at('/mcp/oauth', () => new Response(null, { status: 404 }))],
    [
      'a proxy that renames the challenge',
      'resource-metadata',
      onHeaders(
        (_, url) => url.pathname === '/mcp/oauth',
        (headers) => headers.delete('www-authenticate'),
      ),
    ],
    [
      'a relative resource_metadata',
      'resource-metadata',
      onHeaders(
        (_, url) => url.pathname === '/mcp/oauth',
        (headers) => headers.set('www-authenticate', `Bearer resource_metadata="${RESOURCE}"`),
      ),
    ],
    ['another issuer', 'issuer', onJson(SERVER, (json) => (json.issuer += '/'))],
    ['another server', 'issuer', onJson(RESOURCE, (json) => (json.authorization_servers = []))],
    [
      'OAuth found from /mcp',
      'no-oauth-at-mcp',
      at('/.well-known/oauth-protected-resource', () => Response.json({})),
    ],
    [
      'input judged before the price',
      'unpaid-402',
      at('/v1/paid/echo', () => Response.json({}, { status: 400 })),
    ],
    [
      'a proxy that drops PAYMENT-REQUIRED',
      'bazaar',
      onHeaders(
        ({ status }) => status === 402,
        (headers) => headers.delete('payment-required'),
      ),
    ],
    [
      'another address in the 402',
      'resource-url',
      onHeaders(
        ({ status, headers }) => status === 402 && headers.has('payment-required'),
        (headers) => {
          const text = Buffer.from(headers.get('payment-required')!, 'base64').toString()
          const moved = text.replaceAll(`https://${HOST}`, 'http://inner')
          headers.set('payment-required', Buffer.from(moved).toString('base64'))
        },
      ),
    ],
    ['a sandbox', 'sandbox', onJson('/.well-known/x402', (json) => (json.sandbox = true))],
    [
      'no input schema',
      'openapi-input',
      onJson('/openapi.json', (json) => {
        delete json.paths['/v1/paid/echo'].post.requestBody
        delete json.paths['/v1/paid/echo'].post.parameters
      }),
    ],
    ['no tools', 'tools', onJson('/mcp', (json) => json.result?.tools?.splice(0))],
    [
      'no title',
      'tool-annotations',
      onTools((tool) => {
        delete tool.title
        delete tool.annotations.title
      }),
    ],
    [
      'no hint',
      'tool-annotations',
      onTools(({ annotations }) => delete annotations.destructiveHint),
    ],
    ['a bad name', 'tool-names', onTools((tool) => (tool.name = 'parse receipt'))],
    ['no terms', 'documents', onJson('/openapi.json', (json) => delete json.info.termsOfService)],
    [
      'a foreign realm',
      'mpp-realm',
      onHeaders(
        ({ status }) => status === 402,
        (headers) => headers.append('www-authenticate', 'Payment id="x", realm="other.example"'),
      ),
    ],
  ])('finds a planted mistake: %s', async (_, check, planted) => {
    const { code, out, found } = await publish(planted)
    expect(found, out).toEqual([check])
    expect(code).toBe(1)
  })

  it('finds a name that is not of the domain, and a gateway that is not there', async () => {
    const foreign = await publish(undefined, '--name', 'org.other/coinop')
    expect(foreign.found).toEqual(['server-json'])
    const away = await publish(() => new Response(null, { status: 502 }))
    expect(away.code).toBe(69)
    expect(away.out).toContain('No gateway answers')
  })
})

/** A folder with the products of a small gateway that sells to all comers. */
function productsIn(folder: string): string {
  const products = join(folder, 'products')
  for (const name of ['demo', 'mcp', 'oauth', 'portal', 'publish', 'topup', 'x402']) {
    const file = `${name}.yaml`
    cpSync(resolve('products', file), join(products, file))
  }
  return products
}
