/** Replays: who may, when not, what they cost. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { purge } from '../../../../plugins/webinfra/store/purge.ts'
import { REPLAY, type RelayHarness } from '../../../support/webinfra.ts'
import type { DestinationServer } from '../../../support/webinfra-destinations.ts'
import { relayGround } from '../../../support/webinfra-ground.ts'

const DAY_MS = 86_400_000

const ground = relayGround()
let relay: RelayHarness
let destination: DestinationServer
let owner: { id: string; key: string }

beforeAll(async () => {
  destination = ground.destination
  relay = await ground.relay({ config: { scheduleMs: [60_000] } })
})
beforeEach(async () => {
  owner = await relay.key(10_000n)
})

async function delivered(fields: Record<string, unknown> = {}) {
  const endpoint = await relay.endpoint([destination.url], { apiKeyId: owner.id, ...fields })
  const sent = await relay.ingress(endpoint.id, { apiKey: owner.key, body: '{"n":1}' })
  return { endpoint, id: sent.json.delivery_id as string, sent }
}
const CONFLICT = { replayed: false, status: 'conflict', error: 'not_replayable' }

it('sends the original bytes again in a new cycle and bills once more', async () => {
  const { id } = await delivered()
  const replayed = await relay.replay(id, owner.key)
  expect(replayed).toMatchObject({
    status: 200,
    chargedAtomic: 100n,
    json: { replayed: true, status: 'forwarded', delivery_id: id },
  })
  expect(destination.of(id).map(({ body }) => body.toString())).toEqual(['{"n":1}', '{"n":1}'])
  expect((await relay.delivery(id)).forwards.map(({ cycle }: any) => cycle)).toEqual([0, 1])
  expect(await relay.balance(owner.id)).toEqual({ available: 9800n, held: 0n })
})

it('that fails is over, costs nothing, and may be repeated', async () => {
  const { id } = await delivered()
  destination.answer(500)
  for (let time = 0; time < 2; time++) {
    expect(await relay.replay(id, owner.key)).toMatchObject({
      status: 200,
      chargedAtomic: 0n,
      json: { replayed: false, status: 'failed', delivery_id: id },
    })
  }
  expect((await relay.delivery(id)).status).toBe('failed')
  destination.answer(200)
  expect((await relay.replay(id, owner.key)).json.status).toBe('forwarded')
  expect((await relay.delivery(id)).status).toBe('forwarded')
  expect(await relay.balance(owner.id)).toEqual({ available: 9800n, held: 0n })
})

it('needs an API key, and the one that owns the endpoint or paid', async () => {
  const { id } = await delivered({ apiKeyId: null })
  expect((await relay.replay(id)).status).toBe(402)
  const stranger = await relay.key(1000n)
  for (const unknown of [id.slice(0, -1), 'dlv_x', 'x']) {
    expect((await relay.replay(unknown, owner.key)).status).toBe(404)
  }
  expect((await relay.tool(REPLAY, { id: 'dlv_\0' }, owner.key)).status).toBe(404)
  expect((await relay.replay(id, stranger.key)).status).toBe(404)
  expect((await relay.replay(id, owner.key)).status).toBe(200)
  expect(await relay.balance(stranger.id)).toEqual({ available: 1000n, held: 0n })
})

it('is refused to who paid for what the endpoint takes signed alone by now', async () => {
  const payer = await relay.key(1000n)
  const endpoint = await relay.endpoint([destination.url], { apiKeyId: owner.id })
  const send = (headers = {}) => relay.ingress(endpoint.id, { apiKey: payer.key, headers })
  const { delivery_id: unsigned } = (await send()).json
  expect((await relay.replay(unsigned, payer.key)).json.status).toBe('forwarded')
  const verification = { scheme: 'shared-secret', secret: 'a secret that both sides know' }
  await relay.admin('PATCH', `/endpoints/${endpoint.id}`, { verification })
  expect((await send()).status).toBe(401)
  expect((await relay.replay(unsigned, payer.key)).json).toMatchObject(CONFLICT)
  expect((await relay.replay(unsigned, owner.key)).json.status).toBe('forwarded')
  const { delivery_id: signed } = (await send({ 'x-webhook-secret': verification.secret })).json
  expect((await relay.replay(signed, payer.key)).json.status).toBe('forwarded')
})

it('is refused while a forward is retried', async () => {
  destination.answer(500)
  const { id, sent } = await delivered()
  expect(sent.json.status).toBe('retrying')
  const refused = await relay.replay(id, owner.key)
  expect(refused).toMatchObject({ status: 409, chargedAtomic: 0n })
  expect(refused.json).toEqual({ ...CONFLICT, delivery_id: id })
  expect(destination.of(id)).toHaveLength(1)
})

it('is refused without an enabled destination', async () => {
  const { id, endpoint } = await delivered()
  const path = `/endpoints/${endpoint.id}/destinations/${endpoint.destinations[0].id}`
  await relay.admin('PATCH', path, { status: 'disabled' })
  expect((await relay.replay(id, owner.key)).json).toEqual({ ...CONFLICT, delivery_id: id })
})

it('of a paused endpoint is for its owner, and for nobody where the operator paused it', async () => {
  const { endpoint, id } = await delivered({ verification: { scheme: 'none' } })
  const stranger = await relay.key(10_000n)
  const sent = await relay.ingress(endpoint.id, { apiKey: stranger.key, body: '{"n":2}' })
  const theirs = sent.json.delivery_id as string
  await relay.admin('PATCH', `/endpoints/${endpoint.id}`, { status: 'disabled' })
  const before = destination.got.length
  expect((await relay.replay(id, owner.key)).json).toMatchObject(CONFLICT)
  expect((await relay.replay(theirs, stranger.key)).json).toMatchObject(CONFLICT)
  expect(destination.got).toHaveLength(before)
  await ground.database.db
    .sql`UPDATE plugin_webinfra.endpoint SET disabled_by = 'owner' WHERE id = ${endpoint.id}`
  expect((await relay.replay(theirs, stranger.key)).json).toMatchObject(CONFLICT)
  expect((await relay.replay(id, owner.key)).json.status).toBe('forwarded')
})

it('is refused when the payload was purged', async () => {
  const { id } = await delivered()
  await purge(relay.db, { payloadDays: 2, recordDays: 90 }, new Date(Date.now() + 3 * DAY_MS))
  expect((await relay.replay(id, owner.key)).json).toEqual({ ...CONFLICT, delivery_id: id })
  expect((await relay.admin('GET', `/deliveries/${id}/payload`)).status).toBe(410)
  expect((await relay.delivery(id)).purged).toBe(true)
})

it('without funds is 402, sends nothing and leaves the delivery replayable', async () => {
  const poor = await relay.key(100n)
  const endpoint = await relay.endpoint([destination.url], { apiKeyId: poor.id })
  const sent = await relay.ingress(endpoint.id, { apiKey: poor.key })
  expect(sent.json.status).toBe('forwarded')
  expect((await relay.replay(sent.json.delivery_id, poor.key)).status).toBe(402)
  expect(destination.got).toHaveLength(1)
  await relay.credit(poor.id, 100n)
  expect((await relay.replay(sent.json.delivery_id, poor.key)).json.status).toBe('forwarded')
})

it('goes to the destinations of today, in parallel replays only once', async () => {
  const { id, endpoint } = await delivered()
  await relay.admin('POST', `/endpoints/${endpoint.id}/destinations`, {
    url: destination.url.replace('/hook', '/second'),
  })
  destination.got.length = 0
  // Nothing is answered before the nine others are refused, however slow the machine is.
  const others = Promise.withResolvers<void>()
  destination.answer(() => others.promise.then(() => 200))
  let refused = 0
  const replay = async () => {
    const answer = await relay.replay(id, owner.key)
    if (answer.status === 409 && ++refused === 9) others.resolve()
    return answer
  }
  const all = await Promise.all(Array.from({ length: 10 }, replay))
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(all.filter(({ status }) => status === 409)).toHaveLength(9)
  expect(destination.got.map(({ path }) => path).sort()).toEqual(['/hook', '/second'])
  expect(all.reduce((sum, { chargedAtomic }) => sum + chargedAtomic, 0n)).toBe(200n)
})

it('gives a tool call the same result as the route', async () => {
  const { id } = await delivered()
  expect((await relay.tool(REPLAY, { id }, owner.key)).json).toEqual({
    replayed: true,
    status: 'forwarded',
    delivery_id: id,
  })
})

it('whose gateway died is not sent or charged again by its Idempotency-Key', async () => {
  const { id } = await delivered()
  const [arrived, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  destination.answer(async () => {
    arrived.resolve()
    await answered.promise
    return 200
  })
  const lost = relay.replay(id, owner.key, 'replay-1')
  await arrived.promise
  // As if the gateway that began it were dead: the key is free then, and another one has the forward.
  await ground.database.db.sql`
    UPDATE coinop.idempotency SET deadline = now() - interval '1 second' WHERE key = 'replay-1'`
  expect((await relay.replay(id, owner.key, 'replay-1')).status).toBe(503)
  answered.resolve()
  await lost
  const retried = await relay.replay(id, owner.key, 'replay-1')
  expect(retried).toMatchObject({ status: 200, chargedAtomic: 0n, json: { status: 'forwarded' } })
  expect(destination.of(id)).toHaveLength(2)
  expect(await relay.balance(owner.id)).toEqual({ available: 9800n, held: 0n })
  expect((await relay.replay(id, owner.key, 'replay-2')).chargedAtomic).toBe(100n)
})
