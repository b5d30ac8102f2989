/**
 * An instance that ends a key refuses it from its own answer on, however long NOTIFY takes: here no
 * message of the database ever arrives.
 */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createAccountDirectory } from '../../../host/account-management/account-directory.ts'
import type { Database } from '../../../kernel/storage/contract.ts'
import { accounts } from '../../../kernel/ledger/accounts.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { authInstance, carrying, type AuthInstance } from './instance.ts'

let database: TestDatabase
let db: Database
let instance: AuthInstance
beforeAll(async () => {
  database = await testDatabase()
  const { db: real } = database
  const deaf = (channel: string) => `${channel}_nobody_notifies`
  db = {
    ...real,
    listen: (channel, onMessage) => real.listen(deaf(channel), onMessage),
    notifyHere: (channel, payload) => real.notifyHere(deaf(channel), payload),
  }
  instance = await authInstance(db)
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(async () => {
  await instance.close()
  await database.close()
})

const newKey = () => instance.keys.create({ name: 'test', mode: 'test' })
const problemOf = async (key: string): Promise<unknown> => {
  const found = await instance.auth.identify(carrying({ 'x-api-key': key }))
  return found.ok ? null : found.details?.['problem']
}

it('a revoked key is refused at once', async () => {
  const { record, plaintext } = await newKey()
  expect(await problemOf(plaintext)).toBeNull()
  await instance.keys.revoke(record.id)
  expect(await problemOf(plaintext)).toBe('revoked')
})

it('so is its access token', async () => {
  const { record } = await newKey()
  const { token } = await instance.tokens.issue(record.id)
  const identify = () => instance.auth.identify(carrying({ authorization: `Bearer ${token}` }))
  expect(await identify()).toMatchObject({ ok: true, identity: { keyId: record.id } })
  await instance.keys.revoke(record.id)
  expect(await identify()).toMatchObject({ ok: false, details: { problem: 'revoked' } })
})

it('so are its grants', async () => {
  const { record } = await newKey()
  const order = { name: 'app', madeBy: 'test', parentKeyId: record.id }
  const made = await instance.keys.createGrant(record.accountId, order)
  const keyId = made.outcome === 'created' ? made.record.id : ''
  expect(await instance.auth.identityOf(keyId, 'service')).toMatchObject({ keyId })
  await instance.keys.revoke(record.id)
  expect(await instance.auth.identityOf(keyId, 'service')).toBeNull()
})

it('so are the grants of an account that is closed', async () => {
  const { record } = await newKey()
  const made = await instance.keys.createGrant(record.accountId, { name: 'app', madeBy: 'test' })
  const keyId = made.outcome === 'created' ? made.record.id : ''
  expect(await instance.auth.identityOf(keyId, 'service')).toMatchObject({ keyId })
  await createAccountDirectory(db, accounts).close(record.accountId)
  expect(await instance.auth.identityOf(keyId, 'service')).toBeNull()
})

it('so is the earlier credential of a key that was rotated', async () => {
  const { record, plaintext } = await newKey()
  expect(await problemOf(plaintext)).toBeNull()
  const rotated = await instance.keys.rotate(record.id, 0)
  expect(await problemOf(plaintext)).toBe('unknown')
  expect(await problemOf(rotated.outcome === 'rotated' ? rotated.plaintext : '')).toBeNull()
})

it('a change of its limits and networks counts at once', async () => {
  const { record, plaintext } = await newKey()
  expect(await problemOf(plaintext)).toBeNull()
  await instance.keys.patch(record.id, { rpmLimit: 5 })
  const found = await instance.auth.identify(carrying({ 'x-api-key': plaintext }))
  expect(found).toMatchObject({ ok: true, identity: { rpmLimit: 5 } })
})

it('the time of a close is that of the database, like that of its first key', async () => {
  const { record } = await newKey()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 })
  const closed = await createAccountDirectory(db, accounts).close(record.accountId)
  if (closed.outcome !== 'closed') throw new Error(closed.outcome)
  expect(closed.record.closedAt!.getTime()).toBeGreaterThanOrEqual(record.createdAt.getTime())
})
