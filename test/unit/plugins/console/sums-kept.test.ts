/** Sums that are read again after a few seconds, also at a gateway whose clock is set back meanwhile. */
import { expect, it } from 'vitest'
import { Minutes } from '../../../../plugins/console/reports/minutes.ts'
import { Revenue } from '../../../../plugins/console/reports/revenue.ts'

const NOW = new Date('2026-03-04T10:30:00Z')
const ago = (ms: number): Date => new Date(NOW.getTime() - ms)

it.each([
  ['a second later they are the same', -1000, 1],
  ['ten minutes later they are read again', -600_000, 2],
  ['so they are after the clock was set back', 600_000, 2],
])('minutes: %s', async (_, backMs, reads) => {
  let asked = 0
  const minutes = new Minutes({ minutes: async () => (asked++, []), rails: () => [] })
  await minutes.of(NOW)
  const again = await minutes.of(ago(backMs))
  expect(asked).toBe(reads)
  expect(again).toHaveLength(60)
})

it.each([
  ['a second later it is the same', -1000, false],
  ['a minute later it is summed again', -60_000, true],
  ['so it is after the clock was set back', 1_200_000, true],
])('revenue of the hour: %s', async (_, backMs, isAgain) => {
  const asked: number[] = []
  const reports = { revenue: async (from: Date) => (asked.push(from.getTime()), []) }
  const revenue = new Revenue(reports, { query: async () => [] } as never)
  const from = new Date('2026-03-04T09:00:00Z')
  await revenue.since(from, NOW)
  const before = asked.length
  await revenue.since(from, ago(backMs))
  expect(asked.length > before).toBe(isAgain)
})
