import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownAccount } from '../../support/accounts.ts'
import { ISSUER } from '../auth/instance.ts'
import { routeHarness, type RouteHarness } from './credits-harness.ts'

let gateway: RouteHarness
beforeAll(async () => {
  gateway = await routeHarness()
})
afterAll(() => gateway.close())

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('POST /v1/keys', () => {
  it('answers the record with the plaintext, once', async () => {
    const made = await gateway.admin('POST', '/v1/keys', {
      name: 'shop',
      dailySpendCeiling: 500,
      rpmLimit: 60,
      burstLimit: 10,
    })
    expect(made.status).toBe(200)
    expect(made.headers.get('cache-control')).toBe('no-store')
    const { key, ...record } = made.json
    expect(key).toMatch(/^ck_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/)
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      accountId: ownAccount(record.id),
      name: 'shop',
      mode: 'test',
      kind: 'key',
      madeBy: 'operator',
      parentKeyId: null,
      prefix: key.slice(0, 20),
      createdAt: expect.stringMatching(ISO),
      revokedAt: null,
      dailySpendCeiling: 500,
      rpmLimit: 60,
      burstLimit: 10,
      balance: { credits: 0, heldCredits: 0, usdcAtomic: 0 },
      budget: { call: null, day: 500, month: null, products: null, spent: { day: 0, month: 0 } },
      budgets: { call: null, day: 500, month: null },
      products: null,
      productBudgets: {},
      spentTodayCredits: 0,
      spentMonthCredits: 0,
      expiresAt: null,
      networks: null,
      skills: null,
      metadata: {},
    })
    const read = await gateway.admin('GET', `/v1/keys/${record.id}`)
    expect(read.json).toEqual(record)
  })

  it('makes live keys when asked to', async () => {
    const made = await gateway.admin('POST', '/v1/keys', { name: 'x', mode: 'live' })
    expect(made.json.key).toMatch(/^ck_live_/)
    expect(made.json.mode).toBe('live')
  })

  it.each<[string, unknown, string]>([
    ['no body', undefined, '/name'],
    ['no name', {}, '/name'],
    ['a name of another type', { name: 5 }, '/name'],
    ['an empty name', { name: '' }, '/name'],
    ['a blank name', { name: '  ' }, '/name'],
    ['a long name', { name: 'x'.repeat(129) }, '/name'],
    ['a name with a control character', { name: 'a\u0000b' }, '/name'],
    ['a name that turns the text around', { name: 'lla \u202eretset' }, '/name'],
    ['a name of two lines', { name: 'a\u2028b' }, '/name'],
    ['an unknown member', { name: 'x', admin: true }, '/admin'],
    ['an unknown mode', { name: 'x', mode: 'prod' }, '/mode'],
    ['a negative ceiling', { name: 'x', dailySpendCeiling: -1 }, '/dailySpendCeiling'],
    ['a fractional ceiling', { name: 'x', dailySpendCeiling: 1.5 }, '/dailySpendCeiling'],
    ['a huge ceiling', { name: 'x', dailySpendCeiling: 1e18 }, '/dailySpendCeiling'],
    ['a rate of text', { name: 'x', rpmLimit: '60' }, '/rpmLimit'],
    ['a rate of zero', { name: 'x', rpmLimit: 0 }, '/rpmLimit'],
    ['an infinite rate', '{"name":"x","rpmLimit":1e999}', '/rpmLimit'],
    ['a burst of zero', { name: 'x', burstLimit: 0 }, '/burstLimit'],
    ['an end that is over', { name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
    ['an end in words', { name: 'x', expiresAt: 'tomorrow' }, '/expiresAt'],
    ['an end on no day', { name: 'x', expiresAt: '2099-13-45T00:00:00Z' }, '/expiresAt'],
    ['no network at all', { name: 'x', networks: [] }, '/networks'],
    ['a network in words', { name: 'x', networks: ['10.0.0.0/8', 'office'] }, '/networks/1'],
    ['a nested note', { name: 'x', metadata: { a: { b: 1 } } }, '/metadata/a'],
    ['a long note', { name: 'x', metadata: { a: 'x'.repeat(501) } }, '/metadata/a'],
    ['an array', [], ''],
    ['null', 'null', ''],
    ['broken JSON', '{"name":', ''],
    ['100,000 levels', '['.repeat(100_000), ''],
  ])('refuses %s and names the field', async (_, body, path) => {
    const before = await gateway.admin('GET', '/v1/keys?limit=200')
    const refused = await gateway.admin('POST', '/v1/keys', body)
    expect(refused.status).toBe(400)
    expect(refused.json.error).toMatchObject({ code: 'INVALID_INPUT', retryable: false })
    const issues: { path: string; message: string }[] = refused.json.error.details.issues
    expect(issues.map((issue) => issue.path)).toContain(path)
    expect(issues.every((issue) => issue.message !== '')).toBe(true)
    const after = await gateway.admin('GET', '/v1/keys?limit=200')
    expect(after.json.keys).toHaveLength(before.json.keys.length)
  })

  it('refuses a body over its limit with 413', async () => {
    const refused = await gateway.admin('POST', '/v1/keys', { name: 'x'.repeat(2_000_000) })
    expect(refused.status).toBe(413)
  })

  it('needs the admin bearer', async () => {
    const { key } = await gateway.fundedKey(0)
    const presented: Record<string, string>[] = [
      {},
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
    ]
    for (const headers of presented) {
      const refused = await gateway.send('POST', '/v1/keys', { headers, body: '{"name":"x"}' })
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toContain('Bearer')
    }
  })
})

