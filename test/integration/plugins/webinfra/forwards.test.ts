/** What goes out: retries to their end, refusals of destinations, leases, several instances, shutdown. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Database } from '../../../../kernel/storage/contract.ts'
import { MAX_LAPSES } from '../../../../plugins/webinfra/forwarder.ts'
import { longestDelayMs } from '../../../../plugins/webinfra/schedule.ts'
import { claimDue, pullBack } from '../../../../plugins/webinfra/store/queue.ts'
import type { RelayHarness, RelayOptions } from '../../../support/webinfra.ts'
import {
  destinationServer,
  type Behaviour,
  type DestinationServer,
} from '../../../support/webinfra-destinations.ts'
import { PATIENT } from '../../../support/patience.ts'
import { freePort } from '../../../support/ports.ts'
import { relayGround } from '../../../support/webinfra-ground.ts'
import { ownAccount } from '../../../support/accounts.ts'

const ground = relayGround()
let destination: DestinationServer
let second: Database

beforeAll(() => {
  destination = ground.destination
  second = ground.database.open()
})

const instance = (options?: RelayOptions) => ground.relay(options)
/** An instance beside another, on connections of its own. */
const another = (options?: RelayOptions) => ground.relay(options, second)

async function sendOne(
  relay: RelayHarness,
  fields: Record<string, unknown> = {},
  sendersId?: string,
) {
  const owner = await relay.key(10_000n)
  const { id, destinations } = await relay.endpoint([destination.url], {
    apiKeyId: owner.id,
    ...fields,
  })
  const sent = await relay.ingress(id, {
    apiKey: owner.key,
    body: '{"type":"t"}',
    ...(sendersId !== undefined && { headers: { 'x-webhook-delivery-id': sendersId } }),
  })
  return { owner, id, sent, destinationId: destinations[0]?.id, deliveryId: sent.json.delivery_id }
}
const errorsOf = (delivery: any) =>
  delivery.forwards[0].attempts.map((attempt: any) => attempt.error)

