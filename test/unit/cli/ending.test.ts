import { expect, it } from 'vitest'
import { exitCodeOf } from '../../../cli/ending.ts'

it.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('a command that %s ends before it is done exits with %i', (signal, code) => {
  expect(exitCodeOf(signal)).toBe(code)
})