describe('GET /v1/keys', () => {
  it('pages through every key', async () => {
    for (let i = 0; i < 3; i++) await gateway.fundedKey(0)
    const first = await gateway.admin('GET', '/v1/keys?limit=2')
    expect(first.json.keys).toHaveLength(2)
    const second = await gateway.admin('GET', `/v1/keys?limit=2&cursor=${first.json.nextCursor}`)
    expect(second.json.keys[0].id < first.json.keys[1].id).toBe(true)
    expect(first.json.keys[0]).not.toHaveProperty('key')
  })

  it.each([
    ['limit=0', '/limit'],
    ['limit=201', '/limit'],
    ['limit=x', '/limit'],
    ['limit=', '/limit'],
    ['cursor=abc', '/cursor'],
  ])('refuses ?%s', async (query, path) => {
    const refused = await gateway.admin('GET', `/v1/keys?${query}`)
    expect(refused.status).toBe(400)
    expect(refused.json.error.details.issues[0].path).toBe(path)
  })
})

describe('a key that is not there', () => {
  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['POST', '/revoke'],
    ['POST', '/rotate'],
    ['POST', '/jwt'],
  ])('is 404 for %s /v1/keys/{id}%s', async (method, tail) => {
    for (const id of ['key_nobody', 'key_%00', `key_${'0'.repeat(32)}`]) {
      const body = method === 'PATCH' ? { name: 'x' } : undefined
      const refused = await gateway.admin(method, `/v1/keys/${id}${tail}`, body)
      expect(refused.status).toBe(404)
      expect(refused.json.error.code).toBe('INVALID_INPUT')
    }
  })
})

describe('PATCH /v1/keys/{id}', () => {
  it('changes what is given', async () => {
    const { id } = await gateway.fundedKey(3, { rpmLimit: 5 })
    const patched = await gateway.admin('PATCH', `/v1/keys/${id}`, {
      name: 'renamed',
      dailySpendCeiling: 2,
      rpmLimit: null,
    })
    expect(patched.json).toMatchObject({
      id,
      name: 'renamed',
      dailySpendCeiling: 2,
      rpmLimit: null,
      balance: { credits: 3, heldCredits: 0, usdcAtomic: 30_000 },
    })
  })

  it('refuses an empty change and one of the mode', async () => {
    const { id } = await gateway.fundedKey(0)
    expect((await gateway.admin('PATCH', `/v1/keys/${id}`, {})).status).toBe(400)
    expect((await gateway.admin('PATCH', `/v1/keys/${id}`, { mode: 'live' })).status).toBe(400)
  })
})

