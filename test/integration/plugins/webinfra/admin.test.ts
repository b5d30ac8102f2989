/** The admin routes: what is shown, what is refused, how secrets rotate and stay hidden. */
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RelayHarness } from '../../../support/webinfra.ts'
import type { Got, DestinationServer } from '../../../support/webinfra-destinations.ts'
import { relayGround } from '../../../support/webinfra-ground.ts'

const HOUR_MS = 3_600_000

const ground = relayGround()
let relay: RelayHarness
let destination: DestinationServer
let owner: { id: string; key: string }

beforeAll(async () => {
  destination = ground.destination
  relay = await ground.relay()
  owner = await relay.key(1_000_000n)
})

async function forwarded(endpointId: string): Promise<Got> {
  destination.got.length = 0
  await relay.ingress(endpointId, { apiKey: owner.key, body: '{"a": 1.0}' })
  return destination.got[0]!
}
/** Whether the official library accepts what a destination got, with this secret. */
function verifies(secret: string, got: Got): boolean {
  const headers = got.headers as Record<string, string>
  try {
    new Webhook(secret, secret.startsWith('whsec_') ? {} : { format: 'raw' }).verify(
      got.body,
      headers,
    )
    return true
  } catch {
    return false
  }
}
const destinationPath = (endpoint: any) =>
  `/endpoints/${endpoint.id}/destinations/${endpoint.destinations[0].id}`

describe('outbound signatures', () => {
  it('are verified by the standardwebhooks library with the secret shown once', async () => {
    const endpoint = await relay.endpoint([destination.url], { apiKeyId: owner.id })
    const { secret } = endpoint.destinations[0]
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const got = await forwarded(endpoint.id)
    expect(verifies(secret, got)).toBe(true)
    expect(verifies(`whsec_${Buffer.alloc(32).toString('base64')}`, got)).toBe(false)
    expect(got.headers['webhook-id']).toMatch(/^dlv_[0-9a-f]{32}$/)
    const shown = (await relay.admin('GET', `/endpoints/${endpoint.id}`)).json
    expect(JSON.stringify(shown)).not.toContain('whsec_')
  })

  it.each([`whsec_${Buffer.alloc(24, 1).toString('base64')}`, 'a plain secret of the operator'])(
    'use the secret %s that the operator gave, which is never shown',
    async (secret) => {
      const endpoint = await relay.endpoint([], {
        apiKeyId: owner.id,
        destinations: [{ url: destination.url, secret }],
      })
      expect(JSON.stringify(endpoint)).not.toContain(secret)
      expect(verifies(secret, await forwarded(endpoint.id))).toBe(true)
    },
  )

  it('carry both secrets during the grace time of a rotation, then the new one', async () => {
    const endpoint = await relay.endpoint([destination.url], { apiKeyId: owner.id })
    const old = endpoint.destinations[0].secret
    const rotated = await relay.admin('POST', `${destinationPath(endpoint)}/rotate`, {
      graceSeconds: 3600,
    })
    const fresh = rotated.json.secret
    expect(rotated.json.secrets).toHaveLength(2)
    const during = await forwarded(endpoint.id)
    expect([verifies(old, during), verifies(fresh, during)]).toEqual([true, true])
    await relay.db.query(
      `UPDATE destination SET secrets = jsonb_set(secrets, '{1,notAfter}', to_jsonb($2::text))
       WHERE endpoint_id = $1`,
      [endpoint.id, new Date(Date.now() - 1000).toISOString()],
    )
    const after = await forwarded(endpoint.id)
    expect([verifies(old, after), verifies(fresh, after)]).toEqual([false, true])
  })

  it('differ per destination, beside its own headers', async () => {
    const endpoint = await relay.endpoint([], {
      apiKeyId: owner.id,
      destinations: [
        { url: `${destination.url}/1`, headers: { Authorization: 'Bearer token-of-one' } },
        { url: `${destination.url}/2` },
      ],
    })
    await forwarded(endpoint.id)
    const [one, two] = destination.got.sort((a, b) => a.path.localeCompare(b.path))
    const secrets = endpoint.destinations.map(({ secret }: any) => secret)
    expect(secrets.map((secret: string) => verifies(secret, one!))).toEqual([true, false])
    expect(secrets.map((secret: string) => verifies(secret, two!))).toEqual([false, true])
    expect(one!.headers['authorization']).toBe('Bearer token-of-one')
    expect(two!.headers).not.toHaveProperty('authorization')
    expect(JSON.stringify(endpoint)).not.toContain('token-of-one')
  })
})

