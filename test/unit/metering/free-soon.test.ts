/** An Idempotency-Key of a call that was not charged, while the database is away. */
import { expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { IdempotencyStore, type Holds } from '../../../kernel/metering/idempotency.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'

test('it fails no answer, and is free once the database is back', async () => {
  const back = Promise.withResolvers<void>()
  let tries = 0
  const sql = async (): Promise<unknown[]> => {
    tries += 1
    if (tries < 3) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    back.resolve()
    return []
  }
  const store = new IdempotencyStore(sql as unknown as SqlClient, {} as Holds)
  await store.freeSoon({ scope: 'key:1 demo.echo', key: 'k', holdId: newId() })
  expect(tries).toBe(1)
  await back.promise
  expect(tries).toBe(3)
})
