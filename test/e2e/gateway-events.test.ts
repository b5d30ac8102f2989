/** What goes wrong in a running gateway reaches the operator's webhook, signed, and the console. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { freePort } from '../support/ports.ts'
import { startUpstream } from '../support/upstream.ts'
import { PATIENT } from '../support/patience.ts'
import { withoutChain } from '../support/x402/chain.ts'

const SECRET = Buffer.alloc(32, 5)
/** The watches look every fifteen seconds, and the delivery every five. */
const PATIENCE = { ...PATIENT, interval: 200 }

interface Received {
  isSigned: boolean
  id: string
  event: { id: string; type: string; data: Record<string, unknown> }
}

describe.skipIf(withoutChain('settlements that are stuck'))('the gateway tells', () => {
  let database: TestDatabase
  let gateway: GatewayProcess
  const received: Received[] = []
  /** The first attempt is refused: it comes again under the same id. */
  let isClosed = true
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const text = await request.text()
      const id = request.headers.get('webhook-id')!
      const signed = `${id}.${request.headers.get('webhook-timestamp')}.${text}`
      const mac = createHmac('sha256', SECRET).update(signed).digest('base64')
      const isSigned = request.headers.get('webhook-signature') === `v1,${mac}`
      received.push({ isSigned, id, event: JSON.parse(text) })
      if (!isClosed) return new Response(null, { status: 204 })
      isClosed = false
      return new Response(null, { status: 503 })
    },
  })

  beforeAll(async () => {
    database = await testDatabase()
    gateway = await startGateway({
      DATABASE_URL: database.url,
      SANDBOX: 'true',
      COINOP_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      EVENTS_WEBHOOK_URL: `http://127.0.0.1:${receiver.port}/alerts`,
      EVENTS_WEBHOOK_SECRET: `whsec_${SECRET.toString('base64')}`,
    })
  })
  afterAll(async () => {
    await gateway?.stop()
    await receiver.stop(true)
    await database?.close()
  })

  it('of a cut-off upstream, a failing skill, a flagged top-up and a stuck settlement, once each', async () => {
    const key = await gateway.key(50)
    const headers = { 'x-api-key': key.key }
    const dying = await startUpstream((_, response) => response.end('ok'), await freePort())
    const put = await gateway.admin('PUT', '/v1/admin/products/dying', {
      product_id: 'dying',
      upstream: { url: dying.url, allow_private: true, circuit_breaker: { failures: 2 } },
      skills: [{ id: 'dying.x', route: 'GET /x', price: { credits: 1 } }],
    })
    expect(put.status, put.text).toBe(200)
    await dying.close()
    for (let n = 0; n < 6; n += 1)
      expect((await gateway.call('GET', '/v1/dying/x', { headers })).status).toBe(503)

    const trigger = (body: object) => gateway.admin('POST', '/v1/sandbox/trigger', body)
    const paid = await trigger({ event: 'charge.success', apiKeyId: key.id, amountUsd: 5 })
    expect(paid.status, paid.text).toBe(200)
    const { reference } = paid.json
    expect((await trigger({ event: 'refund.processed', reference })).status).toBe(200)

    await database.db.sql`
      INSERT INTO plugin_x402.x402_claim ${database.db.sql({
        id: Bun.randomUUIDv7(),
        network: 'eip155:84532',
        asset: '0xasset',
        payer: '0xpayer',
        nonce: '0x1',
        state: 'settling',
        fingerprint: 'f',
        request_id: 'stuck-1',
        skill_id: 'demo.echo',
        path: '/v1/demo/echo',
        amount: 10_000n,
        price_version: 1,
        valid_before: 2_000_000_000n,
        lease_until: new Date(Date.now() + 3_600_000),
        created_at: new Date(Date.now() - 400_000),
      })}`

    const TYPES = ['settlement.stuck', 'skill.failing', 'topup.flagged', 'upstream.down']
    const listed = async () => (await gateway.admin('GET', '/v1/events?scope=gateway')).json.events
    await vi.waitFor(async () => {
      const events = await listed()
      expect(events.map(({ type }: { type: string }) => type).toSorted()).toEqual(TYPES)
      expect(events.map(({ state }: { state: string }) => state)).toEqual(
        TYPES.map(() => 'delivered'),
      )
    }, PATIENCE)
    expect(received.every(({ isSigned }) => isSigned)).toBe(true)
    expect(received).toHaveLength(TYPES.length + 1)
    expect(new Set(received.map(({ id }) => id)).size).toBe(TYPES.length)
    const dataOf = (type: string) => received.find(({ event }) => event.type === type)!.event.data
    expect(dataOf('upstream.down')).toEqual({ product: 'dying' })
    expect(dataOf('skill.failing')).toMatchObject({ skill: 'dying.x', failed: 6 })
    expect(dataOf('topup.flagged')).toMatchObject({ reference, reason: 'refunded' })
    expect(dataOf('settlement.stuck')).toMatchObject({ rail: 'x402', pending: 1 })

    expect((await gateway.admin('GET', '/v1/events?scope=accounts')).json.events).toEqual([])
    expect((await gateway.admin('GET', '/v1/events?scope=all')).status).toBe(400)
    // It lasts, and the next looks tell nothing more.
    await gateway.call('GET', '/v1/dying/x', { headers })
    expect(await listed()).toHaveLength(TYPES.length)
  })
})
