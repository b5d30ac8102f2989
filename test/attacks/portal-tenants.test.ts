/**
 * The account pages' own routes, which no OpenAPI document lists. Everything that one account has is
 * asked for by the owner of another one, and everything of its other keys by one of its keys that has a
 * budget: by ids in paths, as cursors, filters and bodies. Nothing is told, and nothing changes.
 */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '#kernel'
import { buyingRoutes } from '../../plugins/portal/api/buying.ts'
import { callRoutes } from '../../plugins/portal/api/calls.ts'
import { grantRoutes } from '../../plugins/portal/api/grants.ts'
import { keyRoutes } from '../../plugins/portal/api/keys.ts'
import { meRoutes } from '../../plugins/portal/api/me.ts'
import { planRoutes } from '../../plugins/portal/api/plans.ts'
import { receiptRoutes } from '../../plugins/portal/api/receipts.ts'
import { relayRoutes } from '../../plugins/portal/api/relay.ts'
import { settingsRoutes } from '../../plugins/portal/api/settings.ts'
import { usageRoutes } from '../../plugins/portal/api/usage.ts'
import type { GatewayProcess } from '../support/gateway.ts'
import { App, Browser } from '../support/oauth.ts'
import { PortalVisitor, startAtLocalhost, type PortalAnswer } from '../support/portal.ts'

const MARK = 'BELONGS-TO-THE-FIRST'
/** Their methods and paths are all that is read of them. */
const UNUSED = { site: {}, mail: {}, passkeys: {}, facts: {} } as never
const ROUTES: readonly Pick<Route, 'method' | 'path'>[] = [
  buyingRoutes,
  callRoutes,
  grantRoutes,
  keyRoutes,
  meRoutes,
  planRoutes,
  receiptRoutes,
  relayRoutes,
  settingsRoutes,
  usageRoutes,
].flatMap((routes) => routes(UNUSED))
/** What a stranger does to itself: it ends the session, or begins something of its own. */
const OWN_DOINGS = ['DELETE /account/api/session', 'DELETE /account/api/sessions']

let gateway: GatewayProcess
let sink: ReturnType<typeof Bun.serve>
let url: string
let first: PortalVisitor
let second: PortalVisitor
let limited: PortalVisitor
/** By what things of the first account are known; the limited key sees none of them. */
const ids = new Map<string, string>()

beforeAll(async () => {
  sink = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('{}') })
  ;({ gateway, url } = await startAtLocalhost({
    MCP_OAUTH: 'true',
    // Where the relay's destination is.
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    RATE_LIMIT_RPM: '100000',
    RATE_LIMIT_BURST: '100000',
  }))
  const owner = await gateway.key(500)
  first = visitor()
  await first.signInByKey(owner.key)
  second = visitor()
  await second.signInByWallet(privateKeyToAccount(generatePrivateKey()))
  const make = async (name: string, more: object): Promise<{ id: string; key: string }> => {
    const made = await first.api('POST', '/api/keys', { name, ...more })
    expect(made.status, made.text).toBe(201)
    return made.json
  }
  const other = await make(`${MARK} key`, { day: 20 })
  const bound = await make('with a budget', { day: 30 })
  limited = visitor()
  await limited.signInByKey(bound.key)
  ids.set('key', other.id)
  ids.set('owner’s key', owner.id)
  for (const key of [owner.key, other.key, bound.key]) {
    const headers = { 'x-api-key': key }
    const called = await gateway.call('POST', '/v1/paid/echo', { body: { message: 'x' }, headers })
    expect(called.status, called.text).toBe(200)
    if (key !== bound.key) ids.set(`request of ${key}`, called.headers.get('x-request-id')!)
  }
  const endpoint = await first.api('POST', '/api/relay/endpoints', {
    name: `${MARK} endpoint`,
    apiKeyId: other.id,
    verification: { scheme: 'none' },
    destinations: [{ url: `http://127.0.0.1:${sink.port}/` }],
  })
  expect(endpoint.status, endpoint.text).toBe(201)
  ids.set('endpoint', endpoint.json.id)
  ids.set('destination', endpoint.json.destinations[0].id)
  const sent = await gateway.call('POST', `/v1/webinfra/endpoints/${endpoint.json.id}/ingress`, {
    body: { event: MARK },
    headers: { 'x-api-key': other.key },
  })
  expect(sent.status, sent.text).toBe(200)
  const app = new App(url)
  await app.register({ client_name: `${MARK} app` })
  const browser = new Browser(url)
  await browser.signIn(owner.key)
  await browser.allow(app.authorizeUrl())
  const listed = async (path: string, name: string): Promise<any[]> => {
    const { json, text } = await first.get(`/account/api${path}`)
    expect(json?.[name]?.length, `${path}: ${text}`).toBeGreaterThan(0)
    return json[name]
  }
  for (const call of await listed('/calls', 'calls')) {
    if (call.keyId !== bound.id) ids.set(`call ${call.id}`, call.id)
  }
  for (const grant of await listed('/grants', 'grants')) ids.set('app', grant.id)
  for (const receipt of await listed('/receipts', 'receipts')) ids.set('receipt', receipt.id)
  for (const session of await listed('/sessions', 'sessions')) {
    if (session.keyId === owner.id) ids.set(`session ${session.id}`, session.id)
  }
  const deliveries = `/relay/endpoints/${endpoint.json.id}/deliveries`
  for (const delivery of await listed(deliveries, 'deliveries')) ids.set('delivery', delivery.id)
})
afterAll(async () => {
  await gateway.stop()
  await sink.stop(true)
})

