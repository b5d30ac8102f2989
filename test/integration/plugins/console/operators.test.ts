/** Named operators and their audit log over a real database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OperatorIdentity } from '../../../../kernel/auth/operators.ts'
import type { OperatorChange } from '../../../../kernel/plugins/observers.ts'
import type { RouteRequest } from '../../../../kernel/plugins/route.ts'
import { migratePlugin, pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { MIGRATIONS } from '../../../../plugins/console/migrations.ts'
import { Admins } from '../../../../plugins/console/operators/admins.ts'
import { Changes } from '../../../../plugins/console/operators/changes.ts'
import { Links } from '../../../../plugins/console/operators/links.ts'
import { operatorRoutes } from '../../../../plugins/console/routes/operators.ts'
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

const digest = (secret: string) => secret
const admins = new Admins(db, true)
const links = new Links(db, digest)
const changes = new Changes(db)
const count = async (table: string) =>
  (await db.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]!.n

describe('an operator whom the console does not know never becomes the holder of the admin token', () => {
  const elsewhere: OperatorIdentity = { name: 'eve', role: 'read' }

  it('by signing in', async () => {
    const routes = sessionRoutes({
      basePath: '/console',
      publicUrl: 'http://gateway.example',
      origin: 'http://gateway.example',
      operator: { identify: async () => ({ ok: true, operator: elsewhere }) } as never,
      sessions: new Sessions(db, digest),
      admins,
      links,
      log: silentLog,
    })
    const signIn = routes.find(({ method, path }) => method === 'POST' && path.endsWith('/session'))
    const request = new Request('http://gateway.example/console/session', {
      method: 'POST',
      headers: { 'x-coinop-console': '1' },
    })
    const asked = { request, requestId: 'r', clientAddress: '', json: async () => token }
    const token = { ok: true, value: { token: 'of another plugin' } }
    const answer = await signIn!.handler(asked as unknown as RouteRequest)
    expect([(answer as Response).status, await count('session')]).toEqual([403, 0])
  })

  it('by a link', async () => {
    const routes = operatorRoutes({ admins, changes, links, basePath: '', origin: '' })
    const link = routes.find(({ path }) => path.endsWith('/links'))!
    const request = new Request('http://gateway.example/', {
      headers: { authorization: 'Bearer revoked' },
    })
    const ask = (operator: OperatorIdentity) =>
      link.handler({ request, operator, requestId: 'link', clientAddress: '' } as RouteRequest)
    expect(await ask(elsewhere)).toMatchObject({ status: 403 })
    expect(await count('link')).toBe(0)
    expect(await ask({ name: 'ADMIN_TOKEN', role: 'owner' })).toMatchObject({ status: 201 })
    const filter = { operator: undefined, requestId: 'link', path: undefined }
    expect(await changes.list(filter, { limit: 9, cursor: null })).toMatchObject([
      { operator: 'ADMIN_TOKEN', operatorId: null, path: '/v1/admin/console/links', status: 201 },
    ])
  })

  it('by its name', async () => {
    expect(await admins.make({ name: 'admin_Token', role: 'read' }, 'x')).toBe('taken')
  })
})

it('a change is kept whatever texts it has', async () => {
  const texts = ['\ud83d', 'a\0b', String.raw`a\u0000`, String.raw`\ud83d`, `${'x'.repeat(399)}😀`]
  const change: OperatorChange = {
    operator: 'ana',
    role: 'operate',
    at: new Date(),
    requestId: 'texts',
    method: 'PATCH',
    path: '/v1/keys/k',
    route: '/v1/keys/{id}',
    clientAddress: '127.0.0.1',
    status: 200,
    input: { texts, ['\ud83d']: 1 },
    before: { note: '' },
    after: { note: texts.at(-1) },
  }
  await changes.changed(change)
  const filter = { operator: undefined, requestId: 'texts', path: undefined }
  const [kept] = await changes.list(filter, { limit: 1, cursor: null })
  expect(kept!.input).toMatchObject({
    texts: ['', 'ab', texts[2], texts[3], `${'x'.repeat(399)}…`],
  })
})

it('says whose change it was where two operators had one name', async () => {
  const ids: (string | null)[] = [null]
  const change = (at: Date) =>
    changes.changed({
      operator: 'Bea',
      role: 'operate',
      at,
      requestId: 'names',
      method: 'POST',
      path: '/v1/keys',
      route: '/v1/keys',
      clientAddress: '127.0.0.1',
      status: 201,
      input: {},
      before: null,
      after: null,
    })
  await change(new Date(0))
  for (const name of ['bea', 'BEA']) {
    const made = await admins.make({ name, role: 'operate' }, 'ADMIN_TOKEN')
    if (made === 'taken') throw new Error('the name is taken')
    // The row's own time: the clocks of this process and of the database may differ.
    await change(made.admin.createdAt)
    await admins.revoke(made.admin.id, 'ADMIN_TOKEN')
    ids.unshift(made.admin.id)
  }
  const filter = { operator: undefined, requestId: 'names', path: undefined }
  const rows = await changes.list(filter, { limit: 9, cursor: null })
  expect(rows.map(({ operatorId }) => operatorId)).toEqual(ids)
})
