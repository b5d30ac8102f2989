import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWriteBatcher } from '../../../kernel/work/retry.ts'

interface Order {
  id: string
  account: string
}

/** What is left unanswered of these orders after so long. */
async function openAfter(
  ms: number,
  orders: readonly Order[],
  answer: (order: Order) => Promise<string>,
): Promise<{ given: string[]; open: number }> {
  const batcher = createWriteBatcher<Order, string>({
    maxInFlight: 2,
    maxBatch: 256,
    keyOf: ({ id }) => id,
    laneOf: ({ account }) => account,
    one: answer,
    many: (batch) => Promise.all(batch.map(answer)),
  })
  const given: string[] = []
  for (const order of orders) {
    batcher.submit(order).then(
      (text) => given.push(text),
      (error: Error) => given.push(error.message),
    )
  }
  await vi.advanceTimersByTimeAsync(ms)
  return { given, open: orders.length - given.length }
}

describe('a batcher of writes', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const never = () => new Promise<string>(() => {})
  const ordersOf = (account: string, count: number): Order[] =>
    Array.from({ length: count }, (_, index) => ({ id: `${account} ${index}`, account }))

  it('gives the orders of one account up together while the database says nothing', async () => {
    const { given, open } = await openAfter(6000, ordersOf('a', 60), never)
    expect(open).toBe(0)
    expect(new Set(given)).toEqual(new Set(['The ledger is not reachable; try again shortly']))
  })

  it('tries each order by itself when the others are answered', async () => {
    let calls = 0
    const slowFirst = ({ id }: Order) => (calls++ < 60 ? never() : Promise.resolve(id))
    const { given } = await openAfter(6000, ordersOf('a', 60), slowFirst)
    expect(given).toEqual(ordersOf('a', 60).map(({ id }) => id))
  })

  it('goes on by itself when a full disk has space again', async () => {
    // Its pauses are those of the real clock.
    vi.useRealTimers()
    let isFull = true
    setTimeout(() => (isFull = false), 100)
    const batcher = createWriteBatcher<Order, string>({
      maxInFlight: 2,
      maxBatch: 256,
      keyOf: ({ id }) => id,
      laneOf: ({ account }) => account,
      async one({ id }) {
        if (isFull) throw Object.assign(new Error('No space left on device'), { code: '53100' })
        return id
      },
      many: () => Promise.reject(new Error('one by one')),
    })
    expect(await batcher.submit({ id: 'a 1', account: 'a' })).toBe('a 1')
  })
})
