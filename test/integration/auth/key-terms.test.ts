/** Keys that end, and keys that are bound to networks, on two instances of one database. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Identity } from '../../../kernel/auth/contract.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { authInstance, carrying, eventually, type AuthInstance } from './instance.ts'

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

const bearing = (key: string, clientAddress?: string) => ({
  ...carrying({ 'x-api-key': key }),
  clientAddress,
})
const EXPIRED = { ok: false, status: 401, details: { reason: 'key_expired' } }
const ELSEWHERE = { ok: false, status: 403, details: { reason: 'origin_not_allowed' } }

/** Moves the end of a key into the past as time would: without any notice of a change. */
async function end(keyId: string): Promise<void> {
  await database.db.sql`
    UPDATE coinop.api_key SET expires_at = now() - interval '1 second' WHERE id = ${keyId}`
}

it('a key ends on every instance, with its tokens and grants, and can be extended', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000)
  const { record, plaintext } = await one.keys.create({ name: 'trial', mode: 'test', expiresAt })
  expect(record.expiresAt).toEqual(expiresAt)
  const { token } = await one.tokens.issue(record.id)
  const made = await one.keys.createGrant(record.accountId, {
    name: 'app',
    madeBy: 'oauth',
    parentKeyId: record.id,
  })
  if (made.outcome !== 'created') throw new Error(made.outcome)
  const grantId = made.record.id
  const ask = async () => [
    await one.auth.identify(bearing(plaintext)),
    await two.auth.identify(bearing(plaintext)),
    await two.auth.identify(carrying({ authorization: `Bearer ${token}` })),
    await two.auth.identifyAs(grantId, 'oauth', '192.0.2.1'),
  ]
  for (const outcome of await ask()) expect(outcome).toMatchObject({ ok: true })
  await end(record.id)
  await eventually(async () => (await ask()).every(({ ok }) => !ok))
  for (const outcome of await ask()) expect(outcome).toMatchObject(EXPIRED)
  expect(await two.auth.identityOf(record.id, 'skill')).toBeNull()
  expect(await two.auth.identityOf(grantId, 'skill')).toBeNull()
  await one.keys.patch(record.id, { expiresAt: null })
  await eventually(async () => (await ask()).every(({ ok }) => ok))
})

it('the row that is cached ends at its moment, with no look at the database', async () => {
  const { record, plaintext } = await one.keys.create({
    name: 'short',
    mode: 'test',
    expiresAt: new Date(Date.now() + 400),
  })
  await eventually(async () => !(await one.auth.identify(bearing(plaintext))).ok)
  expect(Date.now()).toBeGreaterThanOrEqual(record.expiresAt!.getTime() - 100)
  expect(await one.auth.identify(bearing(plaintext))).toMatchObject(EXPIRED)
})

it('a key is taken from its networks only, and so is what stands for it', async () => {
  const networks = ['192.0.2.0/24', '2001:db8::/32']
  const { record, plaintext } = await one.keys.create({ name: 'office', mode: 'test', networks })
  expect(record.networks).toEqual(networks)
  const grant = await one.keys.createGrant(record.accountId, {
    name: 'app',
    madeBy: 'oauth',
    parentKeyId: record.id,
  })
  if (grant.outcome !== 'created') throw new Error(grant.outcome)
  const { token } = await one.tokens.issue(record.id)
  const inside: Partial<Identity> = { keyId: record.id }
  for (const from of ['192.0.2.9', '2001:db8:5::1']) {
    expect(await one.auth.identify(bearing(plaintext, from))).toMatchObject({ identity: inside })
    expect(await one.auth.identifyAs(grant.record.id, 'oauth', from)).toMatchObject({ ok: true })
  }
  for (const from of ['198.51.100.1', '2001:db9::1', 'unknown']) {
    const refused = { ...ELSEWHERE, details: { ...ELSEWHERE.details, clientAddress: from } }
    expect(await one.auth.identify(bearing(plaintext, from))).toMatchObject(refused)
    const byToken = { ...carrying({ authorization: `Bearer ${token}` }), clientAddress: from }
    expect(await one.auth.identify(byToken)).toMatchObject(refused)
    expect(await one.auth.identifyAs(grant.record.id, 'oauth', from)).toMatchObject(refused)
  }
  // Whoever asks without an address is refused; the gateway itself acts from none.
  expect(await one.auth.identify(bearing(plaintext))).toMatchObject(ELSEWHERE)
  expect(await one.auth.identityOf(record.id, 'skill')).toMatchObject(inside)
  await one.keys.patch(record.id, { networks: null })
  await eventually(async () => (await two.auth.identify(bearing(plaintext, '198.51.100.1'))).ok)
})

it('an expired key frees its place among those of the account, and makes no grant', async () => {
  const { record } = await one.keys.create({ name: 'first', mode: 'test' })
  const on = (name: string) => one.keys.createOn(record.accountId, { name, max: 2 })
  const second = await on('second')
  if (second.outcome !== 'created') throw new Error(second.outcome)
  expect(await on('third')).toEqual({ outcome: 'too_many_keys' })
  await end(second.record.id)
  expect(await on('third')).toMatchObject({ outcome: 'created' })
  const grant = { name: 'app', madeBy: 'oauth', parentKeyId: second.record.id }
  expect(await one.keys.createGrant(record.accountId, grant)).toEqual({ outcome: 'unknown_parent' })
})

it('a grant has no skill that its key has not, also when those of the key change', async () => {
  const skills = ['demo.hash', 'demo.health']
  const { record } = await one.keys.create({ name: 'narrow', mode: 'test', skills })
  expect(record.skills).toEqual(skills)
  const grantOf = async (own: string[] | null) => {
    const made = await one.keys.createGrant(record.accountId, {
      name: 'app',
      madeBy: 'oauth',
      parentKeyId: record.id,
      skills: own,
    })
    if (made.outcome !== 'created') throw new Error(made.outcome)
    return made.record.id
  }
  const [free, own] = [await grantOf(null), await grantOf(['demo.health', 'demo.echo'])]
  const skillsOf = async (id: string) => (await two.auth.identityOf(id, 'skill'))?.skills
  expect([await skillsOf(record.id), await skillsOf(free), await skillsOf(own)]).toEqual([
    skills,
    skills,
    ['demo.health'],
  ])
  await one.keys.patch(record.id, { skills: ['demo.hash'] })
  await eventually(async () => (await skillsOf(own))?.length === 0)
  await one.keys.patch(record.id, { skills: null })
  await eventually(async () => (await skillsOf(free)) === undefined)
  await eventually(async () => (await skillsOf(own))?.join() === 'demo.health,demo.echo')
})
