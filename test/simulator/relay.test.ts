/**
 * Histories of the webhook relay from seeds: the real ingress, worker, leases and schedule over the
 * real statements, on two gateways, with a storage that fails at each statement, destinations that
 * fail, drip and cut, senders who send again, and gateways that die with a forward on the wire.
 * SIMULATE_SEED and SIMULATE_HISTORIES draw others.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { relayOver, type RelayHarness } from '../support/webinfra.ts'
import {
  destinationServer,
  type Behaviour,
  type DestinationServer,
} from '../support/webinfra-destinations.ts'
import { faultyPluginDb, type FaultyPluginDb } from './faulty-plugin-db.ts'
import { randomFrom, type Random } from './random.ts'

const FIRST_SEED = Number(process.env['SIMULATE_SEED'] ?? 1)
const HISTORIES = Number(process.env['SIMULATE_HISTORIES'] ?? 12)
const PRICE_ATOMIC = 100n
const GRANT_ATOMIC = 1_000_000n
const MAX_ATTEMPTS = 4
const LEASE_MS = 60_000
const DESTINATIONS = 2

interface Instance {
  relay: RelayHarness
  db: FaultyPluginDb
}
/** A webhook as its sender knows it. */
interface Webhook {
  id: string
  /** Ids of its delivery, as answers named them. */
  told: string[]
}

let database: TestDatabase
let destinations: DestinationServer[]
let random: Random = randomFrom(1)
const instances: Instance[] = []

async function openInstance(): Promise<Instance> {
  let db!: FaultyPluginDb
  const relay = await relayOver(database.db, {
    amountAtomic: PRICE_ATOMIC,
    config: { scheduleMs: [15, 15, 15], pollMs: 10, answerWithinMs: 200, leaseMarginMs: 1000 },
    through: (plain) => (db = faultyPluginDb(plain, () => random)),
  })
  return { relay, db }
}

beforeAll(async () => {
  database = await testDatabase()
  destinations = await Promise.all(Array.from({ length: DESTINATIONS }, () => destinationServer()))
  instances.push(await openInstance(), await openInstance())
})
afterAll(async () => {
  for (const { relay } of instances) await relay.close()
  await Promise.all(destinations.map((destination) => destination.close()))
  await database.close()
})

const FAILURES: readonly Behaviour[] = [
  500,
  { status: 503, headers: { 'retry-after': '0' } },
  'reset',
  { status: 200, delayMs: 700 },
]
/** Answers that the relay may take for a success. */
const UNSURE: readonly Behaviour[] = ['reset-after-2xx', { status: 200, delayMs: 60 }]

/** Nothing helps a destination that is wholly bad: what it is sent ends as dead. */
function behave(destination: DestinationServer, bad: number): void {
  const kinds = bad === 1 ? FAILURES : [...FAILURES, ...UNSURE]
  destination.answer(() => (random.chance(bad) ? random.of(kinds) : 200))
}

const weather = (faulty: number, fatal: number): void => {
  for (const { db } of instances) Object.assign(db, { faulty, fatal })
}

/** Dead gateways are replaced; what they had claimed stays leased. Returns how many. */
async function replaceDead(): Promise<number> {
  let deaths = 0
  for (const [i, { db, relay }] of instances.entries()) {
    if (!db.isDead) continue
    deaths++
    await relay.close()
    instances[i] = await openInstance()
  }
  return deaths
}

async function send(webhook: Webhook, endpointId: string, apiKey: string): Promise<void> {
  const { relay, db } = random.of(instances)
  const sent = await relay
    .ingress(endpointId, {
      body: JSON.stringify({ webhook: webhook.id }),
      headers: { 'x-webhook-delivery-id': webhook.id },
      apiKey,
    })
    .catch(() => null)
  // A dead gateway says nothing.
  if (sent?.status === 200 && !db.isDead) webhook.told.push(sent.json.delivery_id)
}

interface ForwardRow {
  delivery_id: string
  destination_id: string
  state: string
  attempts: number
  charged: number
}

/** What became of every forward of an endpoint, with how often it was charged. */
const forwardsOf = (endpointId: string) => database.db.sql<ForwardRow[]>`
  SELECT f.delivery_id, f.destination_id, f.state, f.attempts,
    (SELECT count(*)::int FROM coinop.hold h
     WHERE h.request_id LIKE f.id || '.%' AND h.state = 'captured') AS charged
  FROM plugin_webinfra.forward f JOIN plugin_webinfra.delivery d ON d.id = f.delivery_id
  WHERE d.endpoint_id = ${endpointId}`

/** Leases of whoever died run out. Rows that a statement works on wait for the next time: no deadlock. */
async function letTimePass(): Promise<void> {
  await database.db.sql`
    UPDATE plugin_webinfra.forward SET lease_until = now() - interval '1 second'
    WHERE id IN (
      SELECT id FROM plugin_webinfra.forward
      WHERE lease_until < now() + ${LEASE_MS} * interval '1 millisecond' FOR UPDATE SKIP LOCKED)`
}

const byForward = (a: ForwardRow, b: ForwardRow): number =>
  `${a.delivery_id}${a.destination_id}` < `${b.delivery_id}${b.destination_id}` ? -1 : 1