it('nothing secret stands in the tables in plain text', async () => {
  const secret = 'the verification secret'
  await relay.endpoint([], {
    verification: { scheme: 'hmac', secret },
    destinations: [
      {
        url: destination.url,
        secret: 'the signing secret of it',
        headers: { 'x-auth': 'the header secret' },
      },
    ],
  })
  for (const table of ['endpoint', 'destination']) {
    const rows = await relay.db.query(`SELECT t::text AS text FROM ${table} t`)
    expect(rows.length).toBeGreaterThan(0)
    for (const plain of [secret, 'the signing secret', 'the header secret', 'whsec_']) {
      expect(JSON.stringify(rows)).not.toContain(plain)
    }
  }
})

it.each([' '.repeat(8), ' '.repeat(200), `${' '.repeat(20)}1234567`])(
  'a verification secret of blanks is refused: %j',
  async (secret) => {
    for (const scheme of ['hmac', 'shared-secret', 'github'])
      expect(
        await relay.admin('POST', '/endpoints', {
          name: 'blank',
          verification: { scheme, secret },
        }),
      ).toMatchObject({
        status: 400,
      })
  },
)

it('a verification secret rotates with a grace time', async () => {
  const { id } = await relay.endpoint([destination.url], {
    apiKeyId: owner.id,
    verification: { scheme: 'hmac', secret: 'the old secret' },
  })
  const send = async (secret: string) => {
    const mac = createHmac('sha256', secret).update('{}').digest('hex')
    return (await relay.ingress(id, { headers: { 'x-webhook-signature': mac } })).status
  }
  await relay.admin('POST', `/endpoints/${id}/rotate`, {
    secret: 'the new secret',
    graceSeconds: 3600,
  })
  expect([await send('the old secret'), await send('the new secret')]).toEqual([200, 200])
  relay.clock.aheadMs = 2 * HOUR_MS
  expect([await send('the old secret'), await send('the new secret')]).toEqual([401, 200])
  relay.clock.aheadMs = 0
  const made = (await relay.admin('POST', `/endpoints/${id}/rotate`, { graceSeconds: 0 })).json
  expect(await send(made.verification.secret)).toBe(200)
  expect(await send('the new secret')).toBe(401)
  await relay.admin('PATCH', `/endpoints/${id}`, {
    verification: { scheme: 'hmac', secret: 'set at once' },
  })
  expect([await send(made.verification.secret), await send('set at once')]).toEqual([401, 200])
})

