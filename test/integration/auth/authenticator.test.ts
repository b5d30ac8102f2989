import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KeyRecord } from '../../../kernel/auth/contract.ts'
import { generateKey } from '../../../host/account-management/generate-key.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { checksummed } from './checksummed.ts'
import {
  ADMIN_TOKEN,
  authInstance,
  carrying,
  eventually,
  SERVICE_TOKEN,
  type AuthInstance,
} from './instance.ts'

let database: TestDatabase
let one: AuthInstance
let two: AuthInstance
beforeAll(async () => {
  database = await testDatabase()
  one = await authInstance(database.db)
  two = await authInstance(database.open())
})
afterAll(async () => {
  await one.close()
  await two.close()
  await database.close()
})

const newKey = (name = 'test'): Promise<{ record: KeyRecord; plaintext: string }> =>
  one.keys.create({ name, mode: 'test', rpmLimit: 7 })
const identify = (headers: Record<string, string>, instance = one) =>
  instance.auth.identify(carrying(headers))

describe('API key', () => {
  it('identifies its caller in X-Api-Key and as a bearer, on every instance', async () => {
    const { record, plaintext } = await newKey('shop')
    const expected = {
      ok: true,
      identity: {
        keyId: record.id,
        accountId: record.accountId,
        name: 'shop',
        mode: 'test',
        rpmLimit: 7,
        burstLimit: null,
        products: null,
        via: 'key',
      },
    }
    expect(await identify({ 'x-api-key': plaintext })).toEqual(expected)
    expect(await identify({ authorization: `Bearer ${plaintext}` })).toEqual(expected)
    expect(await identify({ 'x-api-key': plaintext }, two)).toEqual(expected)
    const both = { 'x-api-key': plaintext, authorization: `Bearer ${plaintext}` }
    expect(await identify(both)).toEqual(expected)
  })

  it('is null when nothing is presented', async () => {
    expect(await identify({})).toEqual({ ok: true, identity: null })
    const other = await identify({ authorization: 'Basic dXNlcjpwYXNz' })
    expect(other).toEqual({ ok: true, identity: null })
    expect(await identify({ 'x-kernel-api-key-id': 'key_x' })).toEqual({ ok: true, identity: null })
  })

  it('is 401 when malformed, unknown, of the wrong secret, or not a key at all', async () => {
    const { plaintext } = await newKey()
    const other = generateKey('test')
    const stranger = generateKey('live').plaintext
    const cases: [Record<string, string>, string][] = [
      [{ 'x-api-key': '' }, 'prefix'],
      [{ 'x-api-key': 'hello' }, 'prefix'],
      [{ 'x-api-key': plaintext.slice(0, -1) }, 'length'],
      [{ 'x-api-key': plaintext.slice(0, -1).concat('!') }, 'characters'],
      [{ 'x-api-key': stranger }, 'unknown'],
      [{ 'x-api-key': other.plaintext }, 'unknown'],
      [{ authorization: 'Bearer ' }, 'prefix'],
      [{ authorization: `Bearer ${ADMIN_TOKEN}` }, 'prefix'],
      [{ authorization: `Bearer ${stranger}` }, 'unknown'],
    ]
    for (const [headers, problem] of cases) {
      const refusal = await identify(headers)
      expect(refusal).toMatchObject({
        ok: false,
        status: 401,
        code: 'INVALID_INPUT',
        details: { reason: 'invalid_key', problem },
      })
      expect(JSON.stringify(refusal)).not.toContain(stranger)
    }
  })

  it('is 401 that says how a key is sent, when it stands in Authorization alone', async () => {
    const { record, plaintext } = await newKey()
    const { token } = await one.tokens.issue(record.id)
    for (const authorization of [plaintext, ` ${plaintext} `, token]) {
      expect(await identify({ authorization })).toMatchObject({
        ok: false,
        status: 401,
        message: 'The API key is sent as X-Api-Key: ck_... or Authorization: Bearer ck_...',
        details: { reason: 'invalid_key', problem: 'prefix' },
      })
    }
  })

  it('counts alone, beside a key that stands in Authorization without a scheme', async () => {
    const [mine, theirs] = [await newKey(), await newKey()]
    expect(
      await identify({ 'x-api-key': mine.plaintext, authorization: theirs.plaintext }),
    ).toMatchObject({ ok: true, identity: { keyId: mine.record.id } })
    expect(await identify({ 'x-api-key': mine.plaintext, authorization: 'Bearer ' })).toMatchObject(
      { ok: false, status: 401, details: { problem: 'prefix' } },
    )
  })

  it('is 401 when the secret of another key is put behind its public id', async () => {
    const [mine, theirs] = [await newKey(), await newKey()]
    const mixed = checksummed(mine.plaintext.slice(0, 21) + theirs.plaintext.slice(21, 64))
    expect(await identify({ 'x-api-key': mixed })).toMatchObject({
      status: 401,
      details: { problem: 'unknown' },
    })
    const asLive = checksummed(mine.plaintext.replace('ck_test_', 'ck_live_').slice(0, 64))
    expect(await identify({ 'x-api-key': asLive })).toMatchObject({ status: 401 })
  })

  it('is 401 when two credentials name different keys, or one of them is wrong', async () => {
    const [mine, theirs] = [await newKey(), await newKey()]
    const two = { 'x-api-key': mine.plaintext, authorization: `Bearer ${theirs.plaintext}` }
    expect(await identify(two)).toMatchObject({
      status: 401,
      details: { problem: 'different_keys' },
    })
    const wrong = { 'x-api-key': mine.plaintext, authorization: 'Bearer nonsense' }
    expect(await identify(wrong)).toMatchObject({ status: 401 })
  })
})

