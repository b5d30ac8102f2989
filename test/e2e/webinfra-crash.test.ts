/**
 * 600 webhooks to three destinations that fail at random, through two gateways on one database
 * that are killed with SIGKILL in turn: every forward ends succeeded or dead by its schedule, each
 * success is charged once, nothing is lost and the books balance.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyLedger } from '../../host/reporting/verify.ts'
import { randomFrom } from '../simulator/random.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { freePort } from '../support/ports.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import {
  destinationServer,
  type Behaviour,
  type DestinationServer,
} from '../support/webinfra-destinations.ts'
import { ownAccount } from '../support/accounts.ts'

const DELIVERIES = 600
const SENDERS = 24
const MAX_ATTEMPTS = 6
const CREDITS = 1000
const PRICE_ATOMIC = 100n

/** The shipped product with a schedule of milliseconds and a short lease. */
const PRODUCT = `
product_id: webinfra
base_path: /v1/webinfra
plugin: webinfra
config:
  scheduleMs: [50, 100, 200, 400]
  pollMs: 50
  answerWithinMs: 50
  leaseMarginMs: 1000
skills:
  - skill: webinfra.webhook_ingress
    route: POST /endpoints/{id}/ingress
    price: { credits: 0.01 }
  - skill: webinfra.webhook_replay
    route: POST /deliveries/{id}/replay
    price: { credits: 0.01 }
`

const random = randomFrom(20_261_130)
let database: TestDatabase
let folder: string
let destinations: DestinationServer[]
const gateways: GatewayProcess[] = []

beforeAll(async () => {
  database = await testDatabase()
  folder = mkdtempSync(join(tmpdir(), 'coinop-webinfra-'))
  writeFileSync(join(folder, 'webinfra.yaml'), PRODUCT)
  destinations = [
    await destinationServer(),
    await destinationServer(),
    await destinationServer(await freePort()),
  ]
})
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await Promise.all(destinations.map((destination) => destination.close()))
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

function start(): Promise<GatewayProcess> {
  return startGateway({
    DATABASE_URL: database.url,
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    COINOP_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    PRODUCTS_DIR: folder,
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    RATE_LIMIT_RPM: '1000000',
    RATE_LIMIT_BURST: '100000',
  })
}

/** Each destination fails in its own way about every third time. */
function behaviours(): (() => Behaviour)[] {
  const { chance } = random
  return [
    () => (chance(0.3) ? 500 : 200),
    () => (chance(0.2) ? { status: 200, delayMs: 700 } : chance(0.2) ? 'reset' : 200),
    () => (chance(0.3) ? 'reset-after-2xx' : chance(0.2) ? 503 : 200),
  ]
}

/** Sends until it is acknowledged, as a webhook sender does; returns the delivery's id. */
async function send(path: string, apiKey: string, index: number): Promise<string> {
  for (let round = index; ; round++) {
    const gateway = gateways[round % gateways.length]!
    try {
      const answer = await gateway.call('POST', path, {
        body: { index, text: 'x'.repeat(200) },
        headers: { 'x-api-key': apiKey, 'x-webhook-delivery-id': `event-${index}` },
      })
      if (answer.status === 200) return answer.json.delivery_id as string
      if (answer.status < 500) throw new Error(`${answer.status} ${answer.text}`)
    } catch (error) {
      if (error instanceof Error && /^\d{3} /.test(error.message)) throw error
    }
    await Bun.sleep(50)
  }
}

interface ForwardRow {
  id: string
  delivery_id: string
  destination_id: string
  state: string
  attempts: number
  fence: number
}

