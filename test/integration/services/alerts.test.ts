/** Events of the gateway itself: one for a state that lasts, whichever instance finds it. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { listEvents } from '../../../host/plugin-services/account-events.ts'
import { eventToJson } from '../../../kernel/ledger/events.ts'
import { migratePlugin, pluginDb } from '../../../kernel/storage/plugin-db.ts'
import { createAlerts } from '../../../host/plugin-services/alerts.ts'
import { lookForFailing } from '../../../plugins/console/requests/failing-skills.ts'
import { MIGRATIONS } from '../../../plugins/console/migrations.ts'
import { RequestStore } from '../../../plugins/console/requests/store.ts'
import { STEPS } from '../../../plugins/console/requests/durations.ts'
import { lookForStuck, STUCK_AFTER_MS } from '../../../plugins/x402/settle/stuck-watch.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await migratePlugin(database.db, 'console', MIGRATIONS)
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.db.sql`DELETE FROM coinop.outbox`
  await database.db.sql`DELETE FROM coinop.alert`
})

const alerts = () => createAlerts(database.db.sql)
const told = async (scope: 'gateway' | 'accounts' = 'gateway') => {
  const page = { accountId: null, scope, cursor: null, limit: 50 }
  const { events } = await listEvents(database.db.sql, page)
  return events.map(eventToJson).map(({ type, data }) => ({ type, data }))
}
const minutesPass = (minutes: number) =>
  database.db.sql`UPDATE coinop.alert SET seen_at = seen_at - ${minutes} * interval '1 minute'`

it('tells a state once while it lasts, and again when it comes back after ten minutes', async () => {
  const down = { type: 'upstream.down', subject: 'weather', data: { product: 'weather' } }
  const first = await Promise.all(Array.from({ length: 20 }, () => alerts().holds(down)))
  expect(first.filter(Boolean)).toHaveLength(1)
  await minutesPass(9)
  expect(await alerts().holds(down)).toBe(false)
  await minutesPass(9)
  expect(await alerts().holds(down)).toBe(false)
  expect(await alerts().holds({ ...down, subject: 'tides' })).toBe(true)
  await minutesPass(11)
  expect(await alerts().holds(down)).toBe(true)
  const told3 = await told()
  expect(told3).toHaveLength(3)
  expect(told3[0]).toEqual({ type: 'upstream.down', data: { product: 'weather' } })
  expect(await told('accounts')).toEqual([])
})

it('tells what happened in a transaction when that commits', async () => {
  const db = pluginDb(database.db, 'console')
  const tell = (reason: string, isUndone: boolean) =>
    db.transaction(async (tx) => {
      await alerts().tell({ type: 'topup.flagged', data: { reason } }, tx)
      if (isUndone) throw new Error('undone')
    })
  await expect(tell('lost', true)).rejects.toThrow('undone')
  await tell('kept', false)
  expect(await told()).toEqual([{ type: 'topup.flagged', data: { reason: 'kept' } }])
})

it('finds skills of which five calls and a tenth fail, and no refusals', async () => {
  const db = pluginDb(database.db, 'console')
  const store = new RequestStore(db)
  const durations = Array.from({ length: STEPS }, () => 0)
  const count = (skill: string, status: number, calls: number, agoMs = 60_000) =>
    store.count([
      { at: new Date(Date.now() - agoMs), skill, mode: 'live', status, calls, kept: 0, durations },
    ])
  await count('a.few', 503, 4)
  await count('a.rare', 503, 5)
  await count('a.rare', 200, 46)
  await count('a.refused', 400, 50)
  await count('a.past', 500, 50, 11 * 60_000)
  expect(await lookForFailing(db, alerts())).toEqual([])
  await count('a.few', 500, 1)
  await count('a.rare', 503, 1)
  expect(await lookForFailing(db, alerts())).toEqual(['a.few', 'a.rare'])
  expect(await lookForFailing(db, alerts())).toEqual([])
  expect(await told()).toContainEqual({
    type: 'skill.failing',
    data: { skill: 'a.rare', mode: 'live', failed: 6, calls: 52, minutes: 10 },
  })
})

it('finds settlements that nothing became of, and none that are young or absent', async () => {
  const backlogOf = (oldestMs: number) => async () => ({
    claimed: 0,
    settling: 3,
    uncertain: 2,
    oldestMs,
  })
  const look = (backlog: Parameters<typeof lookForStuck>[0]['backlog']) =>
    lookForStuck({ alerts: alerts(), backlog, log: silentLog })
  expect(await look(() => null)).toBe(false)
  expect(await look(backlogOf(0))).toBe(false)
  expect(await look(backlogOf(STUCK_AFTER_MS - 1))).toBe(false)
  expect(await look(backlogOf(STUCK_AFTER_MS))).toBe(true)
  expect(await told()).toMatchObject([
    { type: 'settlement.stuck', data: { rail: 'x402', pending: 3, uncertain: 2 } },
  ])
})
