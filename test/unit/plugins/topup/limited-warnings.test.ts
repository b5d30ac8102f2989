import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { limitedWarnings } from '../../../../plugins/topup/limited-warnings.ts'
import { silentLog } from '../../../support/log.ts'

let written: object[]
const log = { ...silentLog, warn: (fields: object) => void written.push(fields) }
beforeEach(() => {
  written = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('writes the first of a kind at once, then one a minute that says how many', () => {
  const warn = limitedWarnings(log)
  for (let count = 0; count < 1000; count++) warn('a', { kind: 'a' }, 'refused')
  warn('b', { kind: 'b' }, 'refused')
  expect(written).toEqual([{ kind: 'a' }, { kind: 'b' }])
  vi.advanceTimersByTime(60_000)
  expect(written.slice(2)).toEqual([{ kind: 'a', more: 999, withinMs: 60_000 }])
  warn('a', { kind: 'a' }, 'refused')
  vi.advanceTimersByTime(60_000)
  expect(written.slice(3)).toEqual([{ kind: 'a', more: 1, withinMs: 60_000 }])
})

it('forgets a kind that was quiet for a minute', () => {
  const warn = limitedWarnings(log)
  warn('a', { kind: 'a' }, 'refused')
  vi.advanceTimersByTime(60_000)
  expect(vi.getTimerCount()).toBe(0)
  warn('a', { kind: 'a' }, 'refused')
  expect(written).toHaveLength(2)
})