describe('endpoints', () => {
  it('are made, read, listed by pages, changed and deleted', async () => {
    const made = await relay.endpoint([destination.url], { name: 'first', maxAttempts: 3 })
    expect(made).toMatchObject({
      name: 'first',
      apiKeyId: null,
      status: 'enabled',
      maxAttempts: 3,
      timeoutMs: 15_000,
      verification: { scheme: 'none', secrets: [] },
      ingressUrl: `http://localhost/v1/webinfra/endpoints/${made.id}/ingress`,
    })
    const second = await relay.endpoint([])
    const page = (await relay.admin('GET', '/endpoints?limit=1')).json
    expect(page.endpoints.map(({ id }: any) => id)).toEqual([second.id])
    const next = (await relay.admin('GET', `/endpoints?limit=1&cursor=${page.nextCursor}`)).json
    expect(next.endpoints[0].id).toBe(made.id)
    const patched = await relay.admin('PATCH', `/endpoints/${made.id}`, {
      name: 'renamed',
      apiKeyId: owner.id,
      timeoutMs: 2000,
    })
    expect(patched.json).toMatchObject({ name: 'renamed', apiKeyId: owner.id, timeoutMs: 2000 })
    expect(patched.json.destinations).toHaveLength(1)
    expect((await relay.admin('DELETE', `/endpoints/${made.id}`)).json.deleted).toBe(true)
    for (const method of ['GET', 'DELETE']) {
      expect((await relay.admin(method, `/endpoints/${made.id}`)).status).toBe(404)
    }
  })

  it('keep the header and the algorithm of their scheme when a secret is set alone', async () => {
    const own = { header: 'x-acme-signature', algorithm: 'sha512' }
    const { id } = await relay.endpoint([], {
      verification: { scheme: 'hmac', secret: 'the first secret', ...own },
    })
    const patch = async (verification: Record<string, unknown>) =>
      (await relay.admin('PATCH', `/endpoints/${id}`, { verification })).json.verification
    expect(await patch({ scheme: 'hmac', secret: 'another secret' })).toMatchObject(own)
    const other = await patch({ scheme: 'shared-secret' })
    expect(other).toMatchObject({ header: 'x-webhook-secret', secret: expect.any(String) })
  })

  it('keep destinations that a new list names by id or URL, with their secrets', async () => {
    const made = await relay.endpoint(['a', 'b', 'c'].map((name) => `${destination.url}/${name}`))
    const [a, b, c] = made.destinations
    const patched = await relay.admin('PATCH', `/endpoints/${made.id}`, {
      destinations: [
        { url: a.url },
        { id: b.id, url: `${destination.url}/moved` },
        { url: `${destination.url}/new` },
      ],
    })
    const { destinations } = patched.json
    expect(destinations.map(({ id }: any) => id)).toEqual([a.id, b.id, expect.any(String)])
    expect(destinations[1].url).toBe(`${destination.url}/moved`)
    expect(destinations.map(({ secret }: any) => secret !== undefined)).toEqual([
      false,
      false,
      true,
    ])
    expect(destinations.some(({ id }: any) => id === c.id)).toBe(false)
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['no name', { name: undefined }, '/name'],
    ['an unknown member', { colour: 'red' }, '/colour'],
    ['an unknown scheme', { verification: { scheme: 'md5' } }, '/verification/scheme'],
    ['no provider secret', { verification: { scheme: 'stripe' } }, '/verification/secret'],
    ['a short secret', { verification: { scheme: 'hmac', secret: 'x' } }, '/verification/secret'],
    [
      'a secret that spells a key of one byte',
      { verification: { scheme: 'standard-webhooks', secret: 'whsec_AA==' } },
      '/verification/secret',
    ],
    [
      'a secret that spells no key',
      { verification: { scheme: 'standard-webhooks', secret: 'whsec_!!!!' } },
      '/verification/secret',
    ],
    [
      'a secret for none',
      { verification: { scheme: 'none', secret: 'x'.repeat(9) } },
      '/verification/secret',
    ],
    [
      'a fixed header',
      { verification: { scheme: 'github', header: 'x-a' } },
      '/verification/header',
    ],
    [
      'a header that is withheld',
      { verification: { scheme: 'shared-secret', header: 'Authorization' } },
      '/verification/header',
    ],
    ['an unknown owner', { apiKeyId: 'key_nobody' }, '/apiKeyId'],
    ['no URL', { destinations: [{}] }, '/destinations/0/url'],
    ['a bad URL', { destinations: [{ url: 'nonsense' }] }, '/destinations/0/url'],
    [
      'a short signing secret',
      { destinations: [{ url: 'https://example.com', secret: 'x' }] },
      '/destinations/0/secret',
    ],
    [
      'a reserved header',
      { destinations: [{ url: 'https://example.com', headers: { 'Webhook-Id': 'x' } }] },
      '/destinations/0/headers/Webhook-Id',
    ],
    [
      'a header whose name is none',
      { destinations: [{ url: 'https://example.com', headers: { 'x y': 'a\r\nb: c' } }] },
      '/destinations/0/headers/x y',
    ],
    ['an owner that is no id', { apiKeyId: '\0' }, '/apiKeyId'],
    [
      'a URL that cannot be kept',
      { destinations: [{ url: 'https://example.com/a\0' }] },
      '/destinations/0/url',
    ],
    [
      'an event that cannot be kept',
      { destinations: [{ url: 'https://example.com', events: ['order.*', 'a\0b'] }] },
      '/destinations/0/events/1',
    ],
    [
      'half a character for an event',
      { destinations: [{ url: 'https://example.com', events: ['\ud83d'] }] },
      '/destinations/0/events/0',
    ],
    ['too long a timeout', { timeoutMs: 60_000 }, '/timeoutMs'],
    ['no attempts', { maxAttempts: 0 }, '/maxAttempts'],
  ])('are refused with %s, naming the field', async (_, fields, path) => {
    const made = await relay.admin('POST', '/endpoints', {
      name: 'x',
      verification: { scheme: 'none' },
      ...fields,
    })
    expect(made.status).toBe(400)
    expect(made.json.error.details.issues.map((issue: any) => issue.path)).toContain(path)
  })

  it('of a revoked key cannot be made', async () => {
    const revoked = await relay.key(0n)
    await relay.keys.revoke(revoked.id)
    const made = await relay.admin('POST', '/endpoints', {
      name: 'x',
      apiKeyId: revoked.id,
      verification: { scheme: 'none' },
    })
    expect(made.status).toBe(400)
  })
})

