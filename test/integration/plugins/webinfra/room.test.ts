/**
 * What may be stored before a destination has taken it: per endpoint, per key, and far less for a
 * key that cannot pay. That the sums equal the payloads is checked whenever a relay closes.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import type { RelayConfig } from '../../../../plugins/webinfra/config.ts'
import { migrations } from '../../../../plugins/webinfra/migrations.ts'
import { purge } from '../../../../plugins/webinfra/store/purge.ts'
import { migratePlugin, pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { testDatabase } from '../../../support/database.ts'
import type { RelayHarness, Sent } from '../../../support/webinfra.ts'
import type { DestinationServer } from '../../../support/webinfra-destinations.ts'
import { relayGround } from '../../../support/webinfra-ground.ts'

const DAY_MS = 86_400_000
/** A payload of 1,000 bytes counts so much. */
const EACH = 2024
const BODY = 'x'.repeat(1000)

const ground = relayGround()
let destination: DestinationServer
beforeAll(() => {
  destination = ground.destination
})

const instance = (config: Partial<RelayConfig>, db = ground.database.db): Promise<RelayHarness> =>
  ground.relay({ config: { scheduleMs: [3_600_000], ...config } }, db)

async function storedBytes(relay: RelayHarness, subject: string): Promise<number> {
  const [row] = await relay.db.query<{ bytes: number }>(
    'SELECT bytes::float8 AS bytes FROM stored WHERE subject = $1',
    [subject],
  )
  return row?.bytes ?? 0
}
const deliveries = async (relay: RelayHarness, endpointId: string): Promise<number> => {
  const [row] = await relay.db.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM delivery WHERE endpoint_id = $1',
    [endpointId],
  )
  return row!.n
}
const limitOf = ({ json, chargedAtomic }: Sent): string | null => {
  expect(chargedAtomic).toBe(0n)
  if (json.code !== 'RATE_LIMITED') return null
  expect(Number(json.headers['retry-after'])).toBeGreaterThan(0)
  return json.details.limit
}

describe('a key that cannot pay', () => {
  it('stores so many bytes and no more, however many send at once on two instances', async () => {
    const config = { maxUnfundedBytes: 4 * EACH }
    const relays = [await instance(config), await instance(config, ground.database.open())]
    const relay = relays[0]!
    const poor = await relay.key(0n)
    const { id } = await relay.endpoint([destination.url], { apiKeyId: poor.id })
    const sent = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        relays[index % 2]!.ingress(id, { apiKey: poor.key, body: BODY }),
      ),
    )
    const limits = sent.map(limitOf)
    expect(limits.filter((limit) => limit === null)).toHaveLength(4)
    expect(limits.filter((limit) => limit === 'unfunded_bytes')).toHaveLength(20)
    expect(await deliveries(relay, id)).toBe(4)
    expect(await storedBytes(relay, `key:${poor.id}`)).toBe(4 * EACH)
    expect(destination.got).toEqual([])

    await relay.credit(poor.id, 1_000_000n)
    await destination.arrived(4)
    while ((await storedBytes(relay, `key:${poor.id}`)) > 0) await Bun.sleep(5)
    const again = await relay.ingress(id, { apiKey: poor.key, body: BODY })
    expect(again.json).toMatchObject({ accepted: true, status: 'forwarded' })
  })

  it('is told so before it is anywhere near the limit of others, and counts rows too', async () => {
    const relay = await instance({ maxUnfundedBytes: 3 * 1024 })
    const poor = await relay.key(0n)
    const { id } = await relay.endpoint([destination.url])
    const send = () => relay.ingress(id, { apiKey: poor.key, body: '' })
    for (let count = 0; count < 3; count++) expect(limitOf(await send())).toBeNull()
    const refused = await send()
    expect(limitOf(refused)).toBe('unfunded_bytes')
    expect(refused.json.details.limitBytes).toBe(3072)
  })
})

