import { expect, test, vi } from 'vitest'
import { unlessAborted, within } from '../../../kernel/work/timeout.ts'

const never = new Promise<never>(() => {})

test('work that ends in time gives its own value or error, and `late` is not asked', async () => {
  const late = () => expect.unreachable()
  expect(await within(Promise.resolve(1), 60_000, late)).toBe(1)
  await expect(within(Promise.reject(new Error('bad')), 60_000, late)).rejects.toThrow('bad')
})

test('work that is late is replaced by what `late` gives or throws', async () => {
  expect(await within(never, 0, () => 'late')).toBe('late')
  const thrown = within(never, -5, () => {
    throw new Error('too late')
  })
  await expect(thrown).rejects.toThrow('too late')
})

test('work that fails after it was given up harms nobody', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  expect(await within(promise, 0, () => null)).toBe(null)
  reject(new Error('nobody waits'))
  await new Promise((resolve) => setImmediate(resolve))
})

test('work that a late limit stops does not win by ending at once', async () => {
  const ending = new AbortController()
  const work = new Promise<string>((_, reject) =>
    ending.signal.addEventListener('abort', () => reject(new Error('stopped'))),
  )
  const late = () => {
    ending.abort()
    return 'late'
  }
  expect(await within(work, 0, late)).toBe('late')
})

test('a signal ends the wait, also one that fired before; without one nothing does', async () => {
  const ending = new AbortController()
  const waiting = unlessAborted(never, ending.signal, () => 'gone')
  ending.abort()
  expect(await waiting).toBe('gone')
  expect(await unlessAborted(never, ending.signal, () => 'gone')).toBe('gone')
  expect(await unlessAborted(Promise.resolve(1), null, () => 'gone')).toBe(1)
})

test('a signal is watched for work that takes a while, and only as long', async () => {
  const { signal } = new AbortController()
  const added = vi.spyOn(signal, 'addEventListener')
  const removed = vi.spyOn(signal, 'removeEventListener')
  const short = async () => 'short'
  expect(await unlessAborted(short(), signal, () => 'gone')).toBe('short')
  expect(added).not.toHaveBeenCalled()
  const { promise, resolve } = Promise.withResolvers<string>()
  const waiting = unlessAborted(promise, signal, () => 'gone')
  await new Promise((turn) => setImmediate(turn))
  expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 0])
  resolve('long')
  expect(await waiting).toBe('long')
  expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1])
})
