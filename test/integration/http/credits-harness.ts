/** The key and credit routes over a test database, called as the edge calls them. */
import { randomUUID } from 'node:crypto'
import { createAccountDirectory } from '../../../host/account-management/account-directory.ts'
import { createRateLimiter } from '../../../host/rate-limits/limiter.ts'
import type { Route } from '../../../kernel/plugins/route.ts'
import { serveRoute } from '../../../kernel/http/route-adapter.ts'
import { accountRoutes } from '../../../plugins/admin/routes/accounts.ts'
import { creditRoutes } from '../../../plugins/admin/routes/credits.ts'
import { eventRoutes } from '../../../plugins/admin/routes/events.ts'
import { keyRoutes } from '../../../plugins/admin/routes/keys.ts'
import { ledgerRoutes } from '../../../plugins/admin/routes/ledger.ts'
import { accounts } from '../../../kernel/ledger/accounts.ts'
import { productOfSkill } from '../../../host/plugin-services/product-of-skill.ts'
import { readableLedger, type ReadableLedger } from '../../support/ledger-rows.ts'
import { createAdministration } from '../../../host/plugin-services/administration.ts'
import { createFunds } from '../../../host/plugin-services/funds.ts'
import { sandboxRoutes } from '../../../plugins/topup/sandbox-routes.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'
import { ADMIN_TOKEN, authInstance, type AuthInstance } from '../auth/instance.ts'

export interface Answer {
  status: number
  headers: Headers
  json: any
}
export interface RouteHarness {
  database: TestDatabase
  instance: AuthInstance
  ledger: ReadableLedger
  /** With the admin bearer. */
  admin(method: string, path: string, body?: unknown, headers?: HeadersInit): Promise<Answer>
  /** With an API key (or no credential for ''). */
  as(key: string, method: string, path: string, body?: unknown): Promise<Answer>
  send(method: string, path: string, init: RequestInit): Promise<Answer>
  /** A test key with this many credits. */
  fundedKey(credits: number, limits?: object): Promise<{ id: string; key: string }>
  close(): Promise<void>
}

export async function routeHarness(
  options: { sandbox?: boolean; limits?: { rpm: number; burst: number } } = {},
): Promise<RouteHarness> {
  const database = await testDatabase()
  const instance = await authInstance(database.db)
  const ledger = readableLedger(database.db)
  const limiter = createRateLimiter(database.db.sql, silentLog)
  const administration = createAdministration({
    sql: database.db.sql,
    keys: instance.keys,
    tokens: instance.tokens,
    ledger,
    // Its routes are tested on a registry of their own.
    products: {} as never,
    accounts: createAccountDirectory(database.db, accounts),
    auth: instance.auth,
    productOf: productOfSkill,
    holdTtlMs: 900_000,
    pages: { urls: () => null },
  })
  const sandbox = options.sandbox ?? true
  const funds = createFunds(ledger, instance.keys, sandbox, database.db.sql)
  const deps = { ...administration, funds, sandbox }
  const routes = [
    ...keyRoutes(deps),
    ...accountRoutes(deps),
    ...eventRoutes(deps),
    ...creditRoutes(deps),
    ...ledgerRoutes(deps),
    ...sandboxRoutes({ funds, sandbox }),
  ]

  async function send(method: string, path: string, init: RequestInit): Promise<Answer> {
    const url = new URL(path, 'http://localhost')
    const { route, params } = match(routes, method, url.pathname)
    const response = await serveRoute(
      route,
      {
        request: new Request(url, { ...init, method }),
        params,
        search: url.search,
        requestId: randomUUID(),
        clientAddress: '192.0.2.1',
      },
      {
        auth: instance.auth,
        log: silentLog,
        ...(options.limits && { rate: { limiter, limits: options.limits } }),
      },
    )
    return { status: response.status, headers: response.headers, json: await response.json() }
  }
  const withBody = (body: unknown, headers: HeadersInit): RequestInit => ({
    headers,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const admin: RouteHarness['admin'] = (method, path, body, headers) =>
    send(method, path, withBody(body, { ...headers, authorization: `Bearer ${ADMIN_TOKEN}` }))

  return {
    database,
    instance,
    ledger,
    send,
    admin,
    as: (key, method, path, body) =>
      send(method, path, withBody(body, key === '' ? {} : { 'x-api-key': key })),
    async fundedKey(credits, limits = {}) {
      const { record, plaintext } = await instance.keys.create({
        name: 'funded',
        mode: 'test',
        ...limits,
      })
      if (credits > 0) {
        await admin('POST', '/v1/sandbox/topup', { apiKeyId: record.id, amount: credits })
      }
      return { id: record.id, key: plaintext }
    },
    async close() {
      await ledger.drain()
      await limiter.close()
      await instance.close()
      await database.close()
    },
  }
}

function match(routes: Route[], method: string, pathname: string) {
  for (const route of routes) {
    const pattern = route.path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    const found = new RegExp(`^${pattern}$`).exec(pathname)
    if (route.method === method && found) return { route, params: { ...found.groups } }
  }
  throw new Error(`no route ${method} ${pathname}`)
}
