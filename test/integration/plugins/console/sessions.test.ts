/** Sign-ins of the console over a real database. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RouteRequest } from '../../../../kernel/plugins/route.ts'
import { createOperator } from '../../../../host/plugin-services/operator.ts'
import { migratePlugin, pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { MIGRATIONS } from '../../../../plugins/console/migrations.ts'
import { sessionRoutes } from '../../../../plugins/console/session-routes.ts'
import { Sessions } from '../../../../plugins/console/sessions.ts'
import { testDatabase } from '../../../support/database.ts'
import { silentLog } from '../../../support/log.ts'

const database = await testDatabase()
const db = pluginDb(database.db, 'console')
beforeAll(async () => {
  await migratePlugin(database.db, 'console', MIGRATIONS)
})
afterAll(() => database.close())

/** The sessions of an instance that has this admin token. */
const instance = (adminToken: string) => {
  const operator = createOperator({
    auth: {} as never,
    adminToken,
    otherTokens: [],
    serve: async () => new Response(),
  })
  return new Sessions(db, (secret) => operator.digest(secret))
}
const expiries = async () =>
  (
    await db.query<{ hours: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours
       FROM session ORDER BY expires_at`,
    )
  ).map(({ hours }) => hours)
const age = (interval: string) =>
  db.query(
    `UPDATE session SET created_at = created_at - $1::interval, expires_at = expires_at - $1::interval`,
    [interval],
  )

it('a session is known to every instance, and to none with another admin token', async () => {
  const secret = await instance('a').begin(null)
  expect(await instance('a').use(secret)).toMatchObject({ id: null, role: 'owner' })
  expect(await instance('b').use(secret)).toBeNull()
  expect(await instance('a').use(`${secret.slice(0, -1)}!`)).toBeNull()
  expect(await instance('a').use(null)).toBeNull()
  expect(JSON.stringify(await db.query('SELECT * FROM session'))).not.toContain(secret)
  await instance('a').end(secret)
  expect(await instance('a').use(secret)).toBeNull()
})

it('lasts 12 hours after its last use, 7 days in all, and is removed after that', async () => {
  const sessions = instance('a')
  const secret = await sessions.begin(null)
  expect(await expiries()).toEqual([12])
  await age('10 hours')
  expect(await sessions.use(secret)).not.toBeNull()
  expect(await expiries()).toEqual([12])
  await age('156 hours')
  await db.query(`UPDATE session SET expires_at = now() + interval '1 hour'`)
  expect(await sessions.use(secret)).not.toBeNull()
  expect(await expiries()).toEqual([2])
  await age('3 hours')
  expect(await sessions.use(secret)).toBeNull()
  await sessions.begin(null)
  expect(await expiries()).toEqual([12])
})

it('a database that is away is told as such, by an answer like every other of the page', async () => {
  const broken = { use: () => Promise.reject(new Error('gone')) } as unknown as Sessions
  const routes = sessionRoutes({
    basePath: '/console',
    origin: 'http://x',
    publicUrl: 'http://gateway.example',
    operator: {} as never,
    sessions: broken,
    admins: {} as never,
    links: {} as never,
    log: silentLog,
  })
  const request = new Request('http://gateway.example/console/session', {
    headers: { 'x-coinop-console': '1' },
  })
  const [state] = routes
  const answer = await state!.handler({ request, requestId: 'r' } as RouteRequest)
  expect(answer).toMatchObject({ status: 503 })
  const { headers } = answer as Response
  expect(headers.get('retry-after')).toBe('1')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})