describe('deliveries', () => {
  it('are listed by endpoint and status, by pages, and shown with every attempt', async () => {
    const good = await relay.endpoint([destination.url])
    const bad = await relay.endpoint([destination.url], { maxAttempts: 2 })
    const ids: string[] = []
    for (let index = 0; index < 3; index++) {
      const sent = await relay.ingress(good.id, { apiKey: owner.key, body: '{"type":"t"}' })
      ids.unshift(sent.json.delivery_id)
    }
    destination.answer({ status: 500, body: 'no' })
    const failed = (await relay.ingress(bad.id, { apiKey: owner.key })).json.delivery_id
    await relay.settled(failed)

    const list = async (query: string) =>
      (await relay.admin('GET', query)).json.deliveries.map(({ id }: any) => id)
    expect(await list(`/endpoints/${good.id}/deliveries`)).toEqual(ids)
    expect(await list(`/deliveries?endpointId=${good.id}&status=forwarded&limit=2`)).toEqual(
      ids.slice(0, 2),
    )
    expect(await list(`/deliveries?endpointId=${good.id}&cursor=${ids[1]}`)).toEqual([ids[2]])
    expect(await list(`/deliveries?endpointId=${good.id}&status=failed`)).toEqual([])
    expect(await list('/deliveries?status=failed')).toEqual([failed])
    expect((await relay.admin('GET', '/deliveries?status=lost')).status).toBe(400)

    expect(await relay.delivery(failed)).toMatchObject({
      status: 'failed',
      apiKeyId: owner.id,
      forwards: [
        {
          state: 'dead',
          lastError: 'http_500',
          attempts: [
            { n: 1, status: 500, error: 'http_500', excerpt: 'no' },
            { n: 2, status: 500, error: 'http_500', excerpt: 'no' },
          ],
        },
      ],
    })
    expect((await relay.admin('GET', '/deliveries/dlv_x')).status).toBe(404)
  })

  it.each([
    ['/deliveries?cursor=%00', '/cursor'],
    ['/deliveries?endpointId=%00', '/endpointId'],
    ['/endpoints?cursor=%00', '/cursor'],
    ['/endpoints?limit=201', '/limit'],
    ['/deliveries?status=lost', '/status'],
  ])('GET %s names %s', async (path, field) => {
    const answer = await relay.admin('GET', path)
    expect([answer.status, answer.json.error.details.issues[0].path]).toEqual([400, field])
  })

  it('give their payload as a download of the raw bytes', async () => {
    const { id } = await relay.endpoint([destination.url])
    const body = '<script>alert(1)</script>'
    const sent = await relay.ingress(id, {
      apiKey: owner.key,
      body,
      headers: { 'content-type': 'text/html' },
    })
    const payload = await relay.admin('GET', `/deliveries/${sent.json.delivery_id}/payload`)
    expect(Buffer.from(payload.bytes).toString()).toBe(body)
    expect(payload.headers.get('content-type')).toBe('application/octet-stream')
    expect(payload.headers.get('content-disposition')).toBe('attachment')
  })
})
