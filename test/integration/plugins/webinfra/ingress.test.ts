/** What comes in: who may send, what is stored, what a duplicate is, and what it costs. */
import { createHmac } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { INGRESS, type RelayHarness } from '../../../support/webinfra.ts'
import type { DestinationServer } from '../../../support/webinfra-destinations.ts'
import { relayGround } from '../../../support/webinfra-ground.ts'

const SECRET = 'a secret of the sender'
const HOUR_MS = 3_600_000

const ground = relayGround()
let relay: RelayHarness
let destination: DestinationServer
let owner: { id: string; key: string }

beforeAll(async () => {
  destination = ground.destination
  relay = await ground.relay({ config: { maxPayloadBytes: 10_000, maxParked: 3 } })
})
beforeEach(async () => {
  owner = await relay.key(1_000_000n)
})

const signed = (body: string, secret = SECRET) => ({
  'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex'),
})
/** Headers of a genuine webhook by a scheme, signed now. */
function signatureOf(scheme: string, body: string): Record<string, string> {
  const mac = (algorithm: string, text: string) => createHmac(algorithm, SECRET).update(text)
  const seconds = Math.floor(Date.now() / 1000)
  switch (scheme) {
    case 'standard-webhooks':
      return {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,${mac('sha256', `msg_1.${seconds}.${body}`).digest('base64')}`,
      }
    case 'stripe':
      return {
        'stripe-signature': `t=${seconds},v1=${mac('sha256', `${seconds}.${body}`).digest('hex')}`,
      }
    case 'slack':
      return {
        'x-slack-request-timestamp': String(seconds),
        'x-slack-signature': `v0=${mac('sha256', `v0:${seconds}:${body}`).digest('hex')}`,
      }
    case 'paystack':
      return { 'x-paystack-signature': mac('sha512', body).digest('hex') }
    case 'github':
      return { 'x-hub-signature-256': `sha256=${mac('sha256', body).digest('hex')}` }
    case 'shopify':
      return { 'x-shopify-hmac-sha256': mac('sha256', body).digest('base64') }
    default:
      return signed(body)
  }
}
const hmacEndpoint = (fields: Record<string, unknown> = {}) =>
  relay.endpoint([destination.url], {
    apiKeyId: owner.id,
    verification: { scheme: 'hmac', secret: SECRET },
    ...fields,
  })
const stored = async (endpointId: string) =>
  (await relay.admin('GET', `/endpoints/${endpointId}/deliveries`)).json.deliveries

describe('who may send', () => {
  it('takes a genuine signature as the credential and bills the owner', async () => {
    const { id } = await hmacEndpoint()
    const body = '{ "type":"order.paid",\n "n": 1.0 }'
    const sent = await relay.ingress(id, { body, headers: signed(body) })
    expect(sent).toMatchObject({
      status: 200,
      chargedAtomic: 100n,
      json: { accepted: true, duplicate: false, status: 'forwarded' },
    })
    expect(await relay.balance(owner.id)).toEqual({ available: 999_900n, held: 0n })
    expect(destination.got[0]!.body.toString()).toBe(body)
  })

  it.each([
    ['another secret', signed('{}', 'another secret')],
    ['another body', signed('{ }')],
    ['no hex', { 'x-webhook-signature': 'zz' }],
    ['nothing', { 'x-webhook-signature': '' }],
  ])('answers 401 to a signature of %s, stores nothing and charges nothing', async (_, headers) => {
    const { id } = await hmacEndpoint()
    for (const apiKey of [undefined, owner.key]) {
      const sent = await relay.ingress(id, { headers, ...(apiKey && { apiKey }) })
      expect(sent.status).toBe(401)
      expect(sent.json.details.reason).toBe('invalid_signature')
    }
    expect(await stored(id)).toEqual([])
    expect(destination.got).toEqual([])
    expect(await relay.balance(owner.id)).toEqual({ available: 1_000_000n, held: 0n })
  })

  it('gives Slack its challenge back, and nobody who did not sign one', async () => {
    const verification = { scheme: 'slack', secret: SECRET }
    const { id } = await hmacEndpoint({ verification })
    const body = '{"type":"url_verification","challenge":"3eZbrw1a"}'
    const sent = await relay.ingress(id, { body, headers: signatureOf('slack', body) })
    expect(sent.json).toMatchObject({ status: 'forwarded', challenge: '3eZbrw1a' })
    const unsigned = await relay.ingress(id, { body, apiKey: owner.key })
    expect(unsigned.json).not.toHaveProperty('challenge')
  })

  it("judges and signs by the database's clock, where this machine's is an hour ahead", async () => {
    const verification = { scheme: 'standard-webhooks', secret: SECRET }
    const { id } = await hmacEndpoint({ verification })
    const headers = signatureOf('standard-webhooks', '{}')
    const { now } = Date
    onTestFinished(() => void vi.restoreAllMocks())
    vi.spyOn(Date, 'now').mockImplementation(() => now() + HOUR_MS)
    expect((await relay.ingress(id, { headers })).json.status).toBe('forwarded')
    const sentAtMs = Number(destination.got[0]!.headers['webhook-timestamp']) * 1000
    expect(Math.abs(sentAtMs - now())).toBeLessThan(HOUR_MS / 2)
  })

  it('answers 402 to what is neither signed nor paid', async () => {
    const { id } = await hmacEndpoint()
    expect((await relay.ingress(id, {})).status).toBe(402)
    const open = await relay.endpoint([destination.url])
    expect((await relay.ingress(open.id, {})).status).toBe(402)
    expect(await stored(open.id)).toEqual([])
  })

  it("lets the owner's key send unsigned, and no other key", async () => {
    const { id } = await hmacEndpoint()
    const stranger = await relay.key(1000n)
    expect((await relay.ingress(id, { apiKey: owner.key })).json.status).toBe('forwarded')
    expect((await relay.ingress(id, { apiKey: stranger.key })).status).toBe(401)
  })

  it('lets any key send to an endpoint that verifies nothing, at its own cost', async () => {
    const { id } = await relay.endpoint([destination.url], { apiKeyId: owner.id })
    const stranger = await relay.key(1000n)
    expect((await relay.ingress(id, { apiKey: stranger.key })).chargedAtomic).toBe(100n)
    expect((await relay.balance(stranger.id)).available).toBe(900n)
    expect((await relay.balance(owner.id)).available).toBe(1_000_000n)
  })

  it('answers 404 for an endpoint that is unknown or deleted, 409 for a disabled one', async () => {
    const { id } = await hmacEndpoint()
    for (const unknown of ['ep_x', 'nonsense', `${id}0`]) {
      expect((await relay.ingress(unknown, { apiKey: owner.key })).status).toBe(404)
    }
    await relay.admin('PATCH', `/endpoints/${id}`, { status: 'disabled' })
    expect((await relay.ingress(id, { apiKey: owner.key })).status).toBe(409)
    await relay.admin('DELETE', `/endpoints/${id}`)
    expect((await relay.ingress(id, { apiKey: owner.key })).status).toBe(404)
  })

  it('bills the signing sender of an endpoint without owner nothing: 402', async () => {
    const { id } = await hmacEndpoint({ apiKeyId: null })
    expect((await relay.ingress(id, { headers: signed('{}') })).status).toBe(402)
    const paid = await relay.ingress(id, { headers: signed('{}'), apiKey: owner.key })
    expect(paid.chargedAtomic).toBe(100n)
  })
})

describe('the payload', () => {
  it('goes out byte for byte, whatever the bytes are', async () => {
    const { id } = await relay.endpoint([destination.url])
    const body = Uint8Array.from({ length: 256 }, (_, index) => index)
    const headers = { 'content-type': 'application/octet-stream', 'x-github-event': 'push' }
    await relay.ingress(id, { body, headers, apiKey: owner.key })
    expect(destination.got[0]!.body).toEqual(Buffer.from(body))
    expect(destination.got[0]!.headers).toMatchObject(headers)
  })

  it('does not pass on the shared secret, nor headers outside the list', async () => {
    const { id } = await relay.endpoint([destination.url], {
      apiKeyId: owner.id,
      verification: { scheme: 'shared-secret', secret: SECRET, header: 'X-Token' },
    })
    const headers = { 'x-token': SECRET, 'x-forwarded-for': '1.2.3.4', 'x-other': '1' }
    expect((await relay.ingress(id, { headers })).json.status).toBe('forwarded')
    for (const name of Object.keys(headers)) {
      expect(destination.got[0]!.headers).not.toHaveProperty(name)
    }
  })

  it('is taken whatever its event is called', async () => {
    const { id } = await hmacEndpoint()
    for (const type of ['a\u0000b', '\ud800', '💳'.repeat(150)]) {
      const body = JSON.stringify({ type })
      expect(await relay.ingress(id, { body, headers: signed(body) })).toMatchObject({
        status: 200,
        json: { status: 'forwarded' },
      })
      expect(destination.got.at(-1)!.body.toString()).toBe(body)
    }
  })

  it('over the limit is refused and not stored', async () => {
    const { id } = await hmacEndpoint()
    const body = JSON.stringify({ text: 'x'.repeat(10_000) })
    expect((await relay.ingress(id, { body, headers: signed(body) })).status).toBe(413)
    const tool = await relay.tool(INGRESS, { id, text: 'x'.repeat(10_000) }, owner.key)
    expect(tool.status).toBe(413)
    expect(await stored(id)).toEqual([])
  })

  it('of a tool call is every field but the id, or `body` alone', async () => {
    const { id } = await hmacEndpoint()
    const bodies = async (input: object) => {
      destination.got.length = 0
      const sent = await relay.tool(INGRESS, { id, ...input }, owner.key)
      expect(sent.json).toMatchObject({ accepted: true, duplicate: false, status: 'forwarded' })
      return destination.got[0]!.body.toString()
    }
    expect(await bodies({ type: 'a', n: 1 })).toBe('{"type":"a","n":1}')
    expect(await bodies({ deliveryId: 'e1', n: 1 })).toBe('{"deliveryId":"e1","n":1}')
    expect(await bodies({ body: { id: 'evt_1' } })).toBe('{"id":"evt_1"}')
    expect(await bodies({ body: '  as text ' })).toBe('  as text ')
    expect(await bodies({ deliveryId: 'e2', body: [1, 2] })).toBe('[1,2]')
    expect(await bodies({ body: 1, n: 2 })).toBe('{"body":1,"n":2}')
  })

  it('goes only to destinations that listen to its event', async () => {
    const { id } = await relay.endpoint([], {
      destinations: [
        { url: `${destination.url}/all` },
        { url: `${destination.url}/paid`, events: ['order.paid'] },
        { url: `${destination.url}/orders`, events: ['order.*'] },
      ],
    })
    const paths = async (body: string) => {
      destination.got.length = 0
      await relay.ingress(id, { body, apiKey: owner.key })
      return destination.got.map(({ path }) => path.split('/').at(-1)).sort()
    }
    expect(await paths('{"type":"order.paid"}')).toEqual(['all', 'orders', 'paid'])
    expect(await paths('{"event":"order.made"}')).toEqual(['all', 'orders'])
    expect(await paths('{"type":"user.made"}')).toEqual(['all'])
    expect(await paths('no json')).toEqual(['all'])
  })
})

describe('duplicates', () => {
  it('100 parallel copies are one delivery, one forward per destination, one charge each', async () => {
    const { id } = await relay.endpoint([`${destination.url}/a`, `${destination.url}/b`])
    destination.answer({ status: 200, delayMs: 20 })
    const headers = { 'x-webhook-delivery-id': 'evt-1' }
    const all = await Promise.all(
      Array.from({ length: 100 }, () => relay.ingress(id, { headers, apiKey: owner.key })),
    )
    expect(all.every(({ status }) => status === 200)).toBe(true)
    expect(all.filter(({ json }) => !json.duplicate)).toHaveLength(1)
    expect(all.filter(({ json }) => json.status === 'duplicate')).toHaveLength(99)
    expect(new Set(all.map(({ json }) => json.delivery_id)).size).toBe(1)
    expect(await stored(id)).toHaveLength(1)
    expect(destination.got).toHaveLength(2)
    expect(all.reduce((sum, { chargedAtomic }) => sum + chargedAtomic, 0n)).toBe(200n)
    expect(await relay.balance(owner.id)).toEqual({ available: 999_800n, held: 0n })
    expect(await relay.books()).toEqual([])
  })

  it('end after 24 hours, and not before', async () => {
    const { id } = await relay.endpoint([destination.url])
    const again = () =>
      relay.ingress(id, { headers: { 'x-webhook-delivery-id': 'evt-1' }, apiKey: owner.key })
    const first = await again()
    relay.clock.aheadMs = 24 * HOUR_MS - 60_000
    expect((await again()).json).toMatchObject({
      duplicate: true,
      delivery_id: first.json.delivery_id,
    })
    relay.clock.aheadMs = 24 * HOUR_MS + 60_000
    const later = await again()
    expect(later.json).toMatchObject({ duplicate: false, status: 'forwarded' })
    expect(later.json.delivery_id).not.toBe(first.json.delivery_id)
    expect((await again()).json.delivery_id).toBe(later.json.delivery_id)
  })

  it('are per endpoint', async () => {
    const headers = { 'x-webhook-delivery-id': 'evt-1' }
    for (const { id } of [
      await relay.endpoint([destination.url]),
      await relay.endpoint([destination.url]),
    ]) {
      expect((await relay.ingress(id, { headers, apiKey: owner.key })).json.duplicate).toBe(false)
    }
  })

  it('are found by header, by field, and by tool argument alike', async () => {
    const { id } = await relay.endpoint([destination.url])
    const apiKey = owner.key
    await relay.ingress(id, { body: '{"deliveryId":"evt-7"}', apiKey })
    const headers = { 'x-webhook-delivery-id': 'evt-7' }
    expect((await relay.ingress(id, { headers, apiKey })).json.duplicate).toBe(true)
    expect((await relay.tool(INGRESS, { id, deliveryId: 'evt-7' }, apiKey)).json.duplicate).toBe(
      true,
    )
  })

  it('cannot be made by somebody whose signature is wrong', async () => {
    const { id } = await hmacEndpoint()
    const headers = { 'x-webhook-delivery-id': 'evt-9' }
    await relay.ingress(id, { headers: { ...headers, ...signed('{}', 'wrong') } })
    const genuine = await relay.ingress(id, { headers: { ...headers, ...signed('{}') } })
    expect(genuine.json.duplicate).toBe(false)
  })

  it('are not guessed: two bodies without any id are two deliveries', async () => {
    const { id } = await relay.endpoint([destination.url])
    const results = [await relay.ingress(id, { apiKey: owner.key })]
    results.push(await relay.ingress(id, { apiKey: owner.key }))
    expect(results.map(({ json }) => json.duplicate)).toEqual([false, false])
  })

  it.each([
    ['github', { 'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' }, '{}'],
    ['shopify', { 'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043' }, '{}'],
    ['stripe', {}, '{"id":"evt_1"}'],
    ['slack', {}, '{"event_id":"Ev08MFMKH6"}'],
    ['paystack', {}, '{"event":"charge.success","data":{"id":302961}}'],
  ])("use %s's own id", async (scheme, headers, body) => {
    const { id } = await relay.endpoint([destination.url], {
      apiKeyId: owner.id,
      verification: { scheme, secret: SECRET },
    })
    const send = () =>
      relay.ingress(id, { body, headers: headers as Record<string, string>, apiKey: owner.key })
    expect((await send()).json.duplicate).toBe(false)
    expect((await send()).json.duplicate).toBe(true)
  })

  it.each([
    ['standard-webhooks', '{}'],
    ['stripe', '{"id":"evt_1"}'],
    ['slack', '{"event_id":"Ev08MFMKH6"}'],
    ['paystack', '{"event":"charge.success"}'],
    ['github', '{"deliveryId":"evt-1"}'],
    ['hmac', '{"deliveryId":"evt-1"}'],
  ] as const)(
    'of a genuine %s webhook are found by the signed id, whatever unsigned headers say',
    async (scheme, body) => {
      const { id } = await relay.endpoint([destination.url], {
        apiKeyId: owner.id,
        verification: { scheme, secret: SECRET },
      })
      const genuine = signatureOf(scheme, body)
      const captured = (deliveryId: string) =>
        relay.ingress(id, {
          body,
          headers: {
            ...genuine,
            'x-webhook-delivery-id': deliveryId,
            'x-github-delivery': deliveryId,
          },
        })
      const first = await captured('one')
      expect(first.json).toMatchObject({ duplicate: false, status: 'forwarded' })
      expect((await captured('another')).json).toMatchObject({
        duplicate: true,
        delivery_id: first.json.delivery_id,
      })
      expect((await relay.balance(owner.id)).available).toBe(999_900n)
    },
  )

  const repository = { id: 1, pushed_at: 1_790_000_000 }
  const issue = { number: 7, updated_at: '2026-11-30T04:00:00Z' }
  it.each([
    ['a push', 'github', { ref: 'refs/heads/main', after: 'a1', repository }, true],
    ['a run', 'github', { action: 'completed', workflow_run: { id: 9 }, repository }, true],
    ['an issue', 'github', { action: 'opened', issue, repository }, true],
    ['a lock, which changes no time', 'github', { action: 'locked', issue, repository }, false],
    ['a run by hand', 'github', { inputs: {}, ref: 'main', workflow: 'a', repository }, false],
    ['an order', 'shopify', { id: 5, updated_at: '2026-11-30T04:00:00Z' }, true],
    ['a removal', 'shopify', { product_listing: { product_id: 5 } }, false],
    ['a shop', 'shopify', { myshopify_domain: 'a', updated_at: '2026-11-30T04:00:00Z' }, false],
  ] as const)(
    'of %s, which is signed by its body alone, are found by it where bodies differ: %s %j %s',
    async (_, scheme, value, isOnce) => {
      const { id } = await relay.endpoint([destination.url], {
        apiKeyId: owner.id,
        verification: { scheme, secret: SECRET },
      })
      const body = JSON.stringify(value)
      const captured = async (deliveryId: string, more: Record<string, string> = {}) =>
        (
          await relay.ingress(id, {
            body,
            headers: {
              ...signatureOf(scheme, body),
              'x-github-delivery': deliveryId,
              'x-shopify-webhook-id': deliveryId,
              ...more,
            },
          })
        ).json
      const first = await captured('one', { 'x-shopify-topic': 'orders/create' })
      expect(first).toMatchObject({ duplicate: false, status: 'forwarded' })
      expect(await captured('two', { 'x-shopify-topic': 'orders/create' })).toMatchObject({
        duplicate: isOnce,
      })
      // An order that is paid when it is made is told by two topics.
      if (scheme === 'shopify')
        expect(await captured('three', { 'x-shopify-topic': 'orders/paid' })).toMatchObject({
          duplicate: false,
        })
    },
  )

  it('of a genuine webhook without a signed id are found by the header', async () => {
    const { id } = await hmacEndpoint()
    const send = (deliveryId: string) =>
      relay.ingress(id, { headers: { ...signed('{}'), 'x-webhook-delivery-id': deliveryId } })
    expect((await send('one')).json.duplicate).toBe(false)
    expect((await send('one')).json.duplicate).toBe(true)
    expect((await send('two')).json.duplicate).toBe(false)
  })

  it('are of no endpoint whose id is none', async () => {
    expect((await relay.tool(INGRESS, { id: 'ep_\0' }, owner.key)).status).toBe(404)
  })

  it.each(['', 'a\u0000b', 'x'.repeat(256)])('refuse the id %j', async (deliveryId) => {
    const { id } = await relay.endpoint([destination.url])
    const sent = await relay.tool(INGRESS, { id, deliveryId }, owner.key)
    expect(sent.status).toBe(400)
  })
})

it('a retry under one Idempotency-Key gets the first answer and is not charged again', async () => {
  const { id } = await relay.endpoint([destination.url])
  const request = { apiKey: owner.key, idempotencyKey: 'once' }
  const first = await relay.ingress(id, request)
  const again = await relay.ingress(id, request)
  expect(again.json).toEqual(first.json)
  expect(destination.got).toHaveLength(1)
  expect((await relay.balance(owner.id)).available).toBe(999_900n)
})

it('a key with too many parked forwards is told to pay, and nothing more is stored', async () => {
  const poor = await relay.key(0n)
  const { id } = await relay.endpoint([destination.url])
  for (let count = 0; count < 3; count++) {
    expect((await relay.ingress(id, { apiKey: poor.key })).json.status).toBe('accepted')
  }
  expect((await relay.ingress(id, { apiKey: poor.key })).status).toBe(402)
  expect(await stored(id)).toHaveLength(3)
})