describe('failures', () => {
  it.each<[string, Behaviour, string]>([
    ['500', 500, 'http_500'],
    ['404', 404, 'http_404'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'redirect'],
    ['a permanent redirect', { status: 308, headers: { location: '/other' } }, 'redirect'],
    ['a cut connection', 'reset', 'connect'],
    ['slowness', { status: 200, delayMs: 400 }, 'timeout'],
  ])('%s is retried to the end of the schedule and never charged', async (_, behaviour, error) => {
    const relay = await instance()
    destination.answer(behaviour)
    const { owner, sent, deliveryId } = await sendOne(relay, {
      maxAttempts: 3,
      // Only slowness may run into it, however busy the machine is.
      timeoutMs: error === 'timeout' ? 150 : 10_000,
    })
    expect(sent.json).toMatchObject({ accepted: true, status: 'retrying' })
    expect(sent.chargedAtomic).toBe(0n)
    const delivery = await relay.settled(deliveryId)
    expect(delivery.status).toBe('failed')
    expect(delivery.forwards[0]).toMatchObject({ state: 'dead', nextAttemptAt: null })
    expect(errorsOf(delivery)).toEqual([error, error, error])
    expect(destination.of(deliveryId).map(({ path }) => path)).toEqual(Array(3).fill('/hook'))
    expect(await relay.balance(owner.id)).toEqual({ available: 10_000n, held: 0n })
  })

  it('a refused connection is retried, and charged once when it succeeds', async () => {
    const relay = await instance({ config: { scheduleMs: [100] } })
    const gone = await destinationServer(await freePort())
    await gone.close()
    const { owner, sent, deliveryId } = await sendOne(relay, {
      destinations: [{ url: gone.url }],
      maxAttempts: 50,
    })
    expect(sent.json.status).toBe('retrying')
    const back = await destinationServer(gone.port)
    const delivery = await relay.settled(deliveryId)
    await back.close()
    expect(delivery.status).toBe('forwarded')
    expect(back.of(deliveryId)).toHaveLength(1)
    expect(await relay.balance(owner.id)).toEqual({ available: 9900n, held: 0n })
  })

  it('an answer cut off after its 2xx head is a success', async () => {
    const relay = await instance()
    destination.answer('reset-after-2xx')
    const { sent } = await sendOne(relay)
    expect(sent.json.status).toBe('forwarded')
    expect(sent.chargedAtomic).toBe(100n)
  })

  it('a Retry-After longer than the schedule is waited for', async () => {
    const relay = await instance()
    destination.answer({ status: 429, headers: { 'retry-after': '120' } })
    const { deliveryId } = await sendOne(relay)
    const delivery = await relay.delivery(deliveryId)
    const waitMs = Date.parse(delivery.forwards[0].nextAttemptAt) - Date.now()
    expect(waitMs).toBeGreaterThan(100_000)
    expect(waitMs).toBeLessThanOrEqual(120_000)
  })

  it('410 disables the destination; later events stay stored and can be replayed', async () => {
    const relay = await instance()
    destination.answer(410)
    const { id, owner, deliveryId, destinationId } = await sendOne(relay)
    expect((await relay.settled(deliveryId)).status).toBe('failed')
    const endpoint = (await relay.admin('GET', `/endpoints/${id}`)).json
    expect(endpoint.destinations[0]).toMatchObject({ status: 'disabled', disabledReason: 'gone' })
    const later = await relay.ingress(id, { apiKey: owner.key })
    expect(later.json).toMatchObject({ accepted: true, status: 'accepted' })
    expect((await relay.replay(later.json.delivery_id, owner.key)).status).toBe(409)
    destination.answer(200)
    await relay.admin('PATCH', `/endpoints/${id}/destinations/${destinationId}`, {
      status: 'enabled',
    })
    expect((await relay.replay(later.json.delivery_id, owner.key)).json).toMatchObject({
      replayed: true,
      status: 'forwarded',
    })
  })

  it('put off by a clock that was ahead are tried again once it is right', async () => {
    const clock = { aheadMs: 30 * 24 * 3_600_000 }
    const scheduleMs = [3_600_000]
    const relay = await instance({ clock, config: { scheduleMs } })
    destination.answer(500)
    const { sent, deliveryId } = await sendOne(relay)
    expect(sent.json.status).toBe('retrying')
    clock.aheadMs = 0
    destination.answer(200)
    expect(await pullBack(relay.db, longestDelayMs(scheduleMs))).toBeGreaterThan(0)
    expect(await relay.settled(deliveryId)).toMatchObject({ status: 'forwarded' })
    // What waits as long as the schedule says is left alone.
    destination.answer(500)
    expect((await sendOne(relay)).sent.json.status).toBe('retrying')
    expect(await pullBack(relay.db, longestDelayMs(scheduleMs))).toBe(0)
  })

  it('a destination that takes nothing for five days is disabled; a success before starts anew', async () => {
    const clock = { aheadMs: 0 }
    const relay = await instance({ clock, config: { scheduleMs: [1] } })
    const day = 24 * 3_600_000
    const { id, owner, destinationId, deliveryId } = await sendOne(relay, { maxAttempts: 1 })
    const state = async () => (await relay.admin('GET', `/endpoints/${id}`)).json.destinations[0]
    const send = async (status: number) => {
      destination.answer(status)
      const { json } = await relay.ingress(id, { apiKey: owner.key })
      await relay.settled(json.delivery_id)
    }
    await relay.settled(deliveryId)
    expect(await state()).toMatchObject({ status: 'enabled', failingSince: null })
    await send(500)
    const since = (await state()).failingSince
    expect(since).not.toBeNull()
    clock.aheadMs = 6 * day
    await send(200)
    expect((await state()).failingSince).toBeNull()
    await send(500)
    clock.aheadMs = 10 * day
    await send(500)
    expect(await state()).toMatchObject({ status: 'enabled', disabledReason: null })
    clock.aheadMs = 12 * day
    await send(503)
    expect(await state()).toMatchObject({ status: 'disabled', disabledReason: 'failing' })
    await relay.admin('PATCH', `/endpoints/${id}/destinations/${destinationId}`, {
      status: 'enabled',
    })
    expect(await state()).toMatchObject({ status: 'enabled', failingSince: null })
    await send(500)
    expect(await state()).toMatchObject({ status: 'enabled' })
  })

  it('a destination removed or disabled meanwhile gets nothing more', async () => {
    const relay = await instance()
    destination.answer(500)
    const { id, deliveryId, destinationId } = await sendOne(relay, { maxAttempts: 50 })
    await relay.admin('DELETE', `/endpoints/${id}/destinations/${destinationId}`)
    const delivery = await relay.settled(deliveryId)
    expect(delivery.forwards[0]).toMatchObject({
      state: 'cancelled',
      lastError: 'destination_disabled',
    })
  })

  it('one of two destinations failing makes the delivery partial, and one charge', async () => {
    const relay = await instance()
    destination.answer(({ path }) => (path === '/bad' ? 500 : 200))
    const { owner, deliveryId } = await sendOne(relay, {
      destinations: [{ url: destination.url }, { url: destination.url.replace('/hook', '/bad') }],
      maxAttempts: 2,
    })
    expect((await relay.settled(deliveryId)).status).toBe('partial')
    expect(await relay.balance(owner.id)).toEqual({ available: 9900n, held: 0n })
  })

  it('what a destination answers is kept as an excerpt of 4 KiB that PostgreSQL can hold', async () => {
    const relay = await instance()
    destination.answer({ status: 500, body: `\u0000${'x'.repeat(10_000)}` })
    const { deliveryId } = await sendOne(relay, { maxAttempts: 1 })
    const [attempt] = (await relay.settled(deliveryId)).forwards[0].attempts
    expect(attempt.excerpt).toHaveLength(4096)
    expect(attempt.excerpt.startsWith('\uFFFDx')).toBe(true)
  })
})

