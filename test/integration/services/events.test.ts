/** Events of accounts from the outbox to the operator's webhook. */
import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createAccountDirectory } from '../../../host/account-management/account-directory.ts'
import { createKeys } from '../../../host/account-management/keys.ts'
import { accounts } from '../../../kernel/ledger/accounts.ts'
import { listEvents } from '../../../host/plugin-services/account-events.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { newId } from '../../../kernel/ids.ts'
import { allowList } from '../../../host/outbound/allow-list.ts'
import { createOutbound } from '../../../host/outbound/index.ts'
import { noteBudgetsNear } from '../../../host/account-events/budget-watch.ts'
import type { EventDeliveryDeps } from '../../../kernel/services/event-delivery.ts'
import { countPending, deliverDue } from '../../../host/account-events/event-delivery.ts'
import { claimEvents, endEvent } from '../../../host/account-events/outbox-claims.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const NEVER = new AbortController().signal

interface Received {
  headers: Headers
  text: string
  json: any
}

let database: TestDatabase
let received: Received[]
let answer: () => Response
let counted: string[]
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const text = await request.text()
    received.push({ headers: request.headers, text, json: JSON.parse(text) })
    return answer()
  },
})

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await receiver.stop(true)
  await database.close()
})
beforeEach(async () => {
  received = []
  counted = []
  answer = () => new Response(null, { status: 204 })
  await database.db.sql`DELETE FROM coinop.outbox`
})

function deps(webhook = true): EventDeliveryDeps {
  return {
    sql: database.db.sql,
    outbound: createOutbound({ allowPrivate: allowList([]), userAgent: 'Coinop/test' }),
    webhook: webhook ? { url: `http://127.0.0.1:${receiver.port}/hook`, secret: SECRET } : null,
    metrics: { event: (type, outcome) => void counted.push(`${type} ${outcome}`) },
    log: silentLog,
  }
}

async function write(topic = 'account.low_balance'): Promise<string> {
  const [row] = await database.db.sql<{ id: string }[]>`
    INSERT INTO coinop.outbox (id, account_id, topic, body)
    VALUES (${newId()}, ${randomUUID()}, ${topic},
      ${database.db.sql.json({ available: 15_000, held: 5_000, mark: 100_000 })})
    RETURNING id`
  return row!.id
}

const states = async () =>
  (await listEvents(database.db.sql, { accountId: null, cursor: null, limit: 50 })).events

