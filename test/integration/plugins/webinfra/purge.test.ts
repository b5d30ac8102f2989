/** What is past its time goes; what still has work to do stays. */
import { beforeAll, expect, it, vi } from 'vitest'
import { purge } from '../../../../plugins/webinfra/store/purge.ts'
import type { RelayHarness } from '../../../support/webinfra.ts'
import type { DestinationServer } from '../../../support/webinfra-destinations.ts'
import { relayGround } from '../../../support/webinfra-ground.ts'

const DAY_MS = 86_400_000
const KEEP = { payloadDays: 2, recordDays: 4 }

const ground = relayGround()
let relay: RelayHarness
let destination: DestinationServer

beforeAll(async () => {
  destination = ground.destination
  relay = await ground.relay({ config: { scheduleMs: [3_600_000] } })
})

async function rows(): Promise<Record<string, number>> {
  const [row] = await relay.db.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM delivery) AS deliveries,
       (SELECT count(*)::int FROM delivery WHERE body IS NOT NULL) AS payloads,
       (SELECT count(*)::int FROM forward) AS forwards,
       (SELECT count(*)::int FROM attempt) AS attempts,
       (SELECT count(*)::int FROM dedupe) AS dedupe`,
  )
  return row!
}

it('drops dedupe keys, then payloads, then records, each at its time', async () => {
  const key = await relay.key(10_000n)
  const { id } = await relay.endpoint([destination.url])
  const send = (deliveryId: string) =>
    relay.ingress(id, { apiKey: key.key, headers: { 'x-webhook-delivery-id': deliveryId } })
  await send('done')
  destination.answer(500)
  expect((await send('under way')).json.status).toBe('retrying')

  const after = async (days: number) => {
    await purge(relay.db, KEEP, new Date(Date.now() + days * DAY_MS + 60_000))
    return rows()
  }
  const all = { deliveries: 2, payloads: 2, forwards: 2, attempts: 2, dedupe: 2 }
  expect(await after(0)).toEqual(all)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 100 * DAY_MS })
  const purged = purge(relay.db, KEEP)
  // Before the relay at work looks at its clock.
  vi.useRealTimers()
  await purged
  expect(await rows()).toEqual(all)
  expect(await after(1)).toEqual({ ...all, dedupe: 0 })
  expect(await after(2)).toEqual({ ...all, dedupe: 0, payloads: 1 })
  expect(await after(4)).toEqual({
    deliveries: 1,
    payloads: 1,
    forwards: 1,
    attempts: 1,
    dedupe: 0,
  })
})