/** The key's available balance when holds of whoever died have run out. */
async function onceNothingIsHeld(relay: RelayHarness, keyId: string): Promise<bigint> {
  for (;;) {
    await database.db.sql`
      UPDATE coinop.hold SET expires_at = now() WHERE id IN (
        SELECT id FROM coinop.hold WHERE key_id = ${keyId} AND state = 'authorized'
        FOR UPDATE SKIP LOCKED)`
    await relay.ledger.expireDue(100)
    const { available, held } = await relay.balance(keyId)
    if (held === 0n) return available
    await Bun.sleep(20)
  }
}

const ENDED = ['succeeded', 'dead']

it('an accepted webhook is delivered or dead by its schedule, and each success is charged once', async () => {
  const sums = { accepted: 0, succeeded: 0, dead: 0, faults: 0, deaths: 0 }
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
    random = randomFrom(seed)
    // Before the gateways draw, whose turns are those of the machine: each seed has its own weather.
    const bad = random.of([0, 0.3, 0.7, 1])
    const [faulty, fatal] = random.of([[0, 0], [0.08, 0], [0.08, 0.04], [0.2, 0.02]] as const) // prettier-ignore
    const at = `seed ${seed}`
    weather(0, 0)
    const { id: keyId, key } = await instances[0]!.relay.key(GRANT_ATOMIC)
    const endpoint = await instances[0]!.relay.endpoint(
      destinations.map(({ url }) => url),
      { apiKeyId: keyId, maxAttempts: MAX_ATTEMPTS, timeoutMs: 400 },
    )
    for (const destination of destinations) {
      destination.got.length = 0
      behave(destination, bad)
    }
    weather(faulty, fatal)
    const webhooks = Array.from({ length: 1 + random.below(4) }, (): Webhook => {
      return { id: newId(), told: [] }
    })
    for (let attempt = 0; attempt < 3; attempt++) {
      const due = webhooks.filter(({ told }) => told.length === 0 || random.chance(0.3))
      await Promise.all(
        due.flatMap((webhook) =>
          Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => send(webhook, endpoint.id, key)),
        ),
      )
      if (random.chance(0.3)) await letTimePass()
      sums.deaths += await replaceDead()
      weather(faulty, fatal)
    }
    // All is well again, but for destinations that nothing helps; senders without an answer come back.
    for (const { db } of instances) sums.faults += db.faults
    weather(0, 0)
    for (const { db } of instances) db.faults = 0
    sums.deaths += await replaceDead()
    for (const webhook of webhooks) {
      while (webhook.told.length === 0) await send(webhook, endpoint.id, key)
    }
    for (let turn = 1; ; turn++) {
      const rows = await forwardsOf(endpoint.id)
      if (rows.every(({ state }) => ENDED.includes(state))) break
      // Seldom: whoever is alive may end what it sends, and a forward has but so many leases.
      if (turn % 50 === 1) await letTimePass()
      await Bun.sleep(20)
    }

    const rows = await forwardsOf(endpoint.id)
    for (const { id, told } of webhooks) {
      expect(new Set(told).size, `${at}: one delivery for ${id}`).toBe(1)
      const own = rows.filter(({ delivery_id }) => delivery_id === told[0])
      expect(own.length, `${at}: a forward to each destination`).toBe(DESTINATIONS)
    }
    expect(rows.length, `${at}: nothing is stored twice`).toBe(webhooks.length * DESTINATIONS)
    for (const row of rows) {
      const where = `${at}: ${JSON.stringify(row)}`
      const place = endpoint.destinations.findIndex(
        ({ id }: { id: string }) => id === row.destination_id,
      )
      const got = destinations[place]!.of(row.delivery_id)
      expect(row.charged, `${where}: a success is charged once`).toBe(
        row.state === 'succeeded' ? 1 : 0,
      )
      expect(row.attempts, `${where}: its schedule`).toBeLessThanOrEqual(MAX_ATTEMPTS)
      if (row.state === 'succeeded') {
        const isSeen = got.some(({ status }) => status !== null && status < 300)
        expect(isSeen, `${where}: what succeeded was taken by its destination`).toBe(true)
        sums.succeeded++
      } else {
        expect(row.attempts, `${where}: what is dead used up its schedule`).toBe(MAX_ATTEMPTS)
        sums.dead++
      }
    }
    sums.accepted += webhooks.length
    // Who lost its lease with a forward on the wire still gives its hold back.
    const balance = await onceNothingIsHeld(instances[0]!.relay, keyId)
    const again = await forwardsOf(endpoint.id)
    expect(again.toSorted(byForward), `${at}: what ended stays`).toEqual(rows.toSorted(byForward))
    const charged = rows.reduce((sum, row) => sum + row.charged, 0)
    expect(balance, at).toBe(GRANT_ATOMIC - BigInt(charged) * PRICE_ATOMIC)
  }
  expect(await instances[0]!.relay.books()).toEqual([])
  if (HISTORIES >= 12) {
    expect([sums.faults > 10, sums.deaths > 0, sums.dead > 0]).toEqual([true, true, true])
    expect(sums.succeeded).toBeGreaterThan(HISTORIES)
  }
})
