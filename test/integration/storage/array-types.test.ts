import { afterAll, beforeAll, expect, test } from 'vitest'
import { arrayText } from '../../../host/database/array-types.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('the numbers of types and of their arrays are those of the server', async () => {
  const { sql } = database.db
  const rows = await sql<{ element: number; array: number }[]>`
    select oid::int as element, typarray::int as array from pg_type
    where typarray <> 0 and oid < 16384 and typname <> 'box'`
  const known = rows.filter(({ array }) => array in sql.options.parsers)
  expect(known.length).toBe(32)
  for (const { element, array } of known) {
    const parsed = sql.options.parsers[array]!('{"1"}')
    expect(parsed).toEqual([sql.options.parsers[element]?.('1') ?? '1'])
  }
})

test('arrays go out and come back as values, nulls as nulls', async () => {
  const { sql } = database.db
  const rows = await sql`select
    ${['a', 'b "c"', String.raw`\d{2}`, '', 'NULL', '{x,y}', ' ', null]}::text[] as texts,
    ${[1, -2]}::int4[] as integers,
    ${sql.array([9007199254740993n, 0n], 1016)} as bigints,
    ${sql.array([true, false], 1000)} as booleans,
    ${[0.5, 2]}::float8[] as floats,
    ${['1.10']}::numeric[] as numerics,
    ${['00000000-0000-4000-8000-000000000001']}::uuid[] as uuids,
    ${sql.array([new Date('2026-01-02T03:04:05.678Z')], 1185)} as times,
    ${sql.array([Buffer.from([0, 255])], 1001)} as bytes,
    ${[{ a: 'x "y"' }, { b: [1, null] }] as never}::jsonb[] as jsons,
    ${[
      [1, 2],
      [3, 4],
    ]}::int4[] as nested,
    ${[]}::text[] as none,
    '[0:1]={p,NULL}'::text[] as bounded,
    null::text[] as absent`
  expect(rows[0]).toEqual({
    texts: ['a', 'b "c"', String.raw`\d{2}`, '', 'NULL', '{x,y}', ' ', null],
    integers: [1, -2],
    bigints: [9007199254740993n, 0n],
    booleans: [true, false],
    floats: [0.5, 2],
    numerics: ['1.10'],
    uuids: ['00000000-0000-4000-8000-000000000001'],
    times: [new Date('2026-01-02T03:04:05.678Z')],
    bytes: [Buffer.from([0, 255])],
    jsons: [{ a: 'x "y"' }, { b: [1, null] }],
    nested: [
      [1, 2],
      [3, 4],
    ],
    none: [],
    bounded: ['p', null],
    absent: null,
  })
})

test('a forgotten element is refused', () => {
  expect(() => arrayText(['a', undefined])).toThrow('every element')
})
