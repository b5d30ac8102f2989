import { describe, expect, test } from 'vitest'
import { createBatcher } from '../../../kernel/work/batcher.ts'

interface Statement {
  orders: number[]
  end(): void
}

/** A batcher whose statements wait until the test lets them end. */
function held(
  options: {
    maxInFlight?: number
    maxBatch?: number
    maxPending?: number
    laneOf?: (order: number) => string
  } = {},
) {
  const singles: number[] = []
  const batches: Statement[] = []
  const failing = new Set<number>()
  const skipped = new Set<number>()
  const stuck = new Map<number, Promise<void>>()
  const batcher = createBatcher<number, string>({
    maxInFlight: options.maxInFlight ?? 2,
    maxBatch: options.maxBatch ?? 100,
    maxPending: options.maxPending ?? 1000,
    keyOf: String,
    laneOf: options.laneOf ?? String,
    async one(order) {
      singles.push(order)
      await stuck.get(order)
      if (failing.has(order)) throw new Error(`order ${order} is bad`)
      return `one ${order}`
    },
    async many(orders) {
      const { promise, resolve } = Promise.withResolvers<void>()
      batches.push({ orders: [...orders], end: resolve })
      await promise
      if (orders.some((order) => failing.has(order))) throw new Error('a member is bad')
      return orders.map((order) => (skipped.has(order) ? undefined : `many ${order}`))
    },
  })
  return { batcher, singles, batches, failing, skipped, stuck }
}
const nextFlush = () => new Promise((resolve) => setImmediate(resolve))

describe('batcher', () => {
  test('sends a lone order as the plain statement', async () => {
    const { batcher, singles, batches } = held()
    expect(await batcher.submit(1)).toBe('one 1')
    expect(singles).toEqual([1])
    expect(batches).toEqual([])
  })

  test('sends what has gathered as one statement and gives each caller its own answer', async () => {
    const { batcher, batches } = held()
    const answers = [1, 2, 3].map((order) => batcher.submit(order))
    await nextFlush()
    expect(batches.map((batch) => batch.orders)).toEqual([[1, 2, 3]])
    batches[0]!.end()
    expect(await Promise.all(answers)).toEqual(['many 1', 'many 2', 'many 3'])
  })

  test('keeps at most maxInFlight statements under way; the rest gathers', async () => {
    const { batcher, batches } = held({ maxInFlight: 2 })
    const answers: Promise<string>[] = []
    for (let order = 0; order < 12; order += 2) {
      answers.push(batcher.submit(order), batcher.submit(order + 1))
      await nextFlush()
    }
    expect(batches.map((batch) => batch.orders)).toEqual([
      [0, 1],
      [2, 3],
    ])
    batches[0]!.end()
    await answers[0]
    await nextFlush()
    await nextFlush()
    expect(batches[2]?.orders).toEqual([4, 5, 6, 7, 8, 9, 10, 11])
    batches[1]!.end()
    batches[2]!.end()
    expect(await Promise.all(answers)).toHaveLength(12)
  })

  test('never puts two orders of one key into one statement', async () => {
    const { batcher, batches, singles } = held()
    const answers = [7, 8, 7].map((order) => batcher.submit(order))
    await nextFlush()
    expect(batches.map((batch) => batch.orders)).toEqual([[7, 8]])
    batches[0]!.end()
    expect(await Promise.all(answers)).toEqual(['many 7', 'many 8', 'one 7'])
    expect(singles).toEqual([7])
  })

  test('gathers the orders of a lane whose statement is under way; other lanes go out at once', async () => {
    const { batcher, batches } = held({ laneOf: (order) => `lane ${order % 10}` })
    const answers = [11, 21].map((order) => batcher.submit(order))
    await nextFlush()
    answers.push(...[31, 12, 41, 22].map((order) => batcher.submit(order)))
    await nextFlush()
    expect(batches.map((batch) => batch.orders)).toEqual([
      [11, 21],
      [12, 22],
    ])
    batches[0]!.end()
    await Promise.all(answers.slice(0, 2))
    await nextFlush()
    expect(batches.map((batch) => batch.orders)[2]).toEqual([31, 41])
    for (const batch of batches) batch.end()
    await Promise.all(answers)
  })

  test('reruns the members of a failed statement singly: only the bad one fails', async () => {
    const { batcher, batches, failing, singles } = held()
    failing.add(2)
    const answers = Promise.allSettled([1, 2, 3].map((order) => batcher.submit(order)))
    await nextFlush()
    batches[0]!.end()
    const [first, second, third] = await answers
    expect(first).toEqual({ status: 'fulfilled', value: 'one 1' })
    expect(second).toMatchObject({ status: 'rejected', reason: { message: 'order 2 is bad' } })
    expect(third).toEqual({ status: 'fulfilled', value: 'one 3' })
    expect(singles.sort()).toEqual([1, 2, 3])
  })

  test('reruns a member that its statement left undecided', async () => {
    const { batcher, batches, skipped, singles } = held()
    skipped.add(2)
    const answers = [1, 2, 3].map((order) => batcher.submit(order))
    await nextFlush()
    batches[0]!.end()
    expect(await Promise.all(answers)).toEqual(['many 1', 'one 2', 'many 3'])
    expect(singles).toEqual([2])
  })

  test('cuts batches at maxBatch', async () => {
    const { batcher, batches } = held({ maxBatch: 3, maxInFlight: 4 })
    const answers = Array.from({ length: 8 }, (_, order) => batcher.submit(order))
    await nextFlush()
    expect(batches.map((batch) => batch.orders.length)).toEqual([3, 3, 2])
    for (const batch of batches) batch.end()
    expect(await Promise.all(answers)).toHaveLength(8)
  })

  test('refuses orders beyond maxPending and takes new ones once there is room', async () => {
    const { batcher, batches } = held({ maxPending: 2 })
    const answers = [batcher.submit(1), batcher.submit(2)]
    await expect(batcher.submit(3)).rejects.toThrow('2 orders are waiting already')
    await nextFlush()
    batches[0]!.end()
    await Promise.all(answers)
    expect(await batcher.submit(3)).toBe('one 3')
  })

  test('drain waits for queued and running orders, answered or failed', async () => {
    const { batcher, batches, failing } = held({ maxInFlight: 1, maxBatch: 2 })
    failing.add(3)
    const answers = Promise.allSettled([1, 2, 3, 4].map((order) => batcher.submit(order)))
    let drained = false
    const draining = batcher.drain().then(() => (drained = true))
    await nextFlush()
    batches[0]!.end()
    await nextFlush()
    await nextFlush()
    expect(drained).toBe(false)
    batches[1]!.end()
    await draining
    expect((await answers).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    await batcher.drain()
  })

  test('an order that is stuck holds up its own lane only', async () => {
    const { batcher, singles, stuck } = held({
      maxInFlight: 1,
      laneOf: (order) => String(order % 10),
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    stuck.set(7, promise)
    const slow = batcher.submit(7)
    await nextFlush()
    // The only place is taken until order 7 counts as slow; then other lanes go on without it.
    expect(await batcher.submit(1)).toBe('one 1')
    const behind = batcher.submit(17)
    expect(await batcher.submit(2)).toBe('one 2')
    expect(singles).toEqual([7, 1, 2])
    resolve()
    expect(await Promise.all([slow, behind])).toEqual(['one 7', 'one 17'])
    expect(singles).toEqual([7, 1, 2, 17])
  })
})
