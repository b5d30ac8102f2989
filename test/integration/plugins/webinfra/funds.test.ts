/** Forwards of a key without funds wait, cost nothing, and go out after a top-up. */
import { beforeAll, expect, it } from 'vitest'
import { newId } from '../../../../kernel/ids.ts'
import { createLedger } from '../../../../kernel/ledger/ledger.ts'
import type { Database } from '../../../../kernel/storage/contract.ts'
import { INGRESS, type RelayHarness } from '../../../support/webinfra.ts'
import type { DestinationServer } from '../../../support/webinfra-destinations.ts'
import { relayGround } from '../../../support/webinfra-ground.ts'
import { ownAccount } from '../../../support/accounts.ts'

const ground = relayGround()
let second: Database
let relay: RelayHarness
let destination: DestinationServer

beforeAll(() => {
  second = ground.database.open()
  destination = ground.destination
})

async function parked(count: number, balanceAtomic = 0n) {
  const key = await relay.key(balanceAtomic)
  const { id } = await relay.endpoint([destination.url], { apiKeyId: key.id })
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const sent = await relay.ingress(id, { apiKey: key.key, body: JSON.stringify({ index }) })
    expect(sent).toMatchObject({ status: 200, chargedAtomic: 0n })
    expect(sent.json).toMatchObject({ accepted: true, status: 'accepted' })
    ids.push(sent.json.delivery_id)
  }
  return { key, ids }
}

/** As an operator's tool would credit: straight into the ledger, without the funded channel. */
async function creditUnannounced(keyId: string): Promise<ReturnType<typeof createLedger>> {
  const ledger = createLedger(second)
  await ledger.credit({
    accountId: ownAccount(keyId),
    keyId,
    amountAtomic: 1000n,
    source: 'adjustment',
    reference: newId(),
    kind: 'adjustment',
  })
  return ledger
}

it('a top-up wakes what it can pay for', async () => {
  relay = await ground.relay()
  const { key, ids } = await parked(5)
  expect(destination.got).toHaveLength(0)
  expect((await relay.delivery(ids[0]!)).forwards[0]).toMatchObject({
    state: 'awaiting_funds',
    lastError: 'insufficient',
    attempts: [],
  })
  await relay.credit(key.id, 300n)
  await destination.arrived(3)
  const count = async (state: string) => {
    const deliveries = await Promise.all(ids.map((id) => relay.delivery(id)))
    return deliveries.filter(({ forwards }) => forwards[0].state === state).length
  }
  while ((await count('succeeded')) < 3 || (await count('awaiting_funds')) < 2) await Bun.sleep(5)
  expect(destination.got).toHaveLength(3)
  expect(await relay.balance(key.id)).toEqual({ available: 0n, held: 0n })
})

it('a top-up heard by one instance is enough, and a long queue follows it', async () => {
  relay = await ground.relay()
  const { key, ids } = await parked(150)
  const other = await ground.relay({ config: { concurrency: 8 } }, second)
  await relay.stopWorker()
  await other.credit(key.id, 1_000_000n)
  for (const id of ids) await other.settled(id, ['forwarded'])
  expect(destination.got).toHaveLength(150)
  expect(await other.balance(key.id)).toEqual({ available: 985_000n, held: 0n })
})

it('credits that nobody announced are found by the slow poll', async () => {
  relay = await ground.relay({ config: { fundsPollMs: 100 } })
  const { key, ids } = await parked(3)
  const debt = await parked(1)
  const ledger = await creditUnannounced(key.id)
  for (const id of ids) await relay.settled(id, ['forwarded'])
  expect((await relay.delivery(debt.ids[0]!)).forwards[0].attempts).toEqual([])
  await ledger.drain()
})

it('are found by the slow poll also while other keys get credits all the time', async () => {
  relay = await ground.relay({ config: { fundsPollMs: 300 } })
  const { key, ids } = await parked(1)
  const other = await relay.key(0n)
  const ledger = await creditUnannounced(key.id)
  const settled = relay.settled(ids[0]!, ['forwarded']).then(() => 'settled')
  while ((await Promise.race([settled, relay.credit(other.id, 1n)])) !== 'settled');
  await ledger.drain()
})

it('a revoked key gets no more: its forwards are cancelled', async () => {
  relay = await ground.relay({ config: { fundsPollMs: 100 } })
  const { key, ids } = await parked(1)
  await relay.keys.revoke(key.id)
  const delivery = await relay.settled(ids[0]!)
  expect(delivery.forwards[0]).toMatchObject({ state: 'cancelled', lastError: 'revoked' })
})

it('a daily ceiling parks until it allows more', async () => {
  relay = await ground.relay()
  const made = await relay.keys.create({
    name: 'capped',
    mode: 'test',
    budget: { day: 0n },
  })
  await relay.credit(made.record.id, 1000n)
  const { id } = await relay.endpoint([destination.url])
  const sent = await relay.ingress(id, { apiKey: made.plaintext })
  expect(sent.json.status).toBe('accepted')
  const delivery = await relay.delivery(sent.json.delivery_id)
  expect(delivery.forwards[0]).toMatchObject({ state: 'awaiting_funds', lastError: 'ceiling' })
  expect(destination.got).toHaveLength(0)
})

it('an unmetered relay forwards without a hold', async () => {
  relay = await ground.relay({ amountAtomic: 0n })
  const key = await relay.key(0n)
  const { id } = await relay.endpoint([destination.url])
  const sent = await relay.ingress(id, { apiKey: key.key })
  expect(sent).toMatchObject({ chargedAtomic: 0n, json: { status: 'forwarded' } })
})

it('an attempt is paid by a hold that its key cannot end', async () => {
  relay = await ground.relay({ config: { scheduleMs: [1000] } })
  destination.answer(500)
  const key = await relay.key(1000n)
  const { id } = await relay.endpoint([destination.url], { apiKeyId: key.id })
  const { json } = await relay.ingress(id, { apiKey: key.key })
  const deliveryId = json.delivery_id as string
  const [forward] = (await relay.delivery(deliveryId)).forwards
  // As POST /v1/credits/authorize makes it: the hold of the retry, before the retry is due.
  const own = {
    holdId: newId(),
    accountId: ownAccount(key.id),
    keyId: key.id,
    requestId: `${forward.id}.2`,
    skillId: INGRESS,
    productId: 'webinfra',
    path: `webhook:${deliveryId}`,
    amountAtomic: 100n,
    ttlMs: 600_000,
    scope: 'request',
  } as const
  expect(await relay.ledger.authorize(own)).toMatchObject({ outcome: 'authorized' })
  destination.answer(200)
  await relay.settled(deliveryId, ['forwarded'])
  expect(await relay.ledger.hold(own.holdId)).toMatchObject({ state: 'authorized' })
  await relay.ledger.release(own)
  expect(await relay.balance(key.id)).toEqual({ available: 900n, held: 0n })
})