it('what a key stored while it could pay is not given up when it cannot', async () => {
  const relay = await instance({ maxUnfundedBytes: 2 * EACH })
  const key = await relay.key(100n)
  const { id } = await relay.endpoint([])
  const send = () => relay.ingress(id, { apiKey: key.key, body: BODY })
  for (let count = 0; count < 4; count++) expect(limitOf(await send())).toBeNull()
  const { id: taking } = await relay.endpoint([destination.url])
  await relay.ingress(taking, { apiKey: key.key, body: '{}' })
  expect(await relay.balance(key.id)).toEqual({ available: 0n, held: 0n })
  expect(limitOf(await send())).toBe('unfunded_bytes')
  expect(await storedBytes(relay, `key:${key.id}`)).toBe(4 * EACH)
  await relay.credit(key.id, 100n)
  expect(limitOf(await send())).toBeNull()
})

describe('a key that can pay', () => {
  it('stores up to the limit of the endpoint what its destination does not take', async () => {
    const relay = await instance({ maxUnfundedBytes: EACH, maxEndpointBytes: 3 * EACH })
    const key = await relay.key(1_000_000n)
    const { id } = await relay.endpoint([destination.url], { apiKeyId: key.id })
    const other = await relay.endpoint([destination.url], { apiKeyId: key.id })
    destination.answer(500)
    const send = (to: string, more = {}) =>
      relay.ingress(to, { apiKey: key.key, body: BODY, ...more })
    const headers = { 'x-webhook-delivery-id': 'first' }
    const first = await send(id, { headers })
    expect(first.json.status).toBe('retrying')
    const sent = await Promise.all(Array.from({ length: 8 }, () => send(id)))
    expect(sent.map(limitOf).filter((limit) => limit === 'endpoint_bytes')).toHaveLength(6)
    expect(await deliveries(relay, id)).toBe(3)
    expect(limitOf(await send(other.id))).toBeNull()
    // A sender that repeats itself hears that its webhook is here, not that there is no room.
    expect((await send(id, { headers })).json).toMatchObject({
      duplicate: true,
      delivery_id: first.json.delivery_id,
    })
    expect(await relay.balance(key.id)).toEqual({ available: 1_000_000n, held: 0n })
  })

  it('stores up to its own limit over all endpoints', async () => {
    const relay = await instance({ maxUnfundedBytes: EACH, maxKeyBytes: 3 * EACH })
    const key = await relay.key(1_000_000n)
    const ends = [
      await relay.endpoint([destination.url], { apiKeyId: key.id }),
      await relay.endpoint([destination.url], { apiKeyId: key.id }),
    ]
    destination.answer(500)
    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        relay.ingress(ends[index % 2].id, { apiKey: key.key, body: BODY }),
      ),
    )
    expect(sent.map(limitOf).filter((limit) => limit === 'key_bytes')).toHaveLength(5)
    expect(await storedBytes(relay, `key:${key.id}`)).toBe(3 * EACH)
  })

  it('never waits for room that delivered payloads have', async () => {
    const relay = await instance({ maxUnfundedBytes: 2 * EACH, maxEndpointBytes: 2 * EACH })
    const key = await relay.key(1_000_000n)
    const { id } = await relay.endpoint([`${destination.url}/a`, `${destination.url}/b`])
    for (let count = 0; count < 6; count++) {
      const sent = await relay.ingress(id, { apiKey: key.key, body: BODY })
      expect(sent.json.status).toBe('forwarded')
    }
    expect(await storedBytes(relay, `endpoint:${id}`)).toBe(0)
    expect(await storedBytes(relay, `key:${key.id}`)).toBe(0)
  })
})

