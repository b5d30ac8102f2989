import { expect, test } from 'vitest'
import { Questions } from '../../../../plugins/mcp/questions.ts'

const YET = { cause: 'the answer is not settled yet' }
const outcomeOf = (answer: Promise<unknown>) =>
  Promise.race([
    answer.catch((error: Error) => error.message),
    new Promise((resolve) => setImmediate(resolve, YET)),
  ])

test('a question of a call whose client has left is refused at once', async () => {
  const { answer } = new Questions().open(AbortSignal.abort())
  expect(await outcomeOf(answer)).toBe('no answer came in time')
})

test('a question whose client leaves while it waits is refused, and an answer after that is dropped', async () => {
  const questions = new Questions()
  const client = new AbortController()
  const { id, answer } = questions.open(client.signal)
  expect(await outcomeOf(answer)).toBe(YET)
  client.abort()
  questions.settle({ id, result: {} })
  expect(await outcomeOf(answer)).toBe('no answer came in time')
})
