/**
 * Every route that reaches out, with names whose address changes between the check and the connection:
 * friendly at first, then this machine. A door there must stay untouched, and no answer may cost.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { startGateway, type Answer, type GatewayProcess } from '../support/gateway.ts'
import { PortalVisitor } from '../support/portal.ts'
import { freePort } from '../support/ports.ts'
import { startCanary, type Canary } from './canary.ts'

const root = join(import.meta.dirname, '../..')
const FLIPS = ['after1-v4', 'after2-v4', 'after3-v4', 'after1-v6', 'after1-mapped', 'both-v4', 'both-v6'] // prettier-ignore

let gateway: GatewayProcess
let publicUrl: string
let owner: { id: string; key: string }
let doors: Canary[]
let friendly: Server
/** Of the friendly server, so far. */
let connections = 0
let port: number

beforeAll(async () => {
  port = await freePort()
  doors = [await startCanary('127.0.0.1', port), await startCanary('::1', port)]
  friendly = createServer((request, response) => {
    // Each request needs a connection of its own, and so a look-up.
    response.setHeader('connection', 'close')
    const to = /^\/leave\?to=(.*)/.exec(request.url!)?.[1]
    if (request.url === '/robots.txt') response.writeHead(404).end()
    else if (to) response.writeHead(302, { location: decodeURIComponent(to) }).end()
    else if (request.url === '/away') response.writeHead(302, { location: '/page' }).end()
    else if (request.url!.startsWith('/page')) {
      response.setHeader('content-type', 'text/html')
      response.end(
        `<title>t</title><img src="/i.png"><script src="/s.js"></script><iframe src="/page?2"></iframe>
         <main><h1>Public</h1><p>${'These are words that anybody may read. '.repeat(20)}</p></main>`,
      )
    } else response.end('fine')
  })
  friendly.on('connection', () => connections++)
  await new Promise<void>((done) => friendly.listen(port, '127.0.0.2', done))
  const own = await freePort()
  publicUrl = `http://localhost:${own}`
  gateway = await startGateway(
    {
      PORT: String(own),
      PUBLIC_URL: publicUrl,
      SANDBOX_CHAIN: 'false',
      ALLOW_PRIVATE_TARGETS: '127.0.0.2/32',
      MCP_OAUTH: 'true',
      RATE_LIMIT_RPM: '100000',
      RATE_LIMIT_BURST: '100000',
    },
    { preload: 'test/attacks/rebinding-dns.ts' },
  )
  owner = await gateway.key(10_000)
})
afterAll(async () => {
  await gateway.stop()
  await Promise.all(doors.map((door) => door.close()))
  friendly.close()
})

const paid = (method: string, path: string, body?: object): Promise<Answer> =>
  gateway.call(method, path, { body, headers: { 'x-api-key': owner.key } })

/** What reaches a server that a caller named: asks for a path of it, several times where it can. */
type Reply = Pick<Answer, 'status' | 'text' | 'headers'>
type Route = (base: string) => Promise<Reply[]>
const skill =
  (path: string, more: object = {}): Route =>
  async (base) => [
    await paid('POST', path, { url: `${base}/page`, ...more }),
    await paid('POST', path, { url: `${base}/away`, ...more }),
  ]

const relayed: Route = async (base) => {
  const made = await gateway.admin('POST', '/v1/admin/webinfra/endpoints', {
    name: 'rebinding',
    apiKeyId: owner.id,
    verification: { scheme: 'none' },
    destinations: [{ url: `${base}/hook` }],
  })
  if (made.status !== 201) return [made]
  const ingress = `/v1/webinfra/endpoints/${made.json.id}/ingress`
  const sent = [1, 2, 3].map(() => paid('POST', ingress, { deliveryId: newId() }))
  return Promise.all(sent)
}

const proxied: Route = async (base) => {
  const id = `re${newId().slice(-8)}`
  const put = await gateway.admin('PUT', `/v1/admin/products/${id}`, {
    product_id: id,
    upstream: { url: base },
    skills: [{ id: `${id}.get`, route: 'GET /get', price: { credits: 1 } }],
  })
  if (put.status >= 300) return [put]
  const answers: Reply[] = []
  for (let n = 0; n < 3; n++) answers.push(await paid('GET', `/v1/${id}/get`))
  return answers
}

const told: Route = async (base) => {
  const key = await gateway.key(1)
  const visitor = new PortalVisitor(gateway, publicUrl)
  await visitor.signInByKey(key.key)
  const before = connections
  const saved = await visitor.api('PATCH', '/api/settings', {
    lowMarkCredits: 2,
    webhookUrl: `${base}/low`,
  })
  const call = { body: { message: 'x' }, headers: { 'x-api-key': key.key } }
  const answers = [saved, await gateway.call('POST', '/v1/paid/echo', call)]
  if (saved.status === 200) {
    await visitor.api('PATCH', '/api/settings', { lowMarkCredits: 2 })
    if (base.includes('never')) await expect.poll(() => connections).toBeGreaterThan(before)
  }
  return answers
}