describe('what has no work left', () => {
  it('makes room, oldest first; what is retried stays', async () => {
    const relay = await instance({ maxEndpointBytes: 3 * EACH })
    const key = await relay.key(1_000_000n)
    const { id } = await relay.endpoint([destination.url], { apiKeyId: key.id, maxAttempts: 2 })
    const send = async (status: number): Promise<string> => {
      destination.answer(status)
      const sent = await relay.ingress(id, { apiKey: key.key, body: BODY })
      expect(limitOf(sent)).toBeNull()
      return sent.json.delivery_id
    }
    const retried = await send(500)
    const { destinations } = (await relay.admin('GET', `/endpoints/${id}`)).json
    const dead = [await send(410)]
    // 410 disabled the destination; what comes now has nobody to go to.
    dead.push(await send(200))
    const newest = await send(200)
    const isPurged = async (of: string) =>
      (
        await relay.db.query<{ purged: boolean }>(
          'SELECT body IS NULL AS purged FROM delivery WHERE id = $1',
          [of],
        )
      )[0]!.purged
    expect(destinations).toHaveLength(1)
    expect(await Promise.all([retried, ...dead, newest].map(isPurged))).toEqual([
      false,
      true,
      false,
      false,
    ])
    expect(await storedBytes(relay, `endpoint:${id}`)).toBe(3 * EACH)
  })

  it('makes no room for a key that cannot pay', async () => {
    const relay = await instance({ maxEndpointBytes: 2 * EACH })
    const owner = await relay.key(1_000_000n)
    const poor = await relay.key(0n)
    const { id } = await relay.endpoint([], { apiKeyId: owner.id })
    const send = (apiKey: string) => relay.ingress(id, { apiKey, body: BODY })
    for (let count = 0; count < 2; count++) expect(limitOf(await send(owner.key))).toBeNull()
    expect(limitOf(await send(poor.key))).toBe('endpoint_bytes')
    expect(await storedBytes(relay, `key:${owner.id}`)).toBe(2 * EACH)
    expect(limitOf(await send(owner.key))).toBeNull()
  })

  it('gives its bytes back when it is purged', async () => {
    const relay = await instance({})
    const key = await relay.key(1_000_000n)
    const { id } = await relay.endpoint([])
    for (let count = 0; count < 3; count++) await relay.ingress(id, { apiKey: key.key, body: BODY })
    expect(await storedBytes(relay, `endpoint:${id}`)).toBe(3 * EACH)
    const later = new Date(Date.now() + 3 * DAY_MS)
    await purge(relay.db, { payloadDays: 2, recordDays: 4 }, later)
    expect(await storedBytes(relay, `endpoint:${id}`)).toBe(0)
    expect(await storedBytes(relay, `key:${key.id}`)).toBe(0)
  })
})

it('a database from before is counted when it is migrated', async () => {
  const database = await testDatabase()
  await migratePlugin(database.db, 'webinfra', migrations.slice(0, 2))
  const db = pluginDb(database.db, 'webinfra')
  await db.query(
    `INSERT INTO delivery (id, endpoint_id, payer_key_id, headers, body, size_bytes, sha256, created_at)
     VALUES ('a', 'ep', 'key', '{}', 'xxx', 3, '', now()), ('b', 'ep', NULL, '{}', 'xx', 2, '', now()),
       ('c', 'ep', 'key', '{}', 'x', 1, '', now()), ('d', 'ep', 'key', '{}', NULL, 9, '', now())`,
  )
  await db.query(
    `INSERT INTO forward (id, delivery_id, destination_id, cycle, state, fence, max_attempts, created_at)
     VALUES ('1', 'a', 't', 0, 'awaiting_funds', 1, 8, now()), ('2', 'c', 't', 0, 'succeeded', 1, 8, now())`,
  )
  await migratePlugin(database.db, 'webinfra', migrations)
  const rows = await db.query('SELECT subject, bytes::int FROM stored ORDER BY subject')
  expect(rows).toEqual([
    { subject: 'endpoint:ep', bytes: 5 + 2 * 1024 },
    { subject: 'key:key', bytes: 3 + 1024 },
  ])
  await database.close()
})

it('a lease of a database from before ends when it would have ended', async () => {
  const database = await testDatabase()
  await migratePlugin(database.db, 'webinfra', migrations.slice(0, 3))
  const db = pluginDb(database.db, 'webinfra')
  await db.query(
    `INSERT INTO delivery (id, endpoint_id, headers, size_bytes, sha256, created_at)
     VALUES ('a', 'ep', '{}', 0, '', now())`,
  )
  await db.query(
    `INSERT INTO forward (id, delivery_id, destination_id, cycle, state, fence, max_attempts, due_at, created_at)
     VALUES ('1', 'a', 't', 0, 'in_flight', 3, 8, '2026-01-02Z', now()),
       ('2', 'a', 't', 1, 'retrying', 1, 8, '2026-01-03Z', now())`,
  )
  await migratePlugin(database.db, 'webinfra', migrations)
  const rows = await db.query(
    'SELECT id, lease_token, lease_until, due_at FROM forward ORDER BY id',
  )
  expect(rows).toEqual([
    { id: '1', lease_token: 3, lease_until: new Date('2026-01-02Z'), due_at: null },
    { id: '2', lease_token: 1, lease_until: null, due_at: new Date('2026-01-03Z') },
  ])
  await database.close()
})