describe('revocation', () => {
  it('reaches the other instance', async () => {
    const { record, plaintext } = await newKey()
    const { token } = await one.tokens.issue(record.id)
    const presented: Record<string, string>[] = [
      { 'x-api-key': plaintext },
      { authorization: `Bearer ${token}` },
    ]
    for (const headers of presented) {
      expect(await identify(headers, two)).toMatchObject({ ok: true })
    }
    await one.keys.revoke(record.id)
    for (const headers of presented) {
      await eventually(async () => !(await identify(headers, two)).ok)
      expect(await identify(headers, two)).toMatchObject({
        status: 401,
        details: { problem: 'revoked' },
      })
    }
    expect(await two.auth.identityOf(record.id, 'skill')).toBeNull()
  })

  it('reaches an instance that missed the notification', async () => {
    const { record, plaintext } = await newKey()
    expect(await identify({ 'x-api-key': plaintext }, two)).toMatchObject({ ok: true })
    // Straight in the table: no NOTIFY goes out.
    await database.db.sql`UPDATE coinop.api_key SET revoked_at = now() WHERE id = ${record.id}`
    await eventually(async () => !(await identify({ 'x-api-key': plaintext }, two)).ok)
  })

  it('shows changed limits to the other instance', async () => {
    const { record, plaintext } = await newKey()
    await identify({ 'x-api-key': plaintext }, two)
    await one.keys.patch(record.id, { rpmLimit: 99 })
    await eventually(async () => {
      const found = await identify({ 'x-api-key': plaintext }, two)
      return found.ok && found.identity?.rpmLimit === 99
    })
  })
})

describe('JWT', () => {
  it('is accepted where the key is, on every instance, for that key', async () => {
    const { record } = await newKey()
    const { token } = await one.tokens.issue(record.id)
    for (const instance of [one, two]) {
      const carriers: Record<string, string>[] = [
        { authorization: `Bearer ${token}` },
        { 'x-api-key': token },
      ]
      for (const headers of carriers)
        expect(await identify(headers, instance)).toMatchObject({
          ok: true,
          identity: { keyId: record.id, via: 'jwt' },
        })
    }
  })

  it('is 401 for an unknown key and when altered', async () => {
    const { token } = await one.tokens.issue('key_00000000000000000000000000000000')
    expect(await identify({ authorization: `Bearer ${token}` })).toMatchObject({ status: 401 })
    // The first letter of the signature: its last ones are zeros now and then.
    const at = token.lastIndexOf('.') + 1
    const other = token[at] === 'A' ? 'B' : 'A'
    const altered = token.slice(0, at) + other + token.slice(at + 1)
    const headers = { authorization: `Bearer ${altered}` }
    expect(await identify(headers)).toMatchObject({ status: 401, details: { problem: 'token' } })
  })
})

describe('service token', () => {
  it('acts for the key it names', async () => {
    const { record } = await newKey()
    const headers = {
      'x-kernel-service-token': SERVICE_TOKEN,
      'x-kernel-api-key-id': record.id,
    }
    expect(await identify(headers)).toMatchObject({
      ok: true,
      identity: { keyId: record.id, via: 'service' },
    })
    await one.keys.revoke(record.id)
    expect(await identify(headers)).toMatchObject({ status: 401 })
  })

  it('is 401 when wrong, without a key, for an unknown key, or beside another key', async () => {
    const { record } = await newKey()
    const other = await newKey()
    const named = { 'x-kernel-api-key-id': record.id }
    for (const headers of [
      { ...named, 'x-kernel-service-token': `${SERVICE_TOKEN}x` },
      { ...named, 'x-kernel-service-token': '' },
      { 'x-kernel-service-token': SERVICE_TOKEN },
      { 'x-kernel-service-token': SERVICE_TOKEN, 'x-kernel-api-key-id': 'key_nobody' },
      { ...named, 'x-kernel-service-token': SERVICE_TOKEN, 'x-api-key': other.plaintext },
    ]) {
      expect(await identify(headers)).toMatchObject({ ok: false, status: 401 })
    }
  })

  it.each([null, ''])('never matches when the configured one is %j', async (serviceToken) => {
    const closed = await authInstance(database.open(), { serviceToken })
    const { record } = await newKey()
    for (const presented of ['', 'null', SERVICE_TOKEN]) {
      const headers = { 'x-kernel-service-token': presented, 'x-kernel-api-key-id': record.id }
      expect(await identify(headers, closed)).toMatchObject({ ok: false, status: 401 })
    }
    await closed.close()
  })
})

describe('without the database', () => {
  it('answers 503 and lets nobody in', async () => {
    const away = database.open()
    const instance = await authInstance(away)
    const { plaintext } = await newKey()
    await away.close()
    expect(await identify({ 'x-api-key': plaintext }, instance)).toMatchObject({
      ok: false,
      status: 503,
      code: 'INTERNAL_ERROR',
    })
  })
})
