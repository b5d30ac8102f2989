import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createRateLimiter } from '../../../host/rate-limits/limiter.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import { silentLog } from '../../support/log.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('a closed limiter ends its sweep with the statement under way, and waits for it', async () => {
  const statements: PromiseWithResolvers<{ count: number }>[] = []
  const sql = (): Promise<{ count: number }> => {
    const statement = Promise.withResolvers<{ count: number }>()
    statements.push(statement)
    return statement.promise
  }
  const limiter = createRateLimiter(sql as unknown as SqlClient, silentLog)
  await vi.advanceTimersByTimeAsync(900_000)
  expect(statements).toHaveLength(1)
  let isClosed = false
  const closing = (async () => {
    await limiter.close()
    isClosed = true
  })()
  await vi.advanceTimersByTimeAsync(0)
  expect(isClosed).toBe(false)
  // As many as one statement deletes: there may be more.
  statements[0]!.resolve({ count: 10_000 })
  await closing
  await vi.advanceTimersByTimeAsync(0)
  expect(statements).toHaveLength(1)
})
