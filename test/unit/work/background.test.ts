import { expect, test } from 'vitest'
import { repeat } from '../../../kernel/work/background.ts'

const NEVER_MS = 1e8
const quiet = { warn: () => {} }

/** A task whose rounds end when the test says so. */
function task(atOnce = false) {
  const ends: (() => void)[] = []
  const background = repeat({ name: 'test', everyMs: NEVER_MS, atOnce, log: quiet }, async () => {
    await new Promise<void>((resolve) => ends.push(resolve))
  })
  return { background, ends }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a wake begins a round at once; those during a round are one more round after it', async () => {
  const { background, ends } = task()
  expect(ends).toHaveLength(0)
  background.wake()
  expect(ends).toHaveLength(1)
  background.wake()
  background.wake()
  expect(ends).toHaveLength(1)
  ends[0]!()
  await turn()
  expect(ends).toHaveLength(2)
  ends[1]!()
  await turn()
  expect(ends).toHaveLength(2)
  await background.stop()
})

test('stop waits for the round under way and begins no other', async () => {
  const { background, ends } = task(true)
  background.wake()
  let isStopped = false
  const stopping = background.stop().then(() => (isStopped = true))
  await turn()
  expect(isStopped).toBe(false)
  ends[0]!()
  await stopping
  background.wake()
  expect(ends).toHaveLength(1)
})

test('a round that throws is logged, and the next one comes', async () => {
  const logged: unknown[] = []
  let rounds = 0
  const log = { warn: (fields: unknown) => logged.push(fields) }
  const background = repeat({ name: 'test', everyMs: NEVER_MS, log: log as never }, async () => {
    rounds++
    throw new Error('bad')
  })
  background.wake()
  await turn()
  background.wake()
  await turn()
  await background.stop()
  expect(rounds).toBe(2)
  expect(logged).toMatchObject([{ task: 'test' }, { task: 'test' }])
})