describe('the delivery', () => {
  it('sends each event once although two instances look at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => write()))
    await Promise.all([deliverDue(deps(), NEVER), deliverDue(deps(), NEVER)])
    expect(received.map(({ json }) => json.id).toSorted()).toEqual(ids.toSorted())
    expect((await states()).map(({ state }) => state)).toEqual(ids.map(() => 'delivered'))
    expect(counted).toHaveLength(20)
  })

  it('signs the body as Standard Webhooks says, with amounts in credits', async () => {
    const id = await write()
    await deliverDue(deps(), NEVER)
    const [{ headers, text, json }] = received as [Received]
    expect(json).toEqual({
      id,
      type: 'account.low_balance',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        accountId: expect.any(String),
        balance: { credits: 1.5, heldCredits: 0.5, usdcAtomic: 15_000 },
        lowMarkCredits: 10,
      },
    })
    const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${text}`
    const mac = createHmac('sha256', Buffer.alloc(32, 9)).update(signed).digest('base64')
    expect(headers.get('webhook-id')).toBe(id)
    expect(headers.get('webhook-signature')).toBe(`v1,${mac}`)
  })

  it("signs for the time of the database, where this machine's is an hour ahead", async () => {
    const now = Date.now()
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['Date'], now: now + 3_600_000 })
    await write()
    await deliverDue(deps(), NEVER)
    const signedAtMs = Number(received[0]!.headers.get('webhook-timestamp')) * 1000
    expect(Math.abs(signedAtMs - now)).toBeLessThan(1_800_000)
  })

  it('sends again what was refused, later and under the same id', async () => {
    const id = await write()
    answer = () => new Response(null, { status: 500 })
    await deliverDue(deps(), NEVER)
    await deliverDue(deps(), NEVER)
    expect(received).toHaveLength(1)
    expect(await states()).toMatchObject([
      { id, state: 'pending', attempts: 1, lastError: 'http_500' },
    ])
    answer = () => new Response()
    await database.db.sql`UPDATE coinop.outbox SET due_at = now()`
    await deliverDue(deps(), NEVER)
    expect(received.map(({ json }) => json.id)).toEqual([id, id])
    expect(await states()).toMatchObject([{ id, state: 'delivered', attempts: 2, lastError: null }])
    expect(counted).toEqual(['account.low_balance failed', 'account.low_balance delivered'])
  })

  it('sends what was made or put off while the clock was far ahead, and no sooner what waits its turn', async () => {
    const { sql } = database.db
    const [made, putOff, waiting] = [await write(), await write(), await write()]
    const ahead = sql`interval '370 days'`
    await sql`UPDATE coinop.outbox SET made_at = made_at + ${ahead}, due_at = due_at + ${ahead} WHERE id = ${made}`
    await sql`UPDATE coinop.outbox SET attempts = 1, due_at = now() + ${ahead} WHERE id = ${putOff}`
    await sql`UPDATE coinop.outbox SET attempts = 9, due_at = now() + interval '90 minutes' WHERE id = ${waiting}`
    await deliverDue(deps(), NEVER)
    expect(received.map(({ json }) => json.id).toSorted()).toEqual([made, putOff].toSorted())
  })

  it('counts as waiting what a webhook is to take, and nothing where there is none', async () => {
    await write()
    const without = { ...deps(), webhook: null }
    expect([await countPending(deps()), await countPending(without)]).toEqual([1, 0])
    answer = () => new Response(null, { status: 500 })
    await deliverDue(deps(), NEVER)
    expect([await countPending(deps()), await countPending(without)]).toEqual([1, 1])
  })

  it('waits as long as a refusal asks', async () => {
    await write()
    answer = () => new Response(null, { status: 503, headers: { 'retry-after': '1800' } })
    await deliverDue(deps(), NEVER)
    const [row] = await database.db.sql<{ waits: boolean }[]>`
      SELECT due_at > made_at + interval '29 minutes' AS waits FROM coinop.outbox`
    expect(row).toEqual({ waits: true })
  })

  it('sends again at once what the end of a gateway cut off', async () => {
    await write()
    const ending = new AbortController()
    answer = () => {
      ending.abort()
      return new Response()
    }
    await deliverDue(deps(), ending.signal)
    expect(await states()).toMatchObject([{ state: 'pending', lastError: 'aborted' }])
    answer = () => new Response()
    await deliverDue(deps(), NEVER)
    expect(await states()).toMatchObject([{ state: 'delivered', attempts: 2 }])
    expect(counted).toEqual(['account.low_balance delivered'])
  })

  it('takes over what an instance left that died, and heeds nothing that comes late from it', async () => {
    const id = await write()
    const [lost] = await claimEvents(database.db.sql, 8, 30_000)
    await deliverDue(deps(), NEVER)
    expect(received).toEqual([])
    await database.db.sql`UPDATE coinop.outbox SET due_at = now()`
    const [taken] = await claimEvents(database.db.sql, 8, 30_000)
    await endEvent(database.db.sql, lost!, 'delivered')
    expect(await states()).toMatchObject([{ id, state: 'pending', attempts: 2 }])
    await endEvent(database.db.sql, taken!, 'delivered')
    expect(await states()).toMatchObject([{ id, state: 'delivered' }])
  })

  it('gives up after a week', async () => {
    await write()
    await database.db.sql`UPDATE coinop.outbox SET made_at = now() - interval '8 days'`
    answer = () => new Response(null, { status: 410 })
    await deliverDue(deps(), NEVER)
    expect(await states()).toMatchObject([{ state: 'given_up', lastError: 'http_410' }])
    await deliverDue(deps(), NEVER)
    expect(received).toHaveLength(1)
  })

  it('gives up nothing because its own clock is ahead', async () => {
    await write()
    answer = () => new Response(null, { status: 500 })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 })
    try {
      await deliverDue(deps(), NEVER)
    } finally {
      vi.useRealTimers()
    }
    expect(await states()).toMatchObject([{ state: 'pending', attempts: 1 }])
  })

  it('leaves events to the instances that have a webhook, and ends those that none took', async () => {
    await write('key.budget_near')
    await deliverDue(deps(false), NEVER)
    expect(await states()).toMatchObject([{ state: 'pending', attempts: 0 }])
    answer = () => new Response(null, { status: 500 })
    const tried = await write()
    await database.db.sql`UPDATE coinop.outbox SET attempts = 1 WHERE id = ${tried}`
    await database.db.sql`UPDATE coinop.outbox SET made_at = now() - interval '11 minutes'`
    await deliverDue(deps(false), NEVER)
    expect(await states()).toContainEqual(expect.objectContaining({ id: tried, state: 'pending' }))
    await database.db.sql`DELETE FROM coinop.outbox WHERE id = ${tried}`
    expect(counted).toEqual(['key.budget_near unsent'])
    expect(await states()).toMatchObject([{ state: 'unsent' }])
  })
})

describe('budgets that come near their end', () => {
  const keys = () => createKeys(database.db, accounts)
  const spend = (keyId: string, scope: string, atomic: bigint) => database.db.sql`
    UPDATE coinop.key_spend SET day_spent = ${atomic}, month_spent = ${atomic}
    WHERE key_id = ${keyId} AND scope = ${scope}`

  it('tells each once, for a day or month and an amount', async () => {
    const { record } = await keys().create({
      name: 'agent',
      mode: 'test',
      budget: { day: 100_000n, month: 1_000_000n },
      productBudgets: { utils: { day: 50_000n } },
    })
    const look = async () => {
      await Promise.all([noteBudgetsNear(database.db.sql), noteBudgetsNear(database.db.sql)])
      return (await states()).map(({ body }) => [body['limit'], body['product'], body['cap']])
    }
    await spend(record.id, '*', 79_999n)
    expect(await look()).toEqual([])
    await spend(record.id, '*', 80_000n)
    expect(await look()).toEqual([['key_day', null, 100_000]])
    await spend(record.id, '*', 100_000n)
    await spend(record.id, 'utils', 50_000n)
    expect((await look()).toSorted()).toEqual([
      ['key_day', null, 100_000],
      ['product_day', 'utils', 50_000],
    ])
    // A budget that was raised can come near again.
    await keys().patch(record.id, { budget: { day: 110_000n } })
    expect(await look()).toHaveLength(3)
    await deliverDue(deps(), NEVER)
    const sent = received.map(({ json }) => json).find(({ data }) => data.product === 'utils')
    expect(sent).toMatchObject({
      type: 'key.budget_near',
      data: {
        accountId: record.accountId,
        apiKeyId: record.id,
        limit: 'product_day',
        capCredits: 5,
        spentCredits: 5,
        leftCredits: 0,
        endsAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/),
      },
    })
  })

  it('says nothing of a revoked key, of yesterday, or of a budget of nothing', async () => {
    const { record } = await keys().create({ name: 'a', mode: 'test', budget: { day: 100n } })
    const none = await keys().create({ name: 'b', mode: 'test', budget: { day: 0n } })
    await spend(record.id, '*', 100n)
    await spend(none.record.id, '*', 0n)
    await database.db.sql`
      UPDATE coinop.key_spend SET day = day - 1 WHERE key_id = ${record.id}`
    await noteBudgetsNear(database.db.sql)
    expect(await states()).toEqual([])
    await database.db.sql`
      UPDATE coinop.key_spend SET day = day + 1 WHERE key_id = ${record.id}`
    await keys().revoke(record.id)
    await noteBudgetsNear(database.db.sql)
    expect(await states()).toEqual([])
  })
})

describe('a low balance', () => {
  it('is told once at the crossing, and again after a credit lifted it', async () => {
    const ledger = createLedger(database.db)
    const account = await createAccountDirectory(database.db, accounts).create({
      name: 'team',
      mode: 'test',
      lowMarkAtomic: 100_000n,
    })
    const made = await createKeys(database.db, accounts).createOn(account.id, { name: 'agent' })
    if (made.outcome !== 'created') throw new Error(made.outcome)
    const keyId = made.record.id
    const credit = (amountAtomic: bigint, reference: string) =>
      ledger.credit({
        accountId: account.id,
        amountAtomic,
        source: 'adjustment',
        reference,
        kind: 'adjustment',
      })
    const buy = async () => {
      const holdId = newId()
      await ledger.authorize({
        holdId,
        accountId: account.id,
        keyId,
        requestId: holdId,
        skillId: 'utils.hash',
        productId: 'utils',
        path: '/',
        amountAtomic: 30_000n,
        ttlMs: 60_000,
        scope: 'call',
      })
      await ledger.capture({ holdId, accountId: account.id, keyId })
    }
    await credit(150_000n, 'first')
    await buy()
    expect(await states()).toEqual([])
    await buy()
    await buy()
    await deliverDue(deps(), NEVER)
    expect(received).toHaveLength(1)
    await credit(50_000n, 'second')
    await buy()
    await deliverDue(deps(), NEVER)
    expect(received.map(({ json }) => json.data)).toMatchObject([
      { accountId: account.id, balance: { credits: 9 }, lowMarkCredits: 10 },
      { accountId: account.id, balance: { credits: 8 }, lowMarkCredits: 10 },
    ])
  })
})
