/**
 * A gateway says that a charge which it cannot confirm is given back, and is killed before it could:
 * the next start over its folder gives it back, also to a buyer without an Idempotency-Key.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway } from '../support/gateway.ts'
import { PATIENT } from '../support/patience.ts'

const LOST = 'capture-without-answer'
/** Held by the test for as long as the capture is not to be committed. */
const LOCK = 4_021

let database: TestDatabase
let dataDir: string
beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'coinop-give-back-'))
})
afterAll(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

it('is given back after kill -9, as the answer said', async () => {
  const { sql } = database.db
  const env = { DATABASE_URL: database.url, SANDBOX: 'true', SANDBOX_CHAIN: 'false' }
  const first = await startGateway(env, { dataDir, keepDataDir: true })
  const { id, key } = await first.key(10)
  const pay = { body: { input: 'x' }, headers: { 'x-api-key': key, 'x-request-id': LOST } }

  // The capture takes effect at last, long after the gateway has stopped waiting for it.
  await sql.unsafe(`
    CREATE FUNCTION coinop.test_commits_late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM set_config('lock_timeout', '0', true);
      PERFORM pg_advisory_xact_lock(${LOCK});
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER test_commits_late AFTER UPDATE ON coinop.hold DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.state = 'captured' AND NEW.request_id = '${LOST}')
      EXECUTE FUNCTION coinop.test_commits_late()`)
  const states = async () =>
    (await sql<{ state: string }[]>`SELECT state FROM coinop.hold WHERE request_id = ${LOST}`).map(
      ({ state }) => state,
    )
  await sql.begin(async (tx) => {
    await tx`SELECT pg_advisory_lock(${LOCK})`
    const answer = await first.call('POST', '/v1/paid/hash', pay)
    expect(answer.status).toBe(503)
    expect(answer.json.error.message).toMatch(/any charge is given back$/)
    expect(readdirSync(join(dataDir, 'give-backs'))).toHaveLength(1)
    await first.kill()
    await tx`SELECT pg_advisory_unlock(${LOCK})`
  })
  await expect.poll(states, PATIENT).toEqual(['captured'])

  const second = await startGateway(env, { dataDir, keepDataDir: true })
  await expect.poll(states, PATIENT).toEqual(['refunded'])
  const { json } = await second.admin('GET', `/v1/keys/${id}`)
  expect(json.balance).toMatchObject({ credits: 10, heldCredits: 0 })
  await expect.poll(() => readdirSync(join(dataDir, 'give-backs')), PATIENT).toEqual([])
  expect(await second.stop()).toBe(0)
})

it('is promised by no gateway that cannot write it down', async () => {
  const { sql } = database.db
  rmSync(join(dataDir, 'give-backs'), { recursive: true, force: true })
  writeFileSync(join(dataDir, 'give-backs'), 'a file, and no folder')
  const gateway = await startGateway(
    { DATABASE_URL: database.url, SANDBOX: 'true', SANDBOX_CHAIN: 'false' },
    { dataDir, keepDataDir: true },
  )
  const { id, key } = await gateway.key(10)
  const pay = { body: { input: 'x' }, headers: { 'x-api-key': key, 'x-request-id': LOST } }
  await sql.begin(async (tx) => {
    await tx`SELECT pg_advisory_lock(${LOCK})`
    const answer = await gateway.call('POST', '/v1/paid/hash', pay)
    expect(answer.status).toBe(503)
    expect(answer.json.error.message).toContain('any charge is given back while this gateway runs')
    await tx`SELECT pg_advisory_unlock(${LOCK})`
  })
  // It does what it can all the same.
  await expect
    .poll(async () => (await gateway.admin('GET', `/v1/keys/${id}`)).json.balance, PATIENT)
    .toMatchObject({ credits: 10, heldCredits: 0 })
  expect(await gateway.stop()).toBe(0)
})
