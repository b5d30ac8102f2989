/** What the server does to fold usage, where its settings are those of a PostgreSQL as it is installed. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { foldUsage } from '../../../host/reporting/usage/fold.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

it('compiles nothing: its plans are forced, and their costs say nothing of the work', async () => {
  await database.db.sql.unsafe(`
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET jit = on', current_database()); END $$;
    CREATE TABLE coinop.seen (jit text);
    CREATE FUNCTION coinop.look() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO coinop.seen VALUES (current_setting('jit')); RETURN new; END $$;
    CREATE TRIGGER look BEFORE UPDATE ON coinop.usage_fold FOR EACH ROW EXECUTE FUNCTION coinop.look()`)
  const { sql } = database.open('fold')
  expect(await sql`SELECT current_setting('jit') AS jit`).toMatchObject([{ jit: 'on' }])
  expect(await foldUsage(sql, { lagMs: 0 })).toBe('done')
  expect([...(await sql`SELECT jit FROM coinop.seen`)]).toEqual([{ jit: 'off' }])
})