const imported: Route = async (base) => [
  await gateway.admin('POST', '/v1/admin/products/import', {
    url: `${base}/page`,
    priceCredits: 1,
  }),
]

/** The document of a client: only https is fetched, so that the friendly server sees a handshake. */
const signedIn: Route = async (base) => {
  const client = base.replace('http:', 'https:')
  const query = new URLSearchParams({
    client_id: `${client}/client.json`,
    response_type: 'code',
    redirect_uri: `${client}/back`,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  })
  return [await gateway.call('GET', `/mcp/oauth/authorize?${query}`)]
}

const ROUTES: readonly [name: string, route: Route, files: readonly string[]][] = [
  ['extract', skill('/v1/utils/extract'), ['utils/extract/one.ts', 'utils/extract/batch.ts']],
  ['extract, drawn', skill('/v1/utils/extract', { render: true }), ['utils/screenshot/browse.ts']],
  ['screenshot', skill('/v1/utils/screenshot'), ['utils/screenshot/egress-proxy.ts', 'utils/screenshot/guard.ts', 'utils/screenshot/shot.ts', 'utils/screenshot/stage.ts', 'utils/index.ts']], // prettier-ignore
  ['pdf', skill('/v1/utils/pdf/extract'), ['utils/pdf/skill.ts']],
  ['the relay', relayed, ['webinfra/send.ts', 'webinfra/index.ts',  'webinfra/routes/endpoints.ts', 'webinfra/routes/guards.ts']], // prettier-ignore
  ['an upstream', proxied, ['proxy/agent.ts', 'proxy/body.ts', 'proxy/exchange.ts', 'proxy/index.ts', 'proxy/reach.ts', 'proxy/upstream.ts']], // prettier-ignore
  ['import', imported, ['proxy/import-routes.ts']],
  ['OAuth clients', signedIn, ['oauth/parts.ts', 'oauth/clients/document.ts']],
  ['a low balance', told, ['portal/low-balance.ts', 'portal/index.ts', 'portal/api/settings.ts']],
]

it('every file of a plugin that reaches out belongs to a route that is tried here', () => {
  const files = readdirSync(join(root, 'plugins'), { recursive: true, encoding: 'utf8' })
  const reaching = files.filter((file) => {
    if (!file.endsWith('.ts')) return false
    const text = readFileSync(join(root, 'plugins', file), 'utf8')
    return /\bctx\.fetch\b|\benv\.fetch\b|\bGuardedFetch\b|'fetch'|\bOutbound\b|'outbound'|from 'node:(?:http|https|dns|tls)'|\bconnect\b.* from 'node:net'/.test(text) // prettier-ignore
  })
  // Addresses of the operator's: its model, its payment providers, and the gateway's own documents.
  const own = [
    'docintel/skills.ts',
    'oauth/index.ts',
    'oauth/mapping.ts',
    'shared/skillkit/model.ts',
    'topup/index.ts',
    'topup/providers/http.ts',
    'topup/providers/provider-a.ts',
    'topup/providers/provider-b.ts',
    'topup/providers/simulated.ts',
  ]
  const tried = ROUTES.flatMap(([, , of]) => of)
  expect(reaching.toSorted()).toEqual([...tried, ...own].toSorted())
})

it.each(ROUTES)('%s reaches a name that stays where it is', async (_name, route) => {
  const before = connections
  await route(`http://never.${newId()}.rebind.example:${port}`)
  expect(connections).toBeGreaterThan(before)
})

const LEADS: readonly [name: string, path: string, more: object][] = [
  ['extract', '/v1/utils/extract', {}],
  ['extract, drawn', '/v1/utils/extract', { render: true }],
  ['screenshot', '/v1/utils/screenshot', {}],
  ['pdf', '/v1/utils/pdf/extract', {}],
]

it.each(LEADS)('%s follows no redirect to this machine', async (name, path, more) => {
  const base = `http://never.${newId()}.rebind.example:${port}`
  for (const to of [
    `http://127.0.0.1:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:7f00:1]:${port}/`,
    `http://after0-v4.${newId()}.rebind.example:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
  ]) {
    const url = `${base}/leave?to=${encodeURIComponent(to)}`
    const { status, text, headers } = await paid('POST', path, { url, ...more })
    expect(status, `${name} ${to}: ${text}`).toBeGreaterThanOrEqual(400)
    expect([null, '0'], text).toContain(headers.get('x-charged-credits'))
    expect(
      doors.map((door) => door.touched()),
      `${name} ${to}`,
    ).toEqual([0, 0])
  }
})

it.each(ROUTES)('%s follows no name to this machine', async (name, route) => {
  for (const flip of FLIPS) {
    const answers = await route(`http://${flip}.${newId()}.rebind.example:${port}`)
    for (const { text, status, headers } of answers) {
      expect(text, `${name} ${flip}`).not.toContain('secret')
      if (status >= 400) expect([null, '0'], text).toContain(headers.get('x-charged-credits'))
    }
    expect(
      doors.map((door) => door.touched()),
      `${name} ${flip}`,
    ).toEqual([0, 0])
  }
})
