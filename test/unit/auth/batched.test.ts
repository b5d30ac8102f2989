import { expect, test } from 'vitest'
import { batched } from '../../../kernel/auth/key-rows.ts'

const upper = (ids: readonly string[]) =>
  new Map(ids.filter((id) => id !== 'none').map((id) => [id, id.toUpperCase()]))

test('what is asked for together goes out together, each once', async () => {
  const sent: string[][] = []
  const find = batched(async (ids) => {
    sent.push([...ids])
    return upper(ids)
  })
  expect(await Promise.all([find('a'), find('b'), find('none'), find('a')])).toEqual([
    'A',
    'B',
    null,
    'A',
  ])
  expect(sent).toEqual([['a', 'b', 'none']])
})

test('a question is never answered by a statement that was sent before it', async () => {
  const answers: (() => void)[] = []
  let sent = 0
  const find = batched(async (ids) => {
    const number = ++sent
    await new Promise<void>((resolve) => answers.push(resolve))
    return new Map(ids.map((id) => [id, number]))
  })
  const first = find('a')
  await new Promise((resolve) => setImmediate(resolve))
  expect(sent).toBe(1)
  const second = find('a')
  await new Promise((resolve) => setImmediate(resolve))
  expect(sent).toBe(2)
  for (const answer of answers) answer()
  expect(await Promise.all([first, second])).toEqual([1, 2])
})

test('few statements run at once, and what waits for them shares the next', async () => {
  const answers: (() => void)[] = []
  const sizes: number[] = []
  const find = batched(async (ids) => {
    sizes.push(ids.length)
    await new Promise<void>((resolve) => answers.push(resolve))
    return upper(ids)
  })
  const asked: Promise<string | null>[] = []
  for (let i = 0; i < 10; i++) {
    asked.push(find(`key-${i}`))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(sizes).toEqual([1, 1, 1, 1])
  answers[0]!()
  await asked[0]
  while (sizes.length === 4) await new Promise((resolve) => setImmediate(resolve))
  expect(sizes).toEqual([1, 1, 1, 1, 6])
  for (const answer of answers) answer()
  expect(await Promise.all(asked)).toHaveLength(10)
})

test('a failed statement fails those who asked, and nobody after them', async () => {
  let fails = true
  const find = batched(async (ids) => {
    if (fails) throw new Error('away')
    return upper(ids)
  })
  const results = await Promise.allSettled([find('a'), find('b')])
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await find('a')).toBe('A')
})