it('loses nothing and charges each success once through kill -9 of both gateways', async () => {
  gateways.push(await start(), await start())
  const { id: keyId, key } = await gateways[0]!.key(CREDITS)
  const endpoint = await gateways[0]!.admin('POST', '/v1/admin/webinfra/endpoints', {
    name: 'crash',
    apiKeyId: keyId,
    verification: { scheme: 'none' },
    destinations: destinations.map(({ url }) => ({ url })),
    maxAttempts: MAX_ATTEMPTS,
    timeoutMs: 400,
  })
  expect(endpoint.status).toBe(201)
  behaviours().forEach((behave, index) => destinations[index]!.answer(behave))
  const path = `/v1/webinfra/endpoints/${endpoint.json.id}/ingress`

  let next = 0
  let acknowledged = 0
  const ids = new Map<number, string>()
  const sender = async (): Promise<void> => {
    while (next < DELIVERIES) {
      const index = next++
      ids.set(index, await send(path, key, index))
      acknowledged++
    }
  }
  const sending = Promise.all(Array.from({ length: SENDERS }, sender))
  const until = async (reached: () => boolean): Promise<void> => {
    while (!reached()) await Bun.sleep(5)
  }
  const crash = async (index: number): Promise<void> => {
    await gateways[index]!.kill()
    gateways[index] = await start()
  }
  await until(() => acknowledged > DELIVERIES * 0.2)
  await crash(0)
  // Nobody listens at the third destination for a while: connection refused.
  const { port } = destinations[2]!
  await destinations[2]!.close()
  await until(() => acknowledged > DELIVERIES * 0.5)
  await crash(1)
  const first = destinations[2]!
  destinations[2] = await destinationServer(port)
  destinations[2].answer(behaviours()[2]!)
  await until(() => acknowledged > DELIVERIES * 0.8)
  await Promise.all([crash(0), crash(1)])
  await sending

  const { sql } = database.db
  const forwards = () =>
    sql<ForwardRow[]>`select id, delivery_id, destination_id, state, attempts, lease_token as fence
      from plugin_webinfra.forward`
  for (;;) {
    const rows = await forwards()
    if (rows.every(({ state }) => state === 'succeeded' || state === 'dead')) break
    await Bun.sleep(100)
  }
  const rows = await forwards()

  // Nothing is lost and nothing is stored twice.
  expect(ids.size).toBe(DELIVERIES)
  expect(new Set(ids.values()).size).toBe(DELIVERIES)
  const stored = await sql`select id from plugin_webinfra.delivery`
  expect(stored.length).toBe(DELIVERIES)
  expect(rows.length).toBe(DELIVERIES * 3)

  // What succeeded was seen by its destination; what is dead used up its schedule.
  const seen = destinations.map(({ got }) => got)
  seen[2] = [...first.got, ...seen[2]!]
  const acceptedBy = seen.map(
    (got) =>
      new Set(
        got
          .filter(({ status }) => status !== null && status < 300)
          .map(({ headers }) => String(headers['webhook-id'])),
      ),
  )
  const place = new Map<string, number>(
    endpoint.json.destinations.map(({ id }: { id: string }, index: number) => [id, index]),
  )
  for (const row of rows) {
    if (row.state === 'succeeded') {
      expect(acceptedBy[place.get(row.destination_id)!]!.has(row.delivery_id)).toBe(true)
    } else expect(row.attempts).toBe(MAX_ATTEMPTS)
  }

  // Each success is charged once, a failure never.
  const succeeded = rows.filter(({ state }) => state === 'succeeded')
  const captures = await sql<{ request_id: string; amount: bigint }[]>`
    select h.request_id, h.captured as amount from coinop.hold h
    where h.key_id = ${keyId} and h.state = 'captured'`
  const charged = captures.map(({ request_id }) => request_id.split('.')[0]!)
  expect(charged.sort()).toEqual(succeeded.map(({ id }) => id).sort())
  expect(captures.every(({ amount }) => amount === PRICE_ATOMIC)).toBe(true)
  const [account] = await sql<{ total: bigint }[]>`
    select available + held as total from coinop.account where id = ${ownAccount(keyId)}`
  expect(account!.total).toBe(BigInt(CREDITS) * 10_000n - BigInt(succeeded.length) * PRICE_ATOMIC)
  expect((await verifyLedger(sql)).violations).toEqual([])

  // The faults did happen: some died, some were claimed again after a crash.
  expect(rows.some(({ attempts }) => attempts > 1)).toBe(true)
  expect(rows.some(({ fence, attempts }) => fence > attempts)).toBe(true)
  // It takes a minute of both processors.
}, 900_000)

it('sends again what was delivered but not yet charged when it was killed, and charges it once', async () => {
  if (gateways.length === 0) gateways.push(await start())
  const [gateway] = gateways
  const { id: keyId, key } = await gateway!.key(1)
  const target = await destinationServer()
  const endpoint = await gateway!.admin('POST', '/v1/admin/webinfra/endpoints', {
    name: 'between',
    apiKeyId: keyId,
    verification: { scheme: 'none' },
    destinations: [{ url: target.url }],
    // Only the lock may hold an attempt up, however busy the machine is.
    timeoutMs: 15_000,
  })
  // Whoever captures waits for this lock, taken when the hold is there and the request arrived.
  const locked = Promise.withResolvers<void>()
  const unlock = Promise.withResolvers<void>()
  let locking: Promise<unknown> | null = null
  target.answer(async () => {
    locking ??= database.db.sql.begin(async (sql) => {
      await sql`select 1 from coinop.account where id = ${ownAccount(keyId)} for update`
      locked.resolve()
      await unlock.promise
    })
    await locked.promise
    return 200
  })
  const path = `/v1/webinfra/endpoints/${endpoint.json.id}/ingress`
  const sent = await gateway!.call('POST', path, { body: {}, headers: { 'x-api-key': key } })
  expect(sent.json.status).toBe('accepted')
  const { sql } = database.db
  const waiting = async () =>
    (
      await sql`select 1 from pg_stat_activity where datname = current_database()
        and application_name = 'coinop webinfra' and wait_event_type = 'Lock'`
    ).length
  while ((await waiting()) === 0) await Bun.sleep(10)
  await Promise.all(gateways.map((one) => one.kill()))
  unlock.resolve()
  await locking
  await database.db
    .sql`update plugin_webinfra.forward set lease_until = now() where state = 'in_flight'`
  gateways.splice(0, gateways.length, await start())

  await target.arrived(2)
  const state = async () =>
    (
      await sql<{ state: string }[]>`select state from plugin_webinfra.forward
        where delivery_id = ${sent.json.delivery_id}`
    )[0]!.state
  while ((await state()) !== 'succeeded') await Bun.sleep(20)
  expect(target.of(sent.json.delivery_id)).toHaveLength(2)
  const captured = await sql`select 1 from coinop.hold
    where key_id = ${keyId} and state = 'captured'`
  expect(captured).toHaveLength(1)
  expect((await verifyLedger(sql)).violations).toEqual([])
  await target.close()
})