const visitor = (): PortalVisitor => new PortalVisitor(gateway, url)

/** All that the owner of the first account sees of it, but when it was last looked at. */
async function seen(): Promise<Record<string, string>> {
  const asked = ROUTES.filter(({ method }) => method === 'GET').flatMap(({ path }) =>
    path.includes('{') ? [...ids.values()].map((id) => withId(path, id)) : [path],
  )
  const answers = await Promise.all(asked.map((path) => first.get(path)))
  const told = answers.flatMap(({ status, text }, at) =>
    status === 200 ? [[asked[at]!, text.replaceAll(/"usedAt":"[^"]*"/g, '')]] : [],
  )
  return Object.fromEntries(told)
}

const withId = (path: string, id: string): string =>
  path.replaceAll(/\{[^}]+\}/g, encodeURIComponent(id))

/** Every route with every id wherever it takes one. */
async function asks(
  one: PortalVisitor,
  check: (answer: PortalAnswer, asked: string) => void,
): Promise<number> {
  let count = 0
  for (const { method, path } of ROUTES) {
    if (OWN_DOINGS.includes(`${method} ${path}`)) continue
    const names = method === 'GET' ? ['cursor', 'key', 'app'] : []
    const asked = [...ids.values()].flatMap((id) =>
      ['', ...names.map((name) => `?${name}=${id}`)].map(async (query) => {
        const full = withId(path, id) + query
        const body =
          method === 'GET' || method === 'DELETE'
            ? undefined
            : { name: 'mine', apiKeyId: id, keyId: id, subject: id, accountId: id }
        check(await one.api(method, full.slice('/account'.length), body), `${method} ${full}`)
      }),
    )
    await Promise.all(asked)
    count += asked.length
  }
  return count
}

function tellsNothing({ status, text }: PortalAnswer, asked: string): void {
  expect(status, `${asked}: ${text}`).toBeLessThan(500)
  for (const thing of [MARK, ...ids.values()]) {
    if (!asked.includes(thing)) expect(text, asked).not.toContain(thing)
  }
}

it('another account gets nothing of it and changes nothing of it', async () => {
  const before = await seen()
  expect(JSON.stringify(before)).toContain(MARK)
  expect(Object.keys(before).length).toBeGreaterThan(20)
  const asked = await asks(second, (answer, request) => {
    tellsNothing(answer, request)
    const [path = ''] = request.split('?')
    if ([...ids.values()].some((id) => path.includes(id)))
      expect(answer.status, `${request}: ${answer.text}`).toBeGreaterThanOrEqual(400)
  })
  expect(asked).toBeGreaterThan(300)
  expect(await seen()).toEqual(before)
})

it('a key with a budget sees its own alone, and changes nothing of the others', async () => {
  const before = await seen()
  await asks(limited, tellsNothing)
  expect(await seen()).toEqual(before)
})
