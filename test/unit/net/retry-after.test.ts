import { expect, it } from 'vitest'
import { retryAfterMs } from '../../../kernel/net/retry-after.ts'

const NOW = new Date('2026-01-01T00:00:00Z')

it.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['9'.repeat(12), 3_600_000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Thu, 01 Jan 2026 05:00:00 GMT', 3_600_000],
  ['Thu, 01 Jan 2015 00:01:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  ['1.5', null],
  ['', null],
])('a Retry-After of %j asks for %j ms', (value, waitMs) => {
  expect(retryAfterMs([['Retry-After', value]], NOW)).toBe(waitMs)
})

it('an answer without the header asks for nothing', () => {
  expect(retryAfterMs([['content-type', 'text/plain']], NOW)).toBeNull()
})