describe('POST /v1/keys/{id}/revoke', () => {
  it('answers the same again, and the key stops working', async () => {
    const { id, key } = await gateway.fundedKey(5)
    const first = await gateway.admin('POST', `/v1/keys/${id}/revoke`)
    expect(first.json).toEqual({ id, revoked: true, revokedAt: expect.stringMatching(ISO) })
    const again = await gateway.admin('POST', `/v1/keys/${id}/revoke`, {})
    expect(again.json).toEqual(first.json)
    expect((await gateway.admin('GET', `/v1/keys/${id}`)).json.revokedAt).toBe(first.json.revokedAt)
    // Where money moves the ledger refuses at once, whatever a cache still says.
    const held = await gateway.as(key, 'POST', '/v1/credits/authorize', {
      requestId: 'r1',
      skill: 's',
      amountCredits: 1,
    })
    expect(held.status).toBe(401)
    expect(held.json.error.details.reason).toBe('invalid_key')
    for (const tail of ['jwt', 'rotate']) {
      const refused = await gateway.admin('POST', `/v1/keys/${id}/${tail}`)
      expect(refused.status).toBe(409)
      expect(refused.json.error.details.state).toBe('revoked')
    }
  })
})

describe('POST /v1/keys/{id}/rotate', () => {
  it('answers a new key while the old one still works', async () => {
    const { id, key } = await gateway.fundedKey(1)
    const rotated = await gateway.admin('POST', `/v1/keys/${id}/rotate`, { graceSeconds: 60 })
    expect(rotated.status).toBe(200)
    expect(rotated.json).toMatchObject({ id, prefix: rotated.json.key.slice(0, 20) })
    const until = Date.parse(rotated.json.previousValidUntil)
    expect(until).toBeGreaterThan(Date.now())
    expect(until).toBeLessThanOrEqual(Date.now() + 60_000)
    for (const presented of [key, rotated.json.key]) {
      const balance = await gateway.as(presented, 'GET', '/v1/credits/balance')
      expect(balance.json.apiKeyId).toBe(id)
    }
  })

  it.each([-1, 604_801, 1.5, '60', null])('refuses a grace time of %j', async (graceSeconds) => {
    const { id } = await gateway.fundedKey(0)
    const refused = await gateway.admin('POST', `/v1/keys/${id}/rotate`, { graceSeconds })
    expect(refused.status).toBe(400)
    expect(refused.json.error.details.issues[0].path).toBe('/graceSeconds')
  })
})

describe('POST /v1/keys/{id}/jwt', () => {
  it('answers a token that the published keys verify and that buys like the key', async () => {
    const { id } = await gateway.fundedKey(7)
    const made = await gateway.admin('POST', `/v1/keys/${id}/jwt`)
    expect(made.json).toMatchObject({ tokenType: 'Bearer', expiresIn: 900, apiKeyId: id })
    const published = await gateway.as('', 'GET', '/.well-known/jwks.json')
    const { payload } = await jwtVerify(made.json.token, createLocalJWKSet(published.json), {
      issuer: ISSUER,
      audience: 'coinop',
    })
    expect(payload.sub).toBe(id)
    expect(new Date(payload.exp! * 1000).toISOString()).toBe(made.json.expiresAt)
    const balance = await gateway.send('GET', '/v1/credits/balance', {
      headers: { authorization: `Bearer ${made.json.token}` },
    })
    expect(balance.json).toMatchObject({ apiKeyId: id, credits: 7 })
  })
})
