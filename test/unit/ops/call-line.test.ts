import { expect, test } from 'vitest'
import type { CallFacts } from '../../../kernel/log/log.ts'
import { callLine } from '../../../host/telemetry/log.ts'

const facts: CallFacts = {
  requestId: '0198c0de-7000-7000-8000-000000000001',
  skill: 'demo.hash',
  via: 'http',
  rail: 'credits',
  outcome: 'charged',
  status: 200,
  chargedCredits: 0.01,
  ms: 1.2,
  acquisition: null,
}

test('a line is one JSON object with level, time, message and every fact', () => {
  const line = callLine(facts, Date.UTC(2026, 0, 2, 3, 4, 5, 6))
  expect(line.endsWith('}\n')).toBe(true)
  const { acquisition: _, ...shown } = facts
  expect(JSON.parse(line)).toEqual({
    level: 'info',
    time: '2026-01-02T03:04:05.006Z',
    ...shown,
    msg: 'call',
  })
})

test('the time follows the clock, backwards as well', () => {
  for (const text of [
    '2026-01-02T03:04:05.999Z',
    '2026-01-02T03:04:06.000Z',
    '2026-01-02T03:04:06.010Z',
    '2025-12-31T23:59:59.100Z',
  ]) {
    expect(JSON.parse(callLine(facts, Date.parse(text)))).toMatchObject({ time: text })
  }
})

test('what others chose is escaped', () => {
  const line = callLine({ ...facts, rail: 'a"b', acquisition: 'say "hi"\\' }, 0)
  expect(line.trimEnd()).not.toContain('\n')
  expect(JSON.parse(line)).toMatchObject({ rail: 'a"b', acquisition: 'say "hi"\\' })
})