describe('destinations that may not be reached', () => {
  it('are checked at every attempt, also after their DNS changed', async () => {
    let addresses = ['127.0.0.1']
    const relay = await instance({
      resolver: async () => addresses.map((address) => ({ address, family: 4 as const })),
    })
    const url = `http://hooks.example.com:${destination.port}/hook`
    destination.answer(() => {
      addresses = ['169.254.169.254']
      return 500
    })
    const { owner, deliveryId } = await sendOne(relay, { destinations: [{ url }], maxAttempts: 10 })
    const delivery = await relay.settled(deliveryId)
    expect(delivery.forwards[0].state).toBe('blocked_destination')
    expect(errorsOf(delivery)).toEqual(['http_500', 'ssrf'])
    expect(destination.got).toHaveLength(1)
    expect(JSON.stringify(delivery)).not.toContain('169.254')
    expect(await relay.balance(owner.id)).toEqual({ available: 10_000n, held: 0n })
  })

  it.each([
    'http://169.254.169.254/latest',
    'http://[::1]:80/',
    'ftp://example.com/',
    'http://u:p@example.com/',
    'http://93.184.215.14:25/',
  ])('cannot be registered: %s', async (url) => {
    const relay = await instance()
    const body = { name: 'x', verification: { scheme: 'none' }, destinations: [{ url }] }
    const made = await relay.admin('POST', '/endpoints', body)
    expect(made.status).toBe(403)
    expect(made.json.error.details.reason).toBe('ssrf')
  })
})

it('a destination may listen on any port: the operator named it', async () => {
  const relay = await instance()
  const made = await relay.endpoint(['http://93.184.215.14:9200/hook'])
  expect(made.destinations[0].url).toBe('http://93.184.215.14:9200/hook')
})

