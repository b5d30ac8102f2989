import { expect, test } from 'vitest'
import { startSweeper } from '../../../kernel/ledger/sweeper.ts'
import { silentLog } from '../../support/log.ts'

/** An `expireDue` that answers from a list, one per call, then 0; and a way to wait for a call. */
function scripted(answers: (number | Error)[]) {
  const calls: number[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  return {
    calls,
    async expireDue(limit = 0) {
      calls.push(limit)
      for (const { count, resolve } of waiting) if (calls.length >= count) resolve()
      const answer = answers.shift() ?? 0
      if (answer instanceof Error) throw answer
      return answer
    },
    called: (count: number) =>
      new Promise<void>((resolve) => {
        if (calls.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
  }
}

test('goes on at once while full batches come back, and reports what it expired', async () => {
  const ledger = scripted([500, 500, 3])
  const reported: unknown[] = []
  await new Promise<void>((resolve) => {
    const info = (fields: object): void => {
      reported.push(fields)
      void sweeper.stop().then(resolve)
    }
    const sweeper = startSweeper(ledger, { ...silentLog, info }, 1)
  })
  expect(reported).toEqual([{ expired: 1003 }])
  expect(ledger.calls).toEqual([500, 500, 500])
})

test('survives a database that is away', async () => {
  const ledger = scripted([new Error('away'), new Error('away'), 1])
  const warnings: unknown[] = []
  const log = { ...silentLog, warn: (context: object) => void warnings.push(context) }
  const sweeper = startSweeper(ledger, log, 1)
  await ledger.called(4)
  await sweeper.stop()
  expect(warnings).toHaveLength(2)
})

test('stop ends the pause at once, waits for a running round and starts no other', async () => {
  const idle = startSweeper(scripted([]), silentLog, 3_600_000)
  await idle.stop()

  const { promise, resolve } = Promise.withResolvers<number>()
  const begun = Promise.withResolvers<void>()
  let rounds = 0
  const expireDue = () => {
    rounds += 1
    begun.resolve()
    return promise
  }
  const sweeper = startSweeper({ expireDue }, silentLog, 1)
  await begun.promise
  let stopped = false
  const stopping = sweeper.stop().then(() => (stopped = true))
  await new Promise((next) => setImmediate(next))
  expect(stopped).toBe(false)
  resolve(500)
  await stopping
  expect(rounds).toBe(1)
})
