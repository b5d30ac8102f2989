/** The plans that PostgreSQL keeps, made while the tables were empty, must do on full ones. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  CAPTURE_MANY,
  CAPTURE_ONE,
  RELEASE_MANY,
  RELEASE_ONE,
} from '../../../kernel/ledger/sql/end.ts'
import { callsOf } from '../../../host/reporting/account-calls.ts'
import { newId } from '../../../kernel/ids.ts'
import { ID_SLOT } from '../../../kernel/ledger/id-bounds.ts'
import type { SqlTransaction } from '../../../kernel/storage/contract.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const CAPTURE = 'uuid[], uuid[], text[], bigint[], bigint[], uuid[], uuid[], bigint'
const WHOLE = 'uuid[], uuid[], text[], bigint[], uuid[], bigint'
const RELEASE = 'uuid[], uuid[], text[], uuid[], bigint'

test.each([
  ['capture of one', CAPTURE_ONE.flat, CAPTURE],
  ['capture of many', CAPTURE_MANY.flat, CAPTURE],
  ['capture of one in full', CAPTURE_ONE.ends!.whole, WHOLE],
  ['capture of many in full', CAPTURE_MANY.ends!.whole, WHOLE],
  ['capture by tiers', CAPTURE_MANY.tiered, `${CAPTURE}, bigint[], bigint[], text[], text[]`],
  ['release of one', RELEASE_ONE, RELEASE],
  ['release of many', RELEASE_MANY, RELEASE],
])('the %s looks holds up by their id, never through all that are open', async (_, text, types) => {
  const nulls = types.split(', ').map(() => 'NULL')
  await database.db.sql.begin(async (sql) => {
    await sql.unsafe('SET LOCAL plan_cache_mode = force_generic_plan')
    await sql.unsafe(`PREPARE kept (${types}) AS ${text}`)
    const lines = await sql.unsafe(`EXPLAIN EXECUTE kept (${nulls.join(', ')})`)
    await sql.unsafe('DEALLOCATE kept')
    const plan = lines.map((line) => String(line['QUERY PLAN'])).join('\n')
    expect(plan).toContain('hold_pkey')
    expect(plan).not.toContain('hold_due')
  })
})

test("a key's postings are read from its end of the index, newest first", async () => {
  await database.db.sql.begin(async (sql) => {
    // Tables are empty: any other way would be cheaper.
    await sql.unsafe('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off')
    const lines = await sql.unsafe(
      `EXPLAIN SELECT e.id FROM coinop.entry e
      WHERE e.key_id = 'key' AND e.id < gen_random_uuid() AND ${ID_SLOT('e.id')} <= ${ID_SLOT('$1::uuid')}
      ORDER BY ${ID_SLOT('e.id')} DESC, e.id DESC LIMIT 50`,
      ['019c0000-0000-7000-8000-000000000000'],
    )
    const plan = lines.map((line) => String(line['QUERY PLAN'])).join('\n')
    expect(plan).toContain('Incremental Sort')
    expect(plan).toMatch(
      /Index Scan Backward using entry_of_key .*\n\s*Index Cond: .*key_id.* AND .*substr/,
    )
  })
})

test("an account's calls are read from the ends of its keys, one posting of most of them", async () => {
  await database.db.sql.begin(async (sql) => {
    await sql.unsafe('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off')
    let plan = ''
    const planning = {
      async unsafe(text: string, parameters: never[]) {
        const lines = await sql.unsafe(`EXPLAIN ${text}`, parameters)
        plan = lines.map((line) => String(line['QUERY PLAN'])).join('\n')
        return [{ id: null, looked: 0, looked_to: null }]
      },
    } as unknown as SqlTransaction
    const at = new Date()
    for (const filter of [{}, { from: at, until: at, skillId: 'demo.echo' }])
      for (const cursor of [null, newId()]) {
        await callsOf(planning, newId(), filter, { limit: 50, cursor })
        const scan = String.raw`Index Scan Backward using entry_of_key .*\n\s*Index Cond: .*key_id`
        expect(plan.match(new RegExp(scan, 'g'))).toHaveLength(2)
      }
  })
})