describe('leases', () => {
  it('a worker that lost its lease changes nothing and gives its hold back', async () => {
    const slow = await instance({ config: { answerWithinMs: 0 } })
    let answer!: (status: number) => void
    const held = new Promise<number>((resolve) => (answer = resolve))
    let first = true
    destination.answer(() => {
      if (!first) return 200
      first = false
      return held
    })
    const { owner, deliveryId, sent } = await sendOne(slow)
    expect(sent.json.status).toBe('accepted')
    await destination.arrived(1)
    expect((await slow.balance(owner.id)).held).toBe(100n)

    const other = await another({ clock: { aheadMs: 60_000 } })
    await other.settled(deliveryId, ['forwarded'])
    answer(200)
    await slow.stopWorker()

    expect(destination.of(deliveryId)).toHaveLength(2)
    expect((await other.delivery(deliveryId)).forwards[0].attempts).toHaveLength(1)
    expect(await other.balance(owner.id)).toEqual({ available: 9900n, held: 0n })
  })

  it('a late failure does not undo the success of the instance that took over', async () => {
    const slow = await instance({ config: { answerWithinMs: 0 } })
    let answer!: (status: number) => void
    const held = new Promise<number>((resolve) => (answer = resolve))
    destination.answer(() => (destination.got.length === 1 ? held : 200))
    const { owner, deliveryId } = await sendOne(slow)
    await destination.arrived(1)
    const other = await another({ clock: { aheadMs: 60_000 } })
    await other.settled(deliveryId, ['forwarded'])
    answer(410)
    await slow.stopWorker()
    const delivery = await other.delivery(deliveryId)
    expect(delivery.forwards[0]).toMatchObject({ state: 'succeeded' })
    const endpoint = (await other.admin('GET', `/endpoints/${delivery.endpointId}`)).json
    expect(endpoint.destinations[0].status).toBe('enabled')
    expect(await other.balance(owner.id)).toEqual({ available: 9900n, held: 0n })
  })

  it('of a payment that ended with its gateway let the same id come again', async () => {
    const slow = await instance({ config: { answerWithinMs: 0 } })
    let answer!: (status: number) => void
    const held = new Promise<number>((resolve) => (answer = resolve))
    destination.answer(() => (destination.got.length === 1 ? held : 200))
    const { owner, id, deliveryId } = await sendOne(slow, {}, 'paid')
    await destination.arrived(1)
    await slow.db.query('UPDATE forward SET payer_key_id = NULL WHERE delivery_id = $1', [
      deliveryId,
    ])
    const other = await another({ clock: { aheadMs: 60_000 } })
    const [forward] = (await other.settled(deliveryId, ['failed'])).forwards
    expect(forward).toMatchObject({ state: 'cancelled', lastError: 'no_payer' })
    const again = { apiKey: owner.key, headers: { 'x-webhook-delivery-id': 'paid' } }
    await vi.waitUntil(async () => !(await other.ingress(id, again)).json.duplicate, PATIENT)
    answer(200)
    await slow.stopWorker()
  })

  /** An instance that cannot write down an attempt until `mend`, and whose leases all pass. */
  async function broken(config: RelayOptions['config'] = {}) {
    const clock = { aheadMs: 0 }
    let isBroken = true
    const relay = await instance({
      clock,
      config: { leaseMarginMs: 1000, ...config },
      through: (db) => ({
        ...db,
        query: (text, parameters) => {
          if (isBroken && text.includes('INTO attempt')) throw new Error('it cannot be written')
          return db.query(text, parameters)
        },
      }),
    })
    destination.answer(() => {
      // The next look at what is due finds a lease that has passed.
      clock.aheadMs += 60_000
      return 500
    })
    return { relay, clock, mend: () => (isBroken = false) }
  }

  it('that pass again put the forward off by the schedule', async () => {
    const hourMs = 3_600_000
    const { relay, clock, mend } = await broken({ scheduleMs: [1, hourMs] })
    const { deliveryId } = await sendOne(relay, { maxAttempts: 2 })
    const isPutOff = async () =>
      (await relay.delivery(deliveryId)).forwards[0].lastError === 'lease_passed'
    await vi.waitUntil(isPutOff, PATIENT)
    expect(destination.of(deliveryId)).toHaveLength(2)
    mend()
    destination.answer(200)
    clock.aheadMs += 2 * hourMs
    await relay.settled(deliveryId, ['forwarded'])
    expect(destination.of(deliveryId)).toHaveLength(3)
  })

  it('that pass each time end the forward after some, uncharged, and it can be replayed', async () => {
    const { relay, mend } = await broken()
    const { owner, deliveryId } = await sendOne(relay, { maxAttempts: 1 })
    const delivery = await relay.settled(deliveryId)
    expect(delivery).toMatchObject({
      status: 'failed',
      forwards: [{ state: 'dead', lastError: 'lease_passed', attempts: [] }],
    })
    expect(destination.of(deliveryId)).toHaveLength(MAX_LAPSES)
    expect(await relay.balance(owner.id)).toEqual({ available: 10_000n, held: 0n })
    mend()
    destination.answer(200)
    expect((await relay.replay(deliveryId, owner.key)).json).toMatchObject({ status: 'forwarded' })
  })
})

describe('a hold that ended before its capture', () => {
  const endHold = async (relay: RelayHarness, keyId: string) => {
    const [hold] = await ground.database.db.sql<{ id: string }[]>`
      select id from coinop.hold where key_id = ${keyId} and state = 'authorized'`
    await relay.ledger.release({ holdId: hold!.id, accountId: ownAccount(keyId), keyId })
  }

  it('is taken once more, and the success is charged once', async () => {
    const relay = await instance()
    let keyId = ''
    destination.answer(async () => {
      await endHold(relay, keyId)
      return 200
    })
    const owner = await relay.key(10_000n)
    keyId = owner.id
    const { id } = await relay.endpoint([destination.url])
    const sent = await relay.ingress(id, { apiKey: owner.key })
    expect(sent).toMatchObject({ chargedAtomic: 100n, json: { status: 'forwarded' } })
    expect(destination.got).toHaveLength(1)
    expect(await relay.balance(owner.id)).toEqual({ available: 9900n, held: 0n })
  })

  it('leaves the others of its batch charged as they should be', async () => {
    const relay = await instance()
    const owner = await relay.key(100_000n)
    const { id } = await relay.endpoint([destination.url])
    let together!: () => void
    const all = new Promise<void>((resolve) => (together = resolve))
    destination.answer(async () => {
      if (destination.got.length === 20) {
        await endHold(relay, owner.id)
        together()
      }
      await all
      return 200
    })
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => relay.ingress(id, { apiKey: owner.key })),
    )
    expect(sent.map(({ json }) => json.status)).toEqual(Array(20).fill('forwarded'))
    expect(await relay.balance(owner.id)).toEqual({ available: 98_000n, held: 0n })
  })
})

it('a slow destination leaves slots to those of others', async () => {
  const config = { concurrency: 8, perDestination: 2, answerWithinMs: 0 }
  const relay = await instance({ config })
  const owner = await relay.key(10_000n)
  const slow = await relay.endpoint([destination.url], { apiKeyId: owner.id })
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  destination.answer(() => held.then(() => 200))
  const quick = await destinationServer()
  try {
    const send = (id: string, n: number) =>
      relay.ingress(id, { apiKey: owner.key, body: `{"type":"t","n":${n}}` })
    for (let n = 0; n < 8; n++) expect((await send(slow.id, n)).json.accepted).toBe(true)
    const other = await relay.endpoint([quick.url], { apiKeyId: owner.id })
    await send(other.id, 8)
    await quick.arrived(1)
    expect(destination.got.length).toBeLessThan(8)
  } finally {
    release()
    await destination.arrived(8)
    await quick.close()
  }
})

it('a claim takes no more for one destination than may go there at once', async () => {
  const relay = await instance()
  const owner = await relay.key(10_000n)
  const slow = await relay.endpoint([destination.url], { apiKeyId: owner.id })
  const other = await relay.endpoint([destination.url], { apiKeyId: owner.id })
  await relay.stopWorker()
  for (const { id } of [slow, slow, slow, slow, slow, other, other])
    await relay.ingress(id, { apiKey: owner.key })
  const slowId = slow.destinations[0].id
  const claim = async (underWay: number) => {
    const claimed = await claimDue(relay.db, {
      now: new Date(),
      limit: 16,
      leaseMarginMs: 30_000,
      busyDestinations: Array<string>(underWay).fill(slowId),
      perDestination: 3,
    })
    return [slow, other].map(
      ({ destinations }) =>
        claimed.filter((one) => one.destination.id === destinations[0].id).length,
    )
  }
  expect(await claim(2)).toEqual([1, 2])
  expect(await claim(3)).toEqual([0, 0])
  expect(await claim(0)).toEqual([3, 0])
  expect(await claim(0)).toEqual([1, 0])
})

describe('several instances', () => {
  it('share the work without sending anything twice', async () => {
    const config = { scheduleMs: [40], concurrency: 8, answerWithinMs: 0 }
    const one = await instance({ config })
    const two = await another({ config })
    const seen = new Map<string, number>()
    destination.answer(({ headers }) => {
      const id = String(headers['webhook-id'])
      seen.set(id, (seen.get(id) ?? 0) + 1)
      return seen.get(id) === 1 ? 503 : 200
    })
    const owner = await one.key(100_000n)
    const { id } = await one.endpoint([destination.url], { apiKeyId: owner.id })
    const sent = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 ? one : two).ingress(id, { apiKey: owner.key }),
      ),
    )
    for (const { json } of sent) await one.settled(json.delivery_id, ['forwarded'])
    expect([...seen.values()]).toEqual(Array(100).fill(2))
    expect(await one.balance(owner.id)).toEqual({ available: 90_000n, held: 0n })
  })
})

describe('shutdown', () => {
  it('finishes the attempts under way', async () => {
    const relay = await instance({ config: { answerWithinMs: 0 } })
    destination.answer({ status: 200, delayMs: 200 })
    const { owner, deliveryId } = await sendOne(relay)
    await destination.arrived(1)
    await relay.stopWorker()
    expect((await relay.delivery(deliveryId)).status).toBe('forwarded')
    expect(await relay.balance(owner.id)).toEqual({ available: 9900n, held: 0n })
  })

  it('cuts what outlasts the deadline, which another instance then takes at once', async () => {
    const relay = await instance({ config: { answerWithinMs: 0 } })
    destination.answer(() => (destination.got.length === 1 ? new Promise(() => {}) : 200))
    const { owner, deliveryId } = await sendOne(relay)
    await destination.arrived(1)
    await relay.stopWorker(0)
    expect((await relay.delivery(deliveryId)).forwards[0]).toMatchObject({
      state: 'pending',
      lastError: 'shutdown',
      attempts: [],
    })
    expect(await relay.balance(owner.id)).toEqual({ available: 10_000n, held: 0n })
    const next = await another()
    await next.settled(deliveryId, ['forwarded'])
    expect(await next.balance(owner.id)).toEqual({ available: 9900n, held: 0n })
  })
})
